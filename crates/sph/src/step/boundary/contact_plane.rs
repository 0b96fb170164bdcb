//! The planes that particles may not cross: tangents of the solids near them.

use hashfall_core::{Length, Real, Vec3};
use hashfall_solid::SurfaceId;

/// A particle this near to a surface touches it, in its radii.
pub(super) const TOUCHING: Real = 1e-3;

/// A plane that a particle's centre may not cross: the tangent of a solid, offset by its radius.
#[derive(Clone, Copy, Debug)]
pub struct ContactPlane {
    /// Of the solid.
    pub surface: SurfaceId,
    /// Away from the solid.
    pub normal: Vec3,
    /// Of the solid where it is touched \[m/s\].
    pub velocity: Vec3,
    /// How far the centre is in front of the plane \[m\]; 0 behind it.
    pub(super) gap: Real,
    /// From the solid to the particle \[m\].
    pub(super) distance: Real,
    /// Of the plane towards the particle \[m/s\].
    pub(in crate::step) speed: Real,
}

/// Drops from `planes[first..]` the walls in which faces lie, up to `tolerance` \[m\].
pub(super) fn drop_covered_walls(planes: &mut Vec<ContactPlane>, first: usize, tolerance: Real) {
    let stands_for = |wall: &ContactPlane, face: &ContactPlane| {
        !face.surface.is_wall()
            && (face.distance - wall.distance).abs() < tolerance
            && (face.normal - wall.normal).length() < TOUCHING
    };
    let mut k = first;
    while let Some(plane) = planes.get(k).filter(|plane| plane.surface.is_wall()) {
        if planes[first..].iter().any(|face| stands_for(plane, face)) {
            planes.remove(k);
        } else {
            k += 1;
        }
    }
}
