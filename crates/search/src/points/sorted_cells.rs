//! Sorted cells: points in the order of their cells, and nothing else.
//!
//! The default search, a structure of our own. Points are sorted by the key of their cell of size
//! h, x lowest, so that the 27 cells around a cell are nine *rows*, each a run of consecutive
//! points (as in [`CellIndex`](crate::CellIndex), after Onderik & Ďurikovič 2008, §4.2). What it
//! does without:
//!
//! - a table: the cells that hold points are a sorted array of keys. While cells are walked in
//!   order, the two ends of each of the nine rows only move forwards ([`Sweep`]), so finding them
//!   costs a few steps a cell, wherever the points lie;
//! - tests one by one: positions are kept as arrays of x, y and z in sorted order, a cell's rows
//!   are packed once for all its points ([`crate::lists::candidates`]), and each point is tested
//!   against
//!   16 of them at a time ([`crate::lanes`]);
//! - a sort, where points come sorted, as the world keeps them; else a radix sort.
//!
//! Lists are made by chunks of sorted places, in parallel and without locks; nothing is allocated
//! per point, nor for lists while no more room is needed than before.
//!
//! `h` support radius = cell size \[m\].

use crate::cells::cell_sort::CellSort;
use crate::cells::rows::{OccupiedCells, Sweep};
use crate::contract::{NeighborSearch, assert_count, refuse};
use crate::lanes::{self, Isa, LANES, LaneWork, Lanes, Positions};
use crate::lists::candidates::{Candidates, Names};
use crate::lists::chunk_lists::ChunkLists;
use hashfall_core::cell::{NO_KEY, cell_of, key_of_point};
use hashfall_core::parallel::{self, CHUNK, chunks, chunks_mut, for_parts};
use hashfall_core::{Real, Vec3};
use std::cell::RefCell;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Points in the order of their cells.
#[derive(Debug)]
pub struct SortedCells {
    isa: Isa,
    cell_size: Real,
    /// The key of each point's cell, in the order of the points, then of the places.
    keys: Vec<u64>,
    sorter: CellSort,
    /// The point at each place, and [`LANES`] numbers more; empty if points came sorted.
    order: Vec<u32>,
    /// The place of each point; empty, too, if points came sorted.
    places: Vec<u32>,
    positions: Positions,
    cells: OccupiedCells,
}

impl Default for SortedCells {
    fn default() -> Self {
        SortedCells::with_isa(Isa::current())
    }
}

impl NeighborSearch for SortedCells {
    fn rebuild(&mut self, points: &[Vec3], support_radius: Real) {
        assert_count(points.len());
        self.cell_size = support_radius;
        self.order.clear();
        self.places.clear();
        if !self.take_as_sorted(points) {
            self.sort();
            self.take_positions(points);
        }
        self.cells.rebuild(&self.keys);
    }

    fn candidates(&self, at: &Vec3, mut visit: impl FnMut(u32)) {
        for run in self.cells.runs_around(cell_of(at, self.cell_size)) {
            (run.first..run.end).for_each(|place| visit(self.point_at(place)));
        }
    }

    fn list(
        &self,
        _: &[Vec3],
        places: Range<usize>,
        limit: Real,
        idle: &[bool],
        out: &mut ChunkLists,
    ) {
        if out.keeps_squares() {
            lanes::run(self.isa, ListPlaces::<true> { of: self, places, limit, idle, out });
        } else {
            lanes::run(self.isa, ListPlaces::<false> { of: self, places, limit, idle, out });
        }
    }

    fn places(&self) -> &[u32] {
        &self.places
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.keys[..])
            + self.sorter.bytes()
            + size_of_val(&self.order[..])
            + size_of_val(&self.places[..])
            + self.positions.bytes()
            + self.cells.bytes()
    }

    fn assert_well_formed(&self, points: &[Vec3]) {
        self.cells.assert_well_formed(&self.keys);
        assert_eq!((self.keys.len(), self.positions.len()), (points.len(), points.len()));
        let is_sorted = self.order.is_empty() && self.places.is_empty();
        let len = points.len();
        assert!(is_sorted || (self.order.len(), self.places.len()) == (len + LANES, len));
        let mut held = vec![false; points.len()];
        for place in 0..points.len() {
            let point = self.point_at(place as u32) as usize;
            assert_eq!(self.keys[place], key_of_point(&points[point], self.cell_size));
            assert_eq!(self.positions.at(place), points[point]);
            assert_eq!(self.places.get(point).map_or(point, |&p| p as usize), place);
            assert!(!std::mem::replace(&mut held[point], true), "{point} twice");
        }
    }
}

impl SortedCells {
    /// A search that uses these instructions.
    pub(crate) fn with_isa(isa: Isa) -> Self {
        SortedCells {
            isa,
            cell_size: 1.0,
            keys: Vec::new(),
            sorter: CellSort::default(),
            order: Vec::new(),
            places: Vec::new(),
            positions: Positions::default(),
            cells: OccupiedCells::default(),
        }
    }

    /// Takes keys and positions in the order in which the points are; returns whether that is the
    /// order of the keys.
    fn take_as_sorted(&mut self, points: &[Vec3]) -> bool {
        let SortedCells { keys, positions, cell_size, .. } = self;
        keys.resize(points.len(), 0);
        let [x, y, z] = positions.resize(points.len());
        let (is_unsorted, lacks_key) = (AtomicBool::new(false), AtomicBool::new(false));
        let (x, y, z) = (chunks_mut(x, CHUNK), chunks_mut(y, CHUNK), chunks_mut(z, CHUNK));
        let parts = (chunks_mut(keys, CHUNK), chunks(points, CHUNK), x, y, z);
        for_parts(parts, |_, (keys, points, x, y, z)| {
            for (k, (key, p)) in keys.iter_mut().zip(points).enumerate() {
                *key = key_of_point(p, *cell_size);
                (x[k], y[k], z[k]) = (p.x, p.y, p.z);
            }
            is_unsorted.fetch_or(!keys.is_sorted(), Ordering::Relaxed);
            lacks_key.fetch_or(keys.contains(&NO_KEY), Ordering::Relaxed);
        });
        if lacks_key.into_inner() {
            refuse(points, *cell_size);
        }
        let is_seam_sorted = |seam: usize| keys[seam - 1] <= keys[seam];
        !is_unsorted.into_inner() && (CHUNK..keys.len()).step_by(CHUNK).all(is_seam_sorted)
    }

    /// Orders the points by key, ties by index.
    fn sort(&mut self) {
        let SortedCells { keys, sorter, order, places, .. } = self;
        sorter.sort(keys);
        order.resize(keys.len() + LANES, 0);
        places.resize(keys.len(), 0);
        let (points, _) = order.split_at_mut(keys.len());
        parallel::fill_both(keys, points, |place, key, point| (*key, *point) = sorter.at(place));
        for (place, &mut point) in (0..).zip(points) {
            places[point as usize] = place;
        }
    }

    /// Copies the positions in the order of the places.
    fn take_positions(&mut self, points: &[Vec3]) {
        let order = &self.order;
        let [x, y, z] = self.positions.resize(points.len());
        let parts = (chunks_mut(x, CHUNK), chunks_mut(y, CHUNK), chunks_mut(z, CHUNK));
        for_parts(parts, |chunk, (x, y, z)| {
            for k in 0..x.len() {
                let place = chunk * CHUNK + k;
                let p = &points[order.get(place).map_or(place, |&point| point as usize)];
                (x[k], y[k], z[k]) = (p.x, p.y, p.z);
            }
        });
    }

    #[inline(always)]
    fn point_at(&self, place: u32) -> u32 {
        self.order.get(place as usize).copied().unwrap_or(place)
    }
}

thread_local! {
    /// Kept between chunks, so that they cost no memory of their own.
    static CANDIDATES: RefCell<Candidates> = RefCell::default();
}

/// Makes the lists of some places, with the squared distances or without.
struct ListPlaces<'a, const SQUARES: bool> {
    of: &'a SortedCells,
    places: Range<usize>,
    limit: Real,
    /// Points that need no list; empty if all do.
    idle: &'a [bool],
    out: &'a mut ChunkLists,
}

impl<const SQUARES: bool> LaneWork for ListPlaces<'_, SQUARES> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let ListPlaces { of, places, limit, idle, out } = self;
        let mut candidates = CANDIDATES.take();
        let names = if of.order.is_empty() { Names::Places } else { Names::Points(&of.order) };
        let is_idle = |place: u32| idle.get(of.point_at(place) as usize).is_some_and(|idle| *idle);
        let mut sweep = Sweep::from(&of.cells, places.start as u32);
        while let Some((cell, around)) = sweep.next_cell(places.end as u32) {
            if !idle.is_empty() && cell.clone().all(is_idle) {
                cell.for_each(|_| out.close(0));
                continue;
            }
            // SAFETY: the sweep gives places, and the order has LANES numbers more than places.
            unsafe { candidates.gather(lanes, &of.positions, &around, &cell, limit, names) };
            for place in cell {
                let at = of.positions.at(place as usize);
                candidates.without(place, |candidates| {
                    let bits = candidates.bits();
                    let (room, values) = out.room(LANES * (bits.len() + 1));
                    let (room, values) = (room.as_mut_ptr(), values.as_mut_ptr());
                    let mut kept = 0;
                    for (line, &among) in bits.iter().enumerate() {
                        // SAFETY: a line is 16 numbers. There is room for the 16 of every line, and
                        // for 16 more behind the kept.
                        unsafe {
                            let ([x, y, z], places) = candidates.line(line);
                            let points = [lanes.load(x), lanes.load(y), lanes.load(z)];
                            let squares = lanes.squares(points, &at);
                            let near = lanes.below(squares, limit, u32::from(among));
                            lanes.push_places(near, lanes.load_places(places), room.add(kept));
                            if SQUARES {
                                lanes.push(near, squares, values.add(kept));
                            }
                            kept += near.count_ones() as usize;
                        }
                    }
                    out.close(kept);
                });
            }
        }
        CANDIDATES.set(candidates);
    }
}
