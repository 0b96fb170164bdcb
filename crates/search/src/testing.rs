//! A structure with a fault, for tests of what watches structures.

use crate::choice::find_neighbors::FindNeighbors;
use crate::choice::verified::Verified;
use crate::contract::NeighborSearch;
use crate::lists::neighbor_lists::NeighborLists;
use crate::points::sorted_cells::SortedCells;
use hashfall_core::{Real, Vec3};

/// A structure that looks for neighbours in a ball of another size, by this factor.
#[derive(Debug)]
pub struct Broken(pub SortedCells, pub Real);

impl FindNeighbors for Broken {
    fn find_for(
        &mut self,
        points: &[Vec3],
        support_radius: Real,
        idle: &[bool],
        lists: &mut NeighborLists,
    ) {
        self.0.rebuild(points, support_radius * self.1);
        lists.build_for(&self.0, points, support_radius * self.1, idle);
    }
}

/// A watched structure that sees less far than it should.
pub fn short_sighted() -> Box<dyn FindNeighbors> {
    Box::new(Verified::new(Box::new(Broken(SortedCells::default(), 0.9))))
}
