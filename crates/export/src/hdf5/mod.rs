//! The part of HDF5 that series need: groups with attributes, and chunked arrays that grow.
//!
//! A file is written front to back: chunks as they come, then their indices and the headers of
//! objects, and at the end the superblock at its start.

mod array;
mod chunk_tree;
mod file;
mod group;
mod lookup3;
mod messages;
#[cfg(test)]
mod tests;

pub use array::GrowingArray;
pub use file::File;
pub use group::{Group, Node};
pub use messages::{AttributeValue, NumberType};
