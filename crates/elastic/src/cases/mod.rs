//! Cases with closed forms, for tests and for validation.

mod chain;
mod run;

pub use chain::{ChainMode, MASSES, chain_mode};
