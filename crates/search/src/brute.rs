//! Brute force: proposes everything. The oracle of every other structure.

use crate::contract::{BroadPhase, NeighborSearch, PairSearch, Visits, assert_cells, assert_count};
use hashfall_core::geometry::Aabb;
use hashfall_core::parallel;
use hashfall_core::{Real, Vec3};

/// Every point is a candidate.
#[derive(Clone, Debug, Default)]
pub struct BrutePoints {
    count: u32,
}

impl NeighborSearch for BrutePoints {
    fn rebuild(&mut self, points: &[Vec3], support_radius: Real) {
        assert_count(points.len());
        assert_cells(points, support_radius);
        self.count = points.len() as u32;
    }

    fn candidates(&self, _at: &Vec3, visit: impl FnMut(u32)) {
        (0..self.count).for_each(visit);
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
    }

    fn assert_well_formed(&self, points: &[Vec3]) {
        assert_eq!(self.count as usize, points.len());
    }
}

/// Every box is a candidate.
#[derive(Clone, Debug, Default)]
pub struct BruteBoxes {
    count: u32,
}

impl BroadPhase for BruteBoxes {
    fn rebuild(&mut self, boxes: &[Aabb], _smallest: Real) {
        crate::contract::assert_boxes(boxes);
        self.count = boxes.len() as u32;
    }

    fn candidates(&self, _query: &Aabb, visit: impl FnMut(u32)) {
        (0..self.count).for_each(visit);
    }

    fn examined(&self, _query: &Aabb) -> usize {
        self.count as usize
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
    }

    fn assert_well_formed(&self, boxes: &[Aabb]) {
        assert_eq!(self.count as usize, boxes.len());
    }
}

/// Every pair is a candidate.
#[derive(Clone, Debug, Default)]
pub struct BrutePairs {
    count: u32,
}

impl PairSearch for BrutePairs {
    const IS_EXACT: bool = false;

    fn rebuild(&mut self, boxes: &[Aabb]) {
        crate::contract::assert_boxes(boxes);
        self.count = boxes.len() as u32;
    }

    fn pairs<V: Visits>(&self, visits: &V) -> Vec<V::Answer> {
        let of_row = |row: usize| {
            let low = row as u32;
            let mut answer = visits.start();
            (low + 1..self.count).for_each(|high| visits.visit(&mut answer, low, high));
            answer
        };
        parallel::map_pieces(self.count as usize, &of_row)
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
    }

    fn assert_well_formed(&self, boxes: &[Aabb]) {
        assert_eq!(self.count as usize, boxes.len());
    }
}
