//! Particles of other programs that a scene names: files, what is in them, where they come to lie.

#[cfg(test)]
mod column_tests;
mod load;
mod place;
mod spacing;
#[cfg(test)]
mod tests;

pub use load::{load, paths};
