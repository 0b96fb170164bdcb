//! Particles by hash cells.
//!
//! Positions are sorted by the key of their cell, x lowest: a cell is a range of particles, and
//! neighbouring cells along x are one range. Coordinates are stored relative to the cell, in units
//! of h, as columns, so that [`surroundings`](crate::field::surroundings) copies and shifts eight
//! at a time.

use crate::field::ellipsoid::Ellipsoid;
use crate::field::grid::Grid;
use crate::field::symmetric::{IDENTITY, Symmetric};
use hashfall_core::cell::{Cell, cell_key, cell_of, cell_of_key};
use hashfall_core::kernel::{CubicSpline, SmoothingKernel};
use hashfall_core::{Dimension, Real, Vec3, parallel, to_f64};
use hashfall_search::CellSort;
use std::ops::Range;

/// How far two coordinates that mean the same plane may lie apart, in cells.
pub(crate) const ROUNDING: f64 = 1e-6;

/// What to add (wrapping) to a cell's key for that of the cell at an offset.
pub(crate) fn key_step(offset: Cell) -> u64 {
    cell_key(offset).wrapping_sub(cell_key([0; 3]))
}

/// Finds ascending keys in an ascending list, each from where the last was found.
#[derive(Clone, Copy, Default)]
pub(crate) struct Cursor(usize);

impl Cursor {
    /// The first place at which a key is not below `key`.
    #[inline]
    pub fn seek(&mut self, keys: &[u64], key: u64) -> usize {
        if self.0 > 0 && keys[self.0 - 1] >= key {
            self.0 = 0;
        }
        let mut stride = 1;
        while self.0 + stride < keys.len() && keys[self.0 + stride] < key {
            self.0 += stride;
            stride *= 2;
        }
        let ahead = &keys[self.0..keys.len().min(self.0 + stride + 1)];
        self.0 += ahead.partition_point(|&k| k < key);
        self.0
    }

    /// The place of a key.
    #[inline]
    pub fn find(&mut self, keys: &[u64], key: u64) -> Option<usize> {
        let at = self.seek(keys, key);
        (keys.get(at) == Some(&key)).then_some(at)
    }
}

/// The occupied cells by ascending key, and their particles.
pub(crate) struct Cells {
    keys: Vec<u64>,
    /// First particle of each cell, and the number of particles.
    starts: Vec<u32>,
    /// Coordinates relative to the cell \[h\].
    local: [Vec<Real>; 3],
    /// V · 16/(π h³), the factor of the kernel's [profile](super::profile); of anisotropic kernels
    /// det(M) times that.
    weight: Vec<Real>,
    /// The matrices M of [anisotropic](super::anisotropic_metric) kernels; empty if all are
    /// isotropic.
    metric: Symmetric<Vec<Real>>,
}

impl Cells {
    /// Scans particles that are sorted by cells of size h, with their volumes.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn scan(positions: &[Vec3], h: Real, volume: impl Fn(usize) -> Real + Sync) -> Self {
        let mut key_of = vec![0; positions.len()];
        parallel::fill(&mut key_of, |i, key| *key = cell_key(cell_of(&positions[i], h)));
        let mut cells = Cells::from_keys(&key_of);
        for (axis, column) in cells.local.iter_mut().enumerate() {
            parallel::fill(column, |i, x| {
                let cell = f64::from(cell_of_key(key_of[i])[axis]);
                *x = (to_f64(&positions[i])[axis] / f64::from(h) - cell) as Real;
            });
        }
        let peak = 2.0 * CubicSpline::new(Dimension::Three, h).value(0.0);
        parallel::fill(&mut cells.weight, |i, weight| *weight = volume(i) * peak);
        cells
    }

    /// Cells of particles with these keys, that lie in their cells' corners and weigh nothing.
    fn from_keys(key_of: &[u64]) -> Self {
        debug_assert!(key_of.is_sorted(), "positions are sorted by cells");
        let mut cells = Cells {
            keys: Vec::new(),
            starts: vec![0],
            local: [0; 3].map(|_| vec![0.0; key_of.len()]),
            weight: vec![0.0; key_of.len()],
            metric: Symmetric::default(),
        };
        let mut end = 0;
        for cell in key_of.chunk_by(|a, b| a == b) {
            end += cell.len() as u32;
            cells.keys.push(cell[0]);
            cells.starts.push(end);
        }
        cells
    }

    /// The same particles with anisotropic kernels, and the order that their shifts put them in.
    pub fn reshaped(&self, ellipsoids: &[Ellipsoid]) -> (Self, CellSort) {
        let mut keys = self.moved_keys(ellipsoids);
        let mut order = CellSort::default();
        order.sort(&keys);
        parallel::fill(&mut keys, |i, key| *key = order.at(i).0);
        let mut cells = Cells::from_keys(&keys);
        let place = |i: usize| order.at(i).1 as usize;
        for (axis, column) in cells.local.iter_mut().enumerate() {
            parallel::fill(column, |i, x| {
                let at = self.moved(&ellipsoids[place(i)], place(i))[axis];
                *x = at - at.floor();
            });
        }
        parallel::fill(&mut cells.weight, |i, weight| {
            *weight = self.weight[place(i)] * ellipsoids[place(i)].determinant;
        });
        for (entry, column) in cells.metric.iter_mut().enumerate() {
            *column = vec![0.0; keys.len()];
            parallel::fill(column, |i, x| *x = ellipsoids[place(i)].metric[entry]);
        }
        (cells, order)
    }

    /// The particles that `keep` accepts, alone, and their places here.
    pub fn only(&self, keep: impl Fn(usize) -> bool) -> (Self, Vec<usize>) {
        let mut places = Vec::new();
        let (mut keys, mut starts) = (Vec::new(), vec![0]);
        for (&key, range) in self.keys.iter().zip(self.starts.windows(2)) {
            let before = places.len();
            places.extend((range[0] as usize..range[1] as usize).filter(|&i| keep(i)));
            if places.len() > before {
                keys.push(key);
                starts.push(places.len() as u32);
            }
        }
        let picked = |column: &Vec<Real>| match column.is_empty() {
            true => Vec::new(),
            false => places.iter().map(|&i| column[i]).collect(),
        };
        let cells = Cells {
            keys,
            starts,
            local: self.local.each_ref().map(picked),
            weight: picked(&self.weight),
            metric: self.metric.each_ref().map(picked),
        };
        (cells, places)
    }

    /// Where the centre of a particle's kernel is, relative to the particle's cell \[h\].
    fn moved(&self, ellipsoid: &Ellipsoid, particle: usize) -> [Real; 3] {
        let at = self.within_cell(particle);
        [0, 1, 2].map(|axis| at[axis] + ellipsoid.shift[axis])
    }

    /// The keys of the cells in which the centres of kernels are.
    fn moved_keys(&self, ellipsoids: &[Ellipsoid]) -> Vec<u64> {
        let mut keys = Vec::with_capacity(ellipsoids.len());
        for (key, range) in self.keys.iter().zip(self.starts.windows(2)) {
            keys.extend((range[0] as usize..range[1] as usize).map(|i| {
                let at = self.moved(&ellipsoids[i], i);
                key.wrapping_add(key_step(at.map(|x| x.floor() as i32)))
            }));
        }
        keys
    }

    /// Whether all kernels are round.
    pub fn is_isotropic(&self) -> bool {
        self.metric[0].is_empty()
    }

    /// The weight of a particle if its kernel is round, and else none: the isotropic kernels alone
    /// bound the field from below.
    #[inline(always)]
    pub fn isotropic_weight(&self, particle: usize) -> Real {
        let is_round =
            self.is_isotropic() || self.metric.iter().map(|column| column[particle]).eq(IDENTITY);
        if is_round { self.weight[particle] } else { 0.0 }
    }

    /// The occupied cells: keys, and ranges of particles.
    pub fn all(&self) -> Vec<(u64, Range<usize>)> {
        parallel::map(self.keys.len(), |cell| self.at(cell))
    }

    /// The cells of a row along x, up to one more, found from where a cursor is.
    #[inline(always)]
    pub fn in_row(&self, cursor: &mut Cursor, from: Cell, to: i32) -> Range<usize> {
        let first = cursor.seek(&self.keys, cell_key(from));
        let end = cell_key([to, from[1], from[2]]);
        first..first + self.keys[first..].iter().take_while(|&&key| key <= end).count()
    }

    /// The key of a cell, and its particles.
    #[inline(always)]
    pub fn at(&self, cell: usize) -> (u64, Range<usize>) {
        (self.keys[cell], self.starts[cell] as usize..self.starts[cell + 1] as usize)
    }

    /// A column of the particles' coordinates relative to their cells \[h\].
    pub fn local(&self, axis: usize) -> &[Real] {
        &self.local[axis]
    }

    /// The matrices of anisotropic kernels; empty if all are round.
    pub fn metric(&self) -> &Symmetric<Vec<Real>> {
        &self.metric
    }

    /// The weights of all particles.
    pub fn weights(&self) -> &[Real] {
        &self.weight
    }

    /// A particle's coordinates relative to its cell \[h\].
    #[inline(always)]
    pub fn within_cell(&self, particle: usize) -> [Real; 3] {
        [self.local[0][particle], self.local[1][particle], self.local[2][particle]]
    }

    /// The keys of all blocks that a particle reaches, ascending: elsewhere the field is zero.
    pub fn reached_blocks(&self, grid: &Grid) -> Vec<u64> {
        let (h, edge) = (grid.h, grid.block_edge());
        // The blocks that a cell and what its particles reach overlap along an axis.
        let range = |cell: i32| {
            let low = (f64::from(cell) - 1.0) * h / edge;
            let high = (f64::from(cell) + 2.0) * h / edge;
            ((low + ROUNDING).floor() as i32, (high - ROUNDING).floor() as i32)
        };
        let most = (3.0 * h / edge).ceil() as i32 + 1;
        [0, 1, 2].into_iter().fold(self.keys.clone(), |keys, axis| {
            let mut all: Vec<u64> = Vec::with_capacity(keys.len() * 3);
            for j in 0..most {
                all.extend(keys.iter().filter_map(|&key| {
                    let mut cell = cell_of_key(key);
                    let (low, high) = range(cell[axis]);
                    cell[axis] = low + j;
                    (low + j <= high).then(|| cell_key(cell))
                }));
            }
            // Each run ascends: the stable sort merges them in linear time.
            all.sort();
            all.dedup();
            all
        })
    }
}
