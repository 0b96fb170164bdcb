//! Solids of revolution: cylinders, capsules and cones, with exact distances.

mod axis;
mod capsule;
mod chord;
mod frustum;
mod round_solid;
#[cfg(test)]
mod tests;

pub use round_solid::{Meridian, Nearest, RoundSolid};
