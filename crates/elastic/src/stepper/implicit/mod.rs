//! Implicit integration, for what is stiff.

mod block_matrix;
mod conjugate_gradients;
mod implicit_integrator;
mod incomplete_cholesky;
mod settings;
mod stage;
#[cfg(test)]
mod tests;

pub use implicit_integrator::Implicit;
pub use settings::ImplicitSettings;
pub use stage::SolverCounts;
