//! Wavefront OBJ files.
//!
//! The crate tobj reads numbers and faces, but tells no line of an error; so `obj_scan` first
//! checks the lines that make the shape (`v`, `f`) and hands on only those. Lines may end in LF, CR
//! LF or CR, and continue after a `\` at their end. Bytes that are not UTF-8 are taken as Latin-1.

use super::error::{MeshError, MeshProblem};
use super::face::Faces;
use super::format::{Beside, FileMesh, Format};
use super::obj_scan::{Scanned, scan};
use super::text::{place_of, text};
use hashfall_geometry::{Point, Polygons};

pub(super) const FORMAT: Format = Format { name: "OBJ", kinds: &[], up: None, read };

fn read<'a>(bytes: &'a [u8], _: &mut Beside) -> Result<FileMesh<'a>, MeshError> {
    let text = text(bytes);
    let scanned = scan(&text).map_err(|(span, problem)| problem.at(place_of(&text, span)))?;
    let polygons = load(&scanned)?;
    let free_form = |keyword| MeshProblem::FreeForm { keyword };
    let if_empty = scanned.free_form.map_or(MeshProblem::Empty, free_form);
    let faces = Faces::Words { text, starts: scanned.faces };
    Ok(FileMesh { polygons, faces, warnings: Vec::new(), if_empty })
}

/// Reads checked text through tobj.
fn load(scanned: &Scanned) -> Result<Polygons, MeshError> {
    let options = tobj::LoadOptions { single_index: true, ..Default::default() };
    // Materials are of no use here.
    let no_materials = |_: &_| Err(tobj::LoadError::OpenFileFailed);
    let shape = &mut scanned.shape.as_bytes();
    let (models, _) = tobj::load_obj_buf(shape, &options, no_materials).map_err(|error| {
        MeshProblem::Unreadable { format: FORMAT.name, reason: error.to_string() }
    })?;
    let mut polygons = Polygons::default();
    for mesh in models.into_iter().map(|model| model.mesh) {
        let first = polygons.vertices.len() as u32;
        let positions = mesh.positions.chunks_exact(3);
        polygons.vertices.extend(positions.map(Point::from_row_slice));
        polygons.corners.extend(mesh.indices.iter().map(|v| v + first));
        // tobj leaves the numbers out where all are 3.
        let are_triangles = mesh.face_arities.is_empty();
        let triangles = if are_triangles { mesh.indices.len() / 3 } else { 0 };
        polygons.arities.extend(mesh.face_arities);
        polygons.arities.extend(std::iter::repeat_n(3, triangles));
    }
    Ok(polygons)
}
