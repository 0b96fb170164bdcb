//! The hierarchical hash for points, whose neighbours are found when they are inserted.
//!
//! Pouchol et al. 2009, §3.3.2 and listing 3. A cell's key is the sum of the hashes of its position
//! in every class from the largest down to its own (eq. 4), and each cell knows whether a smaller
//! one inside it holds anything (`hasChildren`). A point that is inserted walks down from the
//! largest class to the 27 cells of size h around it, leaves empty space at once, collects those of
//! the points inserted before it that are closer than h, and both get each other as neighbours.
//! Then it is entered itself (listing 1). Where points are few and far apart, most walks end at
//! the top.
//!
//! Deviations:
//! - For points the paper has no classes but h. Here they are h and one larger by each factor of
//!   [`FACTOR`], as long as the points extend over more than one such cell, [`MAX_CLASSES`] at
//!   most. A larger cell is 512 of the next: positions are shifted by bits, so cells nest exactly.
//! - Listing 3 walks 27 points, adds up a key for each, and meets the cells that they share up to
//!   27 times; it also removes points while it walks them. Here a box of cells walks down, each
//!   cell hands its key to those inside, and is met once because it has one parent.
//! - Listing 3 takes a distance of r for a neighbour; a neighbour here is closer than h.
//! - A key stands for a place in the table only; class and position are compared (n = ∞ in eq. 4).
//! - Pairs are noted as they are found, and sorted into lists of neighbours when all are.
//!
//! Insertion is sequential: what a point finds depends on who came before.
//!
//! `h` support radius = size of the smallest cells \[m\].

use crate::cells::cell_range::{CellRange, coarsened};
use crate::cells::cell_table::{CellTable, hash};
use crate::contract::{NeighborSearch, assert_cells, assert_count};
use hashfall_core::cell::{Cell, cell_of};
use hashfall_core::{Real, Vec3};

/// Doublings from one class to the next.
const FACTOR: u32 = 3;

/// The most classes.
const MAX_CLASSES: u32 = 5;

/// No point.
const NONE: u32 = u32::MAX;

/// Points in hashed cells of a few sizes, and the neighbours of each.
#[derive(Clone, Debug, Default)]
pub struct InsertionHash {
    cell_size: Real,
    /// The classes, as doublings of h; the last is the smallest, 0.
    classes: Vec<u32>,
    table: CellTable,
    /// The cell of each number in the table.
    cells: Vec<ClassCell>,
    /// For each point the one that was entered before it in its cell.
    before: Vec<u32>,
    /// For each point the neighbours among those inserted before it, one after the other.
    earlier: Vec<u32>,
    /// Where they end.
    earlier_ends: Vec<usize>,
    /// For each point its neighbours.
    neighbors: Vec<u32>,
    /// Where they begin; one entry more than points.
    starts: Vec<usize>,
}

/// A cell of some class.
#[derive(Clone, Copy, Debug)]
struct ClassCell {
    /// The place of its class among the classes.
    level: usize,
    position: Cell,
    has_children: bool,
    /// The last point that was entered here.
    last: u32,
}

impl NeighborSearch for InsertionHash {
    fn rebuild(&mut self, points: &[Vec3], support_radius: Real) {
        assert_count(points.len());
        assert_cells(points, support_radius);
        self.cell_size = support_radius;
        self.choose_classes(points);
        self.table.clear();
        self.cells.clear();
        self.before.clear();
        self.earlier.clear();
        self.earlier_ends.clear();
        let limit = support_radius * support_radius;
        for at in points {
            let mut earlier = std::mem::take(&mut self.earlier);
            self.candidates(at, |point| {
                if (at - points[point as usize]).norm_squared() < limit {
                    earlier.push(point);
                }
            });
            self.earlier = earlier;
            self.earlier_ends.push(self.earlier.len());
            self.insert(cell_of(at, support_radius));
        }
        self.collect_neighbors();
    }

    #[inline]
    fn candidates(&self, at: &Vec3, mut visit: impl FnMut(u32)) {
        let around = CellRange::around(cell_of(at, self.cell_size));
        self.visit_inside(None, &around, &mut visit);
    }

    /// Visits the neighbours of the point, without itself.
    #[inline]
    fn candidate_runs(&self, point: usize, _at: &Vec3, mut visit: impl FnMut(&[u32])) {
        visit(&self.neighbors[self.starts[point]..self.starts[point + 1]]);
    }

    fn bytes(&self) -> usize {
        self.table.bytes()
            + size_of_val(&self.cells[..])
            + size_of_val(&self.before[..])
            + size_of_val(&self.earlier[..])
            + size_of_val(&self.earlier_ends[..])
            + size_of_val(&self.neighbors[..])
            + size_of_val(&self.starts[..])
    }

    fn assert_well_formed(&self, points: &[Vec3]) {
        self.table.assert_well_formed();
        assert_eq!((self.before.len(), self.starts.len()), (points.len(), points.len() + 1));
        let mut held = vec![false; points.len()];
        for (number, cell) in (0..).zip(&self.cells) {
            let doublings = self.classes[cell.level];
            let key = self.key(cell.position.map(|c| c << doublings), cell.level);
            assert_eq!(self.find(key, cell.level, cell.position), Some(number));
            assert_eq!(cell.has_children, doublings > 0, "{cell:?}");
            assert_eq!(cell.last == NONE, doublings > 0, "{cell:?}");
            let mut point = cell.last;
            while point != NONE {
                assert_eq!(cell_of(&points[point as usize], self.cell_size), cell.position);
                assert!(!std::mem::replace(&mut held[point as usize], true), "{point} twice");
                point = self.before[point as usize];
            }
        }
        assert!(held.iter().all(|&held| held), "a point is missing");
    }
}

impl InsertionHash {
    /// Takes h and larger classes while the points extend over more than one cell.
    fn choose_classes(&mut self, points: &[Vec3]) {
        let none = [i32::MAX, i32::MIN];
        let ranges = points.iter().fold([none; 3], |ranges, at| {
            let cell = cell_of(at, self.cell_size);
            std::array::from_fn(|a| [ranges[a][0].min(cell[a]), ranges[a][1].max(cell[a])])
        });
        let edge = ranges.map(|[low, high]| i64::from(high) - i64::from(low) + 1);
        let longest = edge.into_iter().fold(1, i64::max);
        let is_needed = |&class: &u32| class == 0 || longest > 1 << (FACTOR * class);
        self.classes.clear();
        self.classes.extend((0..MAX_CLASSES).take_while(is_needed).map(|class| FACTOR * class));
        self.classes.reverse();
    }

    /// The key of the cell of the class at `level` that holds a cell of size h (eq. 4).
    fn key(&self, cell: Cell, level: usize) -> u64 {
        let classes = self.classes[..=level].iter();
        classes.fold(0, |key, &class| key.wrapping_add(hash(coarsened(cell, class))))
    }

    #[inline(always)]
    fn find(&self, key: u64, level: usize, position: Cell) -> Option<u32> {
        self.table.find(key, |number| self.cells[number as usize].is_at(level, position))
    }

    /// Enters the next point in its cell of size h; the larger cells around it get to know
    /// (listing 1).
    fn insert(&mut self, cell: Cell) {
        let mut key = 0u64;
        for (level, &class) in self.classes.iter().enumerate() {
            let position = coarsened(cell, class);
            key = key.wrapping_add(hash(position));
            let is_it = |number: u32| self.cells[number as usize].is_at(level, position);
            let (number, is_new) = self.table.find_or_insert(key, is_it);
            if is_new {
                self.cells.push(ClassCell { level, position, has_children: false, last: NONE });
            }
            let found = &mut self.cells[number as usize];
            if class > 0 {
                found.has_children = true;
            } else {
                let point = self.before.len() as u32;
                self.before.push(std::mem::replace(&mut found.last, point));
            }
        }
    }

    /// Visits the points of the cells of size h in a box that lie inside a larger cell, with its
    /// level and key, or anywhere (listing 3).
    fn visit_inside(
        &self,
        parent: Option<(usize, Cell, u64)>,
        around: &CellRange,
        visit: &mut impl FnMut(u32),
    ) {
        let level = parent.map_or(0, |(level, _, _)| level + 1);
        let Some(&class) = self.classes.get(level) else { return };
        let here = around.coarsened(class);
        let (covered, key) = match parent {
            None => (here, 0),
            Some((_, cell, key)) => (here.intersection(&CellRange::inside(cell, FACTOR)), key),
        };
        covered.for_each(|position| {
            let key = u64::wrapping_add(key, hash(position));
            let Some(number) = self.find(key, level, position) else { return };
            let ClassCell { has_children, mut last, .. } = self.cells[number as usize];
            while last != NONE {
                visit(last);
                last = self.before[last as usize];
            }
            if has_children {
                self.visit_inside(Some((level, position, key)), around, visit);
            }
        });
    }

    /// Gives both points of each pair to each other.
    fn collect_neighbors(&mut self) {
        let points = self.earlier_ends.len();
        self.starts.clear();
        self.starts.resize(points + 1, 0);
        let mut first = 0;
        for (point, &end) in self.earlier_ends.iter().enumerate() {
            self.starts[point] += end - first;
            self.earlier[first..end].iter().for_each(|&other| self.starts[other as usize] += 1);
            first = end;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.neighbors.resize(sum, 0);
        // Each start stands at the end of its list; filling backwards moves it to the beginning.
        let (neighbors, starts) = (&mut self.neighbors, &mut self.starts);
        let mut give = |to: u32, other: u32| {
            let start = &mut starts[to as usize];
            *start -= 1;
            neighbors[*start] = other;
        };
        for point in (0..points).rev() {
            let first = if point == 0 { 0 } else { self.earlier_ends[point - 1] };
            for &other in &self.earlier[first..self.earlier_ends[point]] {
                give(point as u32, other);
                give(other, point as u32);
            }
        }
    }
}

impl ClassCell {
    #[inline(always)]
    fn is_at(&self, level: usize, position: Cell) -> bool {
        self.position == position && self.level == level
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;

    #[test]
    fn classes_come_from_the_extent() {
        let mut hash = InsertionHash::default();
        for (far, classes) in [
            (0.5, &[0][..]),
            (3.5, &[0]),
            (8.5, &[3, 0]),
            (65.0, &[6, 3, 0]),
            (1e6, &[12, 9, 6, 3, 0]),
        ] {
            hash.rebuild(&[Vec3::zeros(), Vec3::new(far, 0.0, 0.0)], 1.0);
            assert_eq!(hash.classes, classes, "{far}");
        }
        hash.rebuild(&[], 1.0);
        assert_eq!(hash.classes, [0]);
    }

    #[test]
    fn cells_without_children_end_the_walk_and_each_place_is_looked_up_once() {
        let mut random = Random::new(3);
        let mut points: Vec<Vec3> = (0..400).map(|_| random.vec3(0.0, 6.0)).collect();
        points.push(Vec3::from_element(500.0));
        let mut hash = InsertionHash::default();
        hash.rebuild(&points, 1.0);
        hash.assert_well_formed(&points);
        // 27 cells in eight parents: no point comes twice.
        let mut seen = vec![0; points.len()];
        hash.candidates(&Vec3::from_element(4.0), |point| seen[point as usize] += 1);
        let in_27 = |p: &Vec3| p.iter().all(|x| (3.0..6.0).contains(x));
        for (point, &count) in points.iter().zip(&seen) {
            assert_eq!(count, usize::from(in_27(point)), "{point}");
        }
    }
}
