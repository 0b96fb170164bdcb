//! The boundary of the union of solid meshes and walls, over which the density is integrated.
//!
//! Solids that overlap or touch must not count twice, and what lies between them bears nothing. The
//! union's part of the kernel is an integral over its boundary ([`super::mesh_integral`]), so each
//! triangle is replaced by those of its parts that are on it:
//!
//! - among the shells of meshes that keep their places to each other (all that stand; those of one
//!   moving body) by an arrangement in their own frame ([`arrangement`]), once;
//! - where bodies that move against each other meet, in every step ([`crossing`]); a mesh that
//!   deforms is such a body, and meets itself nowhere;
//! - at the walls by clamping to the domain ([`walls`]): once, and in every step for what moves.
//!
//! A triangle that is on the boundary as a whole stays as it is. Meshes that are joined by a cut
//! are one *group*: their fluxes add up to the part of their union, and each bears what its own
//! visible parts add. `Hollow` meshes enclose nothing, and take no part.

mod arrangement;
mod boundary;
mod crossing;
mod cutting;
mod faces;
mod fine_fields;
mod frame;
mod isolated;
mod overlay;
mod placing;
pub(crate) mod polygon;
#[cfg(test)]
mod tests;
mod thin;
mod touching;
mod walls;

pub(crate) use boundary::FineField;
pub use boundary::UnionBoundary;
pub use thin::Screens;
