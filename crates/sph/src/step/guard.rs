//! The guard: a state that is not a number, or has left the world, ends the run at once.

use super::elastic::ElasticFault;
use crate::world::{Particles, World};
use hashfall_core::cell::{CELL_LIMIT, cell_of, is_within_limit};
use hashfall_core::{Real, Vec3, format_significant, parallel, to_f64};
use hashfall_elastic::StepError;
use std::ops::Range;
use thiserror::Error;

/// A simulation that blew up: where, when, and how.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("step {step}, t = {} s: {}", format_significant(*time, 6), self.fault())]
pub struct BlowUp {
    /// The step that went wrong, counted from the start.
    pub step: u64,
    /// Simulated time \[s\].
    pub time: f64,
    /// Id of the first particle affected; 0 if a solid is at fault.
    pub particle: u32,
    /// Where it is \[m\].
    pub position: [f64; 3],
    /// The obstacle at fault, if it is one, by its number.
    pub solid: Option<usize>,
    /// What is wrong with elastic bodies, if they are at fault.
    pub elastic: Option<Box<ElasticFault>>,
    /// What is wrong with it.
    pub what: &'static str,
}

impl BlowUp {
    /// A failure of the elastic bodies in the step that has begun.
    pub(in crate::step) fn of_elastic(world: &World, error: StepError) -> Self {
        BlowUp {
            step: world.steps + 1,
            time: world.time,
            particle: 0,
            position: [0.0; 3],
            solid: None,
            elastic: Some(Box::new(ElasticFault::new(world, error))),
            what: "failed",
        }
    }

    /// Free bodies that are nowhere, though all particles are somewhere.
    pub(in crate::step) fn of_bodies(world: &World) -> Self {
        let is_lost =
            |body: usize| world.solids.body_state(body).is_none_or(|state| !state.is_finite());
        let mut bodies = world.free_bodies.iter().map(|free| free.body);
        let first = bodies.clone().next().unwrap_or(1);
        let body = bodies.find(|body| is_lost(*body)).unwrap_or(first);
        BlowUp {
            step: world.steps,
            time: world.time,
            particle: 0,
            position: [0.0; 3],
            solid: Some(body - 1),
            elastic: None,
            what: "a motion that is not finite",
        }
    }

    /// What is wrong, without the step and the time.
    pub fn fault(&self) -> String {
        let ([x, y, z], what) = (self.position, self.what);
        match (self.solid, &self.elastic) {
            (_, Some(fault)) => fault.to_string(),
            (Some(number), None) => format!("`solids[{number}]` has {what}"),
            (None, None) => {
                format!("particle {} at ({x:.4}, {y:.4}, {z:.4}) has {what}", self.particle)
            }
        }
    }
}

/// Refuses bodies whose place or velocity at a time \[s\] is not finite.
pub fn check_motions(world: &World, time: f64) -> Result<(), BlowUp> {
    let what = "a motion that is not finite";
    let blow_up = |solid| BlowUp {
        step: world.steps + 1,
        time,
        particle: 0,
        position: [0.0; 3],
        solid: Some(solid),
        elastic: None,
        what,
    };
    world.solids.first_undefined_at(time).map_or(Ok(()), |solid| Err(blow_up(solid)))
}

/// Refuses a state with a position, a square of a velocity, or a density that is not finite, or a
/// particle so far away that its cell of size `cell_size` \[m\] has no key.
pub fn check(world: &World, cell_size: Real) -> Result<(), BlowUp> {
    let particles = &world.particles;
    let fault = |i: usize| -> Option<&'static str> {
        let position = &particles.position[i];
        if !position.iter().all(|c| c.is_finite()) {
            Some("a position that is not finite")
        } else if !particles.velocity[i].norm_squared().is_finite() {
            Some("a velocity whose square is not finite")
        } else if !particles.density[i].is_finite() || !particles.pressure[i].is_finite() {
            Some("a density or pressure that is not finite")
        } else if !is_within_limit(cell_of(position, cell_size)) {
            Some("gone farther than the cells of space reach")
        } else {
            None
        }
    };
    let first_in = |chunk: Range<usize>| {
        let is_sound = is_surely_sound(particles, chunk.clone(), cell_size);
        if is_sound { None } else { chunk.into_iter().find_map(|i| Some((i, fault(i)?))) }
    };
    let first = parallel::fold(particles.len(), first_in, Option::or).flatten();
    first.map_or(Ok(()), |(i, what)| {
        Err(BlowUp {
            step: world.steps,
            time: world.time,
            particle: particles.id[i],
            position: to_f64(&particles.position[i]),
            solid: None,
            elastic: None,
            what,
        })
    })
}

/// Whether nothing is wrong with these particles, by comparisons alone: no quotient tells of cells.
/// Those in the outermost cells are left to a closer look.
fn is_surely_sound(particles: &Particles, range: Range<usize>, cell_size: Real) -> bool {
    let reach = (CELL_LIMIT - 2) as Real * cell_size;
    let positions = &particles.position[range.clone()];
    let velocities = &particles.velocity[range.clone()];
    let (densities, pressures) = (&particles.density[range.clone()], &particles.pressure[range]);
    let is_within_reach =
        |x: &Vec3| (x.x.abs() < reach) & (x.y.abs() < reach) & (x.z.abs() < reach);
    let all = |numbers: &[Real]| numbers.iter().fold(true, |all, x| all & x.is_finite());
    positions.iter().fold(true, |all, x| all & is_within_reach(x))
        & velocities.iter().fold(true, |all, v| all & v.norm_squared().is_finite())
        & all(densities)
        & all(pressures)
}

#[cfg(test)]
mod tests {
    use crate::step::stepper::Stepper;
    use crate::step::tests::{DFSPH, WCSPH, splash};
    use hashfall_core::Real;
    use hashfall_search::{NeighborChoice, NeighborKind, SearchSettings, Structures};

    /// Faster than this its energy is infinite, and no time step is short enough.
    #[test]
    fn a_velocity_without_a_square_and_an_endless_acceleration_end_the_run_at_once() {
        for solver in [WCSPH, DFSPH] {
            let mut world = splash(solver);
            let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
            world.particles.acceleration[7].x = Real::INFINITY;
            assert!(stepper.step(&mut world, 10.0).is_err());
            let mut world = splash(solver);
            world.particles.velocity[7].x = 0.1 * Real::MAX;
            let blow_up = Stepper::new(&Structures::default(), &mut world).unwrap_err();
            assert!(blow_up.to_string().contains("a velocity whose square"), "{blow_up}");
        }
    }

    /// In cells of h it would have a place.
    #[test]
    fn a_particle_beyond_the_small_cells_of_a_search_ends_the_run_without_a_panic() {
        for (subdivision, is_refused) in [(0, false), (3, true)] {
            let mut world = splash(DFSPH);
            world.particles.position[7].x = world.support_radius * 4e5;
            let settings = SearchSettings { subdivision, ..SearchSettings::default() };
            let kind = NeighborKind::CellIndex;
            let neighbors = NeighborChoice { kind, settings, is_verified: false };
            let structures = Structures { neighbors, ..Structures::default() };
            let stepper = Stepper::new(&structures, &mut world);
            assert_eq!(stepper.is_err(), is_refused);
        }
    }

    #[test]
    fn the_message_names_step_time_particle_and_place() {
        let blow_up = super::BlowUp {
            step: 12,
            time: 0.5,
            particle: 7,
            position: [1.0, 2.0, f64::NAN],
            solid: None,
            elastic: None,
            what: "a position that is not finite",
        };
        let text = blow_up.to_string();
        assert!(text.contains("step 12") && text.contains("0.5 s") && text.contains("particle 7"));
        assert!(text.contains("1.0000, 2.0000, NaN"), "{text}");
    }
}
