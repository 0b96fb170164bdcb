//! What a step may be rolled back to, and what a run goes on from: the contact of a system as a
//! value, and its whole state as bytes.
//!
//! The next step depends on poses and velocities, the accelerations of the last kick, how far
//! contacts were looked for, and their last forces. States of bodies are a caller's: it hands them
//! in to return to a snapshot or to write one as bytes. Contact points follow from poses and
//! reaches; a snapshot has them, so that a rollback finds none anew. A run that goes on from bytes
//! has the same bits as one that never stopped.

use super::rigid_system::{RigidSystem, states_in_system};
use super::settings::RigidError;
use crate::contact_point::ContactPoint;
use hashfall_bodies::{BodyState, Twist};
use hashfall_core::digest::Digest;
use nalgebra::Vector3;

/// The numbers of a body in the bytes of a system: its state, acceleration and reach.
const BODY_NUMBERS: usize = BodyState::QUATERNION_LENGTH + 7;

/// What the next step of a system depends on beside the states of its bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RigidSnapshot {
    accelerations: Vec<Twist>,
    reach: Vec<f64>,
    pairs: Vec<[u32; 2]>,
    points: Vec<ContactPoint>,
    forces: Vec<Vector3<f64>>,
    dt: f64,
    has_contacts: bool,
}

impl RigidSystem {
    /// Copies all but the states of the bodies, into memory that is there.
    pub fn save(&self, snapshot: &mut RigidSnapshot) {
        snapshot.accelerations.clone_from(&self.accelerations);
        snapshot.reach.clone_from(&self.contacts.reach);
        snapshot.pairs.clone_from(&self.contacts.pairs);
        snapshot.points.clone_from(&self.contacts.points);
        snapshot.forces.clone_from(&self.contacts.forces);
        (snapshot.dt, snapshot.has_contacts) = (self.dt, self.has_contacts);
    }

    /// Returns to a snapshot of this system, which was taken in these states of its bodies.
    ///
    /// # Panics
    /// If there are more or fewer states than bodies.
    pub fn rollback(
        &mut self,
        snapshot: &RigidSnapshot,
        states: impl IntoIterator<Item = BodyState>,
    ) {
        self.states.clear();
        self.states.extend(states_in_system(&self.bodies, states));
        assert_eq!(self.states.len(), self.bodies.len(), "a state for each body");
        self.accelerations.clone_from(&snapshot.accelerations);
        self.contacts.reach.clone_from(&snapshot.reach);
        self.contacts.pairs.clone_from(&snapshot.pairs);
        self.contacts.points.clone_from(&snapshot.points);
        self.contacts.forces.clone_from(&snapshot.forces);
        (self.dt, self.has_contacts) = (snapshot.dt, snapshot.has_contacts);
        self.ends.fill(None);
        self.work.inverse_mass.clear();
        self.work.has_impulses = false;
    }

    /// The state as bytes, between steps: numbers of 64 bits, little-endian.
    pub fn state_bytes(&self) -> Vec<u8> {
        self.snapshot().state_bytes(&self.states)
    }

    /// A copy of all but the states of the bodies.
    pub fn snapshot(&self) -> RigidSnapshot {
        let mut snapshot = RigidSnapshot::default();
        self.save(&mut snapshot);
        snapshot
    }

    /// Goes on from such bytes.
    ///
    /// # Errors
    /// If they are not of a state of this system; its state is then undefined.
    pub fn set_state_bytes(&mut self, bytes: &[u8]) -> Result<(), RigidError> {
        let (words, rest) = bytes.as_chunks::<8>();
        let numbers: Vec<f64> = words.iter().map(|word| f64::from_le_bytes(*word)).collect();
        let of_bodies = 2 + BODY_NUMBERS * self.bodies.len();
        if !rest.is_empty() || numbers.len() < of_bodies {
            return Err(RigidError::Bytes);
        }
        self.dt = numbers[0];
        self.has_contacts = numbers[1] != 0.0;
        self.contacts.reach.clear();
        for (body, own) in numbers[2..of_bodies].chunks_exact(BODY_NUMBERS).enumerate() {
            let (state, rest) = own.split_at(BodyState::QUATERNION_LENGTH);
            self.states[body] =
                BodyState::from_quaternion_array(&std::array::from_fn(|k| state[k]));
            self.accelerations[body] = Twist {
                velocity: Vector3::from_row_slice(&rest[..3]),
                spin: Vector3::from_row_slice(&rest[3..6]),
            };
            self.contacts.reach.push(rest[6]);
        }
        self.ends.fill(None);
        if self.has_contacts {
            self.contacts.find(&self.bodies, &self.states)?;
        } else {
            // As before the first step.
            self.contacts.reach.clear();
        }
        let forces = numbers[of_bodies..].chunks_exact(3).map(Vector3::from_row_slice);
        if self.has_contacts && 3 * self.contacts.points.len() != numbers.len() - of_bodies {
            return Err(RigidError::Bytes);
        }
        self.contacts.forces.clear();
        self.contacts.forces.extend(forces);
        Ok(())
    }

    /// Finds the contact points of the present states. If they are others than those that are
    /// known, as a caller has moved bodies, they have the forces of their namesakes.
    ///
    /// # Errors
    /// If a body is nowhere.
    pub fn renew_contacts(&mut self) -> Result<(), RigidError> {
        if self.has_contacts {
            self.contacts.find_again(&self.bodies, &self.states)?;
        }
        Ok(())
    }

    /// Feeds all bits that the next step depends on to a digest.
    pub fn feed(&self, digest: &mut Digest) {
        self.snapshot().feed(&self.states, digest);
    }
}

impl RigidSnapshot {
    /// That of a system of so many bodies which has taken no step.
    pub fn new(bodies: usize) -> Self {
        let accelerations = vec![Twist::default(); bodies];
        RigidSnapshot { accelerations, ..RigidSnapshot::default() }
    }

    /// The contact points and the force of each \[N\] on its second body in the last kick.
    pub fn contacts(&self) -> impl Iterator<Item = (&ContactPoint, &Vector3<f64>)> {
        self.points.iter().zip(&self.forces)
    }

    /// The state of a system whose bodies are in these states, as bytes: numbers of 64 bits,
    /// little-endian.
    pub fn state_bytes(&self, states: &[BodyState]) -> Vec<u8> {
        self.numbers(states).into_iter().flat_map(f64::to_le_bytes).collect()
    }

    /// Feeds all bits that the next step depends on to a digest, of bodies in these states.
    pub fn feed(&self, states: &[BodyState], digest: &mut Digest) {
        self.numbers(states).iter().for_each(|x| digest.word(x.to_bits()));
    }

    /// What the next step depends on.
    fn numbers(&self, states: &[BodyState]) -> Vec<f64> {
        let mut numbers = vec![self.dt, f64::from(u8::from(self.has_contacts))];
        for (body, (state, acceleration)) in states.iter().zip(&self.accelerations).enumerate() {
            numbers.extend(state.to_quaternion_array());
            numbers.extend(acceleration.velocity.iter().chain(&acceleration.spin));
            numbers.push(self.reach.get(body).copied().unwrap_or_default());
        }
        if self.has_contacts {
            numbers.extend(self.forces.iter().flatten());
        }
        numbers
    }
}
