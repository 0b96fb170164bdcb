//! Measurements: the experiments of the papers, run again with every structure there is.
//!
//! ```text
//! Experiment ─run→ Lab: rows, whose answers must agree ─conclude→ Findings: panels, claims, notes
//!                                                 └→ table, comma-separated values ┴→ report, plot
//! ```
//!
//! An experiment is a file in [`experiments`] and a line in [`experiments::ALL`]. It measures what
//! a paper measured, and cost curves beside, on inputs that are made anew from a seed. Structures
//! are taken from the lists of all kinds, so that a new one is measured as soon as it has a name.
//! Claims are those of the papers; one that does not hold here says so. `docs/papers.md` has the
//! papers' figures beside ours.
//!
//! What is timed is a real rebuild: of a simulation's steps, or of inputs A and B, which is A
//! moved, by turns ([`measure::alternate`]). A time counts only with its answer: repeats and
//! structures that answer the same question must count the same, with the same checksum, or the
//! experiment is in error.

mod box_pairs;
mod broad_phases;
mod claim;
mod cloth_stack;
mod experiment;
pub mod experiments;
mod falling_spheres;
mod inputs;
mod lab;
pub mod measure;
mod near_triangles;
mod neighbor_lists;
mod pair_steps;
pub mod report;
mod rows;
mod sample;
#[cfg(test)]
mod tests;

pub use claim::Claim;
pub use experiment::{Experiment, Findings, Outcome};
pub use lab::{Halt, Lab, Setup, Size};
pub use rows::Row;
