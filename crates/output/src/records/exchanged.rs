//! Inflow and outflow through emitters and sinks.

use hashfall_sph::world::World;
use serde::{Deserialize, Serialize};

/// Inflow and outflow since the start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exchanged {
    /// Particles present.
    pub particles: usize,
    /// Particles emitted.
    pub emitted: u64,
    /// Particles removed by sinks.
    pub removed: u64,
    /// Emitted and removed mass \[kg\].
    pub masses: [f64; 2],
    /// Kinetic and potential energy of emitted particles, less that of removed ones \[J\].
    pub energy: f64,
}

impl Exchanged {
    /// Inflow and outflow of a world; `None` without emitters and sinks.
    pub fn from_world(world: &World) -> Option<Self> {
        let account = &world.open_boundaries.budget;
        world.open_boundaries.is_open().then(|| Exchanged {
            particles: world.particles.len(),
            emitted: account.all_emitted(),
            removed: account.all_removed(),
            masses: world.masses_exchanged(),
            energy: account.energy,
        })
    }
}
