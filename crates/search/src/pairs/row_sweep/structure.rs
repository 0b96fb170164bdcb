//! The classes of boxes and the sweep over their rows.

use super::axis::Axis;
use super::class::Class;
use super::lattice::{Lattice, MARGIN, crowd, half_edge};
use crate::boxes::box_records::BoxTest;
use crate::cells::radix_sort::RadixSort;
use crate::contract::{PairSearch, Visits, assert_boxes};
use crate::lanes::{self, Isa, LaneWork, Lanes};
use hashfall_core::geometry::Aabb;
use hashfall_core::parallel;
use rayon::slice::ParallelSliceMut;

/// Boxes in a cube of the widest one at which sizes are told apart: below, testing a few boxes in
/// vain costs less than looking into more rows.
const CROWD: f64 = 8.0;

/// The widths of a class, widest to narrowest.
const CLASS: f64 = 4.0;

/// How many times as many boxes as thought may share a cube before a class is made again.
const SURPRISE: f64 = 2.0;

/// Places that a task sweeps at a time.
const PIECE: usize = 2048;

/// Boxes by rows, in classes of like size.
#[derive(Debug, Default)]
pub struct RowSweep {
    /// Widest first.
    classes: Vec<Class>,
    sorter: RadixSort,
    /// Half the longest edge of each box, so that none overflows \[m\].
    half_edges: Vec<f64>,
    /// The boxes of the class in work.
    members: Vec<u32>,
}

impl PairSearch for RowSweep {
    fn rebuild(&mut self, boxes: &[Aabb]) {
        assert_boxes(boxes);
        let bounds = boxes.iter().fold(Aabb::EMPTY, |bounds, b| bounds.union(b));
        self.half_edges.resize(boxes.len(), 0.0);
        parallel::fill(&mut self.half_edges, |i, edge| *edge = half_edge(&boxes[i]));
        let mut classes = 0;
        let mut limit = f64::INFINITY;
        while let Some(widest) = self.widest_below(limit) {
            if self.classes.len() == classes {
                self.classes.push(Class::default());
            }
            let left = self.half_edges.iter().filter(|&&edge| edge < limit).count();
            let guess = crowd(&bounds, left, widest);
            let mut narrowest = self.choose_members(widest, limit, guess);
            let lattice = Lattice::even(&bounds, widest, guess);
            let class = &mut self.classes[classes];
            let counted = class.place(lattice, boxes, &self.members, &mut self.sorter);
            if counted > CROWD.max(SURPRISE * guess) {
                narrowest = self.choose_members(widest, limit, counted);
                let half_lows = |axis: usize| half_lows(boxes, &self.members, axis);
                let lattice = Lattice::cut(&bounds, widest, counted, half_lows);
                let class = &mut self.classes[classes];
                class.place(lattice, boxes, &self.members, &mut self.sorter);
            }
            limit = narrowest;
            classes += 1;
        }
        self.classes.truncate(classes);
    }

    fn pairs<V: Visits>(&self, visits: &V) -> Vec<V::Answer> {
        let isa = Isa::current();
        let pieces = self.pieces();
        let of_piece = |piece: usize| {
            let (class, first) = pieces[piece];
            let mut answer = visits.start();
            let visit = |a: u32, b: u32| visits.visit(&mut answer, a.min(b), a.max(b));
            lanes::run(isa, Piece { classes: &self.classes[..=class], first, visit });
            answer
        };
        parallel::map_pieces(pieces.len(), &of_piece)
    }

    fn bytes(&self) -> usize {
        let of_class = |class: &Class| {
            let of_axes: usize = class.lattice.axes.iter().map(Axis::bytes).sum();
            size_of_val(&class.boxes[..]) + size_of_val(&class.rows[..]) + of_axes
        };
        self.classes.iter().map(of_class).sum::<usize>()
            + self.sorter.bytes()
            + size_of_val(&self.half_edges[..])
            + size_of_val(&self.members[..])
    }

    fn assert_well_formed(&self, boxes: &[Aabb]) {
        let mut held = vec![false; boxes.len()];
        for class in &self.classes {
            for (k, &(row, first)) in class.rows.iter().enumerate() {
                let inside = &class.boxes[first as usize..class.row_end(k)];
                assert!(!inside.is_empty() && inside.is_sorted_by_key(|b| b.tag), "row {row}");
                for b in inside {
                    let [column, y, z] = class.lattice.cell(&b.bounds().min);
                    assert_eq!((class.lattice.row(y, z), column), (row, b.tag));
                    assert_eq!(b.bounds(), boxes[b.object as usize]);
                    assert!(half_edge(&b.bounds()) * (1.0 + MARGIN) <= class.lattice.half_width);
                    assert!(!std::mem::replace(&mut held[b.object as usize], true));
                }
            }
            assert!(class.rows.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1));
        }
        assert!(held.iter().all(|&held| held), "a box is missing");
    }
}

impl RowSweep {
    /// The longest half edge below `limit`; none if no box has such a one \[m\].
    fn widest_below(&self, limit: f64) -> Option<f64> {
        self.half_edges.iter().copied().filter(|&edge| edge < limit).reduce(f64::max)
    }

    /// Makes members of the boxes below `limit` that belong into a class with the widest of them,
    /// if as many share a cube of this width. Returns the least half edge of the class \[m\].
    fn choose_members(&mut self, widest: f64, limit: f64, crowd: f64) -> f64 {
        let takes_all = crowd <= CROWD || widest == 0.0;
        let narrowest = if takes_all { 0.0 } else { (widest / CLASS).next_up() };
        let is_member = |edge: f64| narrowest <= edge && edge < limit;
        self.members.clear();
        let members = (0..).zip(&self.half_edges).filter(|(_, edge)| is_member(**edge));
        self.members.extend(members.map(|(object, _)| object));
        narrowest
    }

    /// Classes, and the first places in them, where a task begins.
    fn pieces(&self) -> Vec<(usize, usize)> {
        let of_class = |(k, class): (usize, &Class)| {
            (0..class.len().div_ceil(PIECE)).map(move |piece| (k, piece * PIECE))
        };
        self.classes.iter().enumerate().flat_map(of_class).collect()
    }
}

/// Some places of the smallest of some classes, to meet those after them and all larger ones.
struct Piece<'a, F> {
    classes: &'a [Class],
    first: usize,
    visit: F,
}

impl<F: FnMut(u32, u32)> LaneWork for Piece<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        self.meet(lanes);
    }
}

impl<F: FnMut(u32, u32)> Piece<'_, F> {
    /// Visits the pairs that a test finds.
    #[inline(always)]
    fn meet<T: BoxTest>(mut self, test: T) {
        let Some((class, larger)) = self.classes.split_last() else { return };
        let places = self.first..class.len().min(self.first + PIECE);
        class.meet_each_other(test, places.clone(), &mut self.visit);
        for a in &class.boxes[places] {
            for larger in larger {
                larger.meet_smaller(test, a, |b| (self.visit)(a.object, b));
            }
        }
    }
}

/// Half of where some boxes begin on an axis, ascending \[m\].
fn half_lows(boxes: &[Aabb], members: &[u32], axis: usize) -> Vec<f64> {
    let half_low = |k: usize| 0.5 * f64::from(boxes[members[k] as usize].min[axis]);
    let mut lows = parallel::map(members.len(), half_low);
    lows.par_sort_unstable_by(f64::total_cmp);
    lows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boxes::box_records::{Corners, GROUP, Record};
    use crate::contract::ListPairs;
    use hashfall_core::geometry::random::Random;
    use hashfall_core::simd::Baseline;
    use hashfall_core::{Real, Vec3};
    use std::cell::Cell;
    use std::ops::Range;

    fn classes(sizes: Range<i32>, side: Real) -> Vec<usize> {
        let mut random = Random::new(1);
        let boxes: Vec<Aabb> = (0..5000)
            .map(|k| {
                let radius = f64::powi(2.0, sizes.start + k % sizes.len() as i32) as Real;
                Aabb::of_ball(&random.vec3(0.0, side), radius)
            })
            .collect();
        let mut search = RowSweep::default();
        search.rebuild(&boxes);
        search.classes.iter().map(Class::len).collect()
    }

    #[test]
    fn sizes_are_told_apart_only_where_small_boxes_crowd_in_large_cells() {
        assert_eq!(classes(0..1, 100.0), [5000]);
        assert_eq!(classes(0..1, 1.0), [5000], "crowded, but of one size");
        assert_eq!(classes(-4..1, 100.0), [5000], "few in each cell");
        assert_eq!(classes(-10..0, 0.8).len(), 3, "ten sizes");
    }

    /// Counts the boxes that it tests.
    #[derive(Clone, Copy)]
    struct Counting<'a>(&'a Cell<usize>);

    impl BoxTest for Counting<'_> {
        type Query = Corners;

        fn query(self, corners: &Corners) -> Corners {
            *corners
        }

        fn overlaps(self, record: &Record, query: Corners) -> bool {
            self.0.set(self.0.get() + 1);
            Baseline.overlaps(record, query)
        }

        fn overlapping_records(self, group: &[Record; GROUP], count: usize, query: Corners) -> u32 {
            self.0.set(self.0.get() + count);
            Baseline.overlapping_records(group, count, query)
        }
    }

    /// How many boxes a search tests for each box.
    fn tests_per_box(boxes: &[Aabb]) -> f64 {
        let mut search = RowSweep::default();
        search.rebuild(boxes);
        search.assert_well_formed(boxes);
        let tests = Cell::new(0);
        for (class, first) in search.pieces() {
            let classes = &search.classes[..=class];
            Piece { classes, first, visit: |_, _| () }.meet(Counting(&tests));
        }
        tests.get() as f64 / boxes.len() as f64
    }

    /// Boxes of an edge with their lowest corners in a cube.
    fn cluster(count: usize, edge: Real, [low, high]: [Real; 2]) -> Vec<Aabb> {
        let mut random = Random::new(1);
        let corners = (0..count).map(|_| random.vec3(low, high));
        corners.map(|corner| Aabb::new(corner, corner.add_scalar(edge))).collect()
    }

    #[test]
    fn few_boxes_are_tested_in_crowds_beside_empty_space() {
        let unit = [0.0, 1.0];
        // Enough for more pairs than a number of 32 bits.
        let even = cluster(70_000, 1e-3, unit);
        let outlier = |at: Real| cluster(1, 1e-3, [at, at]);
        let far_cluster = cluster(5000, 1e-3, [-1e6, -0.999e6]);
        let large = cluster(1, 1.0, [0.0, 0.0]);
        let sets = [
            ("even", even.clone()),
            ("a large box and an outlier", [even.clone(), large, outlier(1e3)].concat()),
            ("an outlier", [even.clone(), outlier(1e7)].concat()),
            ("outliers", [even.clone(), outlier(1e30), outlier(-1e9)].concat()),
            ("far clusters", [even, far_cluster].concat()),
            ("points", [cluster(70_000, 0.0, unit), outlier(1e30)].concat()),
            ("a halo", [cluster(5000, 1.0, [0.0, 20.0]), cluster(500, 20.0, [0.0, 1e5])].concat()),
        ];
        for (name, boxes) in sets {
            let tests = tests_per_box(&boxes);
            assert!(tests < 30.0, "{name}: {tests}");
        }
    }

    #[test]
    fn the_smallest_boxes_of_all_are_found() {
        let place = |n: u8| Vec3::from_element(Real::from(n) * Real::from_bits(4));
        let edge = Vec3::from_element(Real::from_bits(5));
        let boxes: Vec<Aabb> = (0..20).map(|n| Aabb::new(place(n), place(n) + edge)).collect();
        let mut search = RowSweep::default();
        search.rebuild(&boxes);
        search.assert_well_formed(&boxes);
        assert_eq!(search.pairs(&ListPairs).concat().len(), 19);
    }
}
