//! How an iteration ended, and what iterations took.

use std::time::Duration;

/// How a solution was found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Solved {
    /// Iterations taken.
    pub iterations: u32,
    /// The mean error that is left \[–\].
    pub error: f64,
    /// Whether it was given up at the most iterations, its error above the tolerance.
    pub capped: bool,
}

/// What iterations took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent {
    /// How many there were.
    pub iterations: u32,
    /// Their time.
    pub time: Duration,
}

/// Iterations since the last step, those of steps that were taken back, too.
#[derive(Clone, Copy, Debug, Default)]
pub struct IterationCounts {
    /// For displacements that keep the density.
    pub density: u32,
    /// For pressures against divergence.
    pub divergence: u32,
    /// For velocities that an implicit viscosity leads to.
    pub viscosity: u32,
}
