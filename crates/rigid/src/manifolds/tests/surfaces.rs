//! Contact with walls and vessels.

use super::*;
use crate::manifolds::{Impact, MotionPair};
use crate::shape::Motion;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::TriangleMesh;
use hashfall_geometry::shape::{sphere_mesh, unit_sphere};

/// A floor at z = 0 of n² squares, each of two triangles, as the top of a slab.
fn floor(n: usize, side: f64) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    let at = |i: usize| (side * (i as f64 / n as f64 - 0.5)) as Real;
    for z in [0.0, -0.25] {
        for k in 0..=n {
            mesh.vertices.extend((0..=n).map(|i| Vec3::new(at(i), at(k), z)));
        }
    }
    let under = ((n + 1) * (n + 1)) as u32;
    let vertex = |i: usize, k: usize| (k * (n + 1) + i) as u32;
    for (i, k) in (0..n).flat_map(|k| (0..n).map(move |i| (i, k))) {
        let [a, b, c, d] = [vertex(i, k), vertex(i + 1, k), vertex(i + 1, k + 1), vertex(i, k + 1)];
        mesh.triangles.extend([[a, b, c], [a, c, d]]);
        mesh.triangles.extend([[a, c, b], [a, d, c]].map(|t| t.map(|v| v + under)));
    }
    for i in 0..n {
        let sides = [
            [vertex(i, 0), vertex(i + 1, 0)],
            [vertex(i + 1, n), vertex(i, n)],
            [vertex(0, i + 1), vertex(0, i)],
            [vertex(n, i), vertex(n, i + 1)],
        ];
        for [a, b] in sides {
            mesh.triangles.extend([[a, a + under, b + under], [a, b + under, b]]);
        }
    }
    assert_eq!(mesh.check_closed(), Ok(()));
    mesh
}

/// A hollow sphere, closed: an outer wall, and an inner one that faces the hollow.
fn hollow(outer: Real, inner: Real) -> TriangleMesh {
    let mut mesh = sphere_mesh(&Vec3::zeros(), outer, 4);
    mesh.append(&sphere_mesh(&Vec3::zeros(), inner, 4).flipped());
    mesh
}

#[test]
fn inner_edges_of_a_flat_floor_are_not_felt() {
    let mut random = Random::new(17);
    let ground = Shape::surface(&floor(12, 8.0)).unwrap();
    for shape in convex_shapes(1.0) {
        for _ in 0..60 {
            let place = random.point(-2.0, 2.0);
            let mut pose = any_pose(&mut random, place);
            let low = shape.bounding_box(&pose).min.z;
            let gap = [1e-3, 1e-6, -1e-6, -1e-4][random.number(0.0, 4.0) as usize];
            pose.translation.vector.z -= low - gap;
            let found = points([&ground, &shape], [Isometry3::identity(), pose], 0.01);
            assert!(!found.is_empty(), "{:?} {gap}", shape.geometry().name());
            let least = found.iter().map(|p| p.gap).fold(1.0, f64::min);
            assert!((least - gap).abs() < 1e-5, "{:?}: {least:e} {gap:e}", shape.geometry().name());
            for p in &found {
                let turned = (p.normal - Vector3::z()).norm();
                assert!(turned < 1e-3, "{:?}: {turned:e}", shape.geometry().name());
            }
        }
    }
}

#[test]
fn a_block_on_many_triangles_rests_on_its_corners() {
    let ground = Shape::surface(&floor(40, 4.0)).unwrap();
    let block = Vector3::new(0.5, 0.4, 0.3);
    for block in [Shape::cuboid(block).unwrap(), box_hull(block)] {
        for gap in [1e-4, 1e-9, 0.0, -1e-9, -1e-4] {
            let turn = UnitQuaternion::from_scaled_axis(Vector3::z() * 0.3);
            let pose = Isometry3::from_parts(Translation3::new(0.03, 0.02, 0.3 + gap), turn);
            let found = points([&ground, &block], [Isometry3::identity(), pose], 0.01);
            assert_eq!(found.len(), 4, "{gap}");
            for p in &found {
                assert!((p.gap - gap).abs() < 1e-7 && (p.normal - Vector3::z()).norm() < 1e-7);
                let local = pose.inverse() * nalgebra::Point3::from(p.position);
                assert!((local.x.abs() - 0.5).abs() < 1e-6 && (local.y.abs() - 0.4).abs() < 1e-6);
            }
        }
    }
}

#[test]
fn a_ball_rests_on_the_inner_wall_of_a_thin_vessel() {
    let vessel = Shape::surface(&hollow(1.0, 0.98)).unwrap();
    let mut random = Random::new(23);
    let radius = 0.3;
    let ball = Shape::ball(radius).unwrap();
    for _ in 0..200 {
        let direction = random.direction();
        for gap in [5e-3, 0.0, -5e-3] {
            let place = direction * (0.98 - radius - gap);
            let pose = Isometry3::from(Translation3::from(place));
            let found = points([&vessel, &ball], [Isometry3::identity(), pose], 0.02);
            assert!(!found.is_empty());
            let least = found.iter().map(|p| p.gap).fold(1.0, f64::min);
            // The mesh lies within 0.2 % below the sphere.
            assert!((-2.2e-3..1e-6).contains(&(least - gap)), "{least} {gap}");
            // From the wall into the hollow, never from the outer wall.
            assert!(found.iter().all(|p| p.normal.dot(&direction) < -0.9));
        }
    }
}

#[test]
fn nothing_goes_through_a_thin_wall_whatever_its_speed() {
    let (vertices, triangles) = unit_sphere(3);
    let vertices = vertices.iter().map(|p| hashfall_core::vec3((*p).into())).collect();
    let wall = Shape::surface(&TriangleMesh { vertices, triangles }.flipped()).unwrap();
    let mut random = Random::new(29);
    for shape in convex_shapes(0.1) {
        for _ in 0..40 {
            let start = any_pose(&mut random, random_place(0.5));
            let velocity = random.direction() * 10f64.powf(random.number(2.0, 6.0));
            let motion = Motion { start, velocity, spin: random.point(-300.0, 300.0) };
            let motions = [Motion::at_rest(Isometry3::identity()), motion];
            let pair = MotionPair { shapes: [&wall, &shape], motions };
            let Impact::At(time) = pair.time_of_impact(0.1, 1e-4) else {
                panic!("it went through")
            };
            let reached = motion.pose_at(time);
            let least = ShapePair::new([&wall, &shape], [motions[0].start, reached]).distance();
            assert!((0.8e-4..1.3e-4).contains(&least), "{least:e}");
            assert!(reached.translation.vector.norm() < 1.0);
        }
    }
}

/// A place off the middle.
fn random_place(x: f64) -> Vector3<f64> {
    Vector3::new(x, 0.1, -0.2)
}

#[test]
fn open_walls_are_felt_on_both_sides() {
    let corners = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
    let vertices = corners.map(Vec3::from).to_vec();
    let sheet = TriangleMesh { vertices, triangles: vec![[0, 1, 2], [0, 2, 3]] };
    let sheet = Shape::surface(&sheet).unwrap();
    for shape in convex_shapes(1.0) {
        for side in [1.0, -1.0] {
            let mut pose = Isometry3::translation(0.1, 0.05, 0.0);
            let span = shape.bounding_box(&pose);
            pose.translation.vector.z =
                side * (1e-3 + if side > 0.0 { -span.min.z } else { span.max.z });
            let found = points([&sheet, &shape], [Isometry3::identity(), pose], 0.01);
            assert!(!found.is_empty(), "{:?} {side}", shape.geometry().name());
            let least = found.iter().map(|p| p.gap).fold(1.0, f64::min);
            assert!((least - 1e-3).abs() < 1e-5, "{:?} {least}", shape.geometry().name());
            for p in &found {
                assert!((p.normal - Vector3::z() * side).norm() < 1e-3);
            }
        }
    }
}

#[test]
fn a_ball_in_a_decomposed_cup_rests_on_its_bottom() {
    use crate::shape::{DecompositionSettings, decompose};
    let outside = Vec3::new(1.0, 1.0, 1.0);
    let inside = Vec3::new(0.875, 0.875, 0.875);
    let mut cup =
        hashfall_geometry::shape::box_mesh(&hashfall_core::geometry::Aabb::new(-outside, outside));
    let hole = hashfall_core::geometry::Aabb::new(-inside, inside);
    cup.append(&hashfall_geometry::shape::box_mesh(&hole).flipped());
    let parts = decompose(&cup, &DecompositionSettings::default()).unwrap();
    assert!(parts.volume_error() <= 0.02, "{}", parts.volume_error());
    let cup = parts.into_shape().unwrap();
    let ball = Shape::ball(0.25).unwrap();
    for gap in [1e-3, 0.0, -1e-3] {
        let pose = Isometry3::translation(0.1, 0.2, -0.875 + 0.25 + gap);
        let found = points([&cup, &ball], [Isometry3::identity(), pose], 0.01);
        assert_eq!(found.len(), 1);
        assert!(
            (found[0].gap - gap).abs() < 1e-6 && (found[0].normal - Vector3::z()).norm() < 1e-6
        );
    }
    let free = Isometry3::translation(0.0, 0.0, 0.0);
    assert!(points([&cup, &ball], [Isometry3::identity(), free], 0.5).is_empty());
}
