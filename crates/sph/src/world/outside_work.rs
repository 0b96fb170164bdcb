//! The account of work from outside the fluid and its free bodies ([`World::net_energy`]).
//!
//! [`World::net_energy`]: super::World::net_energy

use serde::{Deserialize, Serialize};

/// Work from outside since the start, by what did it \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct OutsideWork {
    /// On the fluid: solids that move, but for free bodies; elastic bodies; surfaces that move in
    /// themselves.
    pub solids: f64,
    /// On free bodies: contact with solids that move by a law, and what lets them go.
    pub bodies: f64,
    /// On both: accelerations without a potential, periodic sides, and what a caller changed.
    pub forces: f64,
    /// On the fluid in nozzles, as they hold its velocity.
    pub nozzles: f64,
    /// Flow work of nozzles on the fluid before them, as estimated by its pressure.
    pub flow: f64,
    /// All that was brought, without what was taken, with the energy of particles above the lowest
    /// in the domain.
    pub supplied: f64,
}

impl OutsideWork {
    /// All of it \[J\].
    pub fn total(&self) -> f64 {
        self.solids + self.bodies + self.forces + self.nozzles + self.flow
    }

    /// Whether nothing was done.
    pub fn is_none(&self) -> bool {
        *self == OutsideWork::default()
    }

    /// What of it was brought since an `earlier` time, by each \[J\].
    pub fn brought_since(&self, earlier: &OutsideWork) -> f64 {
        let parts = |it: &OutsideWork| [it.solids, it.bodies, it.forces, it.nozzles, it.flow];
        let changes = parts(self).into_iter().zip(parts(earlier)).map(|(now, then)| now - then);
        changes.map(|change| change.max(0.0)).sum()
    }
}
