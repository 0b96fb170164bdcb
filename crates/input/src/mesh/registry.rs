//! The list of formats: each is a file or some files of this folder with a `FORMAT`, and a line
//! here.

use super::error::MeshProblem;
use super::format::Format;
use super::{gltf, gmsh, obj, ply, stl, vtk, vtk_xml};
use hashfall_core::file_kind::FileKind;

/// All formats. Text of no known kind is the last one: OBJ has no signature.
const FORMATS: [Format; 7] = [
    stl::FORMAT,
    ply::FORMAT,
    gltf::FORMAT,
    vtk::FORMAT,
    vtk_xml::FORMAT,
    gmsh::FORMAT,
    obj::FORMAT,
];

impl Format {
    /// The format of a file, by its content.
    pub(super) fn from_content(bytes: &[u8]) -> Result<&'static Format, MeshProblem> {
        match FileKind::from_content(bytes) {
            None => Ok(&const { obj::FORMAT }),
            Some(kind) => FORMATS
                .iter()
                .find(|format| format.kinds.contains(&kind))
                .ok_or_else(|| MeshProblem::Foreign { kind, formats: list_formats() }),
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
