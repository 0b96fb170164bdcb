//! What each fuzz target does with an input: whatever the bytes are, the program answers with a
//! value that holds what it promises, or with an error that says where.
//!
//! The fuzzer calls these functions with inputs that it makes up, and `tests/fuzz_corpus` of the
//! program with those that it has kept. Each tells whether the input was accepted.

mod checkpoint;
mod memory;
mod plan;
mod readers;
mod scene;

pub use checkpoint::checkpoint;
pub use memory::Watch;
pub use plan::plan;
pub use readers::{bgeo, csv, elements, gltf, obj, ply, stl, vtk, xyz};
pub use scene::scene;
