//! Frames of a run as files of other programs: values in, bytes out.
//!
//! | file | content |
//! |---|---|
//! | `frame` | a frame in memory, and what holds for a whole run |
//! | `format` | what a format is |
//! | `registry` | the list of all formats |
//! | `quantise` | numbers in fewer bits, with a bound of the error |
//! | `alembic` | Alembic: all times in one file |
//! | `usd` | USD as text: value clips |
//! | `hdf5` | the part of HDF5 that series need |
//! | `vtkhdf` | VTKHDF: all times in one file |
//! | `gltf` | glTF: surfaces and solids of a frame |
//! | `vdb` | OpenVDB: level sets of surfaces |
//!
//! Writers take a frame at a time and hold no other. Their bytes do not depend on the number of
//! threads.

mod alembic;
mod format;
mod frame;
mod gltf;
mod hdf5;
mod label;
mod quantise;
mod registry;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod usd;
mod vdb;
mod vtkhdf;

pub use format::{Format, Options, Target, Writer};
pub use frame::{Attribute, Cloud, Frame, FramePart, Mesh, Points, Pose, Run, Values};
pub use label::{FluidMaterial, Label};
pub use quantise::{decimals, power_of_two_step};
pub use registry::FORMATS;
