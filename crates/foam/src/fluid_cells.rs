//! The fluid at one instant, in the order of its cells, and sums over it around any place.
//!
//! Cells are as large as the support radius h, with x lowest in their keys, so that what is around
//! a place lies in nine rows, each a run of consecutive particles (as in `hashfall_search`'s
//! `SortedCells`). Diffuse particles are asked about in the order of their cells: the rows are
//! looked up once for all in a cell, and eight fluid particles are tested at a time.
//!
//! The mean is weighted by (1 − r²/h²)³ instead of the cubic spline of Ihmsen et al. 2012:
//! a mean by Shepard needs no normalised kernel, and this one no square root.
//!
//! Symbols: h support radius \[m\], r distance \[m\].

use hashfall_core::cell::{NO_KEY, cell_of, key_of_point};
use hashfall_core::simd::{F32x8, Isa, Simd, WithSimd};
use hashfall_core::{Real, Vec3, parallel};
use hashfall_search::{CellRows, CellSort, OccupiedCells};

/// Particles that one instruction tests.
const LANES: usize = 8;

/// The fluid at one instant.
#[derive(Debug, Default)]
pub(crate) struct FluidCells {
    h: Real,
    sorter: CellSort,
    keys: Vec<u64>,
    /// The number of the particle at each place.
    order: Vec<u32>,
    /// Position and velocity by place, an array for each part, and [`LANES`] zeros.
    parts: [Vec<Real>; 6],
    cells: OccupiedCells,
}

/// Sums over the fluid around a place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FluidSample {
    /// Particles closer than h.
    pub count: u32,
    /// The weighted mean of their velocities \[m/s\]; zero if there are none.
    pub velocity: Vec3,
}

impl FluidCells {
    /// Sorts particles into cells of the support radius `h` \[m\]. Particles without a cell, which
    /// are beyond all bounds, are left out.
    pub fn rebuild(&mut self, positions: &[Vec3], velocities: &[Vec3], h: Real) {
        self.h = h;
        self.keys.resize(positions.len(), 0);
        parallel::fill(&mut self.keys, |i, key| *key = key_of_point(&positions[i], h));
        if self.keys.contains(&NO_KEY) {
            let has_cell = |i: &usize| self.keys[*i] != NO_KEY;
            let kept: Vec<usize> = (0..positions.len()).filter(has_cell).collect();
            let of = |all: &[Vec3]| kept.iter().map(|&i| all[i]).collect::<Vec<_>>();
            return self.rebuild(&of(positions), &of(velocities), h);
        }
        self.sorter.sort(&self.keys);
        let sorter = &self.sorter;
        self.order.resize(positions.len(), 0);
        parallel::fill_both(&mut self.keys, &mut self.order, |place, key, order| {
            (*key, *order) = sorter.at(place);
        });
        let order = &self.order;
        for (part, values) in self.parts.iter_mut().enumerate() {
            values.clear();
            values.resize(positions.len() + LANES, 0.0);
            let all = if part < 3 { positions } else { velocities };
            let (values, axis) = (&mut values[..positions.len()], part % 3);
            parallel::fill(values, |place, value| *value = all[order[place] as usize][axis]);
        }
        self.cells.rebuild(&self.keys);
    }

    /// Looks the rows around a place up, unless they are those of the cell before.
    pub fn update_rows(&self, x: &Vec3, rows: &mut CellRows) {
        rows.update(&self.cells, cell_of(x, self.h));
    }

    /// Sums over the particles in `rows`, which are those around `x`.
    pub fn sample(&self, x: &Vec3, rows: &CellRows) -> FluidSample {
        Isa::current().run(Sample { of: self, x, rows })
    }
}

/// Sums around a place, compiled for each instruction set.
struct Sample<'a> {
    of: &'a FluidCells,
    x: &'a Vec3,
    rows: &'a CellRows,
}

impl WithSimd for Sample<'_> {
    type Output = FluidSample;

    #[inline(always)]
    fn run<I: Simd>(self, simd: I) -> FluidSample {
        let Sample { of, x, rows } = self;
        let inverse = 1.0 / (of.h * of.h);
        let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
        let at = [x.x, x.y, x.z].map(|part| simd.splat(part));
        let (mut weights, mut sums, mut count) = (zero, [zero; 3], 0);
        for run in rows.runs() {
            for first in run.clone().step_by(LANES) {
                let load = |part: usize| simd.load(eight(&of.parts[part], first));
                let apart = [0, 1, 2].map(|axis| load(axis) - at[axis]);
                let square = apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2];
                let near = one - square * inverse;
                let near = match run.end - first {
                    left if left < LANES => only_first(simd, near, left),
                    _ => near,
                };
                let mask = near.mask_above(zero);
                if mask == 0 {
                    continue;
                }
                count += mask.count_ones();
                let near = near.max(zero);
                let weight = near * near * near;
                weights += weight;
                for (axis, sum) in sums.iter_mut().enumerate() {
                    *sum += weight * load(3 + axis);
                }
            }
        }
        if count == 0 {
            return FluidSample::default();
        }
        let total = sum(weights);
        let [x, y, z] = sums.map(|part| sum(part) / total);
        FluidSample { count, velocity: Vec3::new(x, y, z) }
    }
}

/// Eight numbers of an array.
#[inline(always)]
fn eight(all: &[Real], first: usize) -> &[Real; LANES] {
    all[first..first + LANES].try_into().unwrap_or(&[0.0; LANES])
}

/// The first of eight numbers, and −1 in place of the others.
#[inline(always)]
fn only_first<I: Simd>(simd: I, numbers: I::F32x8, count: usize) -> I::F32x8 {
    let mut all = numbers.to_array();
    all[count..].fill(-1.0);
    simd.load(&all)
}

/// The sum of eight numbers, in a fixed order.
#[inline(always)]
fn sum<V: F32x8>(numbers: V) -> Real {
    let [a, b, c, d] = numbers.add_rows();
    (a + b) + (c + d)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;

    #[test]
    fn sums_are_those_of_brute_force() {
        let mut random = Random::new(3);
        let h = 0.1;
        let points: Vec<Vec3> = (0..3000).map(|_| random.vec3(-0.4, 0.5)).collect();
        let velocities: Vec<Vec3> = (0..3000).map(|_| random.vec3(-1.0, 1.0)).collect();
        let mut cells = FluidCells::default();
        cells.rebuild(&points, &velocities, h);
        let (mut rows, mut total) = (CellRows::default(), 0);
        for _ in 0..500 {
            let x = random.vec3(-0.6, 0.7);
            cells.update_rows(&x, &mut rows);
            let found = cells.sample(&x, &rows);
            let near = points.iter().zip(&velocities).map(|(y, v)| ((y - x).norm_squared(), v));
            let near: Vec<_> = near.filter(|(square, _)| *square < h * h).collect();
            assert_eq!(found.count as usize, near.len());
            total += near.len();
            let weight = |square: &Real| (1.0 - square / (h * h)).powi(3);
            let weights: Real = near.iter().map(|(square, _)| weight(square)).sum();
            let sum: Vec3 = near.iter().map(|(square, v)| *v * weight(square)).sum();
            let mean = if near.is_empty() { Vec3::zeros() } else { sum / weights };
            assert!((found.velocity - mean).norm() < 1e-4, "{found:?} {mean}");
        }
        assert!(total > 1000, "{total}");
    }

    #[test]
    fn particles_beyond_all_bounds_are_left_out() {
        let points = [Vec3::zeros(), Vec3::repeat(1e30), Vec3::x() * 0.05];
        let velocities = [Vec3::x(), Vec3::y(), Vec3::x()];
        let mut cells = FluidCells::default();
        cells.rebuild(&points, &velocities, 0.1);
        let mut rows = CellRows::default();
        cells.update_rows(&Vec3::zeros(), &mut rows);
        let found = cells.sample(&Vec3::zeros(), &rows);
        assert_eq!(found, FluidSample { count: 2, velocity: Vec3::x() });
        cells.update_rows(&Vec3::repeat(1e30), &mut rows);
        assert_eq!(cells.sample(&Vec3::repeat(1e30), &rows).count, 0);
    }
}
