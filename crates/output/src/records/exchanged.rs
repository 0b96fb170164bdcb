//! What emitters and sinks have exchanged with the world.

use hashfall_sph::world::World;
use serde::{Deserialize, Serialize};

/// What has come in and gone out since the start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exchanged {
    /// Particles that are there.
    pub particles: usize,
    /// Particles that came out of emitters.
    pub emitted: u64,
    /// Particles that went into sinks.
    pub removed: u64,
    /// Mass of those that came and of those that went \[kg\].
    pub masses: [f64; 2],
    /// Kinetic and potential energy of those that came, less that of those that went \[J\].
    pub energy: f64,
}

impl Exchanged {
    /// That of a world; none if it has neither emitters nor sinks.
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
