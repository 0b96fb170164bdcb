//! What is kept of a fine mesh: its hierarchy, and properties that are computed once.
//!
//! Each is computed when it is first needed, and depends on the mesh and its argument alone; so all
//! that share a mesh may share it: clones of solids, and the same scene with other particles.

use super::tree::MeshTree;
use hashfall_core::{Real, Vec3};
use std::sync::{Mutex, OnceLock, PoisonError};

/// What is kept of a mesh.
#[derive(Debug)]
pub(crate) struct FineMesh {
    /// Its hierarchy.
    pub tree: MeshTree,
    /// If it is one shell that does not meet itself, the most that may count as rounding \[m\].
    rounding_limit: OnceLock<Option<f64>>,
    /// Whether it is thinner than a depth \[m\] somewhere, for the latest depth.
    thin: Mutex<Option<(Real, bool)>>,
}

impl FineMesh {
    /// Of these triangles, at least one.
    pub fn new(triangles: &[[Vec3; 3]]) -> Self {
        let (rounding_limit, thin) = (OnceLock::new(), Mutex::default());
        FineMesh { tree: MeshTree::new(triangles), rounding_limit, thin }
    }

    /// The most that may count as rounding \[m\], if it is one shell that does not meet itself.
    pub fn rounding_limit(&self, compute: impl FnOnce() -> Option<f64>) -> Option<f64> {
        // No lock is held meanwhile: the work is for many threads, which may come here.
        self.rounding_limit.get().copied().unwrap_or_else(|| {
            let found = compute();
            *self.rounding_limit.get_or_init(|| found)
        })
    }

    /// Whether it is thinner than `depth` \[m\] somewhere.
    pub fn is_thin(&self, depth: Real, compute: impl FnOnce() -> bool) -> bool {
        // A panic leaves no half of a pair.
        let last = *self.thin.lock().unwrap_or_else(PoisonError::into_inner);
        let known = last.filter(|(asked, _)| *asked == depth).map(|(_, is_thin)| is_thin);
        known.unwrap_or_else(|| {
            let found = compute();
            *self.thin.lock().unwrap_or_else(PoisonError::into_inner) = Some((depth, found));
            found
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_are_computed_once() {
        let fine = FineMesh::new(&[[Vec3::zeros(), Vec3::x(), Vec3::y()]]);
        let mut found = Vec::new();
        for (depth, is_thin) in [(1.0, true), (1.0, true), (0.5, false), (0.5, false)] {
            let told = fine.is_thin(depth, || {
                found.push(depth);
                depth > 0.7
            });
            assert_eq!(told, is_thin);
        }
        assert_eq!(found, [1.0, 0.5]);
        let limits = [Some(0.1), None].map(|limit| fine.rounding_limit(|| limit));
        assert_eq!(limits, [Some(0.1); 2]);
    }
}
