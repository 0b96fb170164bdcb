//! The twists of free bodies to which a projection leads, T* + τ W Bᵀ δ: predicted before it, and
//! corrected where bodies then touch otherwise.
//!
//! Symbols as in [`super::coupling`].

use crate::step::bodies::coupling::BodyCoupling;
use crate::step::bodies::mobility::Mobility;
use crate::world::World;
use hashfall_bodies::Twist;
use hashfall_core::Real;

/// Twists that differ from the prediction by this part of what impulses give free bodies are those
/// that were predicted \[–\]; so do those that differ by no more than contact itself is solved to.
const CONTACT_TOLERANCE: f64 = 1e-4;

/// Times that pressures are found again because bodies touch otherwise than was predicted, at most.
const MAX_ROUNDS: u32 = 4;

impl BodyCoupling {
    /// Finds T*, to which the known forces lead in half a kick of `half_dt` \[s\].
    pub fn predict(&mut self, world: &World, half_dt: Real) {
        let mut impulses = self.known_wrenches(world);
        impulses.iter_mut().for_each(|impulse| *impulse = *impulse * f64::from(half_dt));
        if let Some(contact) = &mut self.contact {
            self.predicted.twists = contact.twists_with(&impulses);
            return;
        }
        let mut changes = vec![Twist::default(); impulses.len()];
        self.independent.apply(&impulses, &mut changes);
        let twists = &mut self.predicted.twists;
        twists.iter_mut().zip(&changes).for_each(|(twist, change)| *twist += *change);
    }

    /// Puts T* into the fluxes of the solids.
    pub fn replace_fluxes(&self, fluxes: &mut [Real]) {
        self.rows.replace_fluxes(&self.predicted.twists, fluxes);
    }

    /// Whether bodies answer the changes δ of the pressures otherwise than was predicted. T* is
    /// then that of the contacts which hold with them, as `rhs` is, for another δ. After the last
    /// of the rounds, of which `rounds` have been, what differs is only noted.
    pub fn correct_prediction(
        &mut self,
        world: &World,
        half_dt: Real,
        changes: &[Real],
        rhs: &mut [Real],
        rounds: u32,
    ) -> bool {
        let mut impulses = self.known_wrenches(world);
        let Some(contact) = &mut self.contact else { return false };
        let tau = f64::from(half_dt);
        self.rows.respond(changes, contact.mobility());
        let predicted = &mut self.predicted.twists;
        for (known, pressed) in impulses.iter_mut().zip(self.rows.wrenches()) {
            *known = (*known + *pressed) * tau;
        }
        let twists = contact.twists_with(&impulses);
        let all = twists.iter().zip(predicted.iter()).zip(self.rows.twists()).enumerate();
        let error = |(body, ((twist, base), change)): (usize, ((&Twist, &Twist), &Twist))| {
            contact.speed(body, &(*twist - *base - *change * tau))
        };
        let largest = all.map(error).fold(0.0, f64::max);
        let scale = contact.free_speed(&impulses);
        let agrees = largest <= CONTACT_TOLERANCE.max(contact.residual()) * scale;
        if agrees || rounds == MAX_ROUNDS {
            contact.note_rounds(rounds, if agrees { 0.0 } else { largest / scale }, agrees);
            return false;
        }
        self.rows.respond(changes, contact.mobility());
        let mut shifts = twists;
        for ((shift, base), change) in shifts.iter_mut().zip(predicted).zip(self.rows.twists()) {
            let other = *shift - *change * tau;
            *shift = (*base - other) / tau;
            *base = other;
        }
        self.rows.add_products(&shifts, rhs);
        true
    }
}
