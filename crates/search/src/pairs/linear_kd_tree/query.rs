//! Boxes near a box: the cells around each part of the query, and those within.
//!
//! The array has no way from a cell to its parts (Poirrier 2009, §5.1), so each cell on the path
//! from the root to a part of the query is found by binary search, but for heights at which nothing
//! lies. What lies within is one run of the array.

use super::cells::Node;
use super::tree::LinearKdTree2;
use crate::contract::{BroadPhase, PairSearch};
use hashfall_core::Real;
use hashfall_core::geometry::Aabb;

impl BroadPhase for LinearKdTree2 {
    const IS_EXACT: bool = true;

    fn rebuild(&mut self, boxes: &[Aabb], _smallest: Real) {
        PairSearch::rebuild(self, boxes);
    }

    #[inline]
    fn candidates(&self, query: &Aabb, mut visit: impl FnMut(u32)) {
        self.visit_near(query, |place, deeper| {
            let b = &self.boxes[place];
            if b.overlaps(query) && self.is_lowest_shared(b, query, &deeper) {
                visit(self.parts[place].object);
            }
        });
    }

    fn examined(&self, query: &Aabb) -> usize {
        let mut count = 0;
        self.visit_near(query, |_, _| count += 1);
        count
    }

    fn bytes(&self) -> usize {
        PairSearch::bytes(self)
    }

    fn assert_well_formed(&self, boxes: &[Aabb]) {
        PairSearch::assert_well_formed(self, boxes);
    }
}

impl LinearKdTree2 {
    /// Visits the places of the parts whose cells lie around or in those of the query's parts, each
    /// with the smaller one of the two cells.
    #[inline]
    fn visit_near(&self, query: &Aabb, mut visit: impl FnMut(usize, Node)) {
        if query.is_empty() || !query.overlaps(&self.bounds) {
            return;
        }
        let inside = Aabb::new(query.min.sup(&self.bounds.min), query.max.inf(&self.bounds.max));
        for node in self.cut_box(self.cells.span(&inside)).nodes() {
            for outer in self.cells.path(node.number) {
                if outer.number == node.number || self.heights >> outer.height & 1 == 0 {
                    continue;
                }
                let first = self.first_from(outer.number);
                let places = (first..).zip(&self.parts[first..]);
                places.take_while(|(_, part)| part.node == outer).for_each(|(place, _)| {
                    visit(place, *node);
                });
            }
            let first = self.first_from(node.number);
            let places = (first..).zip(&self.parts[first..]);
            places
                .take_while(|(_, part)| part.node.number <= node.last())
                .for_each(|(place, part)| visit(place, part.node));
        }
    }
}
