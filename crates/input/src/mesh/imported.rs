//! From the bytes of a mesh file to a welded mesh whose outermost shells face outwards.

use super::error::{MeshError, MeshProblem};
use super::face::{FaceName, Faces};
use super::format::{Beside, FileMesh, Format, UpAxis};
use super::warning::MeshWarning;
use crate::content::strip_bom;
use hashfall_core::file_kind::FileKind;
use hashfall_geometry::{Assembled, OpenPolygons, PolygonError, TriangleMesh};
use std::io;

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportedMesh {
    /// The name of its format.
    pub format: &'static str,
    /// The axis that points up in it, where its format says so.
    pub up: Option<UpAxis>,
    /// The mesh, welded and, if it is closed, facing outwards, in the units of the file, relative
    /// to `origin`.
    pub mesh: TriangleMesh,
    /// What its coordinates are relative to; zero unless the mesh lies far away.
    pub origin: [f64; 3],
    /// Why it is not closed, if it is not.
    pub open: Option<MeshError>,
    /// What was put right, what is not read, and what can hardly be meant.
    pub warnings: Vec<MeshWarning>,
    /// The number of its shells: connected surfaces.
    pub shells: usize,
}

/// Reads a closed mesh near the origin, welded and facing outwards, in the units of the file.
///
/// # Errors
/// The problem of the file, and its place; also that of a mesh that is not closed.
pub fn parse(bytes: &[u8]) -> Result<TriangleMesh, MeshError> {
    let ImportedMesh { mesh, open, .. } = read(bytes)?;
    open.map_or(Ok(mesh), Err)
}

/// Reads a mesh, closed or not, that is one file.
///
/// # Errors
/// The problem of the file, and its place.
pub fn read(bytes: &[u8]) -> Result<ImportedMesh, MeshError> {
    read_with_files(bytes, &mut |_| Err(io::ErrorKind::NotFound.into()))
}

/// Reads a mesh, closed or not, whose numbers may be in files beside it, which `beside` reads by
/// the names that the mesh has for them.
///
/// # Errors
/// The problem of the file, and its place.
pub fn read_with_files(bytes: &[u8], beside: &mut Beside) -> Result<ImportedMesh, MeshError> {
    let content = without_mark(bytes);
    read_content(content, beside).map_err(|error| error.shifted(bytes.len() - content.len()))
}

/// The file without a byte order mark of UTF-8, as some editors put it before text. A binary STL
/// begins with a name of any bytes.
fn without_mark(bytes: &[u8]) -> &[u8] {
    match FileKind::from_content(bytes) {
        Some(FileKind::StlBinary) => bytes,
        _ => strip_bom(bytes),
    }
}

fn read_content(bytes: &[u8], beside: &mut Beside) -> Result<ImportedMesh, MeshError> {
    let format = Format::from_content(bytes)?;
    let FileMesh { polygons, faces, mut warnings, if_empty } = (format.read)(bytes, beside)?;
    let assembled = polygons.assemble().map_err(|error| match error {
        PolygonError::Empty => if_empty.into(),
        PolygonError::Crossing { polygon, corners } => crossing(&faces, polygon, corners),
    })?;
    let Assembled { mesh, origin, open, warnings: of_shape, shells } = assembled;
    let named = of_shape.into_iter().map(|warning| warning.map(|face| faces.name(face)));
    warnings.extend(named.map(MeshWarning::Shape));
    let open = open.map(|open| open_error(open, &faces));
    let (format, up) = (format.name, format.up);
    Ok(ImportedMesh { format, up, mesh, origin, open, warnings, shells })
}

fn crossing(faces: &Faces, polygon: u32, corners: usize) -> MeshError {
    let place = faces.place(polygon);
    let face = place.is_none().then(|| faces.name(polygon));
    MeshError { place, problem: MeshProblem::Crossing { face, corners } }
}

/// An error about an open mesh, at the face that is most likely to be wrong.
fn open_error(OpenPolygons { open, polygons, near }: OpenPolygons, faces: &Faces) -> MeshError {
    let place = polygons.first().and_then(|&polygon| faces.place(polygon));
    let mut faces: Vec<FaceName> = polygons.iter().map(|&polygon| faces.name(polygon)).collect();
    faces.sort_unstable();
    faces.dedup();
    let open = Box::new(open);
    MeshError { place, problem: MeshProblem::Open { open, faces, near } }
}
