//! One tile that is not proved inside: it is proved outside, or evaluated.
//!
//! φ(x) = Σⱼ wⱼ f(|x − xⱼ|) in units of h, with the distance of the kernel's metric. f decreases
//! with distance, so φ ≤ Σ wⱼ f(distance of xⱼ from the tile). If that is below iso, all points are
//! outside. The tile includes its upper faces, so that no edge that starts in it crosses the
//! surface. The bound must hold with [`MARGIN`] to spare, more than the rounding of these sums.
//! Otherwise the field is summed at each of the 64 points: eight at a time, two rows of four.

use crate::field::anisotropic_metric::Metric;
use crate::field::grid::{Grid, TILE, TILE_POINTS};
use crate::field::lanes::LANES;
use crate::field::profile;
use crate::field::surroundings::Surroundings;
use hashfall_core::Real;
use hashfall_core::simd::{F32x8, Simd, sum_lanes};
use std::ops::Range;

/// What bounds must hold by, relative to iso: sums of n terms err by n/2²⁴ of themselves at most.
pub(crate) const MARGIN: Real = 1e-3;

/// Particles near a tile, as rows of x, y, z, w, each with what its kernel has beside.
pub(crate) struct NearTile<S: Metric> {
    particles: Vec<([Real; 4], S::Parameters)>,
    ranges: Vec<Range<usize>>,
}

impl<S: Metric> Default for NearTile<S> {
    fn default() -> Self {
        NearTile { particles: Vec::new(), ranges: Vec::new() }
    }
}

/// A box of points, in units of h.
#[derive(Clone, Copy)]
struct Extent {
    low: [Real; 3],
    /// Of the points that the tile owns.
    high: [Real; 3],
    /// With its upper faces.
    closed: [Real; 3],
}

impl<S: Metric> NearTile<S> {
    /// Whether no particle is near.
    pub fn is_empty(&self) -> bool {
        self.particles.is_empty()
    }
}

impl Extent {
    #[inline(always)]
    fn new(grid: &Grid, tile: [usize; 3]) -> Self {
        let at = |i: usize| i as Real * grid.step;
        let [x, y, z] = tile;
        let low = [at(TILE * x), at(TILE * y), at(TILE * z)];
        let (owned, all) = (at(TILE - 1), at(TILE));
        Extent {
            low,
            high: [low[0] + owned, low[1] + owned, low[2] + owned],
            closed: [low[0] + all, low[1] + all, low[2] + all],
        }
    }
}

/// Evaluates the field at a tile's points, x, then y, then z, unless they are proved outside.
#[inline(always)]
pub(crate) fn evaluate<I: Simd, S: Metric>(
    on: I,
    grid: &Grid,
    around: &Surroundings,
    tile: [usize; 3],
    near: &mut NearTile<S>,
    field: &mut [Real; TILE_POINTS],
) -> bool {
    let extent = Extent::new(grid, tile);
    let is_open = upper_bound::<I, S>(on, around, &extent, near) >= grid.iso * (1.0 - MARGIN);
    if is_open {
        sum::<I, S>(on, grid, &extent, near, field);
    }
    is_open
}

/// A value that the field exceeds nowhere on a tile with its upper faces; lists the particles that
/// reach its own points.
#[inline(always)]
pub(crate) fn bound<I: Simd, S: Metric>(
    on: I,
    grid: &Grid,
    around: &Surroundings,
    tile: [usize; 3],
    near: &mut NearTile<S>,
) -> Real {
    upper_bound::<I, S>(on, around, &Extent::new(grid, tile), near)
}

/// The field of the particles listed at a tile's points.
#[inline(always)]
pub(crate) fn sum_near<I: Simd, S: Metric>(
    on: I,
    grid: &Grid,
    tile: [usize; 3],
    near: &NearTile<S>,
    field: &mut [Real; TILE_POINTS],
) {
    sum::<I, S>(on, grid, &Extent::new(grid, tile), near, field);
}

/// Whether a bound proves a block outside, with its upper faces.
#[inline(always)]
pub(crate) fn block_is_outside<I: Simd, S: Metric>(
    on: I,
    grid: &Grid,
    around: &Surroundings,
) -> bool {
    let end = (TILE * grid.tiles) as Real * grid.step;
    let mut sum = on.splat(0.0);
    let mut i = 0;
    while i < around.all().end {
        let [.., w] = around.eight(on, i);
        let square = S::squares_to_box(on, around, i, [0.0; 3], [end; 3]);
        sum += w * profile::value(square.sqrt());
        i += LANES;
    }
    sum_lanes(sum.to_array()) < grid.iso * (1.0 - MARGIN)
}

/// A value that the field exceeds nowhere on the tile with its upper faces; lists the particles
/// that reach its own points.
#[inline(always)]
fn upper_bound<I: Simd, S: Metric>(
    on: I,
    around: &Surroundings,
    extent: &Extent,
    near: &mut NearTile<S>,
) -> Real {
    let Extent { low, high, closed } = *extent;
    let NearTile { particles: list, ranges } = near;
    around.near_box(low, closed, 1.0, ranges);
    list.clear();
    let mut sum = on.splat(0.0);
    let one = on.splat(1.0);
    for range in ranges.iter() {
        let mut i = range.start;
        while i < range.end {
            let [.., w] = around.eight(on, i);
            let square = S::squares_to_box(on, around, i, low, closed);
            // Often none of them is within reach.
            if one.mask_above(square) != 0 {
                sum += w * profile::value(square.sqrt());
                let square = S::squares_to_box(on, around, i, low, high);
                let mut bits = one.mask_above(square);
                while bits != 0 {
                    let j = i + bits.trailing_zeros() as usize;
                    list.push((around.one(j), S::parameters(around, j)));
                    bits &= bits - 1;
                }
            }
            i += LANES;
        }
    }
    sum_lanes(sum.to_array())
}

/// Sums the field at the tile's points over the particles listed.
#[inline(always)]
fn sum<I: Simd, S: Metric>(
    on: I,
    grid: &Grid,
    extent: &Extent,
    near: &NearTile<S>,
    field: &mut [Real; TILE_POINTS],
) {
    let step = grid.step;
    let [lx, ly, lz] = extent.low;
    let xs: [Real; LANES] = std::array::from_fn(|l| lx + step * (l % TILE) as Real);
    let ys: [Real; LANES] = std::array::from_fn(|l| ly + step * (l / TILE) as Real);
    let (xs, ys, two) = (on.load(&xs), on.load(&ys), on.splat(2.0 * step));
    // Rows of two by layer: eight sums stay in registers.
    let zero = on.splat(0.0);
    let mut sums = [zero; TILE_POINTS / LANES];
    for &([x, y, z, w], parameters) in &near.particles {
        let (dx, dy) = (xs - on.splat(x), ys - on.splat(y));
        let columns = [S::column(parameters, dx, dy), S::column(parameters, dx, dy + two)];
        let w = on.splat(w);
        for layer in 0..TILE {
            let dz = lz + step * layer as Real - z;
            sums[2 * layer] += w * profile::value(S::in_column(columns[0], dz).sqrt());
            sums[2 * layer + 1] += w * profile::value(S::in_column(columns[1], dz).sqrt());
        }
    }
    for (eight, sum) in field.as_chunks_mut::<LANES>().0.iter_mut().zip(sums) {
        *eight = sum.to_array();
    }
}

/// The field at one point \[h\].
#[inline(always)]
pub(crate) fn value_at<I: Simd, S: Metric>(on: I, around: &Surroundings, at: [Real; 3]) -> Real {
    let mut sum = on.splat(0.0);
    let mut i = 0;
    while i < around.all().end {
        let [x, y, z, w] = around.eight(on, i);
        let (dx, dy, dz) = (x - on.splat(at[0]), y - on.splat(at[1]), z - on.splat(at[2]));
        sum += w * profile::value(S::squares(on, around, i, [dx, dy, dz]).sqrt());
        i += LANES;
    }
    sum_lanes(sum.to_array())
}
