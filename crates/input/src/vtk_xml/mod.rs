//! VTK's XML files, `.vtp` and `.vtu`: their points, and their cells.

mod element;
mod faces;
mod reader;

pub(super) use faces::{VtkCells, read_cells};
pub(super) use reader::{FORMAT, read_mesh};
