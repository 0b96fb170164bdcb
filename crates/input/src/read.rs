//! Readers by format.

use super::array::AttributeFilter;
use super::cloud::Cloud;
use super::error::{InputError, Problem};
use super::format::Format;
use super::{bgeo, content, csv, legacy, ply, vtk_xml, xyz};

/// Reads a mesh of triangles from a `.vtp`: vertices with attributes, and their indices for each
/// triangle.
///
/// # Errors
/// The problem of the file, and its place.
pub fn read_vtk_mesh(bytes: &[u8]) -> Result<(Cloud, Vec<[u32; 3]>), InputError> {
    vtk_xml::read_mesh(bytes)
}

/// Reads a mesh of triangles from a binary `.ply`, as [`read_vtk_mesh`] does from a `.vtp`.
///
/// # Errors
/// The problem of the file, and its place.
pub fn read_ply_mesh(bytes: &[u8]) -> Result<(Cloud, Vec<[u32; 3]>), InputError> {
    ply::read_mesh(bytes)
}

/// Reads particles and the attributes that the filter includes.
///
/// # Errors
/// The problem of the file, and its place.
pub fn read(
    bytes: &[u8],
    format: Format,
    attributes: &AttributeFilter,
) -> Result<Cloud, InputError> {
    if bytes.is_empty() {
        return Err(Problem::Empty.into());
    }
    // Classic geometry is often compressed by gzip under its own extension.
    if format != Format::Bgeo || !content::is_gzip(bytes) {
        content::reject_foreign(bytes)?;
    }
    let bytes = content::strip_bom(bytes);
    match format {
        Format::VtkLegacy => legacy::read(bytes, attributes),
        Format::VtkXml => vtk_xml::read(bytes, attributes),
        Format::Ply => ply::read(bytes, attributes),
        Format::Bgeo => bgeo::read(bytes, attributes),
        Format::Csv => csv::read(bytes, attributes),
        Format::Xyz => xyz::read(bytes),
    }
}
