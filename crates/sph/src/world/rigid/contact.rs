//! Bodies that touch each other, and their state.

use hashfall_bodies::BodyState;
use hashfall_core::digest::Digest;
use hashfall_rigid::{
    BodyKind, ContactPoint, RigidBody, RigidError, RigidSettings, RigidSnapshot, RigidSystem,
};
use nalgebra::Vector3;
use std::sync::Arc;

/// The bodies of a world that touch each other, and their state.
#[derive(Clone, Debug)]
pub struct RigidContact {
    pub(super) bodies: Arc<Vec<RigidBody>>,
    /// Of which body of the solids each is; 0 are the walls.
    pub(super) owners: Arc<[usize]>,
    pub(super) settings: RigidSettings,
    /// Between steps.
    pub(crate) state: RigidSnapshot,
}

/// Two are equal whose bodies are those of the same solids and in the same state.
impl PartialEq for RigidContact {
    fn eq(&self, other: &Self) -> bool {
        self.owners == other.owners && self.settings == other.settings && self.state == other.state
    }
}

impl RigidContact {
    /// A system in this state.
    ///
    /// # Errors
    /// Never, unless bodies are nowhere.
    pub(crate) fn system(&self) -> Result<RigidSystem, RigidError> {
        let states = self.state.states().to_vec();
        let mut system = RigidSystem::from_shared(self.bodies.clone(), states, self.settings)?;
        system.rollback(&self.state);
        Ok(system)
    }

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

    /// The state as bytes, for checkpoints.
    pub fn state_bytes(&self) -> Vec<u8> {
        self.state.state_bytes()
    }

    /// Checks that bytes are of a state of these bodies, in which those that are fixed are where
    /// they are.
    ///
    /// # Errors
    /// If they are not, or a number is not finite.
    pub fn check_state(&self, bytes: &[u8]) -> Result<(), RigidError> {
        let numbers = bytes.as_chunks::<8>().0;
        if !numbers.iter().all(|x| f64::from_le_bytes(*x).is_finite()) {
            return Err(RigidError::Bytes);
        }
        let mut system = self.system()?;
        system.set_state_bytes(bytes)?;
        let all = self.bodies.iter().zip(self.state.states().iter().zip(system.states()));
        let is_moved = |(body, (own, new)): (&RigidBody, (&BodyState, &BodyState))| {
            body.kind() == BodyKind::Fixed && own != new
        };
        if all.into_iter().any(is_moved) || !system.states().iter().all(BodyState::is_rigid) {
            return Err(RigidError::Bytes);
        }
        Ok(())
    }

    /// Whether another is between the same bodies, made at once, and solved alike.
    pub(crate) fn shares_bodies(&self, other: &RigidContact) -> bool {
        Arc::ptr_eq(&self.bodies, &other.bodies)
            && self.owners == other.owners
            && self.settings == other.settings
    }

    /// Feeds the state to a digest, to the bit.
    pub(crate) fn feed(&self, digest: &mut Digest) {
        self.state.feed(digest);
    }
}
