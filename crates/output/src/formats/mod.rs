//! Values to bytes: frames for ParaView and Blender, and the scripts and series that open them.

pub mod bgeo;
pub mod blender;
pub(crate) mod little_endian;
pub mod obj;
pub mod obstacles;
pub mod ply;
pub mod series;
mod vtk_xml;
pub mod vtp;
mod xml;
