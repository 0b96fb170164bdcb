//! The drift: particles move, and stop or slide where their path meets a solid.
//!
//! The path of each particle is swept against walls, spheres and triangles, so nothing tunnels
//! however fast it is. A particle whose path is shorter than its free distance just moves; one
//! whose path stays within the support radius meets only objects that the density has found; the
//! few that are faster ask the broad phase for the box of their path. Fine meshes are asked for the
//! triangles within a path's length; where a particle is too deep, within h at the least.
//!
//! Bodies that move have gone their way before: who is in it is
//! [carried](hashfall_solid::Solids::push_out) first, then goes to where its velocity leads it.

use crate::step::boundary::boundary_terms::BoundaryTerms;
use crate::step::boundary::giver::Giver;
use crate::step::boundary::reactions::Reactions;
use crate::world::World;
use hashfall_core::parallel::{CHUNK, chunks_mut, items_mut, map_parts};
use hashfall_core::{Dimension, Real, Vec3, vec3};
use hashfall_geometry::Aabb;
use hashfall_search::BoxIndex;
use hashfall_solid::{StepAcceleration, SweepBuffer, sweep_box, sweep_reach};

/// A particle is carried so many times as far as a body goes, at the most, and who carries it was
/// as far away.
const CARRIED: Real = 4.0;

/// What a chunk of particles needs on its way.
#[derive(Clone, Debug, Default)]
pub struct DriftBuffer {
    /// Objects on the path of one.
    objects: Vec<u32>,
    /// Pieces that one can come to, and what they did to it.
    sweep: SweepBuffer,
}

/// What the drift goes by.
pub struct DriftInput<'a> {
    /// Finds the objects on the way of the fast.
    pub index: &'a dyn BoxIndex,
    /// Each particle's distance to the nearest surface and the objects near it, before the move.
    pub around: &'a BoundaryTerms,
    /// Velocities with which particles drift beside their own \[m/s\]; empty if there are none.
    pub shifts: &'a [Vec3],
    /// Whether accelerations are by body forces alone, so that particles bounce under them.
    pub is_free_flight: bool,
}

/// How deep a particle is left beyond a surface offset by its radius.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Deepest {
    /// How deep \[m\].
    pub depth: Real,
    /// Its id; 0 if none is.
    pub particle: u32,
}

impl Deepest {
    /// The deeper one, of equals that of the lower id.
    pub fn or(self, other: Deepest) -> Deepest {
        let is_first = other.depth == self.depth && other.particle < self.particle;
        if other.depth > self.depth || is_first { other } else { self }
    }
}

/// The deepest penetrations that are left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Depths {
    /// Of all particles.
    pub all: Deepest,
    /// Of those that no two solids confine: between two that leave no room, a particle is deep in
    /// both.
    pub unconfined: Deepest,
}

impl Depths {
    /// The deeper ones.
    pub fn or(self, other: Depths) -> Depths {
        Depths { all: self.all.or(other.all), unconfined: self.unconfined.or(other.unconfined) }
    }
}

/// Moves every particle by `dt` times its velocity, after the bodies that move; returns the deepest
/// penetrations that are left.
///
/// There is one of `buffers` per chunk. `reactions` take what the solids gave.
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
pub fn drift(
    world: &mut World,
    input: &DriftInput<'_>,
    reactions: &mut Reactions,
    buffers: &mut Vec<DriftBuffer>,
    dt: Real,
) -> Depths {
    let &DriftInput { index, around, shifts, is_free_flight } = input;
    let (radius, h, solids) = (world.contact_radius(), world.support_radius, &world.solids);
    let carry = solids.max_displacement() as Real;
    let is_plane = world.dimension == Dimension::Two;
    // Elsewhere pressure has a part in the acceleration, and changes within an impact.
    let bounces = is_free_flight && solids.contact_laws().iter().any(|law| law.restitution > 0.0);
    let volume = f64::from(world.particle_volume());
    let (particles, fluids) = (&mut world.particles, &world.fluids);
    let (phases, ids, in_nozzle) = (&particles.phase, &particles.id, &particles.in_nozzle);
    let accelerations = &particles.acceleration;
    buffers.resize_with(particles.len().div_ceil(CHUNK), DriftBuffer::default);
    let deepest = map_parts(
        (
            items_mut(buffers),
            chunks_mut(&mut particles.position, CHUNK),
            chunks_mut(&mut particles.velocity, CHUNK),
            items_mut(reactions.sums_by_chunk(phases.len())),
        ),
        |chunk, (buffer, positions, velocities, account)| {
            let mut deepest = Depths::default();
            for (k, (x, v)) in positions.iter_mut().zip(velocities).enumerate() {
                let i = chunk * CHUNK + k;
                if in_nozzle[i] > 0 {
                    // In a nozzle nothing is in the way.
                    *x += *v * dt;
                    continue;
                }
                let shift = shifts.get(i).map_or_else(Vec3::zeros, |shift| *shift);
                if is_plane {
                    // Rounding at solids that are drawn out along y must not lead out of it.
                    v.y = 0.0;
                }
                let target = *x + (*v + shift) * dt;
                let way = (target - *x).norm();
                // A way that is not finite is for the guard, which looks at places.
                if way + carry < around.distance[i].min(h) - radius || !way.is_finite() {
                    *x = target;
                    continue;
                }
                let fall = match bounces {
                    true => StepAcceleration::new(&accelerations[i], dt),
                    false => StepAcceleration::default(),
                };
                let more = CARRIED * carry + fall.extra_length() as Real;
                buffer.objects.clear();
                if 1.02 * (way + more + radius) < h {
                    buffer.objects.extend_from_slice(around.objects_near(i));
                } else {
                    let swept = if more > 0.0 {
                        Aabb::of_ball(x, 1.01 * (way + more + radius))
                    } else {
                        sweep_box(x, &target, radius)
                    };
                    index.overlapping(&swept, &mut buffer.objects);
                }
                // Who is too deep, or is carried there, is pushed out before it goes.
                let deep = (radius + CARRIED * carry - around.distance[i]).clamp(0.0, radius);
                let reach = sweep_reach(way + more, radius, deep);
                let reach = if deep > 0.0 { reach.max(h) } else { reach };
                solids.add_fine_triangles(x, reach, &mut buffer.objects);
                let objects = &buffer.objects[..];
                let (from, short) = match carry {
                    0.0 => (*x, 0.0),
                    _ => solids.push_out(objects, x, radius, &mut buffer.sweep),
                };
                let sweep = &mut buffer.sweep;
                let contact =
                    solids.sweep_accelerated(objects, &from, &target, v, fall, radius, sweep);
                (*x, *v) = (contact.position, contact.velocity);
                if is_plane {
                    (x.y, v.y) = (0.0, 0.0);
                }
                let depth = contact.penetration.max(short);
                if depth > 0.0 {
                    let own = Deepest { depth, particle: ids[i] };
                    let is_confined = around.room(i) < 2.0 * (radius + carry);
                    let unconfined = if is_confined { Deepest::default() } else { own };
                    deepest = deepest.or(Depths { all: own, unconfined });
                }
                let mass = volume * f64::from(fluids[usize::from(phases[i])].rest_density);
                for impulse in buffer.sweep.impulses() {
                    let given = impulse.change * mass;
                    let giver = Giver::new(impulse.surface, vec3(impulse.velocity.into()), solids);
                    account.add(giver, impulse.at.into(), given.into());
                }
            }
            deepest
        },
    );
    reactions.strike();
    deepest.into_iter().fold(Depths::default(), Depths::or)
}
