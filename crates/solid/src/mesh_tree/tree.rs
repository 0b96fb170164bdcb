//! A compact hierarchy over the triangles of a mesh that keeps its shape.
//!
//! A complete binary tree: each node holds a run of the triangles' order, and its children the two
//! halves of that run, so that neither runs nor children are stored. A run is halved at the median
//! of the triangles' centres along the axis on which these reach the farthest; of equal centres the
//! lower number comes first. So the tree is the same whatever the number of threads
//! ([`super::build`]).
//!
//! Leaves have 4 to 8 triangles. A triangle takes 47 to 90 bytes, most of them for moments.

use super::disc::Disc;
use super::moments::Moments;
use hashfall_core::parallel;
use hashfall_geometry::Aabb;
use std::ops::Range;

/// The nodes that a thread takes at once at the least.
const PARALLEL_NODES: usize = 256;

/// A hierarchy over the triangles of a mesh.
#[derive(Clone, Debug)]
pub(crate) struct MeshTree {
    /// Numbers of the triangles, leaf by leaf, ascending in each.
    pub(super) order: Vec<u32>,
    /// Levels below the root.
    pub(super) depth: u32,
    /// By node: around its triangles. The children of node k are 2k + 1 and 2k + 2.
    pub(super) boxes: Vec<Aabb>,
    /// By node: how its triangles are turned and spread.
    pub(super) moments: Vec<Moments>,
    /// By node: around its triangles, along the surface.
    pub(super) discs: Vec<Disc>,
}

impl MeshTree {
    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        (2 << self.depth) - 1
    }

    /// Whether a node has no children.
    #[inline]
    pub(super) fn is_leaf(&self, node: usize) -> bool {
        node + 1 >= 1 << self.depth
    }

    /// The run of a node in the order.
    #[inline]
    pub(super) fn run(&self, node: usize) -> Range<usize> {
        let level = usize::BITS - 1 - (node + 1).leading_zeros();
        let place = node + 1 - (1 << level);
        bound(self.order.len(), level, place)..bound(self.order.len(), level, place + 1)
    }

    /// The nodes that are leaves.
    pub fn leaves(&self) -> Range<usize> {
        (1 << self.depth) - 1..self.len()
    }

    /// The triangles of a leaf.
    #[inline]
    pub fn leaf(&self, node: usize) -> &[u32] {
        &self.order[self.run(node)]
    }

    /// Around all triangles.
    pub fn bounds(&self) -> &Aabb {
        &self.boxes[0]
    }

    /// By node: whether one of its triangles has `property`.
    pub fn mark(&self, property: impl Fn(u32) -> bool) -> Vec<bool> {
        let mut marks = vec![false; self.len()];
        for node in (0..self.len()).rev() {
            marks[node] = if self.is_leaf(node) {
                self.leaf(node).iter().any(|&t| property(t))
            } else {
                marks[2 * node + 1] || marks[2 * node + 2]
            };
        }
        marks
    }

    /// The value of every node, by its number and the values of its children unless it is a leaf:
    /// level by level, the lowest first.
    pub(super) fn bottom_up<T: Clone + Send + Sync>(
        &self,
        none: T,
        value: impl Fn(usize, Option<[&T; 2]>) -> T + Sync,
    ) -> Vec<T> {
        let mut all = vec![none; self.len()];
        for level in (0..=self.depth).rev() {
            let first = (1_usize << level) - 1;
            let (upper, below) = all.split_at_mut(2 * first + 1);
            parallel::fill_by(&mut upper[first..], PARALLEL_NODES, |place, slot| {
                let children = [2 * place, 2 * place + 1];
                let known = (level < self.depth).then(|| children.map(|child| &below[child]));
                *slot = value(first + place, known);
            });
        }
        all
    }
}

/// Where the run of a place on a level starts.
#[inline]
pub(super) fn bound(count: usize, level: u32, place: usize) -> usize {
    ((place as u128 * count as u128) >> level) as usize
}
