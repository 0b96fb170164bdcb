//! Bodies that touch each other, and how they do.

use hashfall_bodies::BodyState;
use hashfall_rigid::{ContactPoint, RigidBody, RigidSettings, RigidSnapshot};
use nalgebra::Vector3;
use std::sync::Arc;

/// The bodies of a world that touch each other, and how they do. Poses and twists of those that
/// move are in the states of the solids.
#[derive(Clone, Debug)]
pub struct RigidContact {
    pub(super) bodies: Arc<Vec<RigidBody>>,
    /// Of which body of the solids each is; 0 are the walls.
    pub(super) owners: Arc<[usize]>,
    /// The states of those that are fixed; none of others.
    pub(super) fixed: Arc<[Option<BodyState>]>,
    pub(super) settings: RigidSettings,
    /// Between steps.
    pub(crate) state: RigidSnapshot,
}

/// Two are equal whose bodies are those of the same solids, and touch alike.
impl PartialEq for RigidContact {
    fn eq(&self, other: &Self) -> bool {
        self.owners == other.owners && self.settings == other.settings && self.state == other.state
    }
}

impl RigidContact {
    /// The bodies: the free ones of the world, then what they may touch.
    pub fn bodies(&self) -> &[RigidBody] {
        &self.bodies
    }

    /// Of which [body of the solids](hashfall_solid::Solids::body_count) each is; 0 are the walls.
    pub fn owners(&self) -> &[usize] {
        &self.owners
    }

    /// The points where bodies touch or nearly do, by their number among [`Self::bodies`], and the
    /// force of each \[N\] on its second body.
    pub fn contacts(&self) -> impl Iterator<Item = (&ContactPoint, &Vector3<f64>)> {
        self.state.contacts()
    }

    /// Whether another is between the same bodies, made at once, and solved alike.
    pub(crate) fn shares_bodies(&self, other: &RigidContact) -> bool {
        Arc::ptr_eq(&self.bodies, &other.bodies)
            && self.owners == other.owners
            && self.settings == other.settings
    }
}
