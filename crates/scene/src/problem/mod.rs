//! Problems of a scene's values, and their conversion to diagnostics.

#[expect(clippy::module_inception, reason = "the type that the module is about")]
mod problem;
mod to_diagnostics;

pub use problem::Problem;
pub use to_diagnostics::to_diagnostics;
