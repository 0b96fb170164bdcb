//! Implicit integration, for what is stiff.

mod conjugate_gradients;
mod implicit_integrator;
mod settings;
mod stage;
#[cfg(test)]
mod tests;

pub use implicit_integrator::Implicit;
pub use settings::ImplicitSettings;
pub use stage::SolverCounts;
