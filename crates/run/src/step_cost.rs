//! What a particle costs in a step and in an iteration of the pressures, in CPU time.

use cpu_time::ProcessTime;
use hashfall_core::timer::Stage;
use hashfall_sph::step::{StepReport, Stepper};
use hashfall_sph::world::World;
use std::time::Instant;

/// What a particle costs \[s\].
#[derive(Clone, Copy, Debug)]
pub(super) struct Cost {
    /// In a step, without the iterations of its pressures.
    pub particle: f64,
    /// In an iteration of the pressures.
    pub iteration: f64,
}

impl Cost {
    /// The same; where no step had an iteration, as in free fall, with those of another.
    pub fn with_iterations_of(self, other: Cost) -> Cost {
        let iteration = if self.iteration > 0.0 { self.iteration } else { other.iteration };
        Cost { iteration, ..self }
    }
}

/// The least cost among timed steps: other programs only ever add to it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Timer {
    pub least: Option<Cost>,
}

impl Timer {
    /// Takes and times a step; `None` if the state cannot be stepped.
    pub fn step(
        &mut self,
        stepper: &mut Stepper,
        world: &mut World,
        until: f64,
    ) -> Option<StepReport> {
        let (count, before) = (world.particles.len() as f64, stepper.times);
        let (begun, cpu) = (Instant::now(), ProcessTime::now());
        let step = stepper.step(world, until).ok()?;
        let (wall, cpu) = (begun.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
        // Stages are timed by the wall: of the step's time they have the same part.
        let iterating = stepper.times.since(&before).of(Stage::Iterations).as_secs_f64();
        let iterating = (iterating / wall).min(1.0) * cpu;
        let (tried, iterated) = (count * tries(&step), count * iterations(&step));
        if tried > 0.0 {
            self.add(Cost {
                particle: (cpu - iterating) / tried,
                iteration: iterating / iterated.max(1.0),
            });
        }
        Some(step)
    }

    fn add(&mut self, cost: Cost) {
        let least = self.least.get_or_insert(cost);
        least.particle = least.particle.min(cost.particle);
        // A step without iterations tells nothing of them.
        if cost.iteration > 0.0 && (least.iteration == 0.0 || cost.iteration < least.iteration) {
            least.iteration = cost.iteration;
        }
    }
}

pub(super) fn tries(step: &StepReport) -> f64 {
    1.0 + f64::from(step.rejected)
}

pub(super) fn iterations(step: &StepReport) -> f64 {
    f64::from(step.divergence.iterations)
}
