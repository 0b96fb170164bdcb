//! Particle files of other programs: bytes to a cloud of particles.
//!
//! | file | format |
//! |---|---|
//! | `legacy` | VTK's legacy files, `.vtk`: ASCII and binary, versions 2 to 5 |
//! | `vtk_xml` | VTK's XML files, `.vtp` and `.vtu`; `data_block` undoes base64 and compression |
//! | `ply` | `.ply`: ASCII and binary of either byte order |
//! | `xyz` | `.xyz`: lines of text, or raw triples of `f32` |
//! | `scanner` | words, lines and bytes of a file, and where they stand |
//! | `numbers` | number types, and numbers as they become attributes |
//!
//! A file that ends early, or whose coordinates are not finite, is an error, never a smaller cloud.
//! Nothing is allocated for a count that a file claims before the file proves to be long enough.
//!
//! The readers are our own: the crate vtkio (0.7.0-rc2) knows no raw appended data, which is what
//! ParaView writes, and the elements of ply-rs-bw are hash maps, one for each vertex.

mod data_block;
mod error;
mod legacy;
mod numbers;
mod ply;
mod scanner;
#[cfg(test)]
mod tests;
mod vtk_xml;
mod xyz;

pub use error::{InputError, Place, Problem};

use crate::base::{Attribute, Vec3};

/// Particles as a file holds them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cloud {
    /// Centres \[m\]; finite.
    pub positions: Vec<Vec3>,
    /// What the particles carry, a value for each; these may be infinite or NaN.
    pub attributes: Vec<Attribute<'static>>,
}

/// A format of particle files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// VTK's legacy format, `.vtk`.
    VtkLegacy,
    /// VTK's XML formats for points, `.vtp` and `.vtu`.
    VtkXml,
    /// Polygon files, `.ply`.
    Ply,
    /// Coordinates alone, as text or raw numbers: `.xyz`.
    Xyz,
}

impl Format {
    /// The extensions by which formats are known.
    pub const EXTENSIONS: [&str; 5] = ["vtk", "vtp", "vtu", "ply", "xyz"];

    /// The format of files with this extension, in lower or upper case.
    pub fn of_extension(extension: &str) -> Option<Format> {
        match extension.to_ascii_lowercase().as_str() {
            "vtk" => Some(Format::VtkLegacy),
            "vtp" | "vtu" => Some(Format::VtkXml),
            "ply" => Some(Format::Ply),
            "xyz" => Some(Format::Xyz),
            _ => None,
        }
    }
}

/// Reads a mesh of triangles from a `.vtp`, as [`read_mesh`] does from a `.ply`.
///
/// # Errors
/// What is wrong with the file, and where.
pub fn read_vtk_mesh(bytes: &[u8]) -> Result<(Cloud, Vec<[u32; 3]>), InputError> {
    vtk_xml::read_mesh(bytes)
}

/// Reads a mesh of triangles from a `.ply`: vertices with what they carry, and their numbers for
/// each triangle.
///
/// # Errors
/// What is wrong with the file, and where.
pub fn read_mesh(bytes: &[u8]) -> Result<(Cloud, Vec<[u32; 3]>), InputError> {
    ply::read_mesh(bytes)
}

/// Reads particles.
///
/// # Errors
/// What is wrong with the file, and where.
pub fn read(bytes: &[u8], format: Format) -> Result<Cloud, InputError> {
    if bytes.is_empty() {
        return Err(Problem::Empty.into());
    }
    match format {
        Format::VtkLegacy => legacy::read(bytes),
        Format::VtkXml => vtk_xml::read(bytes),
        Format::Ply => ply::read(bytes),
        Format::Xyz => xyz::read(bytes),
    }
}
