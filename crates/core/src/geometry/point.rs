//! Points in double precision.

/// A point or direction in double precision: distances and contacts are found with these, so that
/// the state's own rounding is the only one.
pub type Point = nalgebra::Vector3<f64>;
