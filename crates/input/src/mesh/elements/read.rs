//! The format of a file of elements, by its content.

use super::super::error::{MeshError, MeshProblem};
use super::super::format::Beside;
use super::super::imported::read_with_files;
use super::assembly::{ElementMesh, FileCell, FileElements, Shape};
use super::{msh, vtk};
use crate::content::strip_bom;
use hashfall_core::file_kind::FileKind;
use hashfall_core::to_f64;
use hashfall_geometry::Point;
use std::io;

/// Reads elements from a file that is one: `.msh` 4.1, legacy `.vtk`, or a surface.
///
/// # Errors
/// The problem of the file, and its place.
pub fn read_elements(bytes: &[u8]) -> Result<ElementMesh, MeshError> {
    read_elements_with_files(bytes, &mut |_| Err(io::ErrorKind::NotFound.into()))
}

/// Reads elements from a file whose numbers may be in files beside it, which `beside` reads by the
/// names that the mesh has for them.
///
/// # Errors
/// The problem of the file, and its place.
pub fn read_elements_with_files(
    bytes: &[u8],
    beside: &mut Beside,
) -> Result<ElementMesh, MeshError> {
    let content = strip_bom(bytes);
    let shifted = |error: MeshError| error.shifted(bytes.len() - content.len());
    match FileKind::from_content(content) {
        Some(FileKind::Gmsh) => msh::read(content).map_err(shifted),
        Some(FileKind::Vtk) => vtk::read(content).map_err(shifted),
        _ => surface(bytes, beside),
    }
}

/// The triangles of a surface as shells.
fn surface(bytes: &[u8], beside: &mut Beside) -> Result<ElementMesh, MeshError> {
    let read = read_with_files(bytes, beside)?;
    let origin = Point::from(read.origin);
    let nodes = read.mesh.vertices.iter().map(|x| origin + Point::from(to_f64(x))).collect();
    let cells = read.mesh.triangles.iter().enumerate().map(|(number, &[a, b, c])| FileCell {
        shape: Shape::Triangle,
        corners: [a, b, c, a],
        number: number as u64,
        at: 0,
        set: 0,
    });
    let elements = FileElements {
        nodes,
        cells: cells.collect(),
        sets: vec![vec![]],
        warnings: read.warnings,
        ..FileElements::default()
    };
    let mesh = elements.assemble(read.format, &|_, problem: MeshProblem| problem.into())?;
    Ok(ElementMesh { up: read.up, ..mesh })
}
