//! Particle files of other programs: bytes to a cloud of particles.
//!
//! | file | format |
//! |---|---|
//! | `legacy` | VTK's legacy files, `.vtk`: ASCII and binary, versions 2 to 5 |
//! | `vtk_xml` | VTK's XML files, `.vtp` and `.vtu`; `data_block` undoes base64 and compression |
//! | `xml` | XML as text, within limits that keep the parser's work linear |
//! | `ply` | `.ply`: ASCII and binary of either byte order |
//! | `bgeo` | `.bgeo`: Houdini's classic format, plain or in gzip |
//! | `xyz` | `.xyz`: lines of text, or raw triples of `f32` |
//! | `series` | ParaView's `.pvd` and `.series`: the files of a series and their times |
//! | `content` | what bytes are: other formats, encodings of text, text or raw numbers |
//! | `raw` | whether raw coordinates make sense as they are read |
//! | `scanner` | words, lines and bytes of a file, and where they stand |
//! | `numbers` | number types, and numbers as the program keeps them |
//! | `array` | arrays on their way to attributes: those asked for, and those left out |
//!
//! A file that ends early, or whose coordinates are not finite, is an error, never a smaller cloud.
//! Nothing is allocated for a count that a file claims before the file proves to be long enough.
//! Attributes that nobody asked for are not decoded, so they never refuse a file.
//!
//! The readers are our own: the crate vtkio (0.7.0-rc2) knows no raw appended data, which is what
//! ParaView writes, and the elements of ply-rs-bw are hash maps, one for each vertex.

mod array;
mod bgeo;
mod content;
mod data_block;
mod error;
mod legacy;
mod numbers;
mod ply;
mod raw;
mod scanner;
pub mod series;
#[cfg(test)]
mod tests;
mod vtk_xml;
mod xml;
mod xyz;

pub use array::{AttributeFilter, Omitted};
pub use error::{InputError, Place, Problem};

use hashfall_core::{Attribute, Vec3};

/// Particles as a file holds them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cloud {
    /// Centres \[m\]; finite.
    pub positions: Vec<Vec3>,
    /// What the particles carry, a value for each; these may be infinite or NaN.
    pub attributes: Vec<Attribute<'static>>,
    /// Names of attributes in the file that were not asked for.
    pub not_read: Vec<String>,
    /// Attributes that were asked for and cannot be read.
    pub omitted: Vec<Omitted>,
    /// The time of the particles \[s\], if the file tells it.
    pub time: Option<f64>,
    /// What is doubtful about the file.
    pub warnings: Vec<String>,
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
    /// Houdini's classic geometry, `.bgeo`.
    Bgeo,
    /// Coordinates alone, as text or raw numbers: `.xyz`.
    Xyz,
}

impl Format {
    /// The extensions by which formats are known.
    pub const EXTENSIONS: [&str; 6] = ["vtk", "vtp", "vtu", "ply", "bgeo", "xyz"];

    /// The format of files with this extension, in lower or upper case.
    pub fn of_extension(extension: &str) -> Option<Format> {
        match extension.to_ascii_lowercase().as_str() {
            "vtk" => Some(Format::VtkLegacy),
            "vtp" | "vtu" => Some(Format::VtkXml),
            "ply" => Some(Format::Ply),
            "bgeo" => Some(Format::Bgeo),
            "xyz" => Some(Format::Xyz),
            _ => None,
        }
    }

    /// The extensions as a message lists them.
    pub fn listed() -> String {
        let dotted = Format::EXTENSIONS.map(|extension| format!(".{extension}"));
        let [first @ .., last] = &dotted;
        format!("{} and {last}", first.join(", "))
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

/// Reads particles, with those of their attributes that are asked for.
///
/// # Errors
/// What is wrong with the file, and where.
pub fn read(
    bytes: &[u8],
    format: Format,
    attributes: &AttributeFilter,
) -> Result<Cloud, InputError> {
    if bytes.is_empty() {
        return Err(Problem::Empty.into());
    }
    // Classic geometry is often packed with gzip under its own name.
    if format != Format::Bgeo || !content::is_gzip(bytes) {
        content::check(bytes)?;
    }
    let bytes = content::without_mark(bytes);
    match format {
        Format::VtkLegacy => legacy::read(bytes, attributes),
        Format::VtkXml => vtk_xml::read(bytes, attributes),
        Format::Ply => ply::read(bytes, attributes),
        Format::Bgeo => bgeo::read(bytes, attributes),
        Format::Xyz => xyz::read(bytes),
    }
}
