//! What a run tells while it goes, and what it may be asked.

use hashfall_output::Forecast;
use hashfall_sph::step::{Limit, StepReport};
use hashfall_sph::world::World;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What the outside asks of a run while it goes.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    /// To stop, with a checkpoint.
    pub stop: Arc<AtomicBool>,
    /// To write a checkpoint and go on.
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
    /// The last time step \[s\] and what bound it; none before the first.
    pub last_step: Option<(f64, Limit)>,
}

/// Is told how a run goes.
pub trait Observer: Send {
    /// A frame has been written.
    fn frame(&mut self, progress: &RunProgress);
    /// A step has been taken.
    fn step(&mut self, progress: &RunProgress);
    /// What a step has led to.
    fn state(&mut self, _world: &World, _step: &StepReport) {}
    /// A frame has been written, and what those to come take of the disk is known.
    fn forecast(&mut self, _forecast: &Forecast) {}
    /// The probes have been read, at the start or as their rate asks.
    fn sample(&mut self, _world: &World, _values: &[f64]) {}
}
