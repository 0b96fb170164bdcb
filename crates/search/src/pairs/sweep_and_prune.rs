//! Sweep and prune: boxes in the order of their lower ends along one axis.
//!
//! Baraff 1992 and Cohen et al. 1995 (I-Collide), as in Poirrier 2009, §6, where it is the rival of
//! the linear kd-tree. The axis is the one along which the centres are spread the most. Only boxes
//! whose intervals there overlap are tested on the other two.
//!
//! - A query finds its window by two binary searches. No box ends before the query from the first
//!   place on where the greatest upper end *so far* reaches it, and none begins behind it before
//!   the first lower end beyond it. One long box widens the window only of what lies behind it.
//! - All pairs come from one sweep that keeps a list of the boxes it is in.
//! - Temporal coherence (Poirrier, §7.1): a rebuild over as many boxes as before begins with their
//!   old order and sorts it by insertion, which takes N steps and one for each two boxes that
//!   changed places. The order, ties broken by number, does not depend on where it began.
//!
//! Deviations:
//! - One axis is sorted, not three with a count of overlaps for each pair: those N² counts, or a
//!   hash of pairs, are what the sweep does without.
//! - Insertion ends after [`MOVES_PER_BOX`] moves a box, and a full sort continues: N log N at
//!   worst.
//! - The sweep is cut into pieces that run side by side. A piece begins with the boxes of the
//!   window of its first lower end.

use crate::contract::{BroadPhase, PairSearch, Visits};
use hashfall_core::Real;
use hashfall_core::geometry::Aabb;
use hashfall_core::parallel::{self, CHUNK};
use std::cmp::Ordering::{Greater, Less};
use std::ops::Range;

/// Moves of the insertion sort, for each box, after which a full sort is likely to be quicker.
const MOVES_PER_BOX: usize = 8;

/// Boxes in order along an axis.
#[derive(Clone, Debug, Default)]
pub struct SweepAndPrune {
    axis: usize,
    /// The numbers of the boxes, by their lower ends.
    order: Vec<u32>,
    /// The boxes in that order.
    boxes: Vec<Aabb>,
    /// Their lower ends along the axis \[m\].
    lows: Vec<Real>,
    /// The greatest upper end up to each place \[m\].
    reach: Vec<Real>,
    /// Lower ends with numbers, while they are sorted.
    ends: Vec<(Real, u32)>,
}

impl SweepAndPrune {
    fn index(&mut self, boxes: &[Aabb]) {
        crate::contract::assert_boxes(boxes);
        self.axis = widest_axis(boxes);
        self.sort(boxes);
        self.boxes.clear();
        self.boxes.extend(self.order.iter().map(|&object| boxes[object as usize]));
        self.lows.clear();
        self.lows.extend(self.ends.iter().map(|&(low, _)| low));
        self.reach.clear();
        let mut reach = -Real::INFINITY;
        self.reach.extend(self.boxes.iter().map(|b| {
            reach = reach.max(b.max[self.axis]);
            reach
        }));
    }

    /// Orders the boxes, beginning with the old order if they are as many as before.
    fn sort(&mut self, boxes: &[Aabb]) {
        if self.order.len() != boxes.len() {
            self.order.clear();
            self.order.extend(0..boxes.len() as u32);
        }
        let end = |&object: &u32| (boxes[object as usize].min[self.axis], object);
        self.ends.clear();
        self.ends.extend(self.order.iter().map(end));
        if !sort_by_insertion(&mut self.ends, MOVES_PER_BOX * boxes.len()) {
            self.ends.sort_unstable_by(|a, b| if precedes(a, b) { Less } else { Greater });
        }
        self.order.clear();
        self.order.extend(self.ends.iter().map(|&(_, object)| object));
    }

    /// The places of the boxes that may reach from `low` to `high` along the axis.
    #[inline]
    fn window(&self, low: Real, high: Real) -> Range<usize> {
        let end = self.lows.partition_point(|&l| l <= high);
        self.reach[..end].partition_point(|&reach| reach < low)..end
    }

    fn size(&self) -> usize {
        size_of_val(&self.order[..])
            + size_of_val(&self.boxes[..])
            + size_of_val(&self.lows[..])
            + size_of_val(&self.reach[..])
            + size_of_val(&self.ends[..])
    }

    fn assert_sorted(&self, boxes: &[Aabb]) {
        let ends: Vec<(Real, u32)> =
            self.lows.iter().copied().zip(self.order.iter().copied()).collect();
        assert!(ends.is_sorted_by(precedes), "not in order");
        assert!(self.order.iter().map(|&o| boxes[o as usize]).eq(self.boxes.iter().copied()));
        let lows = self.boxes.iter().map(|b| b.min[self.axis]);
        assert!(lows.eq(self.lows.iter().copied()));
        for (place, &reach) in self.reach.iter().enumerate() {
            let greatest = self.boxes[..=place].iter().map(|b| b.max[self.axis]);
            assert_eq!(greatest.fold(-Real::INFINITY, Real::max), reach);
        }
        assert_eq!(self.order.len(), boxes.len());
    }
}

impl BroadPhase for SweepAndPrune {
    const IS_EXACT: bool = true;

    fn rebuild(&mut self, boxes: &[Aabb], _smallest: Real) {
        self.index(boxes);
    }

    #[inline]
    fn candidates(&self, query: &Aabb, mut visit: impl FnMut(u32)) {
        if query.is_empty() {
            return;
        }
        for place in self.window(query.min[self.axis], query.max[self.axis]) {
            if self.boxes[place].overlaps(query) {
                visit(self.order[place]);
            }
        }
    }

    fn examined(&self, query: &Aabb) -> usize {
        if query.is_empty() {
            0
        } else {
            self.window(query.min[self.axis], query.max[self.axis]).len()
        }
    }

    fn bytes(&self) -> usize {
        self.size()
    }

    fn assert_well_formed(&self, boxes: &[Aabb]) {
        self.assert_sorted(boxes);
    }
}

impl PairSearch for SweepAndPrune {
    fn rebuild(&mut self, boxes: &[Aabb]) {
        self.index(boxes);
    }

    fn pairs<V: Visits>(&self, visits: &V) -> Vec<V::Answer> {
        let sweep = |piece: usize| {
            let places = piece * CHUNK..self.order.len().min((piece + 1) * CHUNK);
            self.sweep(places, visits)
        };
        parallel::map_pieces(self.order.len().div_ceil(CHUNK), &sweep)
    }

    fn bytes(&self) -> usize {
        self.size()
    }

    fn assert_well_formed(&self, boxes: &[Aabb]) {
        self.assert_sorted(boxes);
    }
}

impl SweepAndPrune {
    /// Visits the pairs whose second box in the order is at one of these places.
    fn sweep<V: Visits>(&self, places: Range<usize>, visits: &V) -> V::Answer {
        let mut answer = visits.start();
        let first = self.lows[places.start];
        // Those before the first place that reach it: the sweep is in them.
        let before = self.reach[..places.start].partition_point(|&reach| reach < first);
        let mut inside: Vec<u32> = (before as u32..places.start as u32).collect();
        for place in places {
            let (b, low) = (&self.boxes[place], self.lows[place]);
            let mut k = 0;
            while k < inside.len() {
                let other = inside[k] as usize;
                if self.boxes[other].max[self.axis] < low {
                    inside.swap_remove(k);
                    continue;
                }
                if self.boxes[other].overlaps(b) {
                    let [one, two] = [self.order[other], self.order[place]];
                    visits.visit(&mut answer, one.min(two), one.max(two));
                }
                k += 1;
            }
            inside.push(place as u32);
        }
        answer
    }
}

/// Whether a lower end with its number comes before another.
#[inline(always)]
fn precedes(a: &(Real, u32), b: &(Real, u32)) -> bool {
    a.0 < b.0 || (a.0 == b.0 && a.1 < b.1)
}

/// Sorts by insertion. False, with the ends in some order, if it would take more than `most` moves.
fn sort_by_insertion(ends: &mut [(Real, u32)], most: usize) -> bool {
    let mut moves = 0;
    for k in 1..ends.len() {
        let end = ends[k];
        let mut hole = k;
        while hole > 0 && moves < most && precedes(&end, &ends[hole - 1]) {
            ends[hole] = ends[hole - 1];
            hole -= 1;
            moves += 1;
        }
        ends[hole] = end;
        if moves == most {
            return false;
        }
    }
    true
}

/// The axis along which the centres are the farthest from their mean, on average.
fn widest_axis(boxes: &[Aabb]) -> usize {
    // Quarters and shares, as sums and differences may be beyond all numbers.
    let share = 1.0 / boxes.len().max(1) as f64;
    let centre = |b: &Aabb, axis: usize| f64::from(b.min[axis] * 0.25 + b.max[axis] * 0.25);
    let spread = |axis: usize| -> f64 {
        let mean: f64 = boxes.iter().map(|b| centre(b, axis) * share).sum();
        boxes.iter().map(|b| (centre(b, axis) - mean).abs() * share).sum()
    };
    let spreads: [f64; 3] = std::array::from_fn(spread);
    (1..3).fold(0, |widest, axis| if spreads[axis] > spreads[widest] { axis } else { widest })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::ListPairs;
    use hashfall_core::Vec3;
    use hashfall_core::geometry::random::Random;

    fn some_boxes(count: usize, random: &mut Random) -> Vec<Aabb> {
        let low =
            |random: &mut Random| random.vec3(-1.0, 1.0).component_mul(&Vec3::new(1.0, 9.0, 2.0));
        (0..count)
            .map(|_| {
                let low = low(random);
                Aabb::new(low, low + random.vec3(0.0, 0.4))
            })
            .collect()
    }

    fn all_pairs(sweep: &SweepAndPrune) -> Vec<[u32; 2]> {
        let mut pairs = sweep.pairs(&ListPairs).concat();
        pairs.sort_unstable();
        pairs
    }

    #[test]
    fn pairs_are_those_of_brute_force_while_boxes_move() {
        let mut random = Random::new(1);
        let mut sweep = SweepAndPrune::default();
        for count in [0, 1, 2, 700, 1500] {
            let mut boxes = some_boxes(count, &mut random);
            for reach in [0.0, 1e-3, 0.05, 3.0] {
                for b in &mut boxes {
                    let shift = random.vec3(-reach, reach);
                    *b = Aabb::new(b.min + shift, b.max + shift);
                }
                PairSearch::rebuild(&mut sweep, &boxes);
                PairSearch::assert_well_formed(&sweep, &boxes);
                let overlaps = |&[i, j]: &[u32; 2]| boxes[i as usize].overlaps(&boxes[j as usize]);
                let all =
                    (0..count as u32).flat_map(|i| (i + 1..count as u32).map(move |j| [i, j]));
                assert_eq!(all_pairs(&sweep), all.filter(overlaps).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn the_order_does_not_depend_on_the_past() {
        let mut random = Random::new(2);
        let mut sweep = SweepAndPrune::default();
        let mut boxes = some_boxes(900, &mut random);
        for reach in [0.0, 1e-3, 0.02, 5.0, 0.0] {
            for b in &mut boxes {
                let shift = random.vec3(-reach, reach);
                *b = Aabb::new(b.min + shift, b.max + shift);
            }
            let mut fresh = SweepAndPrune::default();
            fresh.index(&boxes);
            sweep.index(&boxes);
            assert_eq!((&sweep.order, &sweep.boxes), (&fresh.order, &fresh.boxes));
        }
    }

    #[test]
    fn insertion_ends_at_its_bound_and_keeps_every_box() {
        let mut ends: Vec<(Real, u32)> = (0..100).rev().map(|n| (n as Real, n)).collect();
        assert!(!sort_by_insertion(&mut ends, 500));
        let mut kept: Vec<u32> = ends.iter().map(|&(_, object)| object).collect();
        kept.sort_unstable();
        assert!(kept.into_iter().eq(0..100));
        assert!(sort_by_insertion(&mut ends, 100 * 100));
        assert!(ends.is_sorted_by(precedes));
    }

    #[test]
    fn the_axis_is_that_of_the_largest_spread() {
        let mut random = Random::new(3);
        assert_eq!(widest_axis(&some_boxes(50, &mut random)), 1);
        assert_eq!(widest_axis(&[]), 0);
    }
}
