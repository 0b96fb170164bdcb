//! Tests of the narrow phase.

mod impacts;
mod normals;
mod surfaces;

use super::{ContactLaw, ShapePair};
use crate::contact_point::ContactPoint;
use crate::shape::Shape;
use hashfall_core::geometry::random::Random;
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

/// The points of a pair, within a prediction.
fn points(shapes: [&Shape; 2], poses: [Isometry3<f64>; 2], prediction: f64) -> Vec<ContactPoint> {
    let law = ContactLaw { bodies: [4, 7], friction: 0.5, restitution: 0.25 };
    let mut points = Vec::new();
    ShapePair::new(shapes, poses).contact_points(&law, prediction, &mut points);
    points
}

/// A pose with any turn.
fn any_pose(random: &mut Random, place: Vector3<f64>) -> Isometry3<f64> {
    let turn = UnitQuaternion::from_scaled_axis(random.direction() * random.number(0.0, 3.0));
    Isometry3::from_parts(Translation3::from(place), turn)
}

/// The hull of a box.
fn box_hull(half: Vector3<f64>) -> Shape {
    let sign = |corner: usize, a: usize| if corner >> a & 1 == 0 { -1.0 } else { 1.0 };
    let corners = (0..8).map(|k| Vector3::from_fn(|a, _| sign(k, a) * half[a]));
    Shape::convex_hull(&corners.collect::<Vec<_>>()).unwrap()
}

/// A hull of points on a sphere.
fn rock(scale: f64) -> Shape {
    let mut random = Random::new(40);
    let corners: Vec<_> = (0..40).map(|_| random.direction() * 0.5 * scale).collect();
    Shape::convex_hull(&corners).unwrap()
}

/// Convex shapes of all kinds, about a metre times `scale` across.
fn convex_shapes(scale: f64) -> Vec<Shape> {
    let shapes = [
        Shape::ball(0.5 * scale),
        Shape::cuboid(Vector3::new(0.5, 0.4, 0.3) * scale),
        Shape::cylinder(0.3 * scale, 0.5 * scale),
        Shape::capsule(0.25 * scale, 0.25 * scale),
        Shape::cone(0.5 * scale, 0.4 * scale),
    ];
    let mut shapes: Vec<Shape> = shapes.into_iter().map(Result::unwrap).collect();
    shapes.push(box_hull(Vector3::new(0.5, 0.45, 0.2) * scale));
    shapes.push(rock(scale));
    shapes
}
