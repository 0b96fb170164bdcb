//! Marching cubes.

pub(crate) mod cases;
pub(crate) mod complex;
pub(crate) mod crossings;
pub(crate) mod junctions;
pub(crate) mod patterns;
#[cfg(test)]
mod tests;
pub(crate) mod vertices;
