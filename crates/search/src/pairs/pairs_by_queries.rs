//! Pairs of boxes by a query to a broad phase for each box.

use crate::contract::{BroadPhase, PairSearch, Visits};
use hashfall_core::Real;
use hashfall_core::geometry::Aabb;
use hashfall_core::parallel::{self, CHUNK};

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
