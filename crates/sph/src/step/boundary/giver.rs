//! Who gives something to a particle.

use hashfall_core::Vec3;
use hashfall_solid::{Solids, SurfaceId};

/// A surface that gives momentum to a particle; where no wrench on the whole solid tells the work
/// that it does, also how fast it moves there.
#[derive(Clone, Copy, Debug)]
pub struct Giver {
    /// Which.
    pub surface: SurfaceId,
    /// Of a surface that deforms, and of what rubs, that of the surface in itself \[m/s\].
    velocity: Option<Vec3>,
}

impl Giver {
    /// A surface that pushes, and moves with this velocity \[m/s\] where it touches the particle.
    pub fn new(surface: SurfaceId, velocity: Vec3, solids: &Solids) -> Self {
        Giver::pushing(surface, solids.deforms(surface), velocity)
    }

    /// The same, of which it is known whether it deforms.
    pub(super) fn pushing(surface: SurfaceId, deforms: bool, velocity: Vec3) -> Self {
        Giver { surface, velocity: deforms.then_some(velocity) }
    }

    /// The same surface as it rubs, with this normal: that of a belt does work by what it has of a
    /// velocity in itself along the surface.
    pub(super) fn rubbing(self, normal: Vec3, solids: &Solids) -> Self {
        let own = solids.contact_law(self.surface).surface_velocity();
        if own == Vec3::zeros() {
            return self;
        }
        let along = own - normal * normal.dot(&own);
        Giver { velocity: Some(self.velocity.map_or(along, |v| v + along)), ..self }
    }

    /// How fast what no wrench tells moves \[m/s\]; `None` where wrenches tell all.
    pub(super) fn velocity(&self) -> Option<Vec3> {
        self.velocity
    }
}
