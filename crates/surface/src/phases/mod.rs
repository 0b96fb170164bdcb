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

pub(crate) mod differences;
pub(crate) mod label;
pub(crate) mod labels;
