//! The states of bodies in contact, which stand in the solids, and their bytes and bits.
//!
//! A body that is free or moves by a law is where the solids have it; what is fixed has a constant
//! state. So a pose and a twist have one home, and whoever needs those of all bodies in their order
//! is handed them from there. Bytes and digests of contact have them, too: of each body 13 numbers,
//! with its last acceleration and its reach, then the forces of all contact points.
//!
//! Free bodies turn by unit quaternions, as their contact does, from when a stepper is made.

use super::contact::RigidContact;
use crate::world::{World, WorldError};
use hashfall_bodies::BodyState;
use hashfall_core::digest::Digest;
use hashfall_core::has_real_square;
use hashfall_geometry::Point;
use hashfall_rigid::{BodyKind, RigidBody, RigidError, RigidSystem};
use hashfall_solid::Solids;

impl RigidContact {
    /// The states of all bodies, in their order.
    pub(crate) fn states<'a>(&'a self, solids: &'a Solids) -> impl Iterator<Item = BodyState> + 'a {
        let state = |owner: usize, kind: BodyKind| {
            let found = solids.body_state(owner)?;
            match kind {
                BodyKind::Prescribed => placed_state(solids, owner, found),
                _ => Some(*found),
            }
        };
        // Whatever is not fixed is a body that moves, and has a state.
        let nowhere = BodyState::at_rest(Point::repeat(f64::NAN));
        let all = self.bodies.iter().zip(&*self.owners).zip(&*self.fixed);
        all.map(move |((body, &owner), fixed)| {
            fixed.or_else(|| state(owner, body.kind())).unwrap_or(nowhere)
        })
    }

    /// A system in the present state.
    ///
    /// # Errors
    /// Never: there is a state for each body.
    pub(crate) fn system(&self, solids: &Solids) -> Result<RigidSystem, RigidError> {
        let states: Vec<BodyState> = self.states(solids).collect();
        let bodies = self.bodies.clone();
        let mut system = RigidSystem::from_shared(bodies, states.clone(), self.settings)?;
        system.rollback(&self.state, states);
        Ok(system)
    }

    /// Puts a system of these bodies into the present state.
    pub(crate) fn load(&self, solids: &Solids, system: &mut RigidSystem) {
        system.rollback(&self.state, self.states(solids));
    }
}

/// The state of a body that moves by a law, one of its own by the solids, with its position where
/// their pose puts the reference point: its shape is where they have its surface.
pub(crate) fn placed_state(solids: &Solids, owner: usize, state: &BodyState) -> Option<BodyState> {
    let pivot = solids.rest_position(owner)?;
    let pose = state.pose(pivot);
    Some(BodyState { position: pose.apply(pivot), orientation: pose.turn.into(), ..*state })
}

impl World {
    /// The state of bodies in contact as bytes, for checkpoints: numbers of 64 bits, little-endian.
    /// Empty without contact.
    pub fn contact_state(&self) -> Vec<u8> {
        let Some(contact) = &self.rigid else { return Vec::new() };
        contact.state.state_bytes(&self.states_in_contact(contact))
    }

    /// Checks that bytes are of a state of the bodies in contact, in which those that are fixed are
    /// where they are.
    ///
    /// # Errors
    /// If they are not, or a number is not finite.
    pub fn check_contact_state(&self, bytes: &[u8]) -> Result<(), RigidError> {
        let Some(contact) = &self.rigid else {
            return if bytes.is_empty() { Ok(()) } else { Err(RigidError::Bytes) };
        };
        let numbers = bytes.as_chunks::<8>().0;
        if !numbers.iter().all(|x| has_real_square(f64::from_le_bytes(*x))) {
            return Err(RigidError::Bytes);
        }
        let mut system = contact.system(&self.solids)?;
        let present = system.states().to_vec();
        system.set_state_bytes(bytes)?;
        let all = contact.bodies.iter().zip(present.iter().zip(system.states()));
        let is_moved = |(body, (present, new)): (&RigidBody, (&BodyState, &BodyState))| {
            body.kind() == BodyKind::Fixed && present != new
        };
        if all.into_iter().any(is_moved) || !system.states().iter().all(BodyState::is_rigid) {
            return Err(RigidError::Bytes);
        }
        Ok(())
    }

    /// Puts free bodies in contact into a state of [`World::contact_state`], between steps and
    /// before a stepper is made. What moves by a law stays where the solids have it.
    ///
    /// # Errors
    /// If the bytes are not of a state of these bodies.
    pub fn set_contact_state(&mut self, bytes: &[u8]) -> Result<(), WorldError> {
        let refuse = |error: RigidError| WorldError::body_contact(0, error.to_string());
        let Some(contact) = &self.rigid else { return Err(refuse(RigidError::Bytes)) };
        let mut system = contact.system(&self.solids).map_err(refuse)?;
        system.set_state_bytes(bytes).map_err(refuse)?;
        self.take_contact(&system)
    }

    /// Finds contact anew where bodies are, should a caller have moved some since it was found.
    ///
    /// # Errors
    /// If a body is nowhere.
    pub(crate) fn renew_contact(&mut self) -> Result<(), WorldError> {
        let refuse = |error: RigidError| WorldError::body_contact(0, error.to_string());
        let Some(contact) = &self.rigid else { return Ok(()) };
        let mut system = contact.system(&self.solids).map_err(refuse)?;
        system.renew_contacts().map_err(refuse)?;
        self.take_contact(&system)
    }

    /// Takes the contact of a system, and from it where free bodies are and how they move.
    fn take_contact(&mut self, system: &RigidSystem) -> Result<(), WorldError> {
        for (free, state) in self.free_bodies.iter().zip(system.states()) {
            self.solids
                .set_body_state(free.body, *state)
                .map_err(|error| WorldError::body_contact(free.body, error.to_string()))?;
        }
        if let Some(contact) = &mut self.rigid {
            contact.state = system.snapshot();
        }
        Ok(())
    }

    /// Feeds all bits of contact that the next step depends on to a digest.
    pub(in crate::world) fn feed_contact(&self, contact: &RigidContact, digest: &mut Digest) {
        contact.state.feed(&self.states_in_contact(contact), digest);
    }

    /// The states of all bodies in contact.
    fn states_in_contact(&self, contact: &RigidContact) -> Vec<BodyState> {
        contact.states(&self.solids).collect()
    }
}
