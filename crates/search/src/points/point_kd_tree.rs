//! A balanced kd-tree over points, in flat arrays: the rival of all hashes.
//!
//! Each node splits its points at the median of the longest edge of the box around them, until a
//! leaf has [`LEAF`] points at most. So the tree has the shape of the number of points and needs no
//! links: all leaves are equally deep, a node's points are a range of places, halved at each split,
//! and nodes lie in one array in the order of a walk, a left subtree next to its parent. Halves are
//! built in parallel, and are the same for any number of threads: points in one place are told
//! apart by their numbers. Pouchol et al. 2009 (§4.1) find kd-trees ahead where neighbours are
//! many; theirs is not described, and this one is ours.
//!
//! A query leaves out a node whose box is at least h away. As in
//! [`candidates`](crate::lists::candidates), the squared distance of a box is made like that of a
//! point, and every operation rounds monotonically: the box is never farther than a point within
//! it.
//!
//! `h` support radius \[m\].

use crate::contract::{NeighborSearch, assert_cells, assert_count};
use hashfall_core::geometry::Aabb;
use hashfall_core::{Real, Vec3, parallel};

/// The most points in a leaf.
const LEAF: usize = 24;

/// Fewer points than this are not worth a task of their own.
const PART: usize = 4096;

/// Points in a tree of boxes.
#[derive(Clone, Debug, Default)]
pub struct PointKdTree {
    /// The squared support radius \[m²\], no less than the least number.
    limit: Real,
    /// The points by place, in the order of the leaves.
    placed: Vec<Placed>,
    /// The point at each place.
    order: Vec<u32>,
    /// The box around the points of each node.
    boxes: Vec<Aabb>,
}

/// A point and where it is.
#[derive(Clone, Copy, Debug)]
struct Placed {
    at: Vec3,
    point: u32,
}

impl Default for Placed {
    fn default() -> Self {
        Placed { at: Vec3::zeros(), point: 0 }
    }
}

impl NeighborSearch for PointKdTree {
    fn rebuild(&mut self, points: &[Vec3], support_radius: Real) {
        assert_count(points.len());
        assert_cells(points, support_radius);
        // Even if h² is less than any number: the point itself is always visited.
        self.limit = (support_radius * support_radius).max(Real::MIN_POSITIVE);
        self.placed.resize(points.len(), Placed::default());
        parallel::fill(&mut self.placed, |i, placed| {
            *placed = Placed { at: points[i], point: i as u32 };
        });
        self.boxes.clear();
        self.boxes.resize(nodes(points.len()), Aabb::EMPTY);
        if !points.is_empty() {
            build(&mut self.placed, &mut self.boxes);
        }
        self.order.resize(points.len(), 0);
        let placed = &self.placed;
        parallel::fill(&mut self.order, |place, point| *point = placed[place].point);
    }

    #[inline]
    fn candidates(&self, at: &Vec3, mut visit: impl FnMut(u32)) {
        self.candidate_runs(0, at, |points| points.iter().for_each(|&point| visit(point)));
    }

    #[inline]
    fn candidate_runs(&self, _point: usize, at: &Vec3, mut visit: impl FnMut(&[u32])) {
        if !self.order.is_empty() {
            self.visit(at, &self.order, &self.boxes, &mut visit);
        }
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.placed[..]) + size_of_val(&self.order[..]) + size_of_val(&self.boxes[..])
    }

    fn assert_well_formed(&self, points: &[Vec3]) {
        assert_eq!((self.placed.len(), self.order.len()), (points.len(), points.len()));
        assert_eq!(self.boxes.len(), nodes(points.len()));
        let mut held = vec![false; points.len()];
        for (placed, &point) in self.placed.iter().zip(&self.order) {
            assert_eq!((placed.point, placed.at), (point, points[point as usize]));
            assert!(!std::mem::replace(&mut held[point as usize], true), "{point} twice");
        }
        if !points.is_empty() {
            assert_tight(&self.placed, &self.boxes);
        }
    }
}

/// The nodes of a tree of some points.
fn nodes(points: usize) -> usize {
    let leaves = points.div_ceil(LEAF).next_power_of_two();
    if points == 0 { 0 } else { 2 * leaves - 1 }
}

/// The left and the right half of a node's children, the node left out; none of a leaf.
fn children(boxes: &[Aabb]) -> Option<(&[Aabb], &[Aabb])> {
    (boxes.len() > 1).then(|| boxes[1..].split_at(boxes.len() / 2))
}

/// Sorts points into a subtree, of which `boxes` are the nodes.
fn build(placed: &mut [Placed], boxes: &mut [Aabb]) {
    let Some((own, below)) = boxes.split_first_mut() else { return };
    *own = Aabb::around(placed.iter().map(|placed| &placed.at));
    if below.is_empty() {
        placed.sort_unstable_by_key(|placed| placed.point);
        return;
    }
    let axis = own.extent().imax();
    let middle = placed.len() / 2;
    placed.select_nth_unstable_by(middle, |a, b| {
        a.at[axis].total_cmp(&b.at[axis]).then(a.point.cmp(&b.point))
    });
    let is_large = placed.len() > PART;
    let (left, right) = placed.split_at_mut(middle);
    let (left_boxes, right_boxes) = below.split_at_mut(below.len() / 2);
    if is_large {
        parallel::join(|| build(left, left_boxes), || build(right, right_boxes));
    } else {
        build(left, left_boxes);
        build(right, right_boxes);
    }
}

/// The squared distance of a place from a box, rounded as that from a point.
#[inline(always)]
fn square_from(at: &Vec3, b: &Aabb) -> Real {
    let away = |a: usize| (b.min[a] - at[a]).max(at[a] - b.max[a]).max(0.0);
    Vec3::new(away(0), away(1), away(2)).norm_squared()
}

impl PointKdTree {
    /// Visits the leaves of a subtree that come within h.
    fn visit(&self, at: &Vec3, order: &[u32], boxes: &[Aabb], visit: &mut impl FnMut(&[u32])) {
        if square_from(at, &boxes[0]) >= self.limit {
            return;
        }
        match children(boxes) {
            None => visit(order),
            Some((left, right)) => {
                let (left_order, right_order) = order.split_at(order.len() / 2);
                self.visit(at, left_order, left, visit);
                self.visit(at, right_order, right, visit);
            }
        }
    }
}

/// Panics unless each node of a subtree has the box of its points, and each leaf few points.
fn assert_tight(placed: &[Placed], boxes: &[Aabb]) {
    assert_eq!(boxes[0], Aabb::around(placed.iter().map(|placed| &placed.at)));
    match children(boxes) {
        None => assert!((1..=LEAF).contains(&placed.len()), "a leaf of {}", placed.len()),
        Some((left, right)) => {
            let (left_placed, right_placed) = placed.split_at(placed.len() / 2);
            assert_tight(left_placed, left);
            assert_tight(right_placed, right);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;
    use hashfall_core::parallel::with_threads;

    #[test]
    fn the_tree_is_the_same_for_any_number_of_threads() {
        let mut random = Random::new(4);
        let mut points: Vec<Vec3> = (0..20_000).map(|_| random.vec3(-1.0, 1.0)).collect();
        points.extend([points[7]; 5000]);
        let order = |threads: usize| {
            let mut tree = PointKdTree::default();
            with_threads(threads, || tree.rebuild(&points, 0.1));
            tree.assert_well_formed(&points);
            tree.order
        };
        let one = order(1);
        assert!(one == order(2) && one == order(5));
    }

    #[test]
    fn a_query_meets_few_leaves() {
        let mut random = Random::new(4);
        let points: Vec<Vec3> = (0..20_000).map(|_| random.vec3(-1.0, 1.0)).collect();
        let mut tree = PointKdTree::default();
        tree.rebuild(&points, 0.1);
        let mut met = 0;
        points.iter().take(100).for_each(|at| tree.candidates(at, |_| met += 1));
        // Ten are near, and leaves are as large.
        assert!(met < 100 * 200, "{met} candidates of 100 points");
    }
}
