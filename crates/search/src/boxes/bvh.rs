//! The bounding volume hierarchy of a kept crate, as a measure for our own trees and hashes.
//!
//! The `bvh` crate splits boxes where the surface area heuristic finds it cheapest: of six slabs
//! along the axis on which the centres reach the farthest, the cut with the least sum of count
//! times area (Wald 2007). It was taken before `parry3d` and `obvhs` because it adds the fewest
//! crates to the build, and works in double precision, too.
//!
//! Deviations: only the shape of the tree is the crate's. Its areas overflow for the largest
//! boxes, and where all areas are zero it keeps empty boxes for nodes that are not; so it is given
//! boxes moved and scaled into the unit cube and grown by [`PADDING`], and the boxes of nodes are
//! computed here from the true ones. Its own walk has a stack of 32 places, which a lopsided tree
//! outgrows; here each node knows the place behind its last descendant, as in
//! [`BoxKdTree`](super::BoxKdTree), and a walk needs no stack.

use crate::contract::BroadPhase;
use bvh::aabb::Bounded;
use bvh::bounding_hierarchy::{BHShape, BoundingHierarchy};
use bvh::bvh::BvhNode;
use hashfall_core::geometry::Aabb;
use hashfall_core::{Real, Vec3};
use nalgebra::Point3;

/// What each side of a box grows by, of the longest edge around all: no area is zero.
const PADDING: Real = 1e-6;

/// Boxes in nested boxes, split by area.
#[derive(Clone, Debug, Default)]
pub struct Bvh {
    nodes: Vec<Node>,
    shapes: Vec<Shape>,
}

/// A node: a node, all below its first child, all below its second.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Around all boxes below.
    bounds: Aabb,
    /// The box of a leaf.
    object: u32,
    /// The place behind the last descendant: the next one in a leaf.
    next: u32,
}

/// A box as the crate wants it, which knows its node.
#[derive(Clone, Debug)]
struct Shape {
    bounds: bvh::aabb::Aabb<Real, 3>,
    node: usize,
}

impl Bounded<Real, 3> for Shape {
    fn aabb(&self) -> bvh::aabb::Aabb<Real, 3> {
        self.bounds
    }
}

impl BHShape<Real, 3> for Shape {
    fn set_bh_node_index(&mut self, node: usize) {
        self.node = node;
    }

    fn bh_node_index(&self) -> usize {
        self.node
    }
}

impl BroadPhase for Bvh {
    const IS_EXACT: bool = true;

    fn rebuild(&mut self, boxes: &[Aabb], _smallest: Real) {
        crate::contract::assert_boxes(boxes);
        self.shapes.clear();
        self.shapes.extend(in_unit_cube(boxes));
        let tree = bvh::bvh::Bvh::build_par(&mut self.shapes);
        let vacant = Node { bounds: Aabb::EMPTY, object: 0, next: 0 };
        self.nodes.clear();
        self.nodes.resize(tree.nodes.len(), vacant);
        // The crate puts children behind their parents, so they are known first from the end on.
        for (place, node) in tree.nodes.iter().enumerate().rev() {
            self.nodes[place] = match *node {
                BvhNode::Leaf { shape_index, .. } => Node {
                    bounds: boxes[shape_index],
                    object: shape_index as u32,
                    next: place as u32 + 1,
                },
                BvhNode::Node { child_l_index, child_r_index, .. } => Node {
                    bounds: self.nodes[child_l_index]
                        .bounds
                        .union(&self.nodes[child_r_index].bounds),
                    object: 0,
                    next: self.nodes[child_r_index].next,
                },
            };
        }
    }

    #[inline]
    fn candidates(&self, query: &Aabb, mut visit: impl FnMut(u32)) {
        self.walk(query, |node, is_leaf| {
            if is_leaf && node.bounds.overlaps(query) {
                visit(node.object);
            }
        });
    }

    fn examined(&self, query: &Aabb) -> usize {
        let mut count = 0;
        self.walk(query, |_, is_leaf| count += usize::from(is_leaf));
        count
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..])
    }

    fn assert_well_formed(&self, boxes: &[Aabb]) {
        let mut seen = vec![false; boxes.len()];
        for (place, node) in self.nodes.iter().enumerate() {
            let below = &self.nodes[place..node.next as usize];
            let leaves = below.iter().zip(place as u32 + 1..).filter(|(n, next)| n.next == *next);
            let around = leaves.fold(Aabb::EMPTY, |around, (leaf, _)| around.union(&leaf.bounds));
            assert_eq!(node.bounds, around, "node {place}");
            if below.len() == 1 {
                assert_eq!(node.bounds, boxes[node.object as usize]);
                assert!(!std::mem::replace(&mut seen[node.object as usize], true), "twice");
            }
        }
        assert!(seen.iter().all(|&seen| seen), "a box is missing");
    }
}

impl Bvh {
    /// Visits each node whose parent a query touches, with whether it is a leaf.
    #[inline]
    fn walk(&self, query: &Aabb, mut visit: impl FnMut(&Node, bool)) {
        if query.is_empty() {
            return;
        }
        let mut place = 0;
        while let Some(node) = self.nodes.get(place) {
            let next = node.next as usize;
            let is_leaf = next == place + 1;
            visit(node, is_leaf);
            place = if is_leaf || node.bounds.overlaps(query) { place + 1 } else { next };
        }
    }
}

/// The boxes moved and scaled into about the unit cube, and grown.
fn in_unit_cube(boxes: &[Aabb]) -> impl Iterator<Item = Shape> {
    let all = boxes.iter().fold(Aabb::EMPTY, |all, b| all.union(b));
    // Halves, as edges may be beyond all numbers.
    let half = |v: &Vec3| v * 0.5;
    let middle = half(&all.min) + half(&all.max);
    let half_edge = (half(&all.max) - half(&all.min)).max();
    let corner = move |v: &Vec3, padding: Real| {
        let unit = |x: Real| if half_edge > 0.0 { (x / half_edge).clamp(-1.0, 1.0) } else { 0.0 };
        Point3::from((half(v) - half(&middle)).map(|x| unit(x) + padding))
    };
    boxes.iter().map(move |b| {
        let [min, max] = [corner(&b.min, -PADDING), corner(&b.max, PADDING)];
        Shape { bounds: bvh::aabb::Aabb::with_bounds(min, max), node: 0 }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;

    #[test]
    fn a_small_query_looks_at_few_boxes() {
        let mut random = Random::new(1);
        let points = (0..5000).map(|_| random.vec3(-1.0, 1.0));
        let boxes: Vec<Aabb> = points.map(|p| Aabb::new(p, p.add_scalar(0.01))).collect();
        let mut tree = Bvh::default();
        tree.rebuild(&boxes, 0.1);
        tree.assert_well_formed(&boxes);
        let looked: usize = boxes.iter().map(|query| tree.examined(query)).sum();
        assert!(looked < 30 * boxes.len(), "{looked}");
    }

    #[test]
    fn points_on_a_line_have_no_area_and_are_found() {
        let point = |n: i32| Vec3::new((-0.5 as Real).powi(n), 0.0, 0.0);
        let boxes: Vec<Aabb> = (0..90).map(|n| Aabb::new(point(n), point(n))).collect();
        let mut tree = Bvh::default();
        tree.rebuild(&boxes, 0.1);
        for (object, b) in (0..).zip(&boxes) {
            let mut found = vec![];
            tree.candidates(b, |candidate| found.push(candidate));
            assert_eq!(found, [object]);
        }
    }
}
