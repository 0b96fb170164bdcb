//! A kd-tree over boxes: the rival of the hashes in Pouchol et al. 2009, §4.1, and of the linear
//! kd-tree in Poirrier 2009.
//!
//! Neither says which kd-tree. Here boxes are split at the median of their centres along the axis
//! on which the centres reach the farthest, down to leaves of [`LEAF`] boxes. A node keeps the box
//! around its boxes, so that each is in one leaf and found once, however large it is; the two
//! halves of a node may overlap.
//!
//! Nodes lie in one array in the order in which a walk meets them: a node, its lower half, its
//! upper half. Each knows the place behind its last descendant, where a query continues that does
//! not touch it, so the walk needs no stack. Places follow from counts alone, so both halves are
//! built side by side, and the tree is the same for any number of threads.

use crate::contract::BroadPhase;
use hashfall_core::geometry::Aabb;
use hashfall_core::{Real, Vec3, parallel};
use std::cmp::Ordering;

/// The most boxes in a leaf: few enough to test them all, enough to keep the nodes few.
const LEAF: usize = 8;

/// Boxes from which on the two halves of a node are built side by side.
const MIN_TO_SHARE: usize = 1024;

/// Boxes in nested boxes.
#[derive(Clone, Debug, Default)]
pub struct BoxKdTree {
    nodes: Vec<Node>,
    /// The boxes by leaves, each with its number.
    items: Vec<Item>,
}

/// Some boxes that lie near each other.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Around them.
    bounds: Aabb,
    /// The place of the first of them.
    first: u32,
    /// The place behind the last descendant: the next one in a leaf.
    next: u32,
}

/// A box and its number.
#[derive(Clone, Copy, Debug)]
struct Item {
    bounds: Aabb,
    object: u32,
}

impl Item {
    /// The middle of its box, halves added, as the sum may be beyond all numbers.
    fn centre(&self) -> Vec3 {
        self.bounds.min * 0.5 + self.bounds.max * 0.5
    }
}

impl BroadPhase for BoxKdTree {
    const IS_EXACT: bool = true;

    fn rebuild(&mut self, boxes: &[Aabb], _smallest: Real) {
        crate::contract::assert_boxes(boxes);
        self.items.clear();
        self.items.extend((0..).zip(boxes).map(|(object, &bounds)| Item { bounds, object }));
        let leaves = boxes.len().div_ceil(LEAF);
        let vacant = Node { bounds: Aabb::EMPTY, first: 0, next: 0 };
        self.nodes.clear();
        self.nodes.resize((2 * leaves).saturating_sub(1), vacant);
        if leaves > 0 {
            build(&mut self.items, &mut self.nodes, 0, 0);
        }
    }

    #[inline]
    fn candidates(&self, query: &Aabb, mut visit: impl FnMut(u32)) {
        self.visit_leaves(query, |items| {
            for item in items.iter().filter(|item| item.bounds.overlaps(query)) {
                visit(item.object);
            }
        });
    }

    fn examined(&self, query: &Aabb) -> usize {
        let mut count = 0;
        self.visit_leaves(query, |items| count += items.len());
        count
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..]) + size_of_val(&self.items[..])
    }

    fn assert_well_formed(&self, boxes: &[Aabb]) {
        let mut seen = vec![false; boxes.len()];
        for item in &self.items {
            assert_eq!(item.bounds, boxes[item.object as usize]);
            assert!(!std::mem::replace(&mut seen[item.object as usize], true), "twice");
        }
        assert!(seen.iter().all(|&seen| seen), "a box is missing");
        for (place, node) in self.nodes.iter().enumerate() {
            let leaves = (node.next as usize - place).div_ceil(2);
            let end = self.items.len().min(node.first as usize + leaves * LEAF);
            let items = &self.items[node.first as usize..end];
            let around = items.iter().fold(Aabb::EMPTY, |b, item| b.union(&item.bounds));
            assert_eq!(node.bounds, around, "node {place}");
        }
    }
}

impl BoxKdTree {
    /// Visits the boxes of each leaf that a query touches.
    #[inline]
    fn visit_leaves(&self, query: &Aabb, mut visit: impl FnMut(&[Item])) {
        if query.is_empty() {
            return;
        }
        let mut place = 0;
        while let Some(node) = self.nodes.get(place) {
            let next = node.next as usize;
            let is_leaf = next == place + 1;
            if !node.bounds.overlaps(query) {
                place = next;
                continue;
            }
            if is_leaf {
                let first = node.first as usize;
                visit(&self.items[first..self.items.len().min(first + LEAF)]);
            }
            place += 1;
        }
    }
}

/// Writes the nodes over `items`, of which the first is at `first` of all, and sorts these into
/// leaves; the first node is at `place`. Returns the box around all.
fn build(items: &mut [Item], nodes: &mut [Node], first: u32, place: u32) -> Aabb {
    let next = place + nodes.len() as u32;
    let leaves = nodes.len().div_ceil(2);
    let bounds = if leaves == 1 {
        items.iter().fold(Aabb::EMPTY, |bounds, item| bounds.union(&item.bounds))
    } else {
        // Full leaves below, so that the places of all leaves are known.
        let low_leaves = leaves / 2;
        let middle = low_leaves * LEAF;
        let axis = widest_axis(items);
        items.select_nth_unstable_by(middle, |a, b| compare(a, b, axis));
        let (low, high) = items.split_at_mut(middle);
        let (low_nodes, high_nodes) = nodes[1..].split_at_mut(2 * low_leaves - 1);
        let high_place = place + 2 * low_leaves as u32;
        let mut build_low = || build(low, low_nodes, first, place + 1);
        let mut build_high = || build(high, high_nodes, first + middle as u32, high_place);
        let [low, high] = if leaves * LEAF < MIN_TO_SHARE {
            [build_low(), build_high()]
        } else {
            parallel::join(build_low, build_high).into()
        };
        low.union(&high)
    };
    nodes[0] = Node { bounds, first, next };
    bounds
}

/// The axis along which the centres reach the farthest.
fn widest_axis(items: &[Item]) -> usize {
    let around = items.iter().fold(Aabb::EMPTY, |bounds, item| {
        let centre = item.centre();
        bounds.union(&Aabb::new(centre, centre))
    });
    around.extent().imax()
}

/// By centres, then by number, so that the halves do not depend on the order before.
fn compare(a: &Item, b: &Item, axis: usize) -> Ordering {
    a.centre()[axis].total_cmp(&b.centre()[axis]).then(a.object.cmp(&b.object))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;
    use hashfall_core::parallel::with_threads;

    fn points(count: usize) -> Vec<Aabb> {
        let mut random = Random::new(1);
        let points = (0..count).map(|_| random.vec3(-1.0, 1.0));
        points.map(|p| Aabb::new(p, p.add_scalar(0.01))).collect()
    }

    #[test]
    fn every_count_of_boxes_fills_the_array() {
        for count in (0..200).chain([1023, 1024, 1025, 5000]) {
            let boxes = points(count);
            let mut tree = BoxKdTree::default();
            tree.rebuild(&boxes, 0.1);
            tree.assert_well_formed(&boxes);
            let last = tree.nodes.last().map_or(0, |node| node.next as usize);
            assert_eq!(last, tree.nodes.len());
        }
    }

    #[test]
    fn the_order_is_the_same_for_any_number_of_threads() {
        let boxes = points(9000);
        let order = |threads: usize| -> Vec<u32> {
            with_threads(threads, || {
                let mut tree = BoxKdTree::default();
                tree.rebuild(&boxes, 0.1);
                tree.items.iter().map(|item| item.object).collect()
            })
        };
        assert_eq!(order(1), order(4));
    }

    #[test]
    fn a_small_query_looks_at_few_boxes() {
        let mut tree = BoxKdTree::default();
        let boxes = points(10_000);
        tree.rebuild(&boxes, 0.1);
        let looked: usize = boxes.iter().map(|query| tree.examined(query)).sum();
        assert!(looked < 60 * boxes.len(), "{looked}");
    }
}
