//! Sums over the neighbours of each particle: densities and weighted neighbour counts.
//!
//! Cells of size h are processed in short rows along x. The nine rows of cells around such a row
//! are copied once for all its particles. The weighted neighbour count is n = Σⱼ (1 − |xᵢ − xⱼ|/h)
//! over the other particles (Löschner et al. 2023): about 7.6 inside a fluid with h = 2d (d
//! particle distance), and less in thin sheets and spray.

use crate::field::cells::{Cells, Cursor};
use crate::field::lanes::{FAR, LANES, eight, square};
use crate::field::profile;
use crate::slices::split;
use hashfall_core::Real;
use hashfall_core::cell::{CELL_LIMIT, cell_key, cell_of_key};
use hashfall_core::parallel::{chunks, for_parts, items_mut};
use hashfall_core::simd::{F32x8, Isa, Simd, WithSimd, sum_lanes};
use std::marker::PhantomData;
use std::ops::Range;

/// Cells that a task takes: neighbours along x, which share most of their surroundings.
const CHUNK: usize = 256;

/// The most cells of a row that share what is around them.
const MAX_ROW_CELLS: usize = 16;

/// A term of N numbers that is summed over the neighbours of each particle.
pub(crate) trait Term<const N: usize>: Sync {
    /// The terms of eight particles at distances \[h\], with weights. No closure: those are not
    /// compiled for an instruction set.
    fn at<V: F32x8>(distance: [V; 3], weight: V) -> [V; N];
}

/// w f(q).
struct Kernel;

impl Term<1> for Kernel {
    #[inline(always)]
    fn at<V: F32x8>(distance: [V; 3], weight: V) -> [V; 1] {
        [weight * profile::value(square(distance).sqrt())]
    }
}

/// (1 − q)₊.
struct Cone;

impl Term<1> for Cone {
    #[inline(always)]
    fn at<V: F32x8>(distance: [V; 3], weight: V) -> [V; 1] {
        [(weight.splat(1.0) - square(distance).sqrt()).max(weight.splat(0.0))]
    }
}

/// Σⱼ wⱼ f(|xᵢ − xⱼ|/h) with the weights of the cells.
pub(crate) fn densities(isa: Isa, cells: &Cells) -> Vec<Real> {
    sums::<Kernel, 1>(isa, cells).into_flattened()
}

/// The weighted numbers of neighbours.
pub(crate) fn weighted_counts(isa: Isa, cells: &Cells) -> Vec<Real> {
    let mut counts = sums::<Cone, 1>(isa, cells).into_flattened();
    // Each has counted itself.
    counts.iter_mut().for_each(|count| *count -= 1.0);
    counts
}

/// The weighted number of neighbours in a lattice whose distance goes so often into h.
pub(crate) fn inside(distances: Real) -> Real {
    let far = distances.ceil().min(MAX_LATTICE_DISTANCES) as i32;
    let axis = || -far..=far;
    let squares = axis().flat_map(|z| axis().flat_map(move |y| axis().map(move |x| [x, y, z])));
    let term = |at: [i32; 3]| {
        let square: i32 = at.iter().map(|i| i * i).sum();
        (1.0 - (square as Real).sqrt() / distances).max(0.0)
    };
    squares.map(term).sum::<Real>() - 1.0
}

/// The most distances that are counted: a sum over 41³ points.
pub(crate) const MAX_LATTICE_DISTANCES: Real = 20.0;

/// Sums of terms at all particles.
pub(crate) fn sums<T: Term<N>, const N: usize>(isa: Isa, cells: &Cells) -> Vec<[Real; N]> {
    let all = cells.all();
    let mut sums = vec![[0.0; N]; cells.weights().len()];
    let counts = all.chunks(CHUNK).map(|cells| cells.iter().map(|(_, range)| range.len()).sum());
    let mut parts = split(&mut sums, counts);
    for_parts((chunks(&all, CHUNK), items_mut(&mut parts)), |_, (all, sums)| {
        isa.run(Sums { cells, all, sums, term: PhantomData::<T> });
    });
    sums
}

/// Sums at the particles of some cells.
struct Sums<'a, T, const N: usize> {
    cells: &'a Cells,
    all: &'a [(u64, Range<usize>)],
    sums: &'a mut [[Real; N]],
    term: PhantomData<T>,
}

impl<T: Term<N>, const N: usize> WithSimd for Sums<'_, T, N> {
    type Output = ();

    #[inline(always)]
    fn run<I: Simd>(self, on: I) {
        let mut around = AroundRow::default();
        let mut sums = self.sums.iter_mut();
        let mut rest = self.all;
        while let [(first, _), ..] = rest {
            // Keys of a row follow each other; so do, at the end of space, those of the next.
            let [_, y, z] = cell_of_key(*first);
            let end = cell_key([CELL_LIMIT - 1, y, z]).min(first + MAX_ROW_CELLS as u64 - 1);
            let run = rest.partition_point(|(key, _)| *key <= end);
            let (row, others) = rest.split_at(run);
            rest = others;
            around.gather(self.cells, *first, (row[run - 1].0 - first) as usize + 1);
            for (key, range) in row {
                let column = (key - first) as usize;
                for (i, sum) in range.clone().zip(&mut sums) {
                    let [x, y, z] = self.cells.within_cell(i);
                    let at = [x + column as Real, y, z];
                    *sum = around.sum::<I, T, N>(on, column, at);
                }
            }
        }
    }
}

/// The particles around some cells in a row along x, relative to the first; buffers are reused.
#[derive(Default)]
struct AroundRow {
    /// Coordinates \[h\] and weights, in nine rows that are padded to whole lanes.
    at: [Vec<Real>; 3],
    weight: Vec<Real>,
    /// For each row, where the particles of each column begin, from that before the first cell on.
    starts: [[u32; MAX_ROW_CELLS + 3]; 9],
    cursors: [Cursor; 9],
}

impl AroundRow {
    /// Collects the particles around `columns` cells from `first` on.
    #[inline(always)]
    fn gather(&mut self, cells: &Cells, first: u64, columns: usize) {
        self.at.iter_mut().for_each(Vec::clear);
        self.weight.clear();
        let [x, y, z] = cell_of_key(first);
        for row in 0..9 {
            let from = [x - 1, y + row % 3 - 1, z + row / 3 - 1];
            let row = row as usize;
            let found = cells.in_row(&mut self.cursors[row], from, x + columns as i32);
            let starts = &mut self.starts[row][..columns + 3];
            starts.fill(self.weight.len() as u32);
            for cell in found {
                let (key, range) = cells.at(cell);
                let column = cell_of_key(key)[0] - x;
                let shifts = [column, from[1] - y, from[2] - z].map(|shift| shift as Real);
                for (axis, (to, shift)) in self.at.iter_mut().zip(shifts).enumerate() {
                    to.extend(cells.local(axis)[range.clone()].iter().map(|x| x + shift));
                }
                self.weight.extend_from_slice(&cells.weights()[range]);
                starts[(column + 2) as usize..].fill(self.weight.len() as u32);
            }
            let end = self.weight.len().next_multiple_of(LANES) + LANES;
            self.at.iter_mut().for_each(|x| x.resize(end, FAR));
            self.weight.resize(end, 0.0);
        }
    }

    /// Sums the terms of all particles around one that is at a place in a column.
    #[inline(always)]
    fn sum<I: Simd, T: Term<N>, const N: usize>(
        &self,
        on: I,
        column: usize,
        at: [Real; 3],
    ) -> [Real; N] {
        let [px, py, pz] = [on.splat(at[0]), on.splat(at[1]), on.splat(at[2])];
        let [x, y, z] = &self.at;
        let mut sums = [on.splat(0.0); N];
        for starts in &self.starts {
            let (start, end) = (starts[column] as usize, starts[column + 3] as usize);
            // Lanes beyond the end are particles of farther columns, or padding.
            for j in (start..end).step_by(LANES) {
                let dx = on.load(eight(x, j)) - px;
                let dy = on.load(eight(y, j)) - py;
                let dz = on.load(eight(z, j)) - pz;
                let terms = T::at([dx, dy, dz], on.load(eight(&self.weight, j)));
                for (sum, term) in sums.iter_mut().zip(terms) {
                    *sum += term;
                }
            }
        }
        let mut totals = [0.0; N];
        for (total, sum) in totals.iter_mut().zip(sums) {
            *total = sum_lanes(sum.to_array());
        }
        totals
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::vec3;

    #[test]
    fn the_middle_of_a_lattice_counts_as_inside() {
        let h = 0.5;
        let points: Vec<_> = (0..729)
            .map(|i| vec3([i % 9, i / 9 % 9, i / 81].map(|k| (f64::from(k) - 4.0) * 0.25)))
            .collect();
        let sorted = crate::sorted::SortedParticles::new(&points, &[], h);
        let positions = sorted.input().positions;
        let cells = Cells::scan(positions, h, |_| 1.0);
        let middle = positions.iter().position(|x| x.norm() == 0.0).unwrap();
        for isa in Isa::available() {
            let counts = weighted_counts(isa, &cells);
            assert!(
                (counts[middle] - inside(2.0)).abs() < 1e-4,
                "{} {}",
                counts[middle],
                inside(2.0)
            );
            assert!(counts.iter().all(|&n| n < inside(2.0) + 1e-4 && n > 0.0));
        }
        assert!((inside(2.0) - 7.586).abs() < 1e-3, "{}", inside(2.0));
    }
}
