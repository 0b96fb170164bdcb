//! The contract between solids and the surface of a fluid that rests against them.
//!
//! The surface needs the shapes alone. So it depends on this contract instead of the solids of the
//! simulation, and can be made where there are none.

use super::aabb::Aabb;
use super::round::RoundSolid;
use super::sphere::Sphere;
use crate::Vec3;

/// Solids that the surface of a fluid may lie against.
pub trait ContactGeometry: Sync {
    /// The box whose walls enclose the fluid.
    fn domain(&self) -> Aabb;

    /// Axes along which there are no walls.
    fn open_axes(&self) -> [bool; 3];

    /// Solid balls.
    fn spheres(&self) -> &[Sphere];

    /// Cylinders, capsules and cones.
    fn rounds(&self) -> &[RoundSolid] {
        &[]
    }

    /// The corners of the triangles of all solid meshes \[m\].
    fn triangles(&self) -> &[[Vec3; 3]];
}

/// Nothing to lie against: no walls, no balls, no meshes.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSolids;

impl ContactGeometry for NoSolids {
    fn domain(&self) -> Aabb {
        Aabb::EMPTY
    }

    fn open_axes(&self) -> [bool; 3] {
        [true; 3]
    }

    fn spheres(&self) -> &[Sphere] {
        &[]
    }

    fn triangles(&self) -> &[[Vec3; 3]] {
        &[]
    }
}
