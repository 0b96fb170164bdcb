//! What pressures give to solids and to bodies that the fluid moves, by the projection.
//!
//! To bodies, the pressures before give what they did for the right-hand side, through the
//! consistent gradient; what is new acts as in the matrix, by the adjoint of how bodies enter
//! the divergence ([`crate::step::bodies::rows`]), films included. So the twists that bodies get
//! are those that were solved for. What a step leaves acts as known pressure alone.
//!
//! Symbols: p \[Pa\], b as in [`crate::step::bodies::rows`] \[1/m\].

use crate::step::bodies::coupling::BodyCoupling;
use crate::step::boundary::reactions::Reactions;
use crate::step::pairs::moments::Moments;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::schemes::context::StageContext;
use crate::step::schemes::projection::Projection;
use crate::step::schemes::solid_forces::{Pressed, SolidForces};
use crate::world::{Particles, World};
use hashfall_core::Real;

impl Projection {
    /// Notes the forces of the known pressures on free bodies.
    pub fn press_bodies(
        &self,
        world: &World,
        neighborhood: &Neighborhood,
        moments: &Moments,
        bodies: &mut BodyCoupling,
    ) {
        let account = bodies.known();
        self.add_known_forces(world, neighborhood, moments, 1.0, account);
        account.act();
        bodies.integrate_known(world, &self.known);
    }

    /// The fluid and how its known pressure acts.
    pub(super) fn pressed<'a>(
        &'a self,
        world: &'a World,
        neighborhood: &'a Neighborhood,
        moments: &'a Moments,
    ) -> Pressed<'a> {
        let Particles { position, pressure, in_nozzle, .. } = &world.particles;
        Pressed {
            neighborhood,
            moments: &moments.all,
            known: &self.known,
            positions: position,
            pressures: pressure,
            in_nozzle,
        }
    }

    /// Adds the forces of solids by the known pressures, times `duration` \[s\], to an account.
    fn add_known_forces(
        &self,
        world: &World,
        neighborhood: &Neighborhood,
        moments: &Moments,
        duration: Real,
        account: &mut Reactions,
    ) {
        let forces = SolidForces::new(self.pressed(world, neighborhood, moments));
        let scale = world.particle_volume() * duration;
        let mut items = vec![(); world.particles.len()];
        account.fill(&mut items, |i, (), sums| forces.add_reaction(i, scale, sums));
    }

    /// Adds the forces of solids on the particles by pressure: those that have acted for `half_dt`
    /// \[s\], or else act until they are found anew.
    pub fn add_reactions(
        &mut self,
        world: &World,
        context: &mut StageContext<'_>,
        moments: &Moments,
        half_dt: Option<Real>,
    ) {
        if BodyCoupling::is_needed(world) {
            return self.add_coupled_reactions(world, context, moments, half_dt);
        }
        let StageContext { neighborhood, reactions, .. } = context;
        self.add_known_forces(world, neighborhood, moments, half_dt.unwrap_or(1.0), reactions);
        if half_dt.is_some() { reactions.strike() } else { reactions.act_too() }
    }

    /// As [`Self::add_reactions`] where bodies are free: the pressures before act as they did for
    /// the right-hand side, and what is new as in the matrix; of what a step leaves nothing is new.
    fn add_coupled_reactions(
        &mut self,
        world: &World,
        context: &mut StageContext<'_>,
        moments: &Moments,
        half_dt: Option<Real>,
    ) {
        let StageContext { neighborhood, reactions, bodies, .. } = context;
        let (acting, positions) = (&self.acting, &world.particles.position);
        let scale = world.particle_volume() * half_dt.unwrap_or(1.0);
        reactions.fill(&mut self.rhs, |i, _, account| {
            let (boundary, at) = (&neighborhood.boundary, positions[i]);
            boundary.for_each_mirror_force(
                i,
                &moments.all[i].correction,
                acting[i],
                |acting, force| {
                    account.add(acting, at, force * scale);
                },
            );
        });
        let duration = f64::from(half_dt.unwrap_or(1.0));
        let films = bodies.film_reactions(world, &self.acting, duration);
        match half_dt {
            Some(half_dt) => {
                reactions.strike();
                films.for_each(|(body, received, other)| {
                    reactions.exchange_impulse(body, &received, other);
                });
                reactions.kick_with(bodies.known_forces(), f64::from(half_dt));
            }
            None => {
                reactions.act_too();
                films.for_each(|(body, received, other)| {
                    reactions.exchange_force(body, &received, other);
                });
                reactions.act_with(bodies.known_forces());
            }
        }
    }
}
