//! Stage timers: where the time of a run goes. Always on; a few clock reads a step.

use std::time::{Duration, Instant};

/// A part of the work that is timed on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Sorting the world and finding neighbours.
    Search,
    /// Finding the solids near each particle.
    Solids,
    /// Kernel and density.
    Density,
    /// Pressures by an equation of state, or all about those that are sought but [`Iterations`].
    ///
    /// [`Iterations`]: Stage::Iterations
    Pressure,
    /// Iterations in which pressures are sought.
    Iterations,
    /// Accelerations.
    Forces,
    /// Kicks and drift.
    Integrate,
    /// Swept contact with solids.
    Collide,
    /// Elastic bodies and their contact.
    Elastic,
    /// Extracting the surface mesh of a frame.
    Surface,
    /// Encoding and writing a frame.
    Output,
}

impl Stage {
    /// Every stage, in the order of the work.
    pub const ALL: [Stage; 11] = [
        Stage::Search,
        Stage::Solids,
        Stage::Density,
        Stage::Pressure,
        Stage::Iterations,
        Stage::Forces,
        Stage::Integrate,
        Stage::Collide,
        Stage::Elastic,
        Stage::Surface,
        Stage::Output,
    ];

    /// The name in logs: lower case, no spaces.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Search => "search",
            Stage::Solids => "solids",
            Stage::Density => "density",
            Stage::Pressure => "pressure",
            Stage::Iterations => "iterations",
            Stage::Forces => "forces",
            Stage::Integrate => "integrate",
            Stage::Collide => "collide",
            Stage::Elastic => "elastic",
            Stage::Surface => "surface",
            Stage::Output => "output",
        }
    }
}

/// Wall-clock time spent in each stage.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StageTimes([Duration; Stage::ALL.len()]);

impl StageTimes {
    /// Runs `work` and adds its wall time to `stage`.
    pub fn time<T>(&mut self, stage: Stage, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.0[stage as usize] += start.elapsed();
        result
    }

    /// Counts a time that has gone to the stage `from` for the stage `to`.
    pub fn shift(&mut self, from: Stage, to: Stage, time: Duration) {
        let time = time.min(self.0[from as usize]);
        self.0[from as usize] -= time;
        self.0[to as usize] += time;
    }

    /// The time spent in a stage so far.
    pub fn of(&self, stage: Stage) -> Duration {
        self.0[stage as usize]
    }

    /// The time spent in all stages.
    pub fn total(&self) -> Duration {
        self.0.iter().sum()
    }

    /// The time spent since `earlier` was copied from this value.
    pub fn since(&self, earlier: &StageTimes) -> StageTimes {
        StageTimes(std::array::from_fn(|i| self.0[i].saturating_sub(earlier.0[i])))
    }
}
