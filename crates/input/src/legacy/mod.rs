//! VTK's legacy files: `.vtk`, ASCII or big-endian binary, versions 2 to 5.
//!
//! Source: *VTK File Formats* (Kitware), "Simple Legacy Formats", and vtkDataReader for what it
//! leaves open. A head of four lines is followed by sections, each with a keyword. Points, their
//! attributes and the time are read; cells, data of cells and of the field, look-up tables and
//! `METADATA` are skipped. The format has no end mark: if a file is cut between two sections, the
//! missing attributes cannot be noticed.

mod arrays;
mod reader;

pub(crate) use arrays::TIME_NAMES;
pub(crate) use reader::{FORMAT, Reader, element_type};
