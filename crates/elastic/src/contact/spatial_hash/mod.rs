//! Contact by spatial hashing of vertices and rasterised triangles: vertices against triangles
//! where they came to, which may miss some. The mode of a paper, to be compared; the full mode,
//! which lets nothing through, is the default.
//!
//! Source: Ahmad, "Hash tables for physical based simulations", after Teschner et al. 2003. For
//! each substep:
//!
//! 1. all points are moved, and vertices entered in a hash table as they are (or when all are);
//! 2. each triangle walks the cells that its surface passes, and those nearby;
//! 3. vertices that are there are tested against it, but for its own corners;
//! 4. points that collide are displaced.
//!
//! The cell is the mean edge, computed once or again; there are as many slots as primitives;
//! time stamps empty the table ([`TriangleRaster`](hashfall_search::TriangleRaster)).
//!
//! The article leaves detection and response to "your preferred algorithms". Here a vertex is kept
//! at the sum of half thicknesses from a triangle, on the side that it came from, if it is found no
//! farther behind than a part of a cell. Points of both sides are displaced by their masses and
//! lose the velocity at which they approach, with Coulomb's friction: one sweep over all contacts
//! in the order of the triangles. Linear momentum stays; a displacement is no velocity, so kinetic
//! energy never grows, while elastic energy may.
//!
//! # What gets through
//!
//! - What moves farther in a substep than it is looked for: "it is easy to miss a collision if the
//!   time step is larger".
//! - Edges through edges: "we do not take into account edge-edge collisions".
//! - What the displacements of later contacts push through.
//!
//! A vertex that is through stays on its side. Vertices that passed a triangle are counted
//! ([`ContactCounts::passages`](crate::ContactCounts::passages)).
//!
//! # Obstacles
//!
//! Meshes of solids take part with their vertices and triangles, which have no mass that could be
//! moved. Balls and capsules are exact: vertices in their boxes are looked up in the table. Walls
//! are planes that each vertex is tested against. Cylinders and cones are meshes.
//!
//! Deviations: the scanline of the article, which misses cells, is a switch; friction and masses,
//! of which it says nothing.

mod contact;
mod detection;
mod error;
mod passages;
mod settings;
mod spatial_hash_contact;
#[cfg(test)]
mod tests;
mod vertex_table;
mod vertex_test;

pub use error::SpatialHashError;
pub use settings::{CellSize, Insertion, Rasterization, SpatialHashSettings};
pub use spatial_hash_contact::SpatialHashContact;
