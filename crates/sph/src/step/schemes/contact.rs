//! Contact in half kicks: particles that come too near to a solid are stopped, and what solids push
//! is rubbed.
//!
//! At rest solids carry the fluid by pressure alone; contact stops those that come flying, as if
//! without a bounce, which the drift adds (see [`crate::step::boundary::drift`]). Friction
//! (Coulomb) takes from what slides along a solid up to μ times what the solid pushed, by pressure
//! or contact.

use crate::step::boundary::giver::Giver;
use crate::step::boundary::reactions::Reactions;
use crate::step::boundary::sliding::friction;
use crate::step::pairs::moments::Moments;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::world::{Particles, World};
use hashfall_core::{Real, Vec3, to_f64};

/// Rubs particles by how solids have pushed them for `half_dt` \[s\].
pub fn rub(
    world: &mut World,
    near: &Neighborhood,
    moments: &Moments,
    half_dt: Real,
    reactions: &mut Reactions,
) {
    if world.solids.contact_laws().iter().all(|law| law.friction <= 0.0) {
        return;
    }
    let volume = world.particle_volume();
    let (particles, solids, fluids) = (&mut world.particles, &world.solids, &world.fluids);
    let Particles { position, velocity, pressure, phase, in_nozzle, .. } = particles;
    reactions.fill(velocity, |i, velocity, account| {
        if near.boundary.fraction[i] <= 0.0 || in_nozzle[i] > 0 {
            return;
        }
        let rest_density = fluids[usize::from(phase[i])].rest_density;
        let slope = near.boundary.gradient[i] * (-2.0 * pressure[i] * half_dt / rest_density);
        let push = moments.all[i].correction * slope;
        let at = to_f64(&position[i]);
        let rubs = near.boundary.rub(i, (*velocity, push), solids, |giver, rub| {
            account.add(giver, at, to_f64(&(rub * (volume * rest_density))));
        });
        *velocity += rubs;
    });
    reactions.strike();
}

/// Stops particles that would come nearer to a solid within `dt` \[s\] than they may, and rubs
/// them.
pub fn stop_at_solids(world: &mut World, near: &Neighborhood, dt: Real, reactions: &mut Reactions) {
    let volume = world.particle_volume();
    let (particles, solids, fluids) = (&mut world.particles, &world.solids, &world.fluids);
    let (positions, phases) = (&particles.position, &particles.phase);
    reactions.fill(&mut particles.velocity, |i, velocity, account| {
        if near.boundary.fraction[i] <= 0.0 {
            return;
        }
        let mass = volume * fluids[usize::from(phases[i])].rest_density;
        let mut rubs = Vec3::zeros();
        let free = *velocity;
        let stopped = near.boundary.project_on_planes(i, free, dt, |plane, speed| {
            let law = solids.contact_law(plane.surface);
            let mut change = plane.normal * speed;
            if law.friction > 0.0 {
                let rub = friction(free - plane.velocity, plane.normal, speed, law);
                rubs += rub;
                change += rub;
            }
            let giver = Giver::new(plane.surface, plane.velocity, solids);
            account.add(giver, to_f64(&positions[i]), to_f64(&(change * mass)));
        });
        *velocity = stopped + rubs;
    });
    reactions.strike();
}
