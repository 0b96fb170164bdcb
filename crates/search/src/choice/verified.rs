//! A neighbour structure under watch: its lists are compared with brute force, a few at a time.
//!
//! After each search a sample of points is looked at, spread evenly over all and others each time,
//! so that after many steps few are left that never were. What the first difference is, is kept
//! for whoever runs the steps to ask for: a search cannot fail, and a panic is no message.

use crate::choice::find_neighbors::{FindNeighbors, WrongNeighbors};
use crate::lists::neighbor_lists::NeighborLists;
use hashfall_core::{Real, Vec3, parallel};

/// Points that are looked at after each search.
const SAMPLE: usize = 64;

/// A neighbour structure that is watched.
#[derive(Debug)]
pub(crate) struct Verified {
    watched: Box<dyn FindNeighbors>,
    searches: u64,
    fault: Option<WrongNeighbors>,
}

impl Verified {
    pub fn new(watched: Box<dyn FindNeighbors>) -> Self {
        Verified { watched, searches: 0, fault: None }
    }
}

impl FindNeighbors for Verified {
    fn find_for(
        &mut self,
        points: &[Vec3],
        support_radius: Real,
        idle: &[bool],
        lists: &mut NeighborLists,
    ) {
        self.watched.find_for(points, support_radius, idle, lists);
        self.searches += 1;
        if self.fault.is_none() {
            let is_listed = |i: &usize| !idle.get(*i).is_some_and(|idle| *idle);
            let sample = sample(points.len(), self.searches).filter(is_listed);
            let sample: Vec<usize> = sample.collect();
            let lists = &*lists;
            let compare =
                |k: usize| compare(points, support_radius, lists, sample[k], self.searches);
            let first = parallel::find_first(sample.len(), |k| compare(k).is_some());
            self.fault = first.and_then(compare);
        }
    }

    fn fault(&self) -> Option<WrongNeighbors> {
        self.fault
    }
}

/// The points to look at: one of each part of all points, which moves on by the golden ratio.
fn sample(points: usize, search: u64) -> impl Iterator<Item = usize> {
    let parts = points.min(SAMPLE);
    (0..parts).map(move |part| {
        let [first, end] = [part, part + 1].map(|part| points * part / parts);
        let turn = search.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        first + ((turn * (end - first) as u64) >> 32) as usize
    })
}

/// Compares the list of point `i` with that of brute force; tells the first difference.
fn compare(
    points: &[Vec3],
    support_radius: Real,
    lists: &NeighborLists,
    i: usize,
    search: u64,
) -> Option<WrongNeighbors> {
    let at = points[i];
    let is_near =
        |j: usize| j != i && (at - points[j]).norm_squared() < support_radius * support_radius;
    let wanted = (0..points.len()).filter(|&j| is_near(j)).map(|j| j as u32);
    let mut found = lists.of(i).to_vec();
    found.sort_unstable();
    let mut found = found.into_iter();
    let mut wanted = wanted;
    loop {
        let (other, is_missing) = match (found.next(), wanted.next()) {
            (None, None) => return None,
            (Some(a), Some(b)) if a == b => continue,
            (Some(a), Some(b)) => (a.min(b), b < a),
            (Some(a), None) => (a, false),
            (None, Some(b)) => (b, true),
        };
        let distance = points.get(other as usize).map_or(Real::NAN, |p| (at - p).norm());
        return Some(WrongNeighbors {
            search,
            point: i as u32,
            place: [0, 1, 2].map(|axis| at[axis].into()),
            other,
            distance: distance.into(),
            support_radius: support_radius.into(),
            is_missing,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::kinds::NeighborKind;
    use crate::choice::neighbor_choice::NeighborChoice;
    use crate::points::sorted_cells::SortedCells;
    use crate::testing::Broken;
    use hashfall_core::geometry::random::Random;

    fn cloud() -> Vec<Vec3> {
        let mut random = Random::new(21);
        (0..2000).map(|_| random.vec3(0.0, 1.0)).collect()
    }

    #[test]
    fn a_structure_that_is_right_has_no_fault() {
        let points = cloud();
        for kind in NeighborKind::ALL {
            let choice = NeighborChoice { is_verified: true, ..kind.into() };
            let mut search = choice.structure();
            for count in [2000, 3, 0, 1, 2000] {
                search.find(&points[..count], 0.15, &mut NeighborLists::default());
                assert_eq!(search.fault(), None, "{kind:?}");
            }
        }
    }

    #[test]
    fn who_is_not_idle_has_the_list_that_it_has_among_all() {
        let points = cloud();
        let is_idle = |i: usize| points[i].x < 0.4 || !i.is_multiple_of(3);
        let idle: Vec<bool> = (0..points.len()).map(is_idle).collect();
        for kind in NeighborKind::ALL {
            let [mut all, mut some] =
                [NeighborLists::with_squares(), NeighborLists::with_squares()];
            NeighborChoice::from(kind).structure().find(&points, 0.15, &mut all);
            NeighborChoice::from(kind).structure().find_for(&points, 0.15, &idle, &mut some);
            for i in (0..points.len()).filter(|&i| !idle[i]) {
                assert_eq!(some.of(i), all.of(i), "{kind:?}");
            }
        }
    }

    #[test]
    fn a_structure_that_misses_or_invents_neighbours_is_found_out() {
        let points = cloud();
        for (factor, is_missing, word) in [(0.9, true, "lacks"), (1.1, false, "should not hold")] {
            let mut search = Verified::new(Box::new(Broken(SortedCells::default(), factor)));
            search.find(&points, 0.15, &mut NeighborLists::default());
            let fault = search.fault().unwrap();
            assert_eq!((fault.search, fault.is_missing), (1, is_missing));
            assert_eq!(fault.distance < 0.15, is_missing, "{fault}");
            assert!(fault.to_string().contains(word), "{fault}");
        }
    }

    #[test]
    fn samples_are_spread_and_change() {
        let first: Vec<usize> = sample(1000, 1).collect();
        let second: Vec<usize> = sample(1000, 2).collect();
        assert_eq!(first.len(), SAMPLE);
        assert!(first.is_sorted_by(|a, b| a < b) && first != second);
        let mut seen = [false; 1000];
        (0..100).flat_map(|search| sample(1000, search)).for_each(|i| seen[i] = true);
        assert!(seen.iter().all(|&seen| seen));
        assert_eq!(sample(5, 9).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    }
}
