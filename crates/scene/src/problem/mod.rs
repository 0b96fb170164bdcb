//! Problems of a scene's values, and how they become diagnostics.

mod diagnose;
#[expect(clippy::module_inception, reason = "the type that the module is about")]
mod problem;

pub use diagnose::told;
pub use problem::Problem;
