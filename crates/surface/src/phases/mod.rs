//! Several fluids: each grid point inside has the label of one of them.
//!
//! | file | content |
//! |---|---|
//! | `label` | labels, and what cells and triangles separate |
//! | `labels` | the label of each grid point |
//! | `differences` | the difference of two fluids' fields at the ends of edges |
//!
//! Each fluid has a closed mesh of its own; where two touch, both meshes have the same vertices and
//! the same triangles, reversed. The field φ of all fluids decides what is inside, as for one
//! fluid; inside, the fluid with the largest part φₖ of it. Vertices between fluid and air stand
//! where they stand for one fluid; those between fluids a and b where φₐ = φ_b if both are linear
//! along the edge. The outer surface of all fluids together is that of one fluid, except in cells
//! along triple lines.

pub(crate) mod differences;
pub(crate) mod label;
pub(crate) mod labels;
