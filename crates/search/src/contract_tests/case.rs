//! Points with their lists by brute force, which every search must give.

use crate::BrutePoints;
use crate::contract::NeighborSearch;
use crate::lists::neighbor_lists::NeighborLists;
use hashfall_core::cell::{cell_key, cell_of};
use hashfall_core::parallel::{CHUNK, with_threads};
use hashfall_core::{Real, Vec3};

/// Points, and their lists by brute force.
pub(super) struct Case<'a> {
    points: &'a [Vec3],
    radius: Real,
    pub wanted: NeighborLists,
}

/// Lists without squared distances, and with them.
pub(super) fn both_lists() -> [NeighborLists; 2] {
    [NeighborLists::default(), NeighborLists::with_squares()]
}

impl<'a> Case<'a> {
    pub fn new(points: &'a [Vec3], radius: Real) -> Self {
        let (mut brute, mut wanted) = (BrutePoints::default(), NeighborLists::default());
        brute.rebuild(points, radius);
        wanted.build(&brute, points, radius);
        Case { points, radius, wanted }
    }

    /// A search gives the lists of brute force, and the squared distances to the bit.
    pub fn check<S: NeighborSearch>(
        &self,
        search: &mut S,
        lists: &mut [NeighborLists; 2],
        threads: usize,
        what: &str,
    ) {
        with_threads(threads, || {
            search.rebuild(self.points, self.radius);
            search.assert_well_formed(self.points);
            lists.iter_mut().for_each(|lists| lists.build(search, self.points, self.radius));
        });
        lists.iter().for_each(|found| self.assert_same(found, what));
        self.assert_squares(&lists[1], search.places(), what);
    }

    /// Says which pair two lists disagree on, and how far apart it is. The lists of points in order
    /// of cells are the same to the letter; others may have another order.
    fn assert_same(&self, found: &NeighborLists, what: &str) {
        let Case { points, radius, wanted } = self;
        assert_eq!((found.len(), found.pairs()), (wanted.len(), wanted.pairs()), "{what}");
        let is_sorted = points.is_sorted_by_key(|p| cell_key(cell_of(p, *radius)));
        for i in 0..points.len() {
            let mut list = found.of(i).to_vec();
            if !is_sorted {
                list.sort_unstable();
            }
            if list == wanted.of(i) {
                continue;
            }
            let is_in_one = |j: &&u32| found.of(i).contains(j) != wanted.of(i).contains(j);
            let j = found.of(i).iter().chain(wanted.of(i)).find(is_in_one);
            let apart = j.map(|&j| (points[i] - points[j as usize]).norm() / radius * 100.0);
            panic!("{what}: {i} and {j:?}, {apart:?} % of h apart; order, repetition or radius");
        }
    }

    fn assert_squares(&self, lists: &NeighborLists, places: &[u32], what: &str) {
        for (i, at) in self.points.iter().enumerate() {
            let place = place_of(places, i);
            let chunk = lists.chunk(place / CHUNK);
            let (list, squares, count) = chunk.blocks_of_pairs::<8>(place % CHUNK);
            assert_eq!(list.as_flattened()[..count], *lists.at(place), "{what}: blocks of {i}");
            for (&j, square) in lists.at(place).iter().zip(squares.as_flattened()) {
                let wanted = (at - self.points[j as usize]).norm_squared();
                assert_eq!(square.to_bits(), wanted.to_bits(), "{what}: of {i} and {j}");
            }
        }
    }
}

/// Where a search has put a point.
pub(super) fn place_of(places: &[u32], point: usize) -> usize {
    places.get(point).map_or(point, |&place| place as usize)
}
