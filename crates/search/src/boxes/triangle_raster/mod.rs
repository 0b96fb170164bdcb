//! Points near triangles: points are in a hash table, and triangles are queries alone.
//!
//! Ahmad, "Hash tables for physical based simulations", "Polygons checking". Each point is entered
//! in its cell; a triangle is entered nowhere, but walks the cells that its surface passes and
//! those next to it ("rasterization"), which saves the memory that flat triangles would fill as
//! boxes. The edge of a cell is the mean edge of the triangles ([`mean_edge`]).
//!
//! "I personally use two hash tables": one with cells of the support radius for neighbours, which
//! is the scene's neighbour structure, and this one for collisions, because triangles know nothing
//! of the support radius.
//!
//! # The walk
//!
//! The article's scanline, as printed, misses cells, as it says itself: it steps by one cell along
//! one edge, so lines fan out where the other edge is longer, and it steps over the corners of
//! cells. Of the cells that hold a point of triangles some eight cells wide it misses two in five
//! (a test below). Here the surface is cut, not sampled. Let w be the axis on which the triangle's
//! normal is the longest, so that depth along w changes by at most one for each step on the others,
//! and u and v the other two. For each row of cells on v, cut the triangle to the row grown by the
//! reach; for each column of the row on u, cut what is left to the column grown by the reach. The
//! cells from the least depth of the rest to the greatest, both grown by the reach, are visited. No
//! point is missed: a point p within reach of the triangle has its nearest point q there within
//! reach on each axis. So q lies in the grown row and column of p's cell and survives the cuts, and
//! p's depth is within reach of q's.
//!
//! Nothing divides by the normal, so triangles without area and needles are no special case: w is
//! then some axis, and costs cells at worst.
//!
//! # Rounding
//!
//! All is in double precision, in units of cells, with M the largest coordinate around the grown
//! triangle. Cells of points come from rounded quotients, off by M·ε of [`Real`] at most; a cut
//! puts a corner by interpolation between two others, off by a few M·ε of f64. Cutting corners that
//! are off moves each point of the triangle as little, so with rows, columns and depths grown by
//! the sum of these errors (`slack`), the above holds for what is computed.
//!
//! Deviations, besides: a point keeps its cell, so cells that share a slot cost time and are never
//! mixed up. The time stamp is that of the slot, not of each point in it (as in Teschner et al.
//! 2003). Of a cell's points only those in the triangle's grown box are visited. A triangle that
//! would walk more cells than there are points goes through all points instead.

mod polygon;
mod raster;
mod scanline;
mod table;
#[cfg(test)]
mod tests;
mod walk;

pub use raster::{TriangleRaster, mean_edge};
