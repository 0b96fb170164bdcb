//! Repairs after smoothing: folds, degenerate triangles, corners that coincide.

use crate::postprocess::smoothing::repair_folds::MovedMesh;
use crate::postprocess::smoothing::smooth::VertexMotion;
use hashfall_core::{Real, Vec3, vec3};

/// Step that separates vertices, in particle radii.
const MIN_SEPARATION: f64 = 0.05;

/// Repairs folds and degenerate triangles. Returns the area vectors of the vertices.
pub(crate) fn repair_folds(
    mut moved: MovedMesh,
    motion: &VertexMotion,
    particle_radius: Real,
) -> Vec<Vec3> {
    let mut areas = moved.undo_folds();
    moved.widen(&mut areas, |v, place| motion.project(v, place));
    separate(&mut moved, &mut areas, motion, particle_radius);
    areas
}

/// Separates what coincides on a solid: corners of a triangle, and vertices at junction curves.
pub(crate) fn separate(
    moved: &mut MovedMesh,
    areas: &mut [Vec3],
    motion: &VertexMotion,
    particle_radius: Real,
) {
    if let Some(contact_solids) = motion.contact_solids {
        let far = vec3([MIN_SEPARATION; 3]).x * particle_radius;
        moved.separate(areas, far, |place| contact_solids.push_one_out(place));
        moved.separate_at_curves(areas, far, |v, place| motion.project(v, place));
    }
}
