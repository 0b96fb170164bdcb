//! Triangles that smoothing folded or flattened: their vertices go back to where they came from.
//!
//! A triangle is folded if its back is turned to the mean normals of all its corners. Going back
//! can fold a neighbour in turn, so this is repeated; as vertices only ever go back, it ends, at
//! the latest with the mesh that was.

use super::rings::Rings;
use super::triangle::Shape;
use crate::base::{Real, Vec3, parallel};

/// A triangle of less quality is as good as flat.
const FLAT: Real = 0.01;

/// Takes vertices of spoilt triangles back to their `old` positions.
pub(super) fn undo_folds(
    positions: &mut [Vec3],
    old: &[Vec3],
    triangles: &[[u32; 3]],
    rings: &Rings,
) {
    loop {
        let spoilt = parallel::fold(
            triangles.len(),
            |range| {
                let spoilt = range
                    .map(|t| &triangles[t])
                    .filter(|t| is_spoilt(positions, t, rings) && quality(old, t) >= FLAT);
                spoilt.collect()
            },
            |a: Vec<&[u32; 3]>, b| [a, b].concat(),
        );
        let mut moved = false;
        for v in spoilt.unwrap_or_default().into_iter().flatten() {
            let v = *v as usize;
            moved |= positions[v] != old[v];
            positions[v] = old[v];
        }
        if !moved {
            return;
        }
    }
}

fn quality(positions: &[Vec3], triangle: &[u32; 3]) -> Real {
    Shape::of(triangle.map(|v| positions[v as usize])).quality
}

fn is_spoilt(positions: &[Vec3], triangle: &[u32; 3], rings: &Rings) -> bool {
    let shape = Shape::of(triangle.map(|v| positions[v as usize]));
    let turns_away = |v: &u32| rings.area_vector(positions, *v as usize).dot(&shape.normal) <= 0.0;
    shape.quality.is_nan() || shape.quality < FLAT || triangle.iter().all(turns_away)
}
