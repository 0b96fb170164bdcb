//! Sums over the neighbours of a point, eight at a time, each read once.
//!
//! The repulsion is the cubic spline of range h in truncated powers, with q = r/h:
//!
//! - W = σ (2 (1 − q)₊³ − 8 (½ − q)₊³),  W′/r = (24 (½ − q)₊² − 6 (1 − q)₊²) σ / (h r)
//!
//! ∇W vanishes at r = 0, so that two points which others push together would stay there. Points
//! nearer than r₀ have the potential P besides, whatever their pressures:
//!
//! - P = ½ B (r₀ − r)₊²,  P′/r = −B (r₀ − r)₊ / r
//!
//! Lengths are in spacings.

use hashfall_core::kernel::{CubicSpline, SmoothingKernel};
use hashfall_core::simd::{F32x8, Simd, WithSimd, sum_lanes};
use hashfall_core::{Real, Vec3};

/// Neighbours that are read at a time.
const LANES: usize = 8;
/// No neighbour: out of range of all.
const NO_NEIGHBOR: Row = [1e6, 1e6, 1e6, 0.0];
/// Points nearer than this push each other as if they were so far apart, in spacings.
const MIN_DISTANCE: Real = 1e-6;
/// r₀: points of an even packing are farther apart.
const PARTING_RANGE: Real = 0.8;
/// B: with 1, the nearest of 56 thin and thick shapes are on average 0.71 spacings apart, with 2
/// 0.74, with 4 0.76 and less even.
const PARTING_STRENGTH: Real = 2.0;

/// A point: x, y, z in spacings, and its pressure.
pub type Row = [Real; 4];

/// What is summed, and over which neighbours.
pub struct PairSums<'a> {
    sigma: Real,
    inverse_range: Real,
    rows: &'a [Row],
    own: &'a Row,
    near: &'a [u32],
}

/// Sums over the neighbours of a point.
#[derive(Clone, Copy, Debug)]
pub struct Sums {
    /// Σ W.
    pub concentration: Real,
    /// Σ ∇W.
    pub gradient: Vec3,
    /// Σ p ∇W + 2 Σ ∇P.
    pub pressure_gradient: Vec3,
}

impl<'a> PairSums<'a> {
    /// Of a point and its neighbours.
    pub fn new(kernel: &CubicSpline, rows: &'a [Row], i: usize, near: &'a [u32]) -> Self {
        let inverse_range = 1.0 / kernel.support_radius();
        PairSums { sigma: kernel.value(0.0), inverse_range, rows, own: &rows[i], near }
    }

    /// The rows of up to eight neighbours.
    #[inline(always)]
    fn eight(&self, near: &[u32]) -> [&'a Row; LANES] {
        match *near {
            [a, b, c, d, e, f, g, h] => [a, b, c, d, e, f, g, h].map(|j| &self.rows[j as usize]),
            _ => std::array::from_fn(|l| {
                near.get(l).map_or(&NO_NEIGHBOR, |&j| &self.rows[j as usize])
            }),
        }
    }
}

impl WithSimd for PairSums<'_> {
    type Output = Sums;

    #[inline(always)]
    fn run<I: Simd>(self, simd: I) -> Sums {
        let [zero, one, half] = [0.0, 1.0, 0.5].map(|number| simd.splat(number));
        let own = [0, 1, 2].map(|a| simd.splat(self.own[a]));
        let least = simd.splat(MIN_DISTANCE);
        let parting_range = simd.splat(PARTING_RANGE);
        let of_slope = self.sigma * self.inverse_range;
        let mut values = zero;
        let (mut gradient, mut weighted) = ([zero; 3], [zero; 3]);
        for near in self.near.chunks(LANES) {
            let [x, y, z, pressure] = simd.transpose(self.eight(near));
            let apart = [own[0] - x, own[1] - y, own[2] - z];
            let square = apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2];
            let r = square.sqrt().max(least);
            let q = r * self.inverse_range;
            let (outer, inner) = ((one - q).max(zero), (half - q).max(zero));
            let (outer2, inner2) = (outer * outer, inner * inner);
            values += outer2 * outer * 2.0 - inner2 * inner * 8.0;
            let slope = (inner2 * 24.0 - outer2 * 6.0) / r;
            let parting = (parting_range - r).max(zero) * (2.0 * PARTING_STRENGTH / of_slope) / r;
            let weight = slope * pressure - parting;
            for a in 0..3 {
                gradient[a] += slope * apart[a];
                weighted[a] += weight * apart[a];
            }
        }
        let sum = |lanes: I::F32x8, factor: Real| sum_lanes(lanes.to_array()) * factor;
        Sums {
            concentration: sum(values, self.sigma),
            gradient: Vec3::from(gradient.map(|lanes| sum(lanes, of_slope))),
            pressure_gradient: Vec3::from(weighted.map(|lanes| sum(lanes, of_slope))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packing::repulsion::repulsion;
    use hashfall_core::Dimension;
    use hashfall_core::simd::Isa;

    /// Against the kernel itself, with as many neighbours as fill registers and with more.
    #[test]
    fn sums_are_those_of_the_kernel() {
        for dimension in [Dimension::Two, Dimension::Three] {
            let kernel = repulsion(dimension);
            let at = |j: usize| [0.07, 0.11, -0.05].map(|x: Real| x * (j * j % 29) as Real);
            let row = |j: usize| [at(j)[0], at(j)[1], at(j)[2], 0.5 + 0.1 * j as Real];
            let rows: Vec<Row> = (0..12).map(row).collect();
            for count in [0, 1, 8, 11] {
                let near: Vec<u32> = (1..=count).collect();
                let sums = Isa::current().run(PairSums::new(&kernel, &rows, 0, &near));
                let (mut value, mut gradient, mut weighted) = (0.0, Vec3::zeros(), Vec3::zeros());
                for row in &rows[1..=count as usize] {
                    let apart = Vec3::new(-row[0], -row[1], -row[2]);
                    let r = apart.norm();
                    let slope = apart * kernel.slope_over_r(r);
                    let parting = PARTING_STRENGTH * (PARTING_RANGE - r).max(0.0);
                    value += kernel.value(r);
                    gradient += slope;
                    weighted += slope * row[3] - apart * (2.0 * parting / r);
                }
                assert!((sums.concentration - value).abs() < 1e-5 * (1.0 + value), "{count}");
                assert!((sums.gradient - gradient).norm() < 1e-4, "{count}");
                assert!((sums.pressure_gradient - weighted).norm() < 1e-4, "{count}");
            }
        }
    }
}
