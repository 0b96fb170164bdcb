//! A place whose solids are looked for, and how a mesh is seen from it.

use crate::integral::cone::View;
use crate::integral::mesh_flux::MeshFlux;
use crate::integral::plane_table::PlaneTable;
use crate::surfaces::SurfaceId;
use crate::union::UnionBoundary;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Point;

/// A place whose solids are looked for.
pub(super) struct Query<'a> {
    /// \[m\]
    pub x: &'a Vec3,
    /// The same in double precision \[m\].
    pub at: Point,
    /// Solids closer than this count \[m\].
    pub reach: Real,
    /// The boundary of all solids.
    pub union: &'a UnionBoundary,
    /// The kernel's integral beyond planes, by their distance.
    pub table: &'a PlaneTable,
}

/// How a mesh is seen from a place.
pub(super) struct SeenMesh<'a> {
    /// The number of the mesh among all surfaces.
    pub surface: SurfaceId,
    /// Whether it has no inside.
    pub is_sheet: bool,
    /// Where the mesh hides what is behind it.
    pub view: Option<&'a View<'a>>,
}

impl SeenMesh<'_> {
    /// Adds faces of the union that are the mesh's to its flux.
    #[inline]
    pub fn add_faces(&self, query: &Query<'_>, faces: &[u32], flux: &mut MeshFlux) {
        for &number in faces {
            let face = query.union.face(number);
            let corners = face.corners.map(|c| c - query.at);
            match self.view {
                // Walls that faces cover are cut by the others' cones.
                Some(view) if face.covers.is_none() => {
                    flux.note_distance(&corners);
                    flux.add_opaque(view, &corners, self.is_sheet);
                }
                Some(_) => {}
                None => flux.add_face(query.table, corners, face.covers),
            }
        }
    }
}
