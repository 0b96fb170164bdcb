//! The surfaces that act on particles, by pressure, contact or friction.

use hashfall_core::Vec3;
use hashfall_solid::{Solids, SurfaceId};

/// A surface that acts on a particle; where no wrench on the whole solid tells the work
/// that it does, also how fast it moves there.
#[derive(Clone, Copy, Debug)]
pub struct ActingSurface {
    /// The surface.
    pub surface: SurfaceId,
    /// How fast a surface moves that deforms; with friction, also how it moves in itself \[m/s\].
    velocity: Option<Vec3>,
}

impl ActingSurface {
    /// A surface that pushes, and moves with this velocity \[m/s\] where it touches the particle.
    pub fn new(surface: SurfaceId, velocity: Vec3, solids: &Solids) -> Self {
        ActingSurface::from_parts(surface, solids.deforms(surface), velocity)
    }

    /// The same, of which it is known whether it deforms.
    pub(super) fn from_parts(surface: SurfaceId, deforms: bool, velocity: Vec3) -> Self {
        ActingSurface { surface, velocity: deforms.then_some(velocity) }
    }

    /// The same surface with friction along it, with this normal: that of a belt does work by what
    /// it has of a velocity in itself along the surface.
    pub(super) fn with_friction(self, normal: Vec3, solids: &Solids) -> Self {
        let surface_velocity = solids.contact_law(self.surface).surface_velocity();
        if surface_velocity == Vec3::zeros() {
            return self;
        }
        let along = surface_velocity - normal * normal.dot(&surface_velocity);
        ActingSurface { velocity: Some(self.velocity.map_or(along, |v| v + along)), ..self }
    }

    /// How fast what no wrench tells moves \[m/s\]; `None` where wrenches tell all.
    pub(super) fn velocity(&self) -> Option<Vec3> {
        self.velocity
    }
}
