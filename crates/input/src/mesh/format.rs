//! What a format of mesh files is, and what its reader returns.

use super::error::{MeshError, MeshProblem};
use super::face::Faces;
use super::warning::MeshWarning;
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
