//! Tables of recorded motions that a scene names.

mod load;
mod read;

pub use load::{load, paths};
