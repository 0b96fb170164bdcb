//! The interface of a run while it goes: progress to an observer, requests from outside.

use hashfall_bodies::Wrench;
use hashfall_output::{BodyRow, Forecast};
use hashfall_sph::step::{Limit, StepReport, Stepper};
use hashfall_sph::world::World;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Requests to a run while it goes.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    /// Stop, with a checkpoint.
    pub stop: Arc<AtomicBool>,
    /// Write a checkpoint and continue.
    pub checkpoint: Arc<AtomicBool>,
}

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub struct RunProgress {
    /// The last frame written; 0 is the start.
    pub frame: u32,
    /// The last frame of the run.
    pub last_frame: u32,
    /// Simulated time \[s\].
    pub time: f64,
    /// Simulated time of the last frame \[s\].
    pub end_time: f64,
    /// Steps taken.
    pub steps: u64,
    /// The last time step \[s\] and the limit that set it; `None` before the first.
    pub last_step: Option<(f64, Limit)>,
}

/// Receives the progress of a run.
pub trait Observer: Send {
    /// Called after a frame was handed over to be written.
    fn frame(&mut self, progress: &RunProgress);
    /// Whether the files of a frame, and what the records say of it, are to be on disk when
    /// [`Observer::frame`] is called; else they are written while the run goes on.
    fn awaits_files(&self) -> bool {
        false
    }
    /// Called before each step, with the state, which it may change as callers of a
    /// [`Stepper`] may between steps, and tells it where they move particles
    /// ([`Stepper::expect_changes`]): a run of such an observer resumes only with it. A checkpoint
    /// that is due has been written before. A stop that it requests takes effect at once.
    fn before_step(&mut self, _world: &mut World, _stepper: &mut Stepper) {}
    /// Called after a step.
    fn step(&mut self, progress: &RunProgress);
    /// Called after a step, with the state.
    fn state(&mut self, _world: &World, _step: &StepReport) {}
    /// Called after a frame was written, with the disk space that the remaining frames need.
    fn forecast(&mut self, _forecast: &Forecast) {}
    /// Called before a frame is written, with the bodies whose places are state, if there are any.
    fn bodies(&mut self, _frame: u32, _time: f64, _bodies: &[BodyRow]) {}
    /// Called when the probes are read: at the start, and at their rate.
    fn sample(&mut self, _world: &World, _values: &[f64]) {}
    /// Called at each frame with the mean forces of the fluid on the walls and on each solid since
    /// the frame before \[N\] and their moments about the origin \[N m\].
    fn forces(&mut self, _time: f64, _forces: &[Wrench]) {}
    /// Called at the end, with the last state.
    fn end(&mut self, _world: World, _stepper: Stepper) {}
}
