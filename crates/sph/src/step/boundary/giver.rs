//! Who gives something to a particle.

use hashfall_core::Vec3;
use hashfall_solid::{Solids, SurfaceId};

/// A surface that gives momentum to a particle; of one that deforms also how fast it moves there,
/// as no wrench on the whole tells the work that it does.
#[derive(Clone, Copy, Debug)]
pub struct Giver {
    /// Which.
    pub surface: SurfaceId,
    /// \[m/s\]
    pub(super) velocity: Option<Vec3>,
}

impl Giver {
    /// A surface that moves with this velocity \[m/s\] where it touches the particle.
    pub fn new(surface: SurfaceId, velocity: Vec3, solids: &Solids) -> Self {
        Giver { surface, velocity: solids.deforms(surface).then_some(velocity) }
    }
}
