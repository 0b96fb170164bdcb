//! The faces that a particle may touch, of all triangles near it.
//!
//! The nearest counts as a plane through its nearest point. A further one counts as another face
//! only if it faces the particle (it is the nearest of its own surroundings, not the border of
//! something nearer), from a clearly different direction, and in front of the planes already
//! counted. So a flat or convex face counts once, however finely it is cut, and a concave edge
//! counts both its faces.

use super::fine_near::FineNear;
use super::near_solids::NearSolids;
use crate::mesh_tree::{by_distance, is_another_face};
use crate::near_solid::NearSolid;

impl NearSolids {
    /// Takes the nearest border in, but only where nothing is nearer: an edge or corner in the air.
    pub(super) fn take_border(&mut self, border: Option<NearSolid>, first_face: usize) {
        let fine_faces = self.fine.iter().map(|fine| &fine.nearest).filter(|it| it.is_face);
        if let Some(border) = border
            && self.surfaces[first_face..].iter().all(|face| by_distance(&border, face).is_lt())
            && fine_faces.map(|it| &it.near).all(|face| by_distance(&border, face).is_lt())
        {
            self.surfaces.push(border);
        }
    }
}

/// Of the triangles in `out[first..]`, and of those of fine meshes near the particle, keeps one for
/// each face, nearest first. `find_face` finds the nearest face of a fine mesh that is none of
/// those known.
pub(super) fn keep_faces(
    out: &mut Vec<NearSolid>,
    first: usize,
    fine: &mut [FineNear],
    find_face: impl Fn(&FineNear, &[NearSolid]) -> Option<NearSolid>,
) {
    for mesh in fine.iter_mut().filter(|mesh| !mesh.nearest.is_face) {
        mesh.next_face = find_face(mesh, &[]);
    }
    let mut kept = first;
    loop {
        let listed = (kept..out.len()).min_by(|&a, &b| by_distance(&out[a], &out[b]));
        let mut nearest = listed.map(|k| out[k]);
        let mut is_listed = true;
        for face in fine.iter().filter_map(|mesh| mesh.next_face) {
            if nearest.is_none_or(|near| by_distance(&face, &near).is_lt()) {
                (nearest, is_listed) = (Some(face), false);
            }
        }
        let Some(face) = nearest else { return };
        match listed.filter(|_| is_listed) {
            Some(at) => out.swap(kept, at),
            None => {
                out.push(face);
                let last = out.len() - 1;
                out.swap(kept, last);
            }
        }
        kept += 1;
        for mesh in &mut *fine {
            if mesh.next_face.is_some_and(|next| !is_another_face(&face, &next)) {
                mesh.next_face = find_face(mesh, &out[first..kept]);
            }
        }
        let mut end = kept;
        for k in kept..out.len() {
            if is_another_face(&face, &out[k]) {
                out[end] = out[k];
                end += 1;
            }
        }
        out.truncate(end);
    }
}
