//! What a shape is, in its own frame: lengths and corners, checked once.

use super::convex_hull::ConvexHull;
use super::error::ShapeError;
use nalgebra::Vector3;

/// A shape in its own frame. Axes of cylinders, capsules and cones are z; a cone points to +z, with
/// its base half a height below the origin.
#[derive(Clone, Debug)]
pub(crate) enum Geometry {
    Ball { radius: f64 },
    Cuboid { half: Vector3<f64> },
    Cylinder { half_height: f64, radius: f64 },
    Capsule { half_height: f64, radius: f64 },
    Cone { half_height: f64, radius: f64 },
    Hull(ConvexHull),
    HalfSpace { normal: Vector3<f64> },
    Surface(Surface),
    Decomposed { parts: Vec<ConvexHull> },
}

/// The triangles of a surface that does not move: walls and vessels.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    pub(crate) vertices: Vec<Vector3<f64>>,
    pub(crate) triangles: Vec<[u32; 3]>,
    /// Whether bodies may touch its back too: it is not the boundary of a volume.
    pub(crate) is_two_sided: bool,
}

impl Geometry {
    /// Its name in messages.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Geometry::Ball { .. } => "ball",
            Geometry::Cuboid { .. } => "cuboid",
            Geometry::Cylinder { .. } => "cylinder",
            Geometry::Capsule { .. } => "capsule",
            Geometry::Cone { .. } => "cone",
            Geometry::Hull(_) => "convex hull",
            Geometry::HalfSpace { .. } => "half space",
            Geometry::Surface(_) => "surface",
            Geometry::Decomposed { .. } => "decomposed solid",
        }
    }

    /// Refuses lengths that no body has.
    pub(crate) fn check_lengths(&self) -> Result<(), ShapeError> {
        let lengths: &[(&'static str, f64)] = match self {
            Geometry::Ball { radius } => &[("radius", *radius)],
            Geometry::Cuboid { half } => {
                &[("extent x", half.x), ("extent y", half.y), ("extent z", half.z)]
            }
            Geometry::Cylinder { half_height, radius }
            | Geometry::Capsule { half_height, radius }
            | Geometry::Cone { half_height, radius } => {
                &[("height", *half_height), ("radius", *radius)]
            }
            _ => &[],
        };
        let wrong = lengths.iter().find(|(_, value)| !(value.is_finite() && *value > 0.0));
        wrong.map_or(Ok(()), |&(what, value)| {
            Err(ShapeError::Length { shape: self.name(), what, value })
        })
    }

    /// Corners whose convex hull holds the shape, which with `margin` around them is exact, or as
    /// nearly as boxes need.
    pub(crate) fn corners(&self) -> Option<&[Vector3<f64>]> {
        match self {
            Geometry::Hull(hull) => Some(&hull.vertices),
            Geometry::Surface(surface) => Some(&surface.vertices),
            _ => None,
        }
    }

    /// The greatest distance of a point from the origin \[m\]; of a half space, infinite.
    pub(crate) fn radius(&self) -> f64 {
        let farthest = |corners: &[Vector3<f64>]| corners.iter().fold(0.0, norm_max);
        match self {
            Geometry::Ball { radius } => *radius,
            Geometry::Cuboid { half } => half.norm(),
            Geometry::Cylinder { half_height, radius } => {
                (half_height * half_height + radius * radius).sqrt()
            }
            Geometry::Capsule { half_height, radius } => half_height + radius,
            Geometry::Cone { half_height, radius } => {
                (half_height * half_height + radius * radius).sqrt()
            }
            Geometry::HalfSpace { .. } => f64::INFINITY,
            Geometry::Hull(_) | Geometry::Surface(_) => farthest(self.corners().unwrap_or(&[])),
            Geometry::Decomposed { parts } => {
                parts.iter().map(|part| farthest(&part.vertices)).fold(0.0, f64::max)
            }
        }
    }
}

/// The greater of a length and that of a vector.
fn norm_max(most: f64, v: &Vector3<f64>) -> f64 {
    most.max(v.norm())
}
