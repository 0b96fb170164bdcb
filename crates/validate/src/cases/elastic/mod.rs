//! Elastic bodies, a file for each row of the table.

pub mod bits;
pub mod bounce;
pub mod cantilever;
pub mod catenary;
pub mod chains;
pub mod damping;
pub mod flight;
pub mod hanging;
pub mod intersecting;
pub mod swing;
pub mod timoshenko;
mod tip;
