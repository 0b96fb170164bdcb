//! Values to bytes: frames for ParaView and Blender, and the scripts and series that open them.

pub mod bgeo;
pub mod blender;
pub mod body_poses;
pub(crate) mod choice;
pub mod elastic_meshes;
pub mod facts;
pub mod foam;
pub(crate) mod little_endian;
pub mod obj;
pub mod obstacles;
pub mod paraview;
pub(crate) mod particle_arrays;
pub mod ply;
pub mod series;
pub mod vtk;
mod vtk_xml;
pub mod vtp;
mod xml;
