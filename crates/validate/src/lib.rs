//! Validation: scenes whose outcome is known from experiment or theory, run and measured beside it.
//!
//! ```text
//! Case ─scene→ frame loop, no files ─→ Watch (steps, samples) ─→ Findings: Measured …, Panel …
//!                                  └→ samples of the probes ─┘      └→ report, plot
//! ```
//!
//! A case is a file in [`cases`] and a line in [`cases::ALL`]: a scene, what to watch while it
//! runs, and what it comes to. Goals are those of `docs/validation.md`; a case that misses its goal
//! says so, and is not tuned until it holds.

mod case;
#[cfg(test)]
mod case_tests;
pub mod cases;
pub mod convergence;
#[cfg(test)]
mod elastic_tests;
mod findings;
pub mod report;

pub use case::{Case, CaseOutcome, Watch};
pub use findings::{Findings, Goal, Measured, Samples};
