//! What is near a place, mesh by mesh: three streams in the order of the meshes, merged.

use super::fine_near::FineNear;
use crate::solids::Solids;
use crate::union::UnionBoundary;
use std::ops::Range;

/// What three streams have of a mesh.
pub(super) struct MeshParts<'a> {
    pub mesh: usize,
    /// Its objects of the broad phase.
    pub triangles: &'a [u32],
    /// Its number among the fine meshes that are near.
    pub fine: Option<usize>,
    /// Numbers of its faces among those of the union that are near.
    pub faces: Range<usize>,
}

/// Triangles of the broad phase, faces of the union and fine meshes, each in the order of the
/// meshes: what is left of them.
pub(super) struct MeshStreams<'a> {
    triangles: &'a [u32],
    next_face: usize,
    next_fine: usize,
}

impl<'a> MeshStreams<'a> {
    /// All of them, with these triangles.
    pub fn new(triangles: &'a [u32]) -> Self {
        MeshStreams { triangles, next_face: 0, next_fine: 0 }
    }

    /// The parts of the next mesh that any has, with the faces and the fine meshes that are near.
    #[inline]
    pub fn next(
        &mut self,
        solids: &Solids,
        union: &UnionBoundary,
        faces: &[u32],
        fine: &[FineNear],
    ) -> Option<MeshParts<'a>> {
        let mesh_of = |&number: &u32| union.face(number).mesh as usize;
        let of_object = |&id: &u32| solids.mesh_ends.partition_point(|&(end, _)| end <= id);
        let fine = fine.get(self.next_fine).map(|fine| fine.mesh);
        let nexts =
            [self.triangles.first().map(of_object), faces.get(self.next_face).map(mesh_of), fine];
        let mesh = nexts.into_iter().flatten().min()?;
        let (end, _) = solids.mesh_ends[mesh];
        let (triangles, others) =
            self.triangles.split_at(self.triangles.partition_point(|&id| id < end));
        self.triangles = others;
        let fine = fine.filter(|&fine| fine == mesh).map(|_| self.next_fine);
        self.next_fine += usize::from(fine.is_some());
        let first_face = self.next_face;
        let own = faces[first_face..].iter().take_while(|face| mesh_of(face) == mesh);
        self.next_face += own.count();
        Some(MeshParts { mesh, triangles, fine, faces: first_face..self.next_face })
    }
}
