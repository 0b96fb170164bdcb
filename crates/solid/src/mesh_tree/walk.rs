//! Walks from the root of a tree to the triangles near a place.

use super::bounds::{middle, square_distance};
use super::tree::MeshTree;
use hashfall_geometry::{Aabb, Point};

/// Levels that a tree can have: numbers of triangles have 32 bits.
const MAX_DEPTH: usize = 33;

/// Places on the stack of a walk: one on each level, beside the node that is looked at.
pub(super) type Stack = [(f64, u32); MAX_DEPTH];

impl MeshTree {
    /// Visits leaves, those whose boxes are nearer first, as long as the square of their distance
    /// from `x` is no more than the bound \[m²\] that `leaf` lowers. Nodes that are `passed` are
    /// left out with all below.
    #[inline]
    pub(super) fn nearest_first(
        &self,
        x: &Point,
        mut bound: f64,
        passed: impl Fn(usize) -> bool,
        mut leaf: impl FnMut(&[u32], f64) -> f64,
    ) {
        let mut stack: Stack = [(0.0, 0); MAX_DEPTH];
        let mut height = 0;
        let mut next = (square_distance(&self.boxes[0], x), 0_u32);
        loop {
            let (square, node) = (next.0, next.1 as usize);
            if square <= bound && self.disc_distance(node, x) <= bound && !passed(node) {
                if self.is_leaf(node) {
                    bound = bound.min(leaf(self.leaf(node), bound));
                } else {
                    let child = |k: usize| (square_distance(&self.boxes[k], x), k as u32);
                    let (low, high) = (child(2 * node + 1), child(2 * node + 2));
                    let (near, far) = if high.0 < low.0 { (high, low) } else { (low, high) };
                    stack[height] = far;
                    height += 1;
                    next = near;
                    continue;
                }
            }
            if height == 0 {
                return;
            }
            height -= 1;
            next = stack[height];
        }
    }

    /// No more than the square of the distance of a node's triangles \[m²\].
    #[inline]
    fn disc_distance(&self, node: usize, x: &Point) -> f64 {
        let disc = &self.discs[node];
        if disc.is_everywhere() {
            0.0
        } else {
            disc.square_distance(&(x - middle(&self.boxes[node])))
        }
    }

    /// Visits the leaves whose boxes come within `reach` \[m\] of `x`.
    #[inline]
    pub(super) fn within(&self, x: &Point, reach: f64, mut leaf: impl FnMut(&[u32])) {
        self.nearest_first(
            x,
            reach * reach,
            |_| false,
            |triangles, bound| {
                leaf(triangles);
                bound
            },
        );
    }

    /// Visits the leaves whose boxes overlap `query`, ascending.
    #[inline]
    pub fn overlapping(&self, query: &Aabb, mut leaf: impl FnMut(usize)) {
        self.depth_first(|bounds| bounds.overlaps(query), &mut leaf);
    }

    /// Visits the leaves whose boxes are `met`, as are those above, ascending.
    #[inline]
    pub(super) fn depth_first(&self, met: impl Fn(&Aabb) -> bool, mut leaf: impl FnMut(usize)) {
        let mut node = 0;
        loop {
            if met(&self.boxes[node]) {
                if !self.is_leaf(node) {
                    node = 2 * node + 1;
                    continue;
                }
                leaf(node);
            }
            // Up from the last child, and on to the other.
            while node > 0 && node.is_multiple_of(2) {
                node = (node - 1) / 2;
            }
            if node == 0 {
                return;
            }
            node += 1;
        }
    }

    /// Whether the box of a leaf that is marked, with all above it, comes within `reach` \[m\] of
    /// `x`.
    pub fn is_marked_within(&self, marks: &[bool], x: &Point, reach: f64) -> bool {
        let mut is_near = false;
        let passed = |node: usize| !marks[node];
        self.nearest_first(x, reach * reach, passed, |_, _| {
            is_near = true;
            -1.0
        });
        is_near
    }
}
