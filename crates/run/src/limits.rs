//! The limits of a run: beyond them its results are not plausible.

use super::squeeze::{crushed_body, is_pinched, moving_solid_near, nearest_moving_solid};
use hashfall_core::{parallel, to_f64, units};
use hashfall_scene::Limits;
use hashfall_sph::step::StepReport;
use hashfall_sph::world::World;
use thiserror::Error;

/// The mean compression beyond which fluid has no room, where solids move \[–\].
const MAX_MEAN_COMPRESSION: f64 = 0.1;

/// A limit that a run has exceeded.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("step {step}, t = {time} s: {what}")]
pub struct Breach {
    /// Steps taken.
    pub step: u64,
    /// Simulated time \[s\].
    pub time: f64,
    /// The quantity, its value and the limit.
    pub what: String,
}

impl Breach {
    /// A breach in the present state.
    pub(super) fn new(world: &World, what: String) -> Self {
        Breach { step: world.steps, time: world.time, what }
    }
}

/// The first limit that a step exceeded.
pub fn after_step(limits: &Limits, world: &World, step: &StepReport) -> Option<Breach> {
    let what = outside(limits, world)
        .or_else(|| has_no_room(limits, world, step))
        .or_else(|| compressed(limits, world, step))
        .or_else(|| penetrated(limits, world, step))
        .or_else(|| limits.penetration.and_then(|_| crushed_body(world)))
        .or_else(|| too_fast(limits, world))?;
    Some(Breach::new(world, what))
}

fn outside(limits: &Limits, world: &World) -> Option<String> {
    let limit = limits.outside?;
    let positions = &world.particles.position;
    let is_outside = |i: usize| world.is_lost(&positions[i]);
    let [count] = parallel::sum(positions.len(), |i| [f64::from(u8::from(is_outside(i)))]);
    if count <= f64::from(limit) {
        return None;
    }
    let i = first(world, is_outside)?;
    let (example, solid) = (named(world, i), moving_solid_near(world, i));
    let count = units::count(count as u64, "particle");
    Some(format!("{count} left the domain (limit {limit}); first: {example}{solid}"))
}

/// Fluid that a solid compresses as a whole, as it has nowhere to go.
fn has_no_room(limits: &Limits, world: &World, step: &StepReport) -> Option<String> {
    let mean = step.density_error_mean;
    let is_closed = world.solids.has_moving_bodies() && mean > MAX_MEAN_COMPRESSION;
    limits.compression.filter(|_| is_closed)?;
    let i = first(world, |i| compression(world, i) >= step.density_error_max)?;
    let solid = nearest_moving_solid(world, i)?;
    let [mean, most] = [mean, step.density_error_max].map(|it| 100.0 * it);
    let particle = named(world, i);
    Some(format!(
        "the fluid has no room left: `solids[{solid}]` moves into it and compresses it by \
         {mean:.1} % in the mean, and by {most:.1} % where {particle} is"
    ))
}

/// ρ/ρ₀ − 1 of a particle.
fn compression(world: &World, i: usize) -> f64 {
    let p = &world.particles;
    f64::from(p.density[i] / world.fluids[usize::from(p.phase[i])].rest_density - 1.0)
}

/// Where the first particle is that is compressed by the most of a step \[m\].
pub(super) fn most_compressed(world: &World, most: f64) -> Option<[f64; 3]> {
    // Both are roundings of one quotient.
    let rounding = 1e-6;
    let i = first(world, |i| compression(world, i) >= most - rounding)?;
    Some(to_f64(&world.particles.position[i]))
}

fn compressed(limits: &Limits, world: &World, step: &StepReport) -> Option<String> {
    let limit = limits.compression.filter(|&limit| step.density_error_max > limit)?;
    let i = first(world, |i| compression(world, i) > limit && !is_pinched(world, i))?;
    let percent = 100.0 * compression(world, i);
    let (particle, solid) = (named(world, i), moving_solid_near(world, i));
    Some(format!(
        "{particle} is compressed by {percent:.1} % (`limits.compression` is {limit}){solid}"
    ))
}

fn penetrated(limits: &Limits, world: &World, step: &StepReport) -> Option<String> {
    let depth = step.unconfined_penetration;
    let limit = limits.penetration.filter(|&limit| depth > limit)?;
    let i = first(world, |i| world.particles.id[i] == step.deepest_particle)?;
    let (particle, solid) = (named(world, i), moving_solid_near(world, i));
    Some(format!(
        "{particle} penetrates a solid by {depth:.3} spacings (`limits.penetration` is \
         {limit}){solid}"
    ))
}

fn too_fast(limits: &Limits, world: &World) -> Option<String> {
    let limit = limits.speed?;
    let speed = |i: usize| to_f64(&world.particles.velocity[i]).map(|v| v * v).iter().sum::<f64>();
    let i = first(world, |i| speed(i) > limit * limit)?;
    let (particle, speed) = (named(world, i), speed(i).sqrt());
    Some(format!("{particle} moves at {speed:.3} m/s (`limits.speed` is {limit})"))
}

/// The end of a message: the fastest particle, and the moving solid near it.
pub(super) fn fastest(world: &World) -> String {
    let speed = |i: usize| f64::from(world.particles.velocity[i].norm());
    let largest = parallel::max(world.particles.len(), 0.0, speed);
    let Some(i) = first(world, |i| speed(i) >= largest) else { return String::new() };
    let (particle, solid) = (named(world, i), moving_solid_near(world, i));
    format!("; {particle} is the fastest, with {largest:.3} m/s{solid}")
}

/// The first particle that meets a condition.
fn first(world: &World, holds: impl Fn(usize) -> bool + Sync) -> Option<usize> {
    parallel::find_first(world.particles.len(), holds)
}

/// A particle, and where it is.
fn named(world: &World, i: usize) -> String {
    let [x, y, z] = to_f64(&world.particles.position[i]);
    format!("particle {} at ({x:.4}, {y:.4}, {z:.4})", world.particles.id[i])
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::Vec3;
    use hashfall_scene::{self as scene, Source};
    use hashfall_sph::step::{Limit, Solved};

    const SCENE: &str = "Scene(
        frames: (count: 1, rate: 10.0),
        domain: Box(min: (0, 0, 0), max: (1, 1, 1)),
        particle_radius: 0.05,
        fluids: [(name: \"water\", rest_density: 1000, viscosity: 0,
                  shapes: [Box(min: (0, 0, 0), max: (0.5, 0.5, 0.5))])],
    )";

    fn world() -> World {
        let source = Source { name: String::new(), text: SCENE.to_owned() };
        scene::prepare(&source, &[], &mut |_| unreachable!("no mesh")).unwrap().world
    }

    fn step() -> StepReport {
        StepReport {
            dt: 1e-3,
            limit: Limit::Speed,
            rejected: 0,
            density_error_max: 0.0,
            density_error_mean: 0.0,
            deepest_penetration: 0.0,
            unconfined_penetration: 0.0,
            deepest_particle: 0,
            density: Solved::default(),
            divergence: Solved::default(),
            viscosity: Solved::default(),
            elastic: Default::default(),
            contact: Default::default(),
        }
    }

    #[test]
    fn particles_pinched_by_a_free_body_may_be_compressed() {
        let ball = "solids: [Ball(centre: (0.8, 0.8, 0.25), radius: 0.2,
            motion: Free(density: 2000))])";
        let text = format!("{}{ball}", SCENE.trim_end().trim_end_matches(')'));
        let source = Source { name: String::new(), text };
        let prepared = scene::prepare(&source, &[], &mut |_| unreachable!("no mesh"));
        let mut world = prepared.unwrap().world;
        world.particles.density[7] = 1600.0;
        let compressed = StepReport { density_error_max: 0.6, ..step() };
        let mut breach = |place: [f64; 3]| {
            world.particles.position[7] = hashfall_core::vec3(place);
            after_step(&Limits::default(), &world, &compressed).map(|breach| breach.to_string())
        };
        // The ball is half a spacing above the floor.
        assert_eq!(breach([0.8, 0.8, 0.025]), None);
        assert!(breach([0.8, 0.2, 0.5]).unwrap().contains("is compressed by 60.0 %"));
        assert!(breach([0.8, 0.8, 0.5]).unwrap().contains("is compressed by 60.0 %"), "above it");
    }

    #[test]
    fn particles_outside_are_counted_against_the_limit() {
        let mut world = world();
        assert_eq!(after_step(&Limits::default(), &world, &step()), None);
        world.particles.position[7] = Vec3::new(0.5, 0.5, -0.25);
        let breach = after_step(&Limits::default(), &world, &step()).unwrap().to_string();
        let message = "1 particle left the domain (limit 0); first: particle 7 at (0.5000, 0.5000, \
                       -0.2500)";
        assert!(breach.ends_with(message), "{breach}");
        let one = Limits { outside: Some(1), ..Limits::default() };
        let any = Limits { outside: None, ..Limits::default() };
        assert!([one, any].iter().all(|limits| after_step(limits, &world, &step()).is_none()));
    }

    #[test]
    fn the_particle_of_the_deepest_penetration_is_named() {
        let deep = StepReport { unconfined_penetration: 0.25, deepest_particle: 11, ..step() };
        let breach = after_step(&Limits::default(), &world(), &deep).unwrap().to_string();
        assert!(breach.contains("particle 11 at (") && breach.contains("by 0.250 spacings"));
        let deeper = Limits { penetration: Some(0.3), ..Limits::default() };
        assert_eq!(after_step(&deeper, &world(), &deep), None);
    }
}
