//! The solids as meshes: what is drawn, and how large its files are.

mod drawing;
mod size;

#[cfg(test)]
pub(crate) use drawing::Shape;
pub use drawing::{Drawing, Obstacle, all, bodies};
pub use size::file_size;
