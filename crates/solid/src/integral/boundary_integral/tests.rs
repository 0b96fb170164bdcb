//! The part of the kernel in solids against quadrature, and what each of them is told to add.

use super::*;
use crate::integral::testing::NearQuery;
use crate::precision::{to_point, to_vec3};
use crate::{BodySpec, PlaneTable, Solids, Sphere, SurfaceId, UnionBoundary};
use hashfall_core::Dimension;
use hashfall_core::kernel::{Kernel, KernelKind};
use hashfall_geometry::random::Random;
use hashfall_geometry::shape::{box_mesh, sphere_mesh};
use hashfall_geometry::{Aabb, Point};

const H: Real = 0.04;

/// So fine that they are the solid as a whole.
fn layers() -> SolidLayers {
    SolidLayers::new(cubic(H), 0.01 * H)
}

fn cubic(h: Real) -> Kernel {
    Kernel::new(KernelKind::CubicSpline, Dimension::Three, h)
}

/// Of walls.
fn fraction(near: Vec<NearSolid>) -> SolidFraction {
    SolidFraction::from_near(&layers(), &NearSolids::from_analytic(near), |_, _, _| ())
}

/// Of solids around a place.
fn fraction_at(query: &NearQuery<'_>, x: &Point) -> SolidFraction {
    SolidFraction::from_near(&layers(), &query.near(&to_vec3(x)), |_, _, _| ())
}

fn near_query(solids: &Solids) -> NearQuery<'_> {
    NearQuery::new(solids, PlaneTable::new(&layers()), H)
}

/// Points spread evenly in the unit ball (Roberts' R₃ sequence), with their part of the kernel.
fn samples() -> Vec<(Point, f64)> {
    let kernel = cubic(1.0);
    let n = 500_000;
    let g: f64 = 1.220_744_084_605_759_6;
    let steps = Point::new(1.0 / g, 1.0 / (g * g), 1.0 / (g * g * g));
    (1..=n)
        .map(|k| (steps * f64::from(k)).map(|c| 2.0 * c.fract() - 1.0))
        .filter(|p| p.norm() < 1.0)
        .map(|p| (p, f64::from(kernel.value(p.norm() as Real)) * 8.0 / f64::from(n)))
        .collect()
}

/// The kernel integrated over the offsets from a particle \[m\] that `is_solid`.
fn quadrature(samples: &[(Point, f64)], is_solid: impl Fn(&Point) -> bool) -> f64 {
    samples.iter().filter(|(p, _)| is_solid(&(p * f64::from(H)))).map(|(_, w)| w).sum()
}

fn plane(normal: Point, distance_in_h: f64) -> NearSolid {
    let distance = (distance_in_h * f64::from(H)) as Real;
    NearSolid { normal: to_vec3(&normal), distance, curvature: 0.0, surface: SurfaceId::WALL }
}

/// Error of the combined part of half-spaces, given by normals and distances in h.
fn plane_error(samples: &[(Point, f64)], planes: &[(Point, f64)]) -> f64 {
    let near: Vec<_> = planes.iter().map(|&(n, d)| plane(n, d)).collect();
    let ours = fraction(near).fraction;
    let exact = quadrature(samples, |p| planes.iter().any(|(n, d)| n.dot(p) < -d * f64::from(H)));
    f64::from(ours) - exact
}

#[test]
fn edges_corners_and_slits_count_their_overlap_once() {
    let samples = samples();
    let distances = [(0.25, 0.25), (0.25, 0.35), (0.25, 0.5), (0.3, 0.3), (0.4, 0.4)];
    for degrees in [60.0_f64, 75.0, 90.0, 105.0, 120.0, 150.0, 180.0] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let turned = Point::new(sin, 0.0, cos);
        for (a, b) in distances {
            let error = plane_error(&samples, &[(Point::z(), a), (turned, b)]);
            assert!(error.abs() < 0.01, "{degrees}° at {a} h and {b} h: {error}");
        }
    }
    for [a, b, c] in [[0.25; 3], [0.3; 3], [0.25, 0.25, 0.4], [0.4, 0.25, 0.25]] {
        let walls = [(Point::x(), a), (Point::y(), b), (Point::z(), c)];
        let error = plane_error(&samples, &walls);
        assert!(error.abs() < 0.01, "corner {a} {b} {c}: {error}");
        // With the opposite wall of a slit.
        let slit = [walls[0], walls[1], walls[2], (-Point::z(), 0.3)];
        let error = plane_error(&samples, &slit);
        assert!(error.abs() < 0.01, "slit {a} {b} {c}: {error}");
    }
}

#[test]
fn touching_spheres_and_spheres_on_a_wall_add_up() {
    let samples = samples();
    let h = f64::from(H);
    for radius_in_h in [0.5, 1.0, 2.0, 5.0, 20.0] {
        let radius = radius_in_h * h;
        let ball = |x: f64| Sphere {
            centre: to_vec3(&Point::new(x, 0.5, radius)),
            radius: radius as Real,
        };
        let domain = Aabb::new(Vec3::zeros(), Vec3::new(3.0, 3.0, 3.0));
        let balls = vec![ball(0.5 - radius), ball(0.5 + radius)];
        let solids = Solids::new(domain, balls, vec![]);
        let query = near_query(&solids);
        let is_solid = |p: &Point| {
            let hit = |s: &Sphere| (p - to_point(&s.centre)).norm() < f64::from(s.radius);
            p.z < 0.0 || solids.spheres.iter().any(hit)
        };
        // In the gap over the two, touching both; and beside one, touching it and the floor.
        let r = 0.25 * h;
        let rise = ((radius + r).powi(2) - radius * radius).sqrt();
        let aside = ((radius + r).powi(2) - (radius - r).powi(2)).sqrt();
        let over = Point::new(0.5, 0.5, radius + rise);
        let beside = Point::new(0.5 + radius + aside, 0.5, r);
        for x in [over, beside] {
            let ours = f64::from(fraction_at(&query, &x).fraction);
            let expected = quadrature(&samples, |p| is_solid(&(p + x)));
            let error = (ours - expected).abs();
            assert!(error < 0.015, "R {radius_in_h} h at height {}: {ours} {expected}", x.z);
        }
    }
}

#[test]
fn a_round_mesh_counts_once_from_outside_and_from_inside() {
    let samples = samples();
    let (h, centre) = (f64::from(H), Point::new(0.5, 0.5, 0.5));
    let domain = Aabb::new(Vec3::zeros(), Vec3::new(1.0, 1.0, 1.0));
    // The mesh lies a little below the sphere.
    for (radius_in_h, bound) in [(0.3, 0.002), (3.0, 0.003), (8.0, 0.008)] {
        let radius = radius_in_h * h;
        let mesh = sphere_mesh(&to_vec3(&centre), radius as Real, 4);
        let solids = Solids::new(domain, vec![], vec![mesh]);
        let query = near_query(&solids);
        let mut random = Random::new(14);
        for k in 0..40 {
            let gap = random.number(0.25, 0.6) * h * if k % 2 == 0 { 1.0 } else { -1.0 };
            let x = centre + random.direction() * (radius + gap);
            let ours = f64::from(fraction_at(&query, &x).fraction);
            let expected =
                quadrature(&samples, |p| ((p + x - centre).norm() < radius) == (gap > 0.0));
            let error = (ours - expected).abs();
            assert!(error < bound, "R {radius_in_h} h, gap {gap}: {ours} {expected}");
        }
    }
}

#[test]
fn a_floor_of_boxes_is_whole_across_its_seams() {
    let slab = |x: Real| {
        let end = if x == 0.0 { 0.5_f32.next_up() as Real } else { x + 0.5 };
        box_mesh(&Aabb::new(Vec3::new(x, 0.0, 0.0), Vec3::new(end, 1.0, 0.1)))
    };
    let domain = Aabb::new(Vec3::repeat(-9.0), Vec3::repeat(9.0));
    for meshes in [2, 1] {
        // As two obstacles, and as one of two meshes.
        let obstacle = BodySpec { meshes: 3 - meshes, ..BodySpec::default() };
        let obstacles = vec![obstacle; meshes];
        let solids =
            Solids::new(domain, vec![], vec![slab(0.0), slab(0.5)]).with_bodies(&obstacles);
        let query = near_query(&solids);
        for offset in [-0.3, -0.01, 0.0, 0.1, 0.6] {
            let height = 0.3 * H;
            let x = Vec3::new(0.5 + offset * H, 0.5, 0.1 + height);
            let found = fraction_at(&query, &to_point(&x));
            let plane = layers().sums(height, 0.0);
            assert!((found.fraction - plane.fraction).abs() < 1e-4, "{offset}: {found:?}");
            let error = found.gradient - Vec3::z() * plane.slope;
            assert!(error.norm() * H < 1e-3, "{offset}: {found:?}");
        }
    }
}

#[test]
fn a_box_on_the_floor_adds_what_it_holds() {
    let samples = samples();
    let (h, domain) = (f64::from(H), Aabb::new(Vec3::zeros(), Vec3::repeat(1.0)));
    let block = Aabb::new(Vec3::new(0.4, 0.4, 0.0), Vec3::new(0.6, 0.6, 0.2));
    let solids = Solids::new(domain, vec![], vec![box_mesh(&block)]);
    let query = near_query(&solids);
    for (aside, above) in [(0.25, 0.25), (0.25, 0.5), (0.6, 0.25)] {
        let x = Point::new(0.4 - aside * h, 0.5, above * h);
        let ours = fraction_at(&query, &x);
        let expected = quadrature(&samples, |p| x.z + p.z < 0.0 || x.x + p.x > 0.4);
        let error = f64::from(ours.fraction) - expected;
        assert!(error.abs() < 3e-3, "{aside} h aside, {above} h above: {error}");
    }
}

/// Two obstacles side by side, the particle over one of them: the other's nearest face passes
/// for that of the first, and one that is far must not stand for it.
#[test]
fn what_faces_are_told_to_add_is_what_the_solids_add() {
    let domain = Aabb::new(Vec3::repeat(-9.0), Vec3::repeat(9.0));
    let block = |min: [Real; 3], max: [Real; 3]| box_mesh(&Aabb::new(min.into(), max.into()));
    let step = [block([0.0, 0.0, 0.0], [0.5, 1.0, 0.1]), block([0.4, 0.0, 0.1], [0.46, 1.0, 0.3])];
    let obstacles = [2, 1].map(|meshes| BodySpec { meshes, ..BodySpec::default() });
    let meshes = [&step[..], &[block([0.5, 0.0, 0.0], [1.0, 1.0, 0.1])]].concat();
    let solids = Solids::new(domain, vec![], meshes).with_bodies(&obstacles);
    let (layers, mut near) = (layers(), NearSolids::default());
    let (union, table) = (UnionBoundary::new(&solids), PlaneTable::new(&layers));
    let objects: Vec<u32> = (0..solids.object_count() as u32).collect();
    for offset in [-0.2, -0.05, 0.01, 0.1, 0.3] {
        let x = Vec3::new(0.5 + offset * H, 0.5, 0.1 + 0.3 * H);
        solids.near(&objects, &x, H, &union, &table, &mut near);
        let mut sum = 0.0;
        let whole = SolidFraction::from_near(&layers, &near, |_, sums, share| {
            assert!((0.0..=2.0).contains(&share), "{offset}: {share}");
            sum += sums.fraction * share;
        });
        assert!((sum - whole.fraction).abs() < 0.01, "{offset}: {sum} of {whole:?}");
    }
}

#[test]
fn the_gradient_is_the_derivative_over_planes() {
    let normals = [[0.0, 0.0, 1.0], [0.8, 0.0, -0.6], [0.36, 0.48, 0.8], [-0.6, 0.8, 0.0]];
    let at = |x: &Point| {
        let near = normals.map(|n| plane(Point::from(n), 0.35 + Point::from(n).dot(x)));
        fraction(near.to_vec())
    };
    let step = 0.01;
    for axis in 0..3 {
        let mut e = Point::zeros();
        e[axis] = step;
        let difference = (at(&e).fraction - at(&-e).fraction) / (2.0 * step as Real * H);
        let slope = at(&Point::zeros()).gradient[axis];
        assert!((difference - slope).abs() * H < 2e-3, "{axis}: {difference} {slope}");
    }
}
