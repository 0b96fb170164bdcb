//! Sweep and prune within the rows of a grid: the default for pairs of boxes.
//!
//! Sweep and prune alone (Baraff 1992; Poirrier 2009, §6) meets all boxes that overlap along one
//! axis, however far apart they are on the others. Here space is cut into rows along x, as wide as
//! the largest box, and boxes are sorted by the row of their lowest corner and by *columns* along
//! it. Boxes that overlap have lowest corners in the same row or in rows side by side, so a box
//! meets those after it in its own row and, in four of the eight rows around, those within a box's
//! width: each pair once. Windows in the other rows only move forwards. One radix sort of short
//! keys is all there is to build; boxes lie in the order in which they are met, and are tested four
//! at a time ([`box_records`]).
//!
//! Boxes of very different sizes: where more than [`CROWD`] boxes would share a cube of the widest
//! one, the boxes wider than a quarter of it make a *class* with rows of their own, and so on with
//! those that are left. A box then also meets the larger classes, in the rows that it may touch.
//!
//! # Rounding
//!
//! With w the widest edge and rows of c ≥ w (1 + [`MARGIN`]), let a and b be lowest corners of
//! boxes that overlap: a ≥ b − w, so a/c ≥ b/c − 1 + MARGIN/2. Quotients are below 2²³ and wrong by
//! less than 2⁻²⁹, so ⌊a/c⌋ ≥ ⌊b/c⌋ − 1. Columns are 2ᵏ c wide; the same holds for them if k ≥ 0,
//! else the difference is 2⁻ᵏ columns, the *lookback*.
//!
//! `c` width of a row \[m\].

use super::box_records::{self, BoxLoop, BoxTest, GROUP, Record};
use super::radix_sort::RadixSort;
use super::{PairSearch, Visits, assert_boxes};
use crate::base::isa::Isa;
use crate::base::{Real, Vec3, parallel};
use crate::geometry::Aabb;
use rayon::prelude::*;
use std::ops::Range;

/// Boxes in a cube of the widest one at which sizes are told apart: below, testing a few boxes in
/// vain costs less than looking into more rows.
const CROWD: f64 = 8.0;

/// The widths of a class, widest to narrowest.
const CLASS: f64 = 4.0;

/// Boxes that a column of a row should hold: coarse columns sort faster, fine ones spare tests.
const COLUMN_CROWD: f64 = 0.4;

/// The widest and the narrowest columns, in widths of a row.
const COLUMNS: [f64; 2] = [2.0, 0.125];

/// Boxes that are tested together.
const AT_ONCE: usize = 4;

/// How much wider than the widest box a row is, as a part of it.
const MARGIN: f64 = 1e-6;

/// The most rows along an axis, so that keys and quotients stay short.
const MOST_ROWS: f64 = (1 << 20) as f64;

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

/// Boxes of like size.
#[derive(Debug, Default)]
struct Class {
    lattice: Lattice,
    /// By row, then column, which is the tag; then some that overlap nothing.
    boxes: Vec<Record>,
    /// The rows that hold boxes, ascending, each with its first place.
    rows: Vec<(u64, u32)>,
}

impl PairSearch for RowSweep {
    fn rebuild(&mut self, boxes: &[Aabb]) {
        assert_boxes(boxes);
        let bounds = boxes.iter().fold(Aabb::EMPTY, |bounds, b| bounds.union(b));
        self.half_edges.resize(boxes.len(), 0.0);
        parallel::fill(&mut self.half_edges, |i, edge| *edge = half_edge(&boxes[i]));
        let mut classes = 0;
        let mut narrowest = f64::INFINITY;
        while let Some(widest) = self.widest_below(narrowest) {
            let left = self.half_edges.iter().filter(|&&edge| edge < narrowest).count();
            let crowd = crowd(&bounds, left, widest);
            let is_last = crowd <= CROWD || widest == 0.0;
            let range = if is_last { 0.0 } else { (widest / CLASS).next_up() }..narrowest;
            narrowest = range.start;
            self.members.clear();
            let members = (0..).zip(&self.half_edges).filter(|(_, edge)| range.contains(*edge));
            self.members.extend(members.map(|(object, _)| object));
            if self.classes.len() == classes {
                self.classes.push(Class::default());
            }
            let lattice = Lattice::new(&bounds, widest, crowd);
            self.classes[classes].place(lattice, boxes, &self.members, &mut self.sorter);
            classes += 1;
        }
        self.classes.truncate(classes);
    }

    fn pairs<V: Visits>(&self, visits: &V) -> Vec<V::Answer> {
        let pieces = |(k, class): (usize, &Class)| {
            (0..class.len().div_ceil(PIECE)).map(move |piece| (k, piece * PIECE))
        };
        let pieces: Vec<(usize, usize)> =
            self.classes.iter().enumerate().flat_map(pieces).collect();
        let isa = Isa::of_this_cpu();
        let of_piece = |(class, first)| {
            let mut answer = visits.start();
            let visit = |a: u32, b: u32| visits.visit(&mut answer, a.min(b), a.max(b));
            box_records::run(isa, Piece { classes: &self.classes[..=class], first, visit });
            answer
        };
        pieces.into_par_iter().map(of_piece).collect()
    }

    fn bytes(&self) -> usize {
        let of_class = |class: &Class| size_of_val(&class.boxes[..]) + size_of_val(&class.rows[..]);
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
}

impl Class {
    /// Sorts boxes by their rows and columns.
    fn place(&mut self, lattice: Lattice, boxes: &[Aabb], members: &[u32], sorter: &mut RadixSort) {
        let column_bits = bits_of(lattice.highest[0]);
        let key = |k: usize| {
            let [column, y, z] = lattice.cell(&boxes[members[k] as usize].min);
            lattice.row(y, z) << column_bits | u64::from(column)
        };
        let rows = lattice.row(lattice.highest[1], lattice.highest[2]);
        let row_bits = u64::BITS - rows.leading_zeros();
        sorter.sort_by_key(members.len(), row_bits + column_bits, key);
        self.boxes.resize(members.len(), Record::NOTHING);
        parallel::fill(&mut self.boxes, |place, record| {
            let object = members[sorter.item(place) as usize];
            let column = (sorter.key(place) & ((1 << column_bits) - 1)) as u32;
            *record = Record::new(&boxes[object as usize], object, column);
        });
        self.boxes.resize(members.len() + GROUP, Record::NOTHING);
        self.rows.clear();
        for place in 0..members.len() {
            let row = sorter.key(place) >> column_bits;
            if self.rows.last().is_none_or(|last| last.0 != row) {
                self.rows.push((row, place as u32));
            }
        }
        self.lattice = lattice;
    }

    /// The number of boxes.
    fn len(&self) -> usize {
        self.boxes.len().saturating_sub(GROUP)
    }

    /// The place behind the last one of a row that holds boxes.
    #[inline(always)]
    fn row_end(&self, row: usize) -> usize {
        self.rows.get(row + 1).map_or(self.len(), |next| next.1 as usize)
    }

    /// Where the boxes of a row begin and end, if it holds some.
    fn places_of(&self, row: u64) -> Range<usize> {
        let k = self.rows.partition_point(|it| it.0 < row);
        match self.rows.get(k) {
            Some(it) if it.0 == row => it.1 as usize..self.row_end(k),
            _ => 0..0,
        }
    }

    /// Meets the boxes at some places with those of the class that come after them and may
    /// overlap.
    #[inline(always)]
    fn meet_each_other<T: BoxTest>(
        &self,
        test: T,
        places: Range<usize>,
        visit: &mut impl FnMut(u32, u32),
    ) {
        let mut row = self.rows.partition_point(|it| it.1 as usize <= places.start) - 1;
        let mut first = places.start;
        while first < places.end {
            let end = self.row_end(row);
            let mut around = self.lattice.rows_after(self.rows[row].0).map(|r| self.places_of(r));
            for place in first..end.min(places.end) {
                let a = &self.boxes[place];
                let query = test.query(&a.corners());
                let last = self.lattice.column(a.end());
                self.meet_run(test, place + 1..end, query, last, |b| visit(a.object, b));
                for there in &mut around {
                    self.skip_columns(there, a.tag);
                    self.meet_run(test, there.clone(), query, last, |b| visit(a.object, b));
                }
            }
            first = end;
            row += 1;
        }
    }

    /// Passes over the boxes of a row that begin too low for one that begins in `column`.
    #[inline(always)]
    fn skip_columns(&self, places: &mut Range<usize>, column: u32) {
        let lowest = column.saturating_sub(self.lattice.lookback);
        let is_below = |place: usize| (place < places.end) & (self.boxes[place].tag < lowest);
        let mut first = places.start;
        // Mostly no more than two steps, taken or not at random: without branches.
        first += usize::from(is_below(first));
        first += usize::from(is_below(first));
        while is_below(first) {
            first += 1;
        }
        places.start = first;
    }

    /// Tests the boxes at some places, which ascend by column, up to the column `last`.
    #[inline(always)]
    fn meet_run<T: BoxTest>(
        &self,
        test: T,
        places: Range<usize>,
        query: T::Query,
        last: u32,
        mut hit: impl FnMut(u32),
    ) {
        let mut first = places.start;
        while first < places.end {
            if let Some(group) = self.boxes[first..].first_chunk() {
                let count = (places.end - first).min(AT_ONCE);
                let mut hits = test.overlapping(group, count, query);
                while hits != 0 {
                    hit(group[hits.trailing_zeros() as usize].object);
                    hits &= hits - 1;
                }
            }
            first += AT_ONCE;
            // The first few are tested without a look at their columns, which is a guess.
            if first < places.end && self.boxes[first].tag > last {
                break;
            }
        }
    }

    /// Meets a box of a smaller class.
    #[inline(always)]
    fn meet_smaller<T: BoxTest>(&self, test: T, a: &Record, mut hit: impl FnMut(u32)) {
        let (bounds, query) = (a.bounds(), test.query(&a.corners()));
        let [low, high] = [&bounds.min, &bounds.max].map(|corner| self.lattice.cell(corner));
        for z in low[2].saturating_sub(1)..=high[2] {
            // Rows of one z follow each other.
            let [first, last] = [low[1].saturating_sub(1), high[1]].map(|y| self.lattice.row(y, z));
            let mut k = self.rows.partition_point(|it| it.0 < first);
            while k < self.rows.len() && self.rows[k].0 <= last {
                let (start, end) = (self.rows[k].1 as usize, self.row_end(k));
                let row = &self.boxes[start..end];
                let lowest = low[0].saturating_sub(self.lattice.lookback);
                let from = start + row.partition_point(|b| b.tag < lowest);
                self.meet_run(test, from..end, query, high[0], &mut hit);
                k += 1;
            }
        }
    }
}

/// Some places of the smallest of some classes, to meet those after them and all larger ones.
struct Piece<'a, F> {
    classes: &'a [Class],
    first: usize,
    visit: F,
}

impl<F: FnMut(u32, u32)> BoxLoop for Piece<'_, F> {
    type Answer = ();

    #[inline(always)]
    fn run<T: BoxTest>(mut self, test: T) {
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

/// How space is cut into columns, rows along y, and rows along z.
#[derive(Clone, Debug, Default)]
struct Lattice {
    /// Half the lowest corner, so that no difference overflows \[m\].
    half_origin: [f64; 3],
    /// Columns, and rows on y and z, in twice a metre \[1/m\].
    scale: [f64; 3],
    /// The highest column, and row on y and z.
    highest: [u32; 3],
    /// c/2 \[m\].
    half_width: f64,
    /// How many columns lower than another box a box may begin that overlaps it.
    lookback: u32,
}

impl Lattice {
    /// For boxes within `bounds` none of which is wider than twice `half_edge`; `crowd` of them
    /// share a cube as wide.
    fn new(bounds: &Aabb, half_edge: f64, crowd: f64) -> Self {
        let longest = self::half_edge(bounds);
        let half_width = (half_edge * (1.0 + 2.0 * MARGIN)).max(longest / MOST_ROWS);
        let rows = if half_width > 0.0 { 1.0 / half_width } else { 0.0 };
        let mut column = COLUMNS[0];
        while column > COLUMNS[1] && column * crowd > COLUMN_CROWD {
            column /= 2.0;
        }
        let mut lattice = Lattice {
            half_origin: [0, 1, 2].map(|a| 0.5 * f64::from(bounds.min[a])),
            scale: [rows / column, rows, rows],
            highest: [u32::MAX; 3],
            half_width,
            lookback: (1.0 / column).ceil() as u32,
        };
        lattice.highest = lattice.cell(&bounds.max);
        lattice
    }

    /// The column and the rows of a place within the bounds.
    #[inline(always)]
    fn cell(&self, at: &Vec3) -> [u32; 3] {
        [0, 1, 2].map(|a| ((0.5 * f64::from(at[a]) - self.half_origin[a]) * self.scale[a]) as u32)
    }

    /// The column of a place.
    #[inline(always)]
    fn column(&self, x: Real) -> u32 {
        ((0.5 * f64::from(x) - self.half_origin[0]) * self.scale[0]) as u32
    }

    /// The number of a row.
    #[inline(always)]
    fn row(&self, y: u32, z: u32) -> u64 {
        u64::from(z) * self.rows_of_y() + u64::from(y)
    }

    /// One more than there are, so that the row beyond the last is none of the next z.
    #[inline(always)]
    fn rows_of_y(&self) -> u64 {
        u64::from(self.highest[1]) + 2
    }

    /// Of the eight rows around one those with higher numbers.
    fn rows_after(&self, row: u64) -> [u64; 4] {
        let next_z = row + self.rows_of_y();
        // In the first row on y the one before is beyond the last of the z before, and empty.
        [row + 1, next_z - 1, next_z, next_z + 1]
    }
}

/// Half the longest edge of a box \[m\].
fn half_edge(b: &Aabb) -> f64 {
    half_extent(b).into_iter().fold(0.0, f64::max)
}

/// Half of each edge, which does not overflow \[m\].
fn half_extent(b: &Aabb) -> [f64; 3] {
    [0, 1, 2].map(|a| 0.5 * f64::from(b.max[a]) - 0.5 * f64::from(b.min[a]))
}

/// How many of `count` boxes spread over `bounds` share a cube of which this is half an edge.
fn crowd(bounds: &Aabb, count: usize, half_edge: f64) -> f64 {
    let part = |extent: f64| if extent > half_edge { half_edge / extent } else { 1.0 };
    count as f64 * half_extent(bounds).map(part).iter().product::<f64>()
}

fn bits_of(number: u32) -> u32 {
    u32::BITS - number.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::Random;

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

    #[test]
    fn rows_beside_the_ends_hold_nothing() {
        let bounds = Aabb::new(Vec3::zeros(), Vec3::new(9.5, 4.5, 3.5));
        let lattice = Lattice::new(&bounds, 0.5, 0.1);
        let row = |y, z| lattice.row(y, z);
        let last = lattice.highest[1];
        assert_eq!(lattice.highest, [4, 4, 3]);
        let real: Vec<u64> = (0..4).flat_map(|z| (0..=last).map(move |y| row(y, z))).collect();
        assert!(real.is_sorted_by(|a, b| a < b));
        let after =
            |y, z| lattice.rows_after(row(y, z)).iter().filter(|r| real.contains(r)).count();
        assert_eq!((after(0, 0), after(2, 0), after(last, 0), after(last, 3)), (3, 4, 2, 0));
    }
}
