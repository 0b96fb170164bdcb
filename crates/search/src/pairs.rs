//! All pairs of boxes that overlap: what collisions among the objects themselves need.
//!
//! [`PairsByQueries`] makes a [`PairSearch`] of any [`BroadPhase`]; structures that find pairs as
//! such have files of their own. One test owns what overlaps: [`Aabb::overlaps`], touching counts.

use super::BroadPhase;
use hashfall_core::Real;
use hashfall_core::geometry::Aabb;
use hashfall_core::parallel::{self, CHUNK};

/// A structure that finds pairs of boxes.
pub trait PairSearch: Default + Send + Sync {
    /// Whether each pair comes once.
    const IS_UNIQUE: bool = true;

    /// Whether the pairs are those that overlap, and no other.
    const IS_EXACT: bool = true;

    /// Indexes `boxes`. Panics if a box is not finite, or is empty.
    fn rebuild(&mut self, boxes: &[Aabb]);

    /// Visits a superset of the pairs of boxes that overlap, the lower number first. Pieces of the
    /// work run side by side; each begins with what `start` gives, and what they come to is
    /// returned in their order, which is the same for any number of threads.
    fn pairs<V: Visits>(&self, visits: &V) -> Vec<V::Answer>;

    /// Bytes that the structure holds, all in all; of a broad phase, the boxes and what queries
    /// read.
    fn bytes(&self) -> usize;

    /// Panics unless the structure holds each box where it belongs.
    fn assert_well_formed(&self, boxes: &[Aabb]);
}

/// What to do with each pair.
pub trait Visits: Sync {
    /// What the pairs of a piece of the work come to.
    type Answer: Send;

    /// Before the first pair.
    fn start(&self) -> Self::Answer;

    /// The boxes `low < high` may overlap.
    fn visit(&self, answer: &mut Self::Answer, low: u32, high: u32);
}

/// Lists the pairs.
#[derive(Clone, Copy, Debug)]
pub struct ListPairs;

impl Visits for ListPairs {
    type Answer = Vec<[u32; 2]>;

    fn start(&self) -> Self::Answer {
        Vec::new()
    }

    #[inline(always)]
    fn visit(&self, pairs: &mut Self::Answer, low: u32, high: u32) {
        pairs.push([low, high]);
    }
}

/// Pairs by a query for each box.
#[derive(Clone, Debug, Default)]
pub struct PairsByQueries<B> {
    broad_phase: B,
    boxes: Vec<Aabb>,
}

impl<B: BroadPhase> PairSearch for PairsByQueries<B> {
    const IS_EXACT: bool = B::IS_EXACT;

    fn rebuild(&mut self, boxes: &[Aabb]) {
        let edge = |b: &Aabb| b.extent().max();
        let smallest = boxes.iter().map(edge).fold(Real::INFINITY, Real::min);
        let smallest = if smallest.is_finite() { smallest } else { 1.0 };
        self.broad_phase.rebuild(boxes, smallest.max(Real::MIN_POSITIVE));
        self.boxes.clear();
        self.boxes.extend_from_slice(boxes);
    }

    fn pairs<V: Visits>(&self, visits: &V) -> Vec<V::Answer> {
        let of_chunk = |chunk: usize| {
            let mut answer = visits.start();
            let first = chunk * CHUNK;
            for (low, query) in (first as u32..).zip(self.boxes[first..].iter().take(CHUNK)) {
                self.broad_phase.candidates(query, |high| {
                    if high > low {
                        visits.visit(&mut answer, low, high);
                    }
                });
            }
            answer
        };
        parallel::map_pieces(self.boxes.len().div_ceil(CHUNK), &of_chunk)
    }

    fn bytes(&self) -> usize {
        self.broad_phase.bytes() + size_of_val(&self.boxes[..])
    }

    fn assert_well_formed(&self, boxes: &[Aabb]) {
        self.broad_phase.assert_well_formed(boxes);
        assert_eq!(self.boxes, boxes);
    }
}
