//! What one solid is to a particle near it.

use crate::step::bodies::motions::BodyMotions;
use crate::step::boundary::acting_surface::ActingSurface;
use crate::step::boundary::sliding::sliding;
use hashfall_core::{Real, Vec3};
use hashfall_solid::{Solids, SurfaceId};

/// One solid's part of what the solids near a particle add to its density and forces.
#[derive(Clone, Copy, Debug)]
pub struct BoundaryShare {
    pub(super) surface: SurfaceId,
    /// Whether that deforms.
    pub(super) deforms: bool,
    /// Away from the solid.
    pub(super) normal: Vec3,
    /// Its part of dλ over the distance; not positive \[1/m\].
    pub(super) slope: Real,
    /// |slope| over the distance where fluid sticks to it, else 0 \[1/m²\].
    pub(super) drag: Real,
    /// From its surface to the particle \[m\].
    pub(super) distance: Real,
    /// Of its surface, but for that of the surface in itself \[m/s\].
    pub(super) velocity: Vec3,
    /// Of its rigid motion where the particle is; of one that deforms, of its nearest point
    /// \[m/s\].
    pub(super) rigid_velocity: Vec3,
}

impl BoundaryShare {
    /// The part of a solid at rest.
    pub(super) fn new(
        surface: SurfaceId,
        normal: Vec3,
        slope: Real,
        drag: Real,
        distance: Real,
    ) -> Self {
        let [velocity, rigid_velocity] = [Vec3::zeros(); 2];
        let deforms = false;
        BoundaryShare { surface, deforms, normal, slope, drag, distance, velocity, rigid_velocity }
    }

    /// That of its surface in itself \[m/s\].
    pub(super) fn surface_velocity(&self, solids: &Solids) -> Vec3 {
        solids.contact_law(self.surface).surface_velocity()
    }

    /// The surface of the solid, as it acts by pressure.
    pub(super) fn acting(&self) -> ActingSurface {
        ActingSurface::from_parts(self.surface, self.deforms, self.velocity)
    }

    /// The same, with friction.
    pub(super) fn acting_by_friction(&self, solids: &Solids) -> ActingSurface {
        self.acting().with_friction(self.normal, solids)
    }
}

/// How walls move that fluid sticks to.
#[derive(Clone, Copy, Debug)]
pub struct WallMotion<'a> {
    /// Whether they count as at rest, but for bodies: then what fluid feels is linear.
    pub is_still: bool,
    /// How free bodies move, if not as the solids do.
    pub bodies: Option<&'a BodyMotions>,
}

impl WallMotion<'_> {
    /// As the solids do.
    pub const OF_SOLIDS: WallMotion<'static> = WallMotion { is_still: false, bodies: None };
}

/// A solid near a particle that its fluid sticks to, and how it slides along it.
#[derive(Clone, Copy, Debug)]
pub struct NoSlipWall {
    /// The solid.
    pub acting: ActingSurface,
    /// Away from the solid.
    pub normal: Vec3,
    /// How its part of λ falls with the distance \[1/m\].
    pub slope: Real,
    /// From its surface to the particle, but not below half a radius \[m\].
    pub distance: Real,
    /// The velocity along the surface, against that of the surface at the foot point \[m/s\].
    pub slip_at_foot: Vec3,
    /// The same against the solid's rigid motion where the particle is \[m/s\].
    pub slip_at_particle: Vec3,
}

impl NoSlipWall {
    /// The solid of a share with drag, which a particle of velocity `v` \[m/s\] slides along.
    pub(super) fn new(share: &BoundaryShare, v: Vec3, solids: &Solids) -> Self {
        let (surface, normal, slope) = (share.surface, share.normal, -share.slope);
        let law = solids.contact_law(surface);
        NoSlipWall {
            acting: share.acting_by_friction(solids),
            normal,
            slope,
            distance: slope / share.drag,
            slip_at_foot: sliding(v - share.velocity, normal, law),
            slip_at_particle: sliding(v - share.rigid_velocity, normal, law),
        }
    }

    /// The part of a velocity \[m/s\] along the surface.
    pub fn along(&self, v: Vec3) -> Vec3 {
        v - self.normal * self.normal.dot(&v)
    }
}
