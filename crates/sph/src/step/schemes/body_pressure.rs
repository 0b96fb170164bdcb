//! What pressures give to bodies that the fluid moves, by the projection.
//!
//! The pressures before act as they did for the right-hand side, through the consistent gradient;
//! what is new acts as in the matrix, by the adjoint of how bodies enter the divergence
//! ([`crate::step::bodies::rows`]). So the twists that bodies get are those that were solved for.
//!
//! Symbols: p \[Pa\], b as in [`crate::step::bodies::rows`] \[1/m\].

use crate::step::bodies::coupling::BodyCoupling;
use crate::step::boundary::reactions::Reactions;
use crate::step::pairs::moments::Moments;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::schemes::projection::Projection;
use crate::step::schemes::solid_forces::SolidForces;
use crate::world::World;
use hashfall_core::{Real, to_f64};

impl Projection {
    /// Notes what the known pressures give to free bodies.
    pub fn press_bodies(
        &self,
        world: &World,
        near: &Neighborhood,
        moments: &Moments,
        bodies: &mut BodyCoupling,
    ) {
        self.give_known(world, near, moments, bodies.known());
        bodies.integrate_known(world, near, &self.known);
    }

    /// The forces of solids by the pressures before, to an account.
    fn give_known(
        &self,
        world: &World,
        near: &Neighborhood,
        moments: &Moments,
        account: &mut Reactions,
    ) {
        let forces = SolidForces::new(self.pressed(world, near, moments));
        let volume = world.particle_volume();
        let mut items = vec![(); world.particles.len()];
        account.fill(&mut items, |i, (), sums| forces.give(i, volume, sums));
        account.act();
    }

    /// As [`Self::take_reactions`] where bodies are free: the pressures before act as they did for
    /// the right-hand side, and what is new as in the matrix.
    pub(super) fn take_coupled_reactions(
        &mut self,
        world: &World,
        near: &Neighborhood,
        moments: &Moments,
        half_dt: Option<Real>,
        (reactions, bodies): (&mut Reactions, &BodyCoupling),
    ) {
        let (acting, positions) = (&self.acting, &world.particles.position);
        let scale = world.particle_volume() * half_dt.unwrap_or(1.0);
        reactions.fill(&mut self.rhs, |i, _, account| {
            let (boundary, at) = (&near.boundary, to_f64(&positions[i]));
            boundary.give_mirrored(i, (&moments.all[i].correction, acting[i]), |giver, force| {
                account.add(giver, at, to_f64(&(force * scale)));
            });
        });
        match half_dt {
            Some(half_dt) => {
                reactions.strike();
                reactions.kick_with(bodies.known_forces(), f64::from(half_dt));
            }
            None => {
                reactions.act_too();
                reactions.act_with(bodies.known_forces());
            }
        }
    }
}
