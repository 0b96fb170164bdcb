//! VTKHDF: points and meshes of all times in one file, for VTK 9.4 and ParaView 5.13 or later.

mod series;
mod writer;

pub use writer::VtkHdf;
