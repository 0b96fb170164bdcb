//! Surfaces of several fluids: each has a closed mesh of its own, and where two touch, both meshes
//! have the same vertices and the same triangles, reversed.
//!
//! | file | step |
//! |---|---|
//! | `labels` | which fluid is at each grid point |
//! | `patterns` | the surfaces in a cell by the labels of its corners |
//! | `junctions` | cells in which three or more of fluids and air meet |
//! | `surfaces` | all surfaces as one complex; a mesh for each fluid |
//! | `reconstruct` | all of it, from particles on |
//! | `audit` | do meshes share their interfaces |
//!
//! The field φ of all fluids decides what is inside, as for one fluid; inside, the fluid with the
//! largest part φₖ of it ([`labels`]). Vertices between fluid and air stand where they stand for
//! one fluid; those between fluids a and b where φₐ = φ_b if both are linear along the edge. The
//! outer surface of all fluids together is that of one fluid but for cells along triple lines.

mod audit;
mod junctions;
mod labels;
mod patterns;
mod reconstruct;
mod surfaces;
#[cfg(test)]
mod tests;

pub use audit::InterfaceAudit;
pub(super) use junctions::Junction;
pub(super) use labels::{AIR, Between, Label, Labels};
pub(super) use patterns::{Corners, Sides};
pub(super) use reconstruct::{FluidFields, labelled};
pub(super) use surfaces::{Complex, On, Part, part, sides_of};

use super::field::Field;

/// Which fluid each particle is of.
#[derive(Clone, Copy, Debug)]
pub struct Phases<'a> {
    /// The fluid of each particle, in the order of the splats.
    pub of: &'a [u8],
    /// How many fluids there are, at most 255, with or without particles.
    pub count: usize,
}

/// The fields of several fluids, and where each is.
pub(super) struct Fluids<'a> {
    pub fields: Vec<Field<'a>>,
    pub labels: Labels,
}

impl Fluids<'_> {
    /// Who tells how much one fluid outweighs another.
    pub fn between(&self) -> Between<'_> {
        Between::new(self)
    }
}
