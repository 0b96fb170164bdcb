//! The surfaces that give momentum to particles, by pressure, contact or friction.

use hashfall_core::Vec3;
use hashfall_solid::{Solids, SurfaceId};

/// A surface that gives momentum to a particle; where no wrench on the whole solid tells the work
/// that it does, also how fast it moves there.
#[derive(Clone, Copy, Debug)]
pub struct MomentumSource {
    /// The surface.
    pub surface: SurfaceId,
    /// How fast a surface moves that deforms; with friction, also how it moves in itself \[m/s\].
    velocity: Option<Vec3>,
}

impl MomentumSource {
    /// A surface that pushes, and moves with this velocity \[m/s\] where it touches the particle.
    pub fn new(surface: SurfaceId, velocity: Vec3, solids: &Solids) -> Self {
        MomentumSource::with_motion(surface, solids.deforms(surface), velocity)
    }

    /// The same, of which it is known whether it deforms.
    pub(super) fn with_motion(surface: SurfaceId, deforms: bool, velocity: Vec3) -> Self {
        MomentumSource { surface, velocity: deforms.then_some(velocity) }
    }

    /// The same surface with friction along it, with this normal: that of a belt does work by what
    /// it has of a velocity in itself along the surface.
    pub(super) fn with_friction(self, normal: Vec3, solids: &Solids) -> Self {
        let in_itself = solids.contact_law(self.surface).surface_velocity();
        if in_itself == Vec3::zeros() {
            return self;
        }
        let along = in_itself - normal * normal.dot(&in_itself);
        MomentumSource { velocity: Some(self.velocity.map_or(along, |v| v + along)), ..self }
    }

    /// How fast what no wrench tells moves \[m/s\]; `None` where wrenches tell all.
    pub(super) fn velocity(&self) -> Option<Vec3> {
        self.velocity
    }
}
