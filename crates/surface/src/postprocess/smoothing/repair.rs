//! What smoothing spoilt is mended.

use crate::postprocess::smoothing::repair_folds::Moved;
use crate::postprocess::smoothing::smooth::Motion;
use hashfall_core::{Real, Vec3, vec3};

/// How far corners of triangles without area part, in particle radii.
pub(crate) const PARTED: f64 = 0.05;

/// Mends what smoothing spoilt. Returns the area vectors of the vertices.
pub(crate) fn mend(mut moved: Moved, motion: &Motion, particle_radius: Real) -> Vec<Vec3> {
    let mut areas = moved.undo_folds();
    moved.widen(&mut areas, |v, place| motion.settle(v, place));
    if let Some(obstacles) = motion.obstacles {
        let far = vec3([PARTED; 3]).x * particle_radius;
        moved.part(&mut areas, far, |place| obstacles.keep_one_out(place));
    }
    areas
}
