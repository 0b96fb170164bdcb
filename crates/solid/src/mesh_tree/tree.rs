//! A compact hierarchy over the triangles of a mesh that keeps its shape.
//!
//! A complete binary tree: each node holds a run of the triangles' order, and its children the two
//! halves of that run, so that neither runs nor children are stored. A run is halved at the median
//! of the triangles' centres along the axis on which these reach the farthest; of equal centres the
//! lower number comes first. So the tree is the same whatever the number of threads.
//!
//! Leaves have 4 to 8 triangles. A triangle takes 47 to 90 bytes, most of them for moments.

use super::disc::Disc;
use super::moments::Moments;
use hashfall_core::{Vec3, parallel};
use hashfall_geometry::Aabb;
use std::ops::Range;

/// A leaf has no more triangles.
const MAX_LEAF: usize = 8;

/// Nodes of so many triangles and more are halved by two threads.
const PARALLEL: usize = 4096;

/// A thread takes so many nodes at once at the least.
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
    /// Over these triangles, at least one.
    pub fn new(triangles: &[[Vec3; 3]]) -> Self {
        let count = triangles.len();
        let mut depth = 0;
        while count >> depth >= MAX_LEAF {
            depth += 1;
        }
        let centres: Vec<Vec3> = triangles.iter().map(|[a, b, c]| a + b + c).collect();
        let mut order: Vec<u32> = (0..count as u32).collect();
        halve(&mut order, &centres, 0, (0, 0));
        drop(centres);
        let (boxes, moments, discs) = (Vec::new(), Vec::new(), Vec::new());
        let mut tree = MeshTree { order, depth, boxes, moments, discs };
        tree.find_boxes(triangles);
        tree.moments = Moments::of_nodes(&tree, triangles);
        tree.discs = Disc::of_nodes(&tree, triangles, &tree.moments);
        tree
    }

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

    /// What it takes of memory \[bytes\].
    #[cfg(test)]
    fn bytes(&self) -> usize {
        let of_nodes = size_of_val(&self.moments[..]) + size_of_val(&self.discs[..]);
        size_of_val(&self.order[..]) + size_of_val(&self.boxes[..]) + of_nodes
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

    fn find_boxes(&mut self, triangles: &[[Vec3; 3]]) {
        self.boxes = self.bottom_up(Aabb::EMPTY, |node, children| match children {
            Some([low, high]) => low.union(high),
            None => Aabb::around(self.leaf(node).iter().flat_map(|&t| &triangles[t as usize])),
        });
    }
}

/// Where the run of a place on a level starts.
#[inline]
fn bound(count: usize, level: u32, place: usize) -> usize {
    ((place as u128 * count as u128) >> level) as usize
}

/// Orders the triangles of the node at `place` on its `level`, whose run starts at `start`.
fn halve(order: &mut [u32], centres: &[Vec3], start: usize, (level, place): (u32, usize)) {
    if centres.len() >> level < MAX_LEAF {
        order.sort_unstable();
        return;
    }
    let all = order.iter().map(|&t| &centres[t as usize]);
    let extent = Aabb::around(all).extent();
    let axis = extent.imax();
    let middle = bound(centres.len(), level + 1, 2 * place + 1) - start;
    let at = |t: &u32| centres[*t as usize][axis];
    let by_place = |a: &u32, b: &u32| at(a).total_cmp(&at(b)).then(a.cmp(b));
    order.select_nth_unstable_by(middle, by_place);
    let (low, high) = order.split_at_mut(middle);
    let is_parallel = low.len() + high.len() >= PARALLEL;
    let mut halve_low = || halve(low, centres, start, (level + 1, 2 * place));
    let mut halve_high = || halve(high, centres, start + middle, (level + 1, 2 * place + 1));
    if is_parallel {
        parallel::join(halve_low, halve_high);
    } else {
        halve_low();
        halve_high();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_geometry::shape::sphere_mesh;

    #[test]
    fn each_triangle_is_in_one_leaf_and_all_nodes_hold_theirs() {
        for subdivisions in 0..5 {
            let mesh = sphere_mesh(&Vec3::new(0.3, 0.1, 0.0), 0.7, subdivisions);
            let triangles: Vec<_> = (0..mesh.triangles.len()).map(|t| mesh.corners(t)).collect();
            let tree = MeshTree::new(&triangles);
            let mut seen = vec![0; triangles.len()];
            for node in 0..tree.len() {
                let run = &tree.order[tree.run(node)];
                let own = run.iter().flat_map(|&t| &triangles[t as usize]);
                assert_eq!(tree.boxes[node], Aabb::around(own), "node {node}");
                if tree.is_leaf(node) {
                    assert!((1..=MAX_LEAF).contains(&run.len()) && run.is_sorted());
                    run.iter().for_each(|&t| seen[t as usize] += 1);
                } else {
                    let [low, high] = [2 * node + 1, 2 * node + 2].map(|child| tree.run(child));
                    assert_eq!((tree.run(node).start, low.end), (low.start, high.start));
                    assert_eq!(tree.run(node).end, high.end);
                }
            }
            assert!(seen.iter().all(|&count| count == 1));
            assert!(tree.bytes() < 92 * triangles.len() + 200, "{} bytes", tree.bytes());
        }
    }
}
