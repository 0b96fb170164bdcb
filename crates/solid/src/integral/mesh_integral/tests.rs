//! The integral over triangles against rays, differences, and planes.

use super::*;
use crate::integral::rays::SeenTriangle;
use hashfall_core::to_f64;
use hashfall_geometry::random::Random;
use hashfall_geometry::shape::{box_mesh, sphere_mesh};
use hashfall_geometry::triangle::offset_to_triangle;
use hashfall_geometry::{Aabb, Interior, TriangleMesh};

const H: f64 = 0.04;

fn table() -> PlaneTable {
    PlaneTable::with_cubic_spline(H as Real)
}

/// The triangles of a mesh, seen from a point.
fn seen(mesh: &TriangleMesh, x: &Point) -> Vec<[Point; 3]> {
    let corners = |t| mesh.corners(t).map(|c| Point::from(to_f64(&c)) - x);
    (0..mesh.triangles.len()).map(corners).collect()
}

fn distance(corners: &[Point; 3]) -> f64 {
    offset_to_triangle(&Point::zeros(), corners).norm()
}

fn flux(table: &PlaneTable, triangles: &[[Point; 3]]) -> Flux {
    let mut flux = Flux::NONE;
    triangles.iter().for_each(|corners| flux.add(table, corners, distance(corners)));
    flux
}

/// λ by brute force: along rays, from where each enters the solid to where it leaves.
fn by_rays(table: &PlaneTable, triangles: &[[Point; 3]], rays: usize) -> f64 {
    let seen: Vec<_> = triangles.iter().map(SeenTriangle::new).collect();
    let along = |ray: &Point| {
        let hits = seen.iter().filter_map(|it| it.hit(ray));
        hits.map(|(r, enters)| {
            let sign = if enters { 1.0 } else { -1.0 };
            let [value, slope] = table.at(r);
            sign * (value - r * slope) / TAU
        })
        .sum::<f64>()
    };
    // Spread evenly: equal areas, turned by the golden angle from one to the next.
    let direction = |k: usize| {
        let height = 1.0 - (2 * k + 1) as f64 / rays as f64;
        let (sin, cos) = (k as f64 * TAU * 0.381_966_011_250_105).sin_cos();
        let flat = (1.0 - height * height).sqrt();
        Point::new(flat * cos, flat * sin, height)
    };
    let sum: f64 = (0..rays).map(|k| along(&direction(k))).sum();
    sum * 2.0 * TAU / rays as f64
}

fn cuboid(half: [f64; 3]) -> TriangleMesh {
    let corner = hashfall_core::vec3(half);
    box_mesh(&Aabb::new(-corner, corner))
}

/// A needle of four triangles, its tip at the origin.
fn spike(width: f64) -> TriangleMesh {
    let at = |x: f64, y: f64, z: f64| hashfall_core::vec3([x, y, z]);
    let [low, high] = [-width, width];
    let vertices = vec![at(0.0, 0.0, 0.0), at(low, low, -H), at(high, low, -H), at(0.0, high, -H)];
    let triangles = vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];
    TriangleMesh { vertices, triangles }
}

fn outside(random: &mut Random, mesh: &TriangleMesh, interior: &Interior) -> Point {
    loop {
        let x = random.point(-1.6 * H, 1.6 * H);
        let least = seen(mesh, &x).iter().map(distance).fold(f64::INFINITY, f64::min);
        if !interior.contains(&to_vec3(&x)) && (0.15 * H..0.7 * H).contains(&least) {
            return x;
        }
    }
}

fn solids() -> [TriangleMesh; 6] {
    [
        cuboid([H, H, H]),
        cuboid([H, H, 0.05 * H]),
        cuboid([0.1 * H, 0.01 * H, H]),
        spike(0.2 * H),
        sphere_mesh(&Vec3::zeros(), (0.15 * H) as Real, 2),
        sphere_mesh(&Vec3::zeros(), H as Real, 3),
    ]
}

#[test]
fn it_is_what_rays_find_in_corners_plates_needles_and_balls() {
    let table = table();
    for (number, mesh) in solids().iter().enumerate() {
        let (interior, mut random) = (Interior::new(mesh), Random::new(5));
        for _ in 0..3 {
            let x = outside(&mut random, mesh, &interior);
            let triangles = seen(mesh, &x);
            let found = flux(&table, &triangles).fraction;
            let near: Vec<_> = triangles.into_iter().filter(|t| distance(t) < H).collect();
            let expected = by_rays(&table, &near, 20_000);
            // What 20 000 rays leave out.
            assert!((found - expected).abs() < 5e-4, "{number} {x}: {found} {expected}");
        }
    }
}

#[test]
fn the_gradient_is_the_derivative() {
    let (table, step) = (table(), 1e-4 * H);
    for (number, mesh) in solids().iter().enumerate() {
        let (interior, mut random) = (Interior::new(mesh), Random::new(6));
        for _ in 0..20 {
            let x = outside(&mut random, mesh, &interior);
            let gradient = flux(&table, &seen(mesh, &x)).gradient;
            let at = |axis: usize, step: f64| {
                let mut x = x;
                x[axis] += step;
                flux(&table, &seen(mesh, &x)).fraction
            };
            for axis in 0..3 {
                let difference = (at(axis, step) - at(axis, -step)) / (2.0 * step);
                let error = (difference - gradient[axis]) * H;
                assert!(error.abs() < 3e-3, "{number} {x}, axis {axis}: {error}");
            }
        }
    }
}

/// Both rules, and needles beside blunt triangles.
#[test]
fn it_does_not_matter_how_a_face_is_cut() {
    let (table, mut random) = (table(), Random::new(7));
    for _ in 0..300 {
        let [a, b, c] = std::array::from_fn(|_| random.point(-H, H));
        let triangle = [a, b, c];
        if distance(&triangle) < 0.15 * H {
            continue;
        }
        let whole = flux(&table, &[triangle]);
        // Through a point that comes near an edge.
        let p = a + (b - a) * 0.4 + (c - a) * 0.6 * random.number(0.0, 1.0).powi(12);
        let mut parts = vec![[a, b, p], [b, c, p], [c, a, p]];
        for _ in 0..5 {
            let cut = flux(&table, &parts);
            let error = (cut.fraction - whole.fraction).abs();
            let turned = (cut.gradient - whole.gradient).norm() * H;
            assert!(error < 1e-4 && turned < 1e-3, "{triangle:?}: {error} {turned}");
            let quarter = |[a, b, c]: [Point; 3]| {
                let [d, e, f] = [(a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5];
                [[a, d, f], [d, b, e], [f, e, c], [d, e, f]]
            };
            parts = parts.into_iter().flat_map(quarter).collect();
        }
    }
}

#[test]
fn a_wide_triangle_is_a_plane_and_a_sheet_is_one_from_both_sides() {
    let table = table();
    for height in [0.01, 0.2, 0.45, 0.7].map(|part| part * H) {
        for height in [height, -height] {
            let at = |x: f64, y: f64| Point::new(x * H, y * H, -height);
            let sheet = [at(-40.0, -30.0), at(50.0, -20.0), at(0.0, 60.0)];
            let (fraction, gradient) = flux(&table, &[sheet]).part();
            let [value, slope] = table.at(height.abs());
            assert!((f64::from(fraction) - value).abs() < 1e-6);
            let error = f64::from(gradient.z) - slope * height.signum();
            assert!(error.abs() * H < 1e-5 && gradient.xy().norm() * (H as Real) < 1e-5);
        }
    }
}

#[test]
fn turned_inside_out_and_from_inside_it_is_the_same() {
    let (table, mesh) = (table(), cuboid([H; 3]));
    let x = Point::new(0.7 * H, 0.2 * H, 0.6 * H);
    let [a, b] = [mesh.clone(), mesh.flipped()].map(|mesh| flux(&table, &seen(&mesh, &x)).part());
    assert!(a == b && a.0 > 0.1, "{a:?} {b:?}");
    assert!(a.1.x > 0.0 && a.1.z > 0.0, "the walls are at high x and z: {a:?}");
}

#[test]
fn nothing_is_too_hard() {
    let (table, o) = (table(), Point::zeros());
    let [x, y, z] = [Point::x(), Point::y(), Point::z()].map(|axis| axis * (0.3 * H));
    let hard = [
        [o, x, y],
        [x, -x, y],
        [x, -x, -y],
        [x - y, x + y, -x],
        [x, x, y],
        [x, x, x],
        [o, o, o],
        [x, 2.0 * x, 3.0 * x],
        [z, z + x, z + x * (1.0 + 1e-12)],
        [z - x, z + x, z + y * 1e-9],
        [x, 2.0 * x, x + y],
        [x * 1e-12, y * 1e-12, z * 1e-12],
        [x * 1e12, y * 1e12, z * 1e12],
    ];
    for corners in hard {
        let (fraction, gradient) = flux(&table, &[corners]).part();
        assert!((0.0..=1.0).contains(&fraction), "{corners:?}: {fraction}");
        assert!(gradient.iter().all(|c| c.is_finite()), "{corners:?}: {gradient}");
    }
}
