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

use crate::step::boundary::acting_surface::ActingSurface;
use crate::step::boundary::boundary_terms::BoundaryTerms;
use crate::step::boundary::reactions::Reactions;
use crate::world::{Fluid, World};
use hashfall_core::parallel::{CHUNK, chunks_mut, items_mut, map_parts};
use hashfall_core::{Dimension, Length, Real, Vec3, vec3};
use hashfall_geometry::Aabb;
use hashfall_search::BoxIndex;
use hashfall_solid::{Solids, StepAcceleration, SweepBuffer, sweep_box, sweep_reach};

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
pub fn drift(
    world: &mut World,
    input: &DriftInput<'_>,
    reactions: &mut Reactions,
    buffers: &mut Vec<DriftBuffer>,
    dt: Real,
) -> Depths {
    let (positions, velocities, flight) = Flight::split(world, input, dt);
    let count = positions.len();
    buffers.resize_with(count.div_ceil(CHUNK), DriftBuffer::default);
    let deepest = map_parts(
        (
            items_mut(buffers),
            chunks_mut(positions, CHUNK),
            chunks_mut(velocities, CHUNK),
            items_mut(reactions.sums_by_chunk(count)),
        ),
        |chunk, (buffer, positions, velocities, account)| {
            let mut deepest = Depths::default();
            for (k, (x, v)) in positions.iter_mut().zip(velocities).enumerate() {
                let i = chunk * CHUNK + k;
                let Some(path) = flight.go_freely(i, x, v) else { continue };
                deepest = deepest.or(flight.collide(i, x, v, &path, buffer));
                let mass = flight.mass(i);
                for impulse in buffer.sweep.impulses() {
                    let change = impulse.change * mass;
                    let velocity = vec3(impulse.velocity.into());
                    let acting = ActingSurface::new(impulse.surface, velocity, flight.solids)
                        .with_friction(vec3(impulse.normal.into()), flight.solids);
                    account.add_impulse(acting, impulse.at.into(), change.into());
                }
            }
            deepest
        },
    );
    reactions.strike();
    deepest.into_iter().fold(Depths::default(), Depths::or)
}

/// What the ways of all particles depend on, beside their positions and velocities.
struct Flight<'a> {
    input: &'a DriftInput<'a>,
    solids: &'a Solids,
    fluids: &'a [Fluid],
    phases: &'a [u8],
    ids: &'a [u32],
    in_nozzle: &'a [u8],
    accelerations: &'a [Vec3],
    /// The least distance to solids, and the support radius \[m\].
    radius: Real,
    h: Real,
    /// How far bodies have gone, at the most \[m\].
    carry: Real,
    /// The volume of a particle \[m³\].
    volume: f64,
    is_plane: bool,
    /// Whether particles bounce under their accelerations.
    bounces: bool,
    dt: Real,
}

/// The way of a particle that may meet a solid.
struct Path {
    target: Vec3,
    /// Its length \[m\].
    length: Real,
}

impl<'a> Flight<'a> {
    /// The positions and velocities of a world, and what else the drift reads of it.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn split(
        world: &'a mut World,
        input: &'a DriftInput<'a>,
        dt: Real,
    ) -> (&'a mut [Vec3], &'a mut [Vec3], Self) {
        let (radius, volume) = (world.contact_radius(), f64::from(world.particle_volume()));
        let (particles, solids) = (&mut world.particles, &world.solids);
        let can_bounce = || solids.contact_laws().iter().any(|law| law.restitution > 0.0);
        let flight = Flight {
            input,
            solids,
            fluids: &world.fluids,
            phases: &particles.phase,
            ids: &particles.id,
            in_nozzle: &particles.in_nozzle,
            accelerations: &particles.acceleration,
            radius,
            h: world.support_radius,
            carry: solids.max_displacement() as Real,
            volume,
            is_plane: world.dimension == Dimension::Two,
            // Elsewhere pressure has a part in the acceleration, and changes within an impact.
            bounces: input.is_free_flight && can_bounce(),
            dt,
        };
        (&mut particles.position, &mut particles.velocity, flight)
    }

    /// Moves a particle that can meet no solid; returns the path of one that may, which stays.
    #[inline(always)]
    fn go_freely(&self, i: usize, x: &mut Vec3, v: &mut Vec3) -> Option<Path> {
        if self.in_nozzle[i] > 0 {
            // In a nozzle nothing is in the way.
            *x += *v * self.dt;
            return None;
        }
        let shift = self.input.shifts.get(i).map_or_else(Vec3::zeros, |shift| *shift);
        if self.is_plane {
            // Rounding at solids that are drawn out along y must not lead out of it.
            v.y = 0.0;
        }
        let target = *x + (*v + shift) * self.dt;
        let length = (target - *x).length();
        let free = self.input.around.distance[i].min(self.h) - self.radius;
        // A way that is not finite is for the guard, which looks at places.
        if length + self.carry < free || !length.is_finite() {
            *x = target;
            return None;
        }
        Some(Path { target, length })
    }

    /// Moves a particle along its path, past what it meets; returns how deep it is left.
    fn collide(
        &self,
        i: usize,
        x: &mut Vec3,
        v: &mut Vec3,
        path: &Path,
        buffer: &mut DriftBuffer,
    ) -> Depths {
        let fall = match self.bounces {
            true => StepAcceleration::new(&self.accelerations[i], self.dt),
            false => StepAcceleration::default(),
        };
        self.find_objects(i, x, path, &fall, &mut buffer.objects);
        let (solids, radius, sweep) = (self.solids, self.radius, &mut buffer.sweep);
        let objects = &buffer.objects[..];
        let (from, short) = match self.carry {
            0.0 => (*x, 0.0),
            _ => solids.push_out(objects, x, radius, sweep),
        };
        let contact =
            solids.sweep_accelerated(objects, &from, &path.target, v, fall, radius, sweep);
        (*x, *v) = (contact.position, contact.velocity);
        if self.is_plane {
            (x.y, v.y) = (0.0, 0.0);
        }
        self.depths(i, contact.penetration.max(short))
    }

    /// Finds the objects that a particle may meet on its path.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn find_objects(
        &self,
        i: usize,
        x: &Vec3,
        path: &Path,
        fall: &StepAcceleration,
        objects: &mut Vec<u32>,
    ) {
        let Flight { input: DriftInput { index, around, .. }, radius, h, carry, .. } = *self;
        let way = path.length;
        let more = CARRIED * carry + fall.extra_length() as Real;
        objects.clear();
        if 1.02 * (way + more + radius) < h {
            objects.extend_from_slice(around.objects_near(i));
        } else {
            let swept = if more > 0.0 {
                Aabb::of_ball(x, 1.01 * (way + more + radius))
            } else {
                sweep_box(x, &path.target, radius)
            };
            index.overlapping(&swept, objects);
        }
        // Who is too deep, or is carried there, is pushed out before it goes.
        let deep = (radius + CARRIED * carry - around.distance[i]).clamp(0.0, radius);
        let reach = sweep_reach(way + more, radius, deep);
        let reach = if deep > 0.0 { reach.max(h) } else { reach };
        self.solids.add_fine_triangles(x, reach, objects);
    }

    /// The depth of a particle, which counts among the unconfined unless solids leave it no room.
    fn depths(&self, i: usize, depth: Real) -> Depths {
        let all = Deepest { depth, particle: self.ids[i] };
        let is_confined = || self.input.around.room(i) < 2.0 * (self.radius + self.carry);
        match depth > 0.0 {
            true if is_confined() => Depths { all, ..Depths::default() },
            true => Depths { all, unconfined: all },
            false => Depths::default(),
        }
    }

    /// \[kg\].
    fn mass(&self, i: usize) -> f64 {
        self.volume * f64::from(self.fluids[usize::from(self.phases[i])].rest_density)
    }
}
