//! Cases with closed forms, for tests and for validation.

mod chain;
mod free_flight;
mod hanging;
mod rope_cantilever;
mod run;

pub use chain::{ChainMode, MASSES, chain_mode};
pub use free_flight::{FreeBody, FreeFlight, free_flight};
pub use hanging::{Hanging, hanging_rope, hanging_sheet};
pub use rope_cantilever::rope_cantilever;
