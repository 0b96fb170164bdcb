//! Wavefront OBJ files: bytes to a triangle mesh.
//!
//! The crate tobj reads numbers and faces, but tells no line of an error; so `scan` first checks
//! the lines that make the shape (`v`, `f`) and hands on only those. Normals, texture coordinates,
//! colours, materials, groups, names, lines and points do not matter here and cannot be wrong.
//! Lines may end in LF, CR LF or CR, and go on after a `\` at their end. Bytes that are not UTF-8
//! are taken as Latin-1.
//!
//! Coordinates are read in double precision. Those of a mesh far from the origin become offsets
//! from a corner of the box around it, so that rounding them takes nothing from its shape.
//! Polygons are cut by `geometry::polygon`. Vertices in one place are welded, triangles that
//! collapse or repeat others are dropped, corners that differ by rounding are joined
//! (`geometry::joining`), and outermost shells that face inwards are turned outwards
//! (`geometry::shells`).

mod error;
mod reader;
mod scan;
#[cfg(test)]
mod shape_tests;
#[cfg(test)]
mod tests;

pub use error::{ObjError, ObjProblem, ObjWarning, Place};
pub use hashfall_core::file_kind::FileKind;
pub use reader::{ObjMesh, parse, read, text};
