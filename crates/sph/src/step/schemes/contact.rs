//! Contact in half kicks: particles that come too near to a solid are stopped, and what solids push
//! slides against friction.
//!
//! At rest solids carry the fluid by pressure alone; contact stops those that come flying, as if
//! without a bounce, which the drift adds (see [`crate::step::boundary::drift`]). Friction
//! (Coulomb) takes from what slides along a solid up to μ times what the solid pushed, by pressure
//! or contact. Bodies that the fluid moves answer at once ([`crate::step::bodies::contact`]).

use crate::step::bodies::contact::{Push, balance};
use crate::step::bodies::coupling::BodyCoupling;
use crate::step::bodies::motions::BodyMotions;
use crate::step::boundary::acting_surface::ActingSurface;
use crate::step::boundary::contact_plane::ContactPlane;
use crate::step::boundary::sliding::{WallFriction, friction};
use crate::step::pairs::moments::Moments;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::schemes::context::StageContext;
use crate::world::{Particles, World};
use hashfall_core::{Length, Real, Vec3};

/// Friction of particles along solids, by how these have pushed them for `half_dt` \[s\].
pub fn apply_friction(
    world: &mut World,
    context: &mut StageContext<'_>,
    moments: &Moments,
    half_dt: Real,
) {
    if world.solids.contact_laws().iter().all(|law| law.friction <= 0.0) {
        return;
    }
    let StageContext { neighborhood, reactions, bodies, .. } = context;
    let wall_friction = PressureFriction { neighborhood, moments, half_dt };
    let motions = BodyCoupling::is_needed(world).then(|| {
        let whole = &*world;
        balance(bodies, whole, |i, motions, each| {
            wall_friction.push_bodies(whole, i, motions, each);
        })
    });
    let mut velocities = std::mem::take(&mut world.particles.velocity);
    let whole = &*world;
    reactions.fill(&mut velocities, |i, velocity, account| {
        let at = whole.particles.position[i];
        let mass = wall_friction.mass(whole, i);
        let change = wall_friction.change(whole, i, *velocity, motions.as_ref(), |part| {
            account.add(part.acting, at, part.change * mass);
        });
        *velocity = change.map_or(*velocity, |change| *velocity + change);
    });
    world.particles.velocity = velocities;
    reactions.strike();
    bodies.take_impulses(world, reactions);
}

/// Friction of what pressure pushes.
#[derive(Clone, Copy)]
struct PressureFriction<'a> {
    neighborhood: &'a Neighborhood,
    moments: &'a Moments,
    half_dt: Real,
}

impl PressureFriction<'_> {
    fn mass(&self, world: &World, i: usize) -> Real {
        let rest_density = world.fluids[usize::from(world.particles.phase[i])].rest_density;
        world.particle_volume() * rest_density
    }

    /// What friction adds to the velocity `v` \[m/s\] of particle `i`, if a solid is near.
    fn change(
        &self,
        world: &World,
        i: usize,
        v: Vec3,
        motions: Option<&BodyMotions>,
        each: impl FnMut(&WallFriction),
    ) -> Option<Vec3> {
        let PressureFriction { neighborhood, moments, half_dt } = *self;
        let Particles { position, pressure, phase, in_nozzle, .. } = &world.particles;
        if neighborhood.boundary.fraction[i] <= 0.0 || in_nozzle[i] > 0 {
            return None;
        }
        let rest_density = world.fluids[usize::from(phase[i])].rest_density;
        let slope =
            neighborhood.boundary.gradient[i] * (-2.0 * pressure[i] * half_dt / rest_density);
        let push = moments.all[i].correction * slope;
        let velocity = |surface| motions.and_then(|it| it.velocity(surface, &position[i]));
        Some(neighborhood.boundary.friction_change(i, v, push, &world.solids, velocity, each))
    }

    /// What free bodies that move so give particle `i`.
    fn push_bodies(
        &self,
        world: &World,
        i: usize,
        motions: &BodyMotions,
        each: &mut dyn FnMut(Push),
    ) {
        let (at, mass) = (world.particles.position[i], self.mass(world, i));
        let v = world.particles.velocity[i];
        self.change(world, i, v, Some(motions), |part| {
            let WallFriction { acting, change, normal, push } = *part;
            let Some(body) = motions.body(acting.surface) else { return };
            let most = world.solids.contact_law(acting.surface).friction as Real * push;
            // What slides feels the same friction however fast it does.
            let along = if change.length() < most { mass } else { 0.0 };
            each(Push { body, at, impulse: change * mass, across: 0.0, along, normal });
        });
    }
}

/// Stops particles that would come nearer to a solid within `dt` \[s\] than they may, with
/// friction.
pub fn stop_at_solids(world: &mut World, context: &mut StageContext<'_>, dt: Real) {
    let StageContext { neighborhood, reactions, bodies, .. } = context;
    let motions =
        BodyCoupling::is_needed(world).then(|| balance_contact(world, neighborhood, dt, bodies));
    let mut velocities = std::mem::take(&mut world.particles.velocity);
    let whole = &*world;
    let positions = &whole.particles.position;
    reactions.fill(&mut velocities, |i, velocity, account| {
        let mass = whole.particle_mass(whole.particles.phase[i]) as Real;
        let stop = Stop { neighborhood, i, dt, motions: motions.as_ref() };
        *velocity = stop.stopped(whole, *velocity, |plane, u, change, _| {
            let acting = ActingSurface::new(plane.surface, u, &whole.solids);
            account.add(acting, positions[i], change * mass);
        });
    });
    world.particles.velocity = velocities;
    reactions.strike();
    bodies.take_impulses(world, reactions);
}

/// The motions with which bodies leave contact.
fn balance_contact(
    world: &World,
    neighborhood: &Neighborhood,
    dt: Real,
    bodies: &BodyCoupling,
) -> BodyMotions {
    balance(bodies, world, |i, motions, each| {
        let planes = neighborhood.boundary.planes(i);
        if planes.iter().all(|plane| motions.body(plane.surface).is_none()) {
            return;
        }
        let (at, velocity) = (world.particles.position[i], world.particles.velocity[i]);
        let mass = world.particle_mass(world.particles.phase[i]) as Real;
        let stop = Stop { neighborhood, i, dt, motions: Some(motions) };
        stop.stopped(world, velocity, |plane, _, change, sticks| {
            let Some(body) = motions.body(plane.surface) else { return };
            let along = if sticks { mass } else { 0.0 };
            let (impulse, normal) = (change * mass, plane.normal);
            each(Push { body, at, impulse, across: mass, along, normal });
        });
    })
}

/// How a particle is stopped.
struct Stop<'a> {
    neighborhood: &'a Neighborhood,
    i: usize,
    dt: Real,
    /// Of the bodies that are free, if they are not those that the solids have.
    motions: Option<&'a BodyMotions>,
}

impl Stop<'_> {
    /// The velocity with which a particle of the velocity `free` \[m/s\] leaves contact; `each`
    /// gets a plane with its velocity, what it adds, and whether friction ends the sliding.
    fn stopped(
        &self,
        world: &World,
        free: Vec3,
        mut each: impl FnMut(&ContactPlane, Vec3, Vec3, bool),
    ) -> Vec3 {
        let Stop { neighborhood, i, dt, motions } = *self;
        if neighborhood.boundary.fraction[i] <= 0.0 {
            return free;
        }
        let x = &world.particles.position[i];
        let moved = |plane: &ContactPlane| motions.and_then(|it| it.velocity(plane.surface, x));
        let speed = |plane: &ContactPlane| {
            moved(plane).map_or(plane.speed, |velocity| velocity.dot(&plane.normal))
        };
        let mut total = Vec3::zeros();
        let stopped =
            neighborhood.boundary.project_on_moving_planes(i, free, dt, speed, |plane, push| {
                let law = world.solids.contact_law(plane.surface);
                let velocity = moved(plane).unwrap_or(plane.velocity);
                let mut change = plane.normal * push;
                let mut sticks = false;
                if law.friction > 0.0 {
                    let by_friction = friction(free - velocity, plane.normal, push, law);
                    total += by_friction;
                    change += by_friction;
                    sticks = by_friction.length() < law.friction as Real * push;
                }
                each(plane, velocity, change, sticks);
            });
        stopped + total
    }
}
