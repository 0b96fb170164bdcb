//! Repairs after smoothing: folds, degenerate triangles, corners that coincide.

use crate::postprocess::smoothing::repair_folds::MovedMesh;
use crate::postprocess::smoothing::smooth::VertexMotion;
use hashfall_core::{Real, Vec3, vec3};

/// Step that separates the corners of degenerate triangles, in particle radii.
pub(crate) const MIN_SEPARATION: f64 = 0.05;

/// Repairs folds and degenerate triangles. Returns the area vectors of the vertices.
pub(crate) fn repair_folds(
    mut moved: MovedMesh,
    motion: &VertexMotion,
    particle_radius: Real,
) -> Vec<Vec3> {
    let mut areas = moved.undo_folds();
    moved.widen(&mut areas, |v, place| motion.project(v, place));
    if let Some(contact_solids) = motion.contact_solids {
        let far = vec3([MIN_SEPARATION; 3]).x * particle_radius;
        moved.separate(&mut areas, far, |place| contact_solids.push_one_out(place));
    }
    areas
}
