//! Building a hierarchy: the order of the triangles, then boxes, moments and discs of the nodes.

use super::bounds::ball_around;
use super::disc::Disc;
use super::moment_sums::moments_of_nodes;
use super::tree::{MeshTree, bound};
use crate::precision::to_point;
use hashfall_core::{Vec3, parallel};
use hashfall_geometry::Aabb;

/// A leaf has no more triangles.
const MAX_LEAF: usize = 8;

/// Nodes of this number of triangles and more are halved by two threads.
const PARALLEL: usize = 4096;

/// Nodes of more triangles have no disc.
const MAX_TRIANGLES: usize = 64;

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
        halve(&mut order, &centres, 0, 0);
        drop(centres);
        let (boxes, moments, discs) = (Vec::new(), Vec::new(), Vec::new());
        let mut tree = MeshTree { order, depth, boxes, moments, discs };
        tree.find_boxes(triangles);
        tree.moments = moments_of_nodes(&tree, triangles);
        tree.discs = discs_of_nodes(&tree, triangles);
        tree
    }

    fn find_boxes(&mut self, triangles: &[[Vec3; 3]]) {
        self.boxes = self.bottom_up(Aabb::EMPTY, |node, children| match children {
            Some([low, high]) => low.union(high),
            None => Aabb::around(self.leaf(node).iter().flat_map(|&t| &triangles[t as usize])),
        });
    }
}

/// The discs around the triangles of every node that is small.
fn discs_of_nodes(tree: &MeshTree, triangles: &[[Vec3; 3]]) -> Vec<Disc> {
    let disc = |node: usize| {
        let own = &tree.order[tree.run(node)];
        let axis = tree.moments[node].axis().filter(|_| own.len() <= MAX_TRIANGLES);
        axis.map_or(Disc::NONE, |axis| {
            let (centre, size) = ball_around(&tree.boxes[node]);
            let corners = own.iter().flat_map(|&t| triangles[t as usize]);
            Disc::around(corners.map(|c| to_point(&c) - centre), &axis, size)
        })
    };
    parallel::map(tree.moments.len(), disc)
}

/// Orders the triangles of the node at `place` on its `level`.
fn halve(order: &mut [u32], centres: &[Vec3], level: u32, place: usize) {
    if centres.len() >> level < MAX_LEAF {
        order.sort_unstable();
        return;
    }
    let all = order.iter().map(|&t| &centres[t as usize]);
    let extent = Aabb::around(all).extent();
    let axis = extent.imax();
    let middle =
        bound(centres.len(), level + 1, 2 * place + 1) - bound(centres.len(), level, place);
    let at = |t: &u32| centres[*t as usize][axis];
    let by_place = |a: &u32, b: &u32| at(a).total_cmp(&at(b)).then(a.cmp(b));
    order.select_nth_unstable_by(middle, by_place);
    let (low, high) = order.split_at_mut(middle);
    let is_parallel = low.len() + high.len() >= PARALLEL;
    let mut halve_low = || halve(low, centres, level + 1, 2 * place);
    let mut halve_high = || halve(high, centres, level + 1, 2 * place + 1);
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
            let of_nodes = size_of_val(&tree.moments[..]) + size_of_val(&tree.discs[..]);
            let bytes = size_of_val(&tree.order[..]) + size_of_val(&tree.boxes[..]) + of_nodes;
            assert!(bytes < 92 * triangles.len() + 200, "{bytes} bytes");
        }
    }
}
