//! Sweep and prune within the rows of a grid: the default for pairs of boxes.
//!
//! Sweep and prune alone (Baraff 1992; Poirrier 2009, §6) meets all boxes that overlap along one
//! axis, however far apart they are on the others. Here space is cut into rows along x, as wide as
//! the largest box, and boxes are sorted by the row of their lowest corner and by *columns* along
//! it. Boxes that overlap have lowest corners in the same row or in rows side by side, so a box
//! meets those after it in its own row and, in four of the eight rows around, those within a box's
//! width: each pair once. Windows in the other rows only move forwards. One radix sort of short
//! keys is all there is to build; boxes lie in the order in which they are met, and are tested four
//! at a time ([`box_records`]).
//!
//! Boxes of very different sizes: where more than [`CROWD`] boxes would share a cube of the widest
//! one, the boxes wider than a quarter of it make a *class* with rows of their own, and so on with
//! those that are left. A box then also meets the larger classes, in the rows that it may touch.
//!
//! How many share a cube is first taken from the bounds, as if boxes were spread evenly. That is
//! the least that can be, and sorting tells: where columns hold many more, the class is made again
//! with what was counted, and the empty space around crowds is left out ([`axis`]).

mod axis;
mod class;
mod lattice;
mod structure;

pub use structure::RowSweep;
