//! The opening of an emitter: where it is, with the mesh of its file.

use crate::model;
use hashfall_fill::opening::Opening;
use hashfall_geometry::TriangleMesh;

/// An opening, with its mesh in place if it has one; `None` if that is missing.
pub fn to_opening<'a>(
    opening: &model::Opening,
    mesh: Option<&'a TriangleMesh>,
) -> Option<Opening<'a>> {
    Some(match *opening {
        model::Opening::Disc { centre, normal, radius } => Opening::Disc { centre, normal, radius },
        model::Opening::Rectangle { centre, normal, size } => {
            Opening::Rectangle { centre, normal, size: size.into() }
        }
        model::Opening::Mesh { .. } => Opening::Mesh(mesh?),
    })
}

/// The middle of an opening \[m\]; of a mesh, that is not read yet, `unknown`.
pub fn middle(opening: &model::Opening, unknown: &[f64; 3]) -> [f64; 3] {
    match opening {
        model::Opening::Disc { centre, .. } | model::Opening::Rectangle { centre, .. } => *centre,
        model::Opening::Mesh { .. } => *unknown,
    }
}
