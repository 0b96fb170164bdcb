//! What is kept of a fine mesh: its hierarchy, and what is once found of it and does not change.
//!
//! Each is found when it is first asked for, and depends on the mesh and the question alone; so all
//! that share a mesh may share it: the clones of solids, and the same scene with other particles.

use super::tree::MeshTree;
use hashfall_core::{Real, Vec3};
use std::sync::{Mutex, OnceLock, PoisonError};

/// What is kept of a mesh.
#[derive(Debug)]
pub(crate) struct FineMesh {
    /// Its hierarchy.
    pub tree: MeshTree,
    /// Of one shell that does not meet itself, the most that may count as rounding \[m\].
    lone_limit: OnceLock<Option<f64>>,
    /// Whether it is thinner than a depth \[m\] somewhere, for the depth that was asked last.
    thin: Mutex<Option<(Real, bool)>>,
}

impl FineMesh {
    /// Of these triangles, at least one.
    pub fn new(triangles: &[[Vec3; 3]]) -> Self {
        let (lone_limit, thin) = (OnceLock::new(), Mutex::default());
        FineMesh { tree: MeshTree::new(triangles), lone_limit, thin }
    }

    /// The most that may count as rounding \[m\], if it is one shell that does not meet itself.
    pub fn lone_limit(&self, find: impl FnOnce() -> Option<f64>) -> Option<f64> {
        // Nothing is held while it is found: that is work for many threads, which may come here.
        self.lone_limit.get().copied().unwrap_or_else(|| {
            let found = find();
            *self.lone_limit.get_or_init(|| found)
        })
    }

    /// Whether it is thinner than `depth` \[m\] somewhere.
    pub fn is_thin(&self, depth: Real, find: impl FnOnce() -> bool) -> bool {
        // A panic leaves no half of a pair.
        let last = *self.thin.lock().unwrap_or_else(PoisonError::into_inner);
        let known = last.filter(|(asked, _)| *asked == depth).map(|(_, is_thin)| is_thin);
        known.unwrap_or_else(|| {
            let found = find();
            *self.thin.lock().unwrap_or_else(PoisonError::into_inner) = Some((depth, found));
            found
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_again_is_not_found_again() {
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
        let limits = [Some(0.1), None].map(|limit| fine.lone_limit(|| limit));
        assert_eq!(limits, [Some(0.1); 2]);
    }
}
