//! Boxes in a broad phase as a scene chooses it, behind one call a query.
//!
//! A query costs many times the indirect call, so that the steps above are compiled once, not once
//! for each structure.

use crate::choice::kinds::{BroadPhaseKind, with_broad_phase};
use crate::contract::{BroadPhase, for_each_overlap};
use hashfall_core::Real;
use hashfall_core::geometry::Aabb;
use std::fmt::Debug;

/// Boxes that can be asked for.
pub trait BoxIndex: Debug + Send + Sync {
    /// The boxes, by number.
    fn boxes(&self) -> &[Aabb];

    /// Puts the numbers of the boxes that overlap `query` (touching counts) in place of `found`,
    /// ascending.
    fn overlapping(&self, query: &Aabb, found: &mut Vec<u32>) {
        found.clear();
        self.add_overlapping(query, found);
        found.sort_unstable();
    }

    /// Adds the numbers of the boxes that overlap `query` to `found`, in any order.
    fn add_overlapping(&self, query: &Aabb, found: &mut Vec<u32>);

    /// Indexes boxes in place of those so far: as many.
    ///
    /// # Panics
    /// If a box is not finite, or is empty.
    fn renew(&mut self, boxes: &mut dyn Iterator<Item = Aabb>);
}

/// Boxes in a broad phase.
#[derive(Debug)]
struct Indexed<B> {
    broad_phase: B,
    boxes: Vec<Aabb>,
    smallest: Real,
}

impl<B: BroadPhase + Debug> BoxIndex for Indexed<B> {
    fn boxes(&self) -> &[Aabb] {
        &self.boxes
    }

    fn add_overlapping(&self, query: &Aabb, found: &mut Vec<u32>) {
        for_each_overlap(&self.broad_phase, &self.boxes, query, |id| found.push(id));
    }

    fn renew(&mut self, boxes: &mut dyn Iterator<Item = Aabb>) {
        self.boxes.clear();
        self.boxes.extend(boxes);
        self.broad_phase.rebuild(&self.boxes, self.smallest);
    }
}

impl BroadPhaseKind {
    /// Indexes boxes, as [`BroadPhase::rebuild`].
    ///
    /// # Panics
    /// If a box is not finite, or is empty.
    pub fn index(self, boxes: Vec<Aabb>, smallest: Real) -> Box<dyn BoxIndex> {
        with_broad_phase!(self, Broad => {
            let mut broad_phase = Broad::default();
            BroadPhase::rebuild(&mut broad_phase, &boxes, smallest);
            Box::new(Indexed { broad_phase, boxes, smallest })
        })
    }
}
