//! Polygon files: `.ply`, ASCII or binary of either byte order.
//!
//! Source: Turk, *The PLY Polygon File Format* (1994). The element `vertex` holds the particles:
//! `x y z`, and other properties as attributes. `vx vy vz` become the vector `velocity`, `nx ny nz`
//! the vector `normal`, and `NAME_x NAME_y NAME_z` the vector NAME, unless they are whole numbers.
//! Lists in a vertex, and other elements such as faces, are skipped. Types of 64 bits are not part
//! of the format; some programs write them as `int64` and `uint64`.

mod cloud;
mod head;
mod mesh;

pub(super) use cloud::FORMAT;
pub(crate) use head::{Element, Encoding, Head, Property, binary_length};
pub(super) use mesh::read_mesh;
