//! Tests of shapes: boxes, radii, and what is refused.

use super::*;
use hashfall_core::Vec3;
use hashfall_core::geometry::Aabb;
use hashfall_core::geometry::random::Random;
use hashfall_geometry::TriangleMesh;
use hashfall_geometry::shape::box_mesh;
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

/// Shapes with points of their surfaces, many enough to fill their boxes.
fn shapes_with_points(random: &mut Random) -> Vec<(Shape, Vec<Vector3<f64>>)> {
    let mut shapes = Vec::new();
    let circle = |k: i32| {
        let (sin, cos) = libm::sincos(f64::from(k) * 0.01);
        Vector3::new(cos, sin, 0.0)
    };
    let rings: Vec<Vector3<f64>> = (0..629).map(circle).collect();
    let at = |z: f64, r: f64| rings.iter().map(move |p| p * r + Vector3::z() * z);
    let sphere: Vec<Vector3<f64>> = (0..4000).map(|_| random.direction()).collect();
    let corners: Vec<Vector3<f64>> = (0..30).map(|_| random.point(-0.5, 0.7)).collect();
    shapes.push((Shape::ball(0.3).unwrap(), sphere.iter().map(|p| p * 0.3).collect()));
    let cylinder = at(0.6, 0.3).chain(at(-0.6, 0.3)).collect();
    shapes.push((Shape::cylinder(0.6, 0.3).unwrap(), cylinder));
    let cone = at(0.6, 0.0).chain(at(-0.6, 0.3)).collect();
    shapes.push((Shape::cone(0.6, 0.3).unwrap(), cone));
    let ends = |z: f64| sphere.iter().map(move |p| p * 0.2 + Vector3::z() * z);
    shapes.push((Shape::capsule(0.5, 0.2).unwrap(), ends(0.5).chain(ends(-0.5)).collect()));
    shapes.push((Shape::convex_hull(&corners).unwrap(), corners));
    shapes
}

#[test]
fn boxes_are_tight_and_hold_all_places_of_a_motion() {
    let mut random = Random::new(19);
    for (shape, points) in shapes_with_points(&mut random) {
        let local = Isometry3::from_parts(
            Translation3::from(random.point(-0.3, 0.3)),
            UnitQuaternion::from_scaled_axis(random.point(-1.0, 1.0)),
        );
        let placed = shape.placed(&local);
        let farthest = points.iter().map(|p| (local * nalgebra::Point3::from(*p)).coords.norm());
        assert!(farthest.fold(0.0, f64::max) <= placed.max_radius() * (1.0 + 1e-15));
        for _ in 0..20 {
            let start = Isometry3::from_parts(
                Translation3::from(random.point(-2.0, 2.0)),
                UnitQuaternion::from_scaled_axis(random.point(-2.0, 2.0)),
            );
            let spin = random.point(-4.0, 4.0);
            let motion = Motion { start, velocity: random.point(-1.0, 1.0), spin };
            let span = |time: f64| {
                let pose = motion.pose_at(time) * local;
                points
                    .iter()
                    .fold(Bounds::EMPTY, |b, p| b.with(&(pose * nalgebra::Point3::from(*p)).coords))
            };
            let (exact, found) = (span(0.0), placed.bounding_box(&start));
            let slack = (exact.min - found.min).sup(&(found.max - exact.max));
            assert!(slack.min() >= 0.0 && slack.max() < 6e-3, "{slack}");
            let swept = placed.motion_box(&motion, [0.0, 0.5]);
            let by_poses = placed.swept_box(&start, &motion.pose_at(0.5));
            for k in 0..=20 {
                let now = span(0.025 * f64::from(k));
                assert!((0..3).all(|a| swept.min[a] <= now.min[a] && now.max[a] <= swept.max[a]));
                // By the shorter turn, which is that of the motion up to half a turn.
                if spin.norm() * 0.5 < 3.1 {
                    let inside = |a: usize| by_poses.min[a] <= now.min[a] + 1e-12;
                    assert!((0..3).all(inside));
                }
            }
        }
    }
}

#[test]
fn lengths_and_meshes_that_are_none_are_refused() {
    let message = Shape::ball(-0.5).unwrap_err().to_string();
    assert_eq!(message, "the radius of a ball must be positive and finite, and is -0.5");
    let message = Shape::cuboid(Vector3::new(1.0, f64::NAN, 1.0)).unwrap_err().to_string();
    assert_eq!(message, "the extent y of a cuboid must be positive and finite, and is NaN");
    assert!(Shape::cylinder(1.0, 0.0).is_err() && Shape::cone(f64::INFINITY, 1.0).is_err());
    assert_eq!(Shape::half_space(Vector3::zeros()).unwrap_err(), ShapeError::Direction);
    let mut mesh = box_mesh(&Aabb::new(Vec3::zeros(), Vec3::new(1.0, 1.0, 1.0)));
    mesh.triangles.push([0, 1, 8]);
    let message = Shape::surface(&mesh).unwrap_err().to_string();
    assert_eq!(message, "triangle 12 names corner 8, and there are 8");
    mesh.vertices[3].x = hashfall_core::Real::NAN;
    assert_eq!(Shape::surface(&mesh).unwrap_err(), ShapeError::NotFinite(3));
    let line = vec![Vec3::zeros(), Vec3::new(1.0, 0.0, 0.0), Vec3::new(2.0, 0.0, 0.0)];
    let sliver = TriangleMesh { vertices: line, triangles: vec![[0, 1, 2]] };
    assert_eq!(Shape::surface(&sliver).unwrap_err(), ShapeError::NoTriangles);
    assert_eq!(Shape::surface(&TriangleMesh::default()).unwrap_err(), ShapeError::NoTriangles);
}
