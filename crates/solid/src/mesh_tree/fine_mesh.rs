//! What is kept of a fine mesh: its hierarchy, and properties that are computed once.
//!
//! Each is computed when it is first needed, and depends on the mesh and its argument alone; so all
//! that share a mesh may share it: clones of solids, and the same scene with other particles.

use super::tree::MeshTree;
use crate::precision::to_point;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Point;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Of more triangles each is not compared with all others.
const MAX_COMPARED: usize = 4096;

/// Directed areas of a closed mesh add up to no more than this part of the surface, by rounding.
const MAX_OPEN: f64 = 1e-4;

/// What is kept of a mesh.
#[derive(Debug)]
pub(crate) struct FineMesh {
    /// Its hierarchy.
    pub tree: MeshTree,
    /// Its triangles, if it is to be [placed](super::driven_mesh).
    pub own: Vec<[Vec3; 3]>,
    /// If it is one shell that does not meet itself, the most that may count as rounding \[m\].
    rounding_limit: OnceLock<Option<f64>>,
    /// If it is closed, how far corners rise above the planes of triangles \[m\].
    protrusion: OnceLock<Option<f64>>,
    /// Whether it is thinner than a depth \[m\] somewhere, for the latest depth.
    thin: Mutex<Option<(Real, bool)>>,
}

impl FineMesh {
    /// Of these triangles, at least one.
    pub fn new(triangles: &[[Vec3; 3]]) -> Self {
        let (rounding_limit, protrusion) = (OnceLock::new(), OnceLock::new());
        let (tree, own, thin) = (MeshTree::new(triangles), Vec::new(), Mutex::default());
        FineMesh { tree, own, rounding_limit, protrusion, thin }
    }

    /// The same, which holds the triangles.
    pub fn with_own(triangles: Vec<[Vec3; 3]>) -> Self {
        let fine = FineMesh::new(&triangles);
        FineMesh { own: triangles, ..fine }
    }

    /// The most that may count as rounding \[m\], if it is one shell that does not meet itself.
    pub fn rounding_limit(&self, compute: impl FnOnce() -> Option<f64>) -> Option<f64> {
        // No lock is held meanwhile: the work is for many threads, which may come here.
        self.rounding_limit.get().copied().unwrap_or_else(|| {
            let found = compute();
            *self.rounding_limit.get_or_init(|| found)
        })
    }

    /// The surface of its [own](Self::own) triangles \[m²\].
    pub fn own_area(&self) -> f64 {
        let doubled = |t: &[Vec3; 3]| {
            let [a, b, c] = t.map(|c| to_point(&c));
            (b - a).cross(&(c - a)).norm()
        };
        0.5 * self.own.iter().map(doubled).sum::<f64>()
    }

    /// How far corners rise above the planes of these, its triangles \[m\]; `None` if it is open,
    /// or too many to be asked.
    pub fn protrusion(&self, triangles: &[[Vec3; 3]]) -> Option<f64> {
        *self.protrusion.get_or_init(|| protrusion(triangles))
    }

    /// Whether it is thinner than `depth` \[m\] somewhere.
    pub fn is_thin(&self, depth: Real, compute: impl FnOnce() -> bool) -> bool {
        // A panic leaves no half of a pair.
        let last = *self.thin.lock().unwrap_or_else(PoisonError::into_inner);
        let known =
            last.filter(|(known_depth, _)| *known_depth == depth).map(|(_, is_thin)| is_thin);
        known.unwrap_or_else(|| {
            let found = compute();
            *self.thin.lock().unwrap_or_else(PoisonError::into_inner) = Some((depth, found));
            found
        })
    }
}

/// As [`FineMesh::protrusion`].
fn protrusion(triangles: &[[Vec3; 3]]) -> Option<f64> {
    if triangles.len() > MAX_COMPARED {
        return None;
    }
    let corners = |t: &[Vec3; 3]| t.map(|c| to_point(&c));
    let area = |[a, b, c]: &[Point; 3]| (b - a).cross(&(c - a));
    let areas = || triangles.iter().map(|t| area(&corners(t)));
    let (open, whole) = (areas().sum::<Point>().norm(), areas().map(|it| it.norm()).sum::<f64>());
    if open > MAX_OPEN * whole {
        return None;
    }
    let above = |t: &[Vec3; 3]| {
        let own = corners(t);
        // What has no area is a line of others.
        let normal = area(&own).try_normalize(0.0)?;
        let heights = triangles.iter().flatten().map(|c| normal.dot(&(to_point(c) - own[0])));
        Some(heights.fold(0.0, f64::max))
    };
    Some(triangles.iter().filter_map(above).fold(0.0, f64::max))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_are_computed_once() {
        let fine = FineMesh::new(&[[Vec3::zeros(), Vec3::x(), Vec3::y()]]);
        let mut found = Vec::new();
        for (depth, is_thin) in [(1.0, true), (1.0, true), (0.5, false), (0.5, false)] {
            let found = fine.is_thin(depth, || {
                found.push(depth);
                depth > 0.7
            });
            assert_eq!(found, is_thin);
        }
        assert_eq!(found, [1.0, 0.5]);
        let limits = [Some(0.1), None].map(|limit| fine.rounding_limit(|| limit));
        assert_eq!(limits, [Some(0.1); 2]);
    }
}
