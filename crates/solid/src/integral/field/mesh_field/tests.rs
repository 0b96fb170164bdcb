//! The field against the sum over all triangles.

use super::*;
use crate::precision::to_vec3;
use hashfall_core::vec3;
use hashfall_geometry::random::Random;
use hashfall_geometry::shape::{box_mesh, sphere_mesh};
use hashfall_geometry::triangle::offset_to_triangle;
use hashfall_geometry::{Aabb, TriangleMesh};
use std::ops::Range;

const H: f64 = 0.04;

/// Every triangle cut in four, so often.
fn refined(mut mesh: TriangleMesh, times: usize) -> TriangleMesh {
    for _ in 0..times {
        let mut fine = TriangleMesh::default();
        for t in 0..mesh.triangles.len() {
            let [a, b, c] = mesh.corners(t);
            let [d, e, f] = [(a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5];
            for corners in [[a, d, f], [d, b, e], [f, e, c], [d, e, f]] {
                let first = fine.vertices.len() as u32;
                fine.vertices.extend(corners);
                fine.triangles.push([first, first + 1, first + 2]);
            }
        }
        mesh = fine.welded();
    }
    mesh
}

fn cuboid(half: [f64; 3]) -> TriangleMesh {
    let corner = vec3(half);
    box_mesh(&Aabb::new(-corner, corner))
}

/// Balls, sharp edges and corners, a plate as thin as a particle, and a spike.
fn solids() -> Vec<(&'static str, TriangleMesh)> {
    let mut spike = cuboid([0.4 * H, 0.4 * H, 2.0 * H]);
    for v in &mut spike.vertices {
        if v.z > 0.0 {
            (v.x, v.y) = (0.02 * v.x, 0.02 * v.y);
        }
    }
    vec![
        ("ball", sphere_mesh(&Vec3::zeros(), (1.5 * H) as Real, 4)),
        ("cube", refined(cuboid([1.2 * H; 3]), 3)),
        ("plate", refined(cuboid([1.5 * H, 1.5 * H, 0.1 * H]), 3)),
        ("spike", refined(spike, 3)),
    ]
}

/// The sum over all triangles.
fn exact(source: &Source<'_>, x: &Point) -> Flux {
    let mut flux = Flux::NONE;
    for corners in source.triangles {
        let seen = corners.map(|c| to_point(&c) - x);
        let distance = offset_to_triangle(&Point::zeros(), &seen).norm();
        flux.add(source.table, &seen, distance);
    }
    flux
}

/// What the field of a mesh and the exact sum are at 400 places whose distance from the surface is
/// within `distances` \[m\].
fn compared(
    mesh: &TriangleMesh,
    seed: u64,
    distances: Range<f64>,
    mut compare: impl FnMut(&Source<'_>, &MeshField, &Point, [Flux; 2]),
) {
    let table = PlaneTable::with_cubic_spline(H as Real);
    let triangles: Vec<_> = (0..mesh.triangles.len()).map(|t| mesh.corners(t)).collect();
    let tree = MeshTree::new(&triangles);
    let source = Source { tree: &tree, triangles: &triangles, table: &table };
    let field = MeshField::new(&tree, H as Real);
    let (mut random, mut queries) = (Random::new(seed), 0);
    while queries < 400 {
        let x = random.point(-3.0 * H, 3.0 * H);
        let nearest = tree.nearest(&triangles, &x, H as Real, SurfaceId::WALL);
        if nearest.is_some_and(|it| distances.contains(&f64::from(it.near.distance))) {
            queries += 1;
            compare(&source, &field, &x, [field.flux(&source, &x), exact(&source, &x)]);
        }
    }
}

/// Errors a particle's radius and more from the surface.
#[test]
fn it_is_the_sum_over_the_triangles() {
    for (name, mesh) in solids() {
        let (mut worst, mut worst_gradient) = (0.0_f64, 0.0_f64);
        let (mut direct, mut square) = (0, 0.0);
        compared(&mesh, 9, 0.25 * H..0.8 * H, |_, field, x, [found, expected]| {
            let cell = ((x - field.origin) / field.edge).map(|c| c.floor() as i32).into();
            direct += usize::from(field.bricks.get(cell).state(within(cell)) == CellState::Direct);
            let error = (found.fraction - expected.fraction).abs();
            square += error * error;
            worst = worst.max(error);
            worst_gradient = worst_gradient.max((found.gradient - expected.gradient).norm() * H);
        });
        let rms = (square / 400.0).sqrt();
        println!(
            "{name}: λ {worst:.1e} (rms {rms:.1e}), h∇λ {worst_gradient:.1e}, direct {direct}"
        );
        assert!(worst < 2e-4 && worst_gradient < 3e-3, "{name}: {worst} {worst_gradient}");
    }
}

/// Where λ fades: its sign, by which groups and densities tell the side, is never that of the
/// other.
#[test]
fn towards_the_end_of_the_support_the_side_is_told_right() {
    let reach = PlaneTable::with_cubic_spline(H as Real).reach();
    for (name, mesh) in solids() {
        let (mut worst, mut turned, mut wrong) = (0.0_f64, 0.0_f64, 0);
        compared(&mesh, 5, 0.7 * reach..reach, |source, _, x, [found, expected]| {
            let is_inside = source.tree.contains(source.triangles, &to_vec3(x));
            let side = if is_inside { -1.0 } else { 1.0 };
            wrong += usize::from(found.fraction * side < 0.0);
            let [(a, slope_a), (b, slope_b)] = [found.part(), expected.part()];
            worst = worst.max(f64::from((a - b).abs()));
            turned = turned.max(f64::from((slope_a - slope_b).norm()) * H);
        });
        println!("{name}: λ {worst:.1e}, h∇λ {turned:.1e}, on the wrong side {wrong}");
        assert!(wrong == 0 && worst < 2e-4 && turned < 3e-3, "{name}: {worst} {turned} {wrong}");
    }
}

/// A mesh that is so large for its particles that cells cannot be counted.
#[test]
fn far_from_where_cells_are_counted_the_integral_is_taken() {
    let h = 1e-6;
    let table = PlaneTable::with_cubic_spline(h as Real);
    let mesh = refined(cuboid([1000.0; 3]), 1);
    let triangles: Vec<_> = (0..mesh.triangles.len()).map(|t| mesh.corners(t)).collect();
    let tree = MeshTree::new(&triangles);
    let source = Source { tree: &tree, triangles: &triangles, table: &table };
    let field = MeshField::new(&tree, h as Real);
    for height in [-0.5 * h, 0.3 * h] {
        let x = Point::new(900.0, 990.0, 1000.0 + height);
        let found = field.flux(&source, &x);
        assert_eq!(found, source.flux(&x));
        assert!(found.fraction != 0.0);
    }
}

/// In any order, and on the way to any other place.
#[test]
fn what_was_asked_before_does_not_matter() {
    let table = PlaneTable::with_cubic_spline(H as Real);
    let mesh = sphere_mesh(&Vec3::zeros(), H as Real, 3);
    let triangles: Vec<_> = (0..mesh.triangles.len()).map(|t| mesh.corners(t)).collect();
    let tree = MeshTree::new(&triangles);
    let source = Source { tree: &tree, triangles: &triangles, table: &table };
    let mut random = Random::new(2);
    let places: Vec<Point> = (0..500).map(|_| random.point(-2.0 * H, 2.0 * H)).collect();
    let [forth, back] = [0, 1].map(|_| MeshField::new(&tree, H as Real));
    let first: Vec<Flux> = places.iter().map(|x| forth.flux(&source, x)).collect();
    let mut last: Vec<Flux> = places.iter().rev().map(|x| back.flux(&source, x)).collect();
    last.reverse();
    assert_eq!(first, last);
    let alone: Vec<Flux> =
        places.iter().map(|x| MeshField::new(&tree, H as Real).flux(&source, x)).collect();
    assert_eq!(first, alone);
}
