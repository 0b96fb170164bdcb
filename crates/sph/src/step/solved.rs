//! How an iteration ended.

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
