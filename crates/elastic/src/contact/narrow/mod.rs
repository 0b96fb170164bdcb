//! The narrow phase of contact: points, edges and triangles in double precision.
//!
//! [`vertex_triangle`], [`edge_edge`] and their like give the nearest points of two elements;
//! [`vertex_triangle_free`] and its like how far two elements may move along straight paths before
//! they come too near. [`edge_meets_triangle`] tells exactly whether they intersect.

mod ccd;
mod crossing;
mod edge_edge;
mod nearest;
mod normal;
mod vertex_triangle;

pub use ccd::{edge_edge_free, vertex_edge_free, vertex_triangle_free, vertex_vertex_free};
pub use crossing::{edge_meets_triangle, edges_meet};
pub use edge_edge::edge_edge;
pub use nearest::{Nearest, vertex_edge, vertex_vertex};
pub use vertex_triangle::vertex_triangle;

#[cfg(test)]
mod tests;
