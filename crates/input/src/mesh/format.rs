//! The formats of mesh files.

use super::error::{MeshError, MeshProblem};
use super::face::Faces;
use super::warning::MeshWarning;
use super::{gltf, obj, ply, stl, vtk};
use hashfall_core::file_kind::FileKind;
use hashfall_geometry::Polygons;
use std::io;

/// Reads a file beside the mesh, by the name that the mesh has for it.
pub type Beside<'a> = dyn FnMut(&str) -> io::Result<Vec<u8>> + 'a;

/// The axis that points up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpAxis {
    /// y.
    Y,
    /// z.
    Z,
}

/// A format of mesh files.
pub(super) struct Format {
    /// Its name in messages.
    pub(super) name: &'static str,
    /// Kinds of content that are this format.
    pub(super) kinds: &'static [FileKind],
    /// The axis that points up, where the format's standard says so.
    pub(super) up: Option<UpAxis>,
    /// Its reader.
    pub(super) read: for<'a> fn(&'a [u8], &mut Beside) -> Result<FileMesh<'a>, MeshError>,
}

/// What a file holds.
pub(super) struct FileMesh<'a> {
    /// Its polygons.
    pub(super) polygons: Polygons,
    /// The names of these.
    pub(super) faces: Faces<'a>,
    /// What of the file is not read.
    pub(super) warnings: Vec<MeshWarning>,
    /// What is wrong if there are no polygons.
    pub(super) if_empty: MeshProblem,
}

/// All formats. Text of no known kind is the last one: OBJ has no signature.
const FORMATS: [Format; 5] = [stl::FORMAT, ply::FORMAT, gltf::FORMAT, vtk::FORMAT, obj::FORMAT];

impl Format {
    /// The format of a file, by its content.
    pub(super) fn from_content(bytes: &[u8]) -> Result<&'static Format, MeshProblem> {
        match FileKind::from_content(bytes) {
            None => Ok(&const { obj::FORMAT }),
            Some(kind) => FORMATS
                .iter()
                .find(|format| format.kinds.contains(&kind))
                .ok_or(MeshProblem::Foreign(kind)),
        }
    }
}

/// The formats, as a list for messages.
pub fn list_formats() -> String {
    let names = FORMATS.map(|format| format.name);
    match &names[..] {
        [before @ .., last] if !before.is_empty() => {
            format!("{} and {last} files", before.join(", "))
        }
        names => format!("{} files", names.concat()),
    }
}
