//! The farthest point of a convex shape in a direction: what bounds of distances and boxes need.

use super::convex_hull::ConvexHull;
use super::geometry::Geometry;
use nalgebra::Vector3;

impl Geometry {
    /// The greatest product of a point of the shape with a direction \[m times its length\]: the
    /// support function. Infinite for half spaces, whatever the direction.
    pub(crate) fn support(&self, direction: &Vector3<f64>) -> f64 {
        let across = (direction.x * direction.x + direction.y * direction.y).sqrt();
        let farthest = |corners: &[Vector3<f64>]| support_of_points(corners, direction);
        match self {
            Geometry::Ball { radius } => radius * direction.norm(),
            Geometry::Cuboid { half } => half.dot(&direction.abs()),
            Geometry::Cylinder { half_height, radius } => {
                half_height * direction.z.abs() + radius * across
            }
            Geometry::Capsule { half_height, radius } => {
                half_height * direction.z.abs() + radius * direction.norm()
            }
            Geometry::Cone { half_height, radius } => {
                let (tip, base) = (half_height * direction.z, radius * across);
                tip.max(base - half_height * direction.z)
            }
            Geometry::Hull(ConvexHull { vertices, .. }) => farthest(vertices),
            Geometry::Surface(surface) => farthest(&surface.vertices),
            Geometry::Decomposed { parts } => {
                let each = parts.iter().map(|part| farthest(&part.vertices));
                each.fold(f64::NEG_INFINITY, f64::max)
            }
            Geometry::HalfSpace { .. } => f64::INFINITY,
        }
    }
}

/// The greatest product of some points with a direction.
pub(crate) fn support_of_points(points: &[Vector3<f64>], direction: &Vector3<f64>) -> f64 {
    points.iter().map(|p| p.dot(direction)).fold(f64::NEG_INFINITY, f64::max)
}
