//! The contact problem: impulses with friction, and the mobility that they leave.

mod apgd;
mod cone;
mod contact_solver;
mod gauss_seidel;
mod held_island;
mod held_parts;
mod islands;
mod mass_blocks;
mod mobility;
mod newton;
mod rows;
#[cfg(test)]
mod tests;

pub(crate) use apgd::Convergence;
pub(crate) use contact_solver::{ContactProblem, ContactSolver};
pub use contact_solver::{ContactReport, ContactState};
pub(crate) use islands::Islands;
pub(crate) use mobility::MAX_DENSE;
pub use mobility::Mobility;
