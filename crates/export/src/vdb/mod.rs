//! OpenVDB: the surface of a frame as a narrow-band level set, with velocities beside it.

mod file;
mod half;
mod level_set;
#[cfg(test)]
mod tests;
mod tree;
mod winding;
mod writer;

pub use writer::Vdb;
