//! Steps of elastic bodies: what all integrators share, and the integrators, a file each.

mod elastic_stepper;
mod high_order;
mod implicit;
mod integrator;
mod splitting;
mod stable_substep;
mod step;
mod symplectic;
#[cfg(test)]
mod tests;

pub use elastic_stepper::ElasticStepper;
pub use implicit::{Implicit, ImplicitSettings, SolverCounts};
pub use integrator::{HighOrder, Integrator, Substep};
pub use splitting::SymplecticOrder;
pub use stable_substep::{StableSubstep, SubstepBuffer};
pub use step::{Acceleration, ElasticStep, StepError, StepReport};
pub use symplectic::{Symplectic, SymplecticSettings};
