//! Cases with closed forms, for tests and for validation.

mod ball;
mod cantilever;
mod chain;
mod crossings;
mod damped;
mod free_flight;
mod hanging;
mod plane;
mod rope_cantilever;
mod run;

pub use ball::{Bounce, SpinningBall, bouncing_ball, spinning_ball};
pub use cantilever::{Cantilever, CantileverKind};
pub use chain::{ChainMode, MASSES, chain_mode};
pub use damped::{DampedBody, Swing};
pub use free_flight::{FreeBody, FreeFlight, free_flight};
pub use hanging::{ElasticCatenary, Hanging, hanging_rope, hanging_sheet};
pub use rope_cantilever::rope_cantilever;

#[cfg(test)]
pub(crate) use plane::Plane;
#[cfg(test)]
pub(crate) use run::Run;
