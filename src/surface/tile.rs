//! One tile: proved outside, proved inside, or evaluated.
//!
//! φ(x) = Σⱼ wⱼ f(|x − xⱼ|) in units of h, all terms ≥ 0. Three ways to decide 64 points:
//!
//! 1. **Bounded from above.** f falls with distance, so φ ≤ Σ wⱼ f(distance of xⱼ to the tile). If
//!    that is below iso, the points are outside; the tile is taken with its upper faces, so that no
//!    edge that starts in it crosses the surface either.
//! 2. **Bounded from below.** Any part S of the sum bounds the whole. For 2³ points around a centre
//!    c, with g = ∇φ_S(c) and |x − c| ≤ R, Taylor's theorem gives φ(x) ≥ φ_S(c) − |g|₁ s/2 − ½ M R²,
//!    where s is the distance of grid points (so |g·(x − c)| ≤ |g|₁ s/2), R² = ¾ s², and M bounds
//!    how concave φ_S is anywhere in the tile: Σ wⱼ m(distance of xⱼ to the tile), as m falls with
//!    distance. Eight centres fill a register, and take an eighth of the work of 64 points.
//! 3. **Evaluated** at each of the 64 points: eight at a time, two rows of four.
//!
//! Bounds must hold with [`MARGIN`] to spare, more than the rounding of these sums.

use super::cells::{LANES, Surroundings, square_to_box};
use super::grid::{Grid, TILE, TILE_POINTS};
use super::profile;
use crate::base::Real;
use crate::base::isa::{Eight, Instructions, sum_lanes};
use std::ops::Range;

/// What bounds must hold by, relative to iso: sums of n terms err by n/2²⁴ of themselves at most.
const MARGIN: Real = 1e-3;

/// Reach of the part S of the sum, from the tile \[h\]: less is too little to prove, and more takes
/// longer to.
const PROOF_REACH: Real = 0.6;

/// What is known of a tile.
pub(super) enum Decided {
    Outside,
    Inside,
    Evaluated,
}

/// Particles near a tile, as rows of x, y, z, w.
#[derive(Default)]
pub(super) struct NearTile {
    particles: Vec<[Real; 4]>,
    ranges: Vec<Range<usize>>,
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

impl Extent {
    #[inline(always)]
    fn of(grid: &Grid, tile: [usize; 3]) -> Self {
        let at = |i: usize| i as Real * grid.step;
        let [x, y, z] = tile;
        let low = [at(TILE * x), at(TILE * y), at(TILE * z)];
        let (own, all) = (at(TILE - 1), at(TILE));
        Extent {
            low,
            high: [low[0] + own, low[1] + own, low[2] + own],
            closed: [low[0] + all, low[1] + all, low[2] + all],
        }
    }
}

/// Decides a tile, and writes the field at its points where it is evaluated: x, then y, then z.
#[inline(always)]
pub(super) fn decide<I: Instructions>(
    on: I,
    grid: &Grid,
    around: &Surroundings,
    tile: [usize; 3],
    near: &mut NearTile,
    field: &mut [Real; TILE_POINTS],
) -> Decided {
    let extent = Extent::of(grid, tile);
    if is_inside(on, grid, around, &extent, near) {
        return Decided::Inside;
    }
    if upper_bound(on, around, &extent, near) < grid.iso * (1.0 - MARGIN) {
        return Decided::Outside;
    }
    evaluate(on, grid, &extent, near, field);
    Decided::Evaluated
}

/// Whether a bound proves a block outside, with its upper faces.
#[inline(always)]
pub(super) fn block_is_outside<I: Instructions>(on: I, grid: &Grid, around: &Surroundings) -> bool {
    let end = (TILE * grid.tiles) as Real * grid.step;
    let mut sum = on.splat(0.0);
    let mut i = 0;
    while i < around.all().end {
        let [x, y, z, w] = around.eight(on, i);
        let square = square_to_box(on, [x, y, z], [0.0; 3], [end; 3]);
        sum += w * profile::value(square.sqrt());
        i += LANES;
    }
    sum_lanes(sum.numbers()) < grid.iso * (1.0 - MARGIN)
}

/// Whether all points of the tile are proved inside.
#[inline(always)]
fn is_inside<I: Instructions>(
    on: I,
    grid: &Grid,
    around: &Surroundings,
    extent: &Extent,
    near: &mut NearTile,
) -> bool {
    let Extent { low, high, .. } = *extent;
    let NearTile { particles: list, ranges } = near;
    around.near_box(low, high, PROOF_REACH, ranges);
    list.clear();
    let mut concave = on.splat(0.0);
    let reach = on.splat(PROOF_REACH * PROOF_REACH);
    for range in ranges.iter() {
        let mut i = range.start;
        while i < range.end {
            let [x, y, z, w] = around.eight(on, i);
            let square = square_to_box(on, [x, y, z], low, high);
            let mut bits = reach.bits_above(square);
            let weight = (square - reach).where_negative(w);
            concave += weight * profile::most_curved(square.sqrt());
            while bits != 0 {
                let j = i + bits.trailing_zeros() as usize;
                list.push(around.one(j));
                bits &= bits - 1;
            }
            i += LANES;
        }
    }
    let step = grid.step;
    let loss = 0.375 * step * step * sum_lanes(concave.numbers());
    let wanted = grid.iso * (1.0 + MARGIN) + loss;
    if list.iter().fold(0.0, |sum, p| sum + p[3]) * 0.5 < wanted {
        return false;
    }
    let centre = |bit: usize, low: Real| -> [Real; LANES] {
        std::array::from_fn(|l| low + step * (0.5 + 2.0 * (l >> bit & 1) as Real))
    };
    let (px, py, pz) = (centre(0, low[0]), centre(1, low[1]), centre(2, low[2]));
    let (px, py, pz) = (on.load(&px), on.load(&py), on.load(&pz));
    let zero = on.splat(0.0);
    let (mut phi, mut gx, mut gy, mut gz) = (zero, zero, zero, zero);
    for &[x, y, z, w] in list.iter() {
        let (dx, dy, dz) = (px - on.splat(x), py - on.splat(y), pz - on.splat(z));
        let (value, slope) = profile::value_and_slope((dx * dx + dy * dy + dz * dz).sqrt());
        phi += value * w;
        let slope = slope * w;
        gx += slope * dx;
        gy += slope * dy;
        gz += slope * dz;
    }
    let steep = gx.max(zero - gx) + gy.max(zero - gy) + gz.max(zero - gz);
    let least = phi - steep * (0.5 * step);
    least.bits_above(on.splat(wanted)) == u8::MAX
}

/// A value that the field exceeds nowhere on the tile with its upper faces; lists the particles
/// that reach its own points.
#[inline(always)]
fn upper_bound<I: Instructions>(
    on: I,
    around: &Surroundings,
    extent: &Extent,
    near: &mut NearTile,
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
            let [x, y, z, w] = around.eight(on, i);
            let square = square_to_box(on, [x, y, z], low, closed);
            sum += w * profile::value(square.sqrt());
            let square = square_to_box(on, [x, y, z], low, high);
            let mut bits = one.bits_above(square);
            while bits != 0 {
                let j = i + bits.trailing_zeros() as usize;
                list.push(around.one(j));
                bits &= bits - 1;
            }
            i += LANES;
        }
    }
    sum_lanes(sum.numbers())
}

/// Sums the field at the tile's points over the particles listed.
#[inline(always)]
fn evaluate<I: Instructions>(
    on: I,
    grid: &Grid,
    extent: &Extent,
    near: &NearTile,
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
    for &[x, y, z, w] in &near.particles {
        let (dx, dy) = (xs - on.splat(x), ys - on.splat(y));
        let far = dy + two;
        let across = [dx * dx + dy * dy, dx * dx + far * far];
        let w = on.splat(w);
        for layer in 0..TILE {
            let dz = lz + step * layer as Real - z;
            let along = on.splat(dz * dz);
            sums[2 * layer] += w * profile::value((across[0] + along).sqrt());
            sums[2 * layer + 1] += w * profile::value((across[1] + along).sqrt());
        }
    }
    for (eight, sum) in field.as_chunks_mut::<LANES>().0.iter_mut().zip(sums) {
        *eight = sum.numbers();
    }
}

/// The field at one point \[h\].
#[inline(always)]
pub(super) fn value_at<I: Instructions>(on: I, around: &Surroundings, at: [Real; 3]) -> Real {
    let mut sum = on.splat(0.0);
    let mut i = 0;
    while i < around.all().end {
        let [x, y, z, w] = around.eight(on, i);
        let (dx, dy, dz) = (x - on.splat(at[0]), y - on.splat(at[1]), z - on.splat(at[2]));
        sum += w * profile::value((dx * dx + dy * dy + dz * dz).sqrt());
        i += LANES;
    }
    sum_lanes(sum.numbers())
}
