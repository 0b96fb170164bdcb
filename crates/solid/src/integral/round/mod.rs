//! The kernel over solids of revolution: cylinders, capsules and cones.
//!
//! λ of a particle depends on two coordinates only. So it is integrated once on a grid of places
//! around a solid ([`build`], [`flux`]), and interpolated from there on ([`table`]).

mod build;
mod flux;
mod gauss;
mod grid;
mod meridian;
mod table;
#[cfg(test)]
mod tests;

pub(super) use table::RoundTables;
