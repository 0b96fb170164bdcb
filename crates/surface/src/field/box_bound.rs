//! Lower bounds of the field at all points of a window, by three one-dimensional passes.
//!
//! Each particle is distributed linearly over the eight grid points around it, in integer units.
//! Then the taps of the [separable bound](crate::field::separable) are applied along z, y and x.
//! All numbers are rounded down and sums saturate, so the result never exceeds the bound. A unit
//! has 16 bits: one instruction processes [`LANES`] points.
//!
//! Points are stored by z, y, x, with the points in reach before and after the window. Along each
//! axis a pass adds an array to the same array shifted by a stride, with no test per point.

use crate::field::grid::TILE;
use hashfall_core::Real;
use hashfall_core::simd::{LANES, Simd};

/// Points that a pass works on before it continues: they stay in the nearest cache.
const BATCH: usize = 128 * LANES;

/// Points, tiles or cubes along each axis.
pub(crate) type Size = [usize; 3];

/// Where the points of some tiles lie in the buffers.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    /// Points of the tiles.
    points: Size,
    /// Points before them and behind.
    reach: usize,
    /// From one row along x to the next.
    pitch: usize,
}

impl Layout {
    /// The layout of `tiles`, and of the points within `reach` before and after them.
    pub fn new(tiles: Size, reach: usize) -> Self {
        let points = tiles.map(|tiles| TILE * tiles);
        // The last lanes of a row begin before its end and are read whole.
        let pitch = (points[0].next_multiple_of(LANES) + 2 * reach).next_multiple_of(LANES);
        Layout { points, reach, pitch }
    }

    /// From one plane of shares to the next.
    fn plane(&self) -> usize {
        (self.points[1] + 2 * self.reach) * self.pitch
    }
}

/// Units at points; buffers of a task.
#[derive(Default)]
pub(crate) struct BoxBound {
    /// Shared out. All zero between uses.
    shares: Vec<u16>,
    along_z: Vec<u16>,
    along_y: Vec<u16>,
    along_x: Vec<u16>,
}

impl BoxBound {
    /// Distributes the units of particles: places in steps from the lowest point in reach, and
    /// units.
    #[inline(always)]
    pub fn distribute(&mut self, layout: Layout, particles: impl Iterator<Item = [Real; 4]>) {
        let Layout { points, reach, pitch } = layout;
        let plane = layout.plane();
        self.shares.resize((points[2] + 2 * reach) * plane, 0);
        let last = points.map(|points| (points + 2 * reach - 1) as Real);
        for [x, y, z, units] in particles {
            // Not a number fails, too.
            let is_within = |at: Real, a: usize| at >= 0.0 && at < last[a];
            if !(is_within(x, 0) && is_within(y, 1) && is_within(z, 2)) {
                continue;
            }
            let low = [x as usize, y as usize, z as usize];
            let part = [x - low[0] as Real, y - low[1] as Real, z - low[2] as Real];
            let units = units.clamp(0.0, u16::MAX.into());
            let along_z = [units * (1.0 - part[2]), units * part[2]];
            let start = low[2] * plane + low[1] * pitch + low[0];
            for (z, units) in along_z.into_iter().enumerate() {
                for (y, share) in [1.0 - part[1], part[1]].into_iter().enumerate() {
                    let [a, b] = [units * share * (1.0 - part[0]), units * share * part[0]];
                    let Some(pair) = self.shares[start + z * plane + y * pitch..].first_chunk_mut()
                    else {
                        continue;
                    };
                    let [first, second]: &mut [u16; 2] = pair;
                    *first = first.saturating_add(a as u16);
                    *second = second.saturating_add(b as u16);
                }
            }
        }
    }

    /// Applies the taps along all axes; the shares are zero again.
    #[inline(always)]
    pub fn apply_taps<I: Simd>(&mut self, on: I, layout: Layout, taps: &[u16]) {
        let Layout { points, reach, pitch } = layout;
        let plane = layout.plane();
        self.along_z.resize(points[2] * plane, 0);
        pass(on, taps, &self.shares, reach, plane, &mut self.along_z);
        self.shares.fill(0);
        self.along_y.resize(points[2] * points[1] * pitch, 0);
        let planes = self.along_z.chunks_exact(plane);
        for (from, to) in planes.zip(self.along_y.chunks_exact_mut(points[1] * pitch)) {
            pass(on, taps, from, reach, pitch, to);
        }
        self.along_x.resize(self.along_y.len(), 0);
        let end = self.along_y.len() - pitch + points[0].next_multiple_of(LANES);
        pass(on, taps, &self.along_y, reach, 1, &mut self.along_x[..end]);
    }

    /// The least of the points of each four tiles along x, in a row of tiles.
    #[inline(always)]
    pub fn least_in_row(
        &self,
        layout: Layout,
        [y, z]: [usize; 2],
    ) -> impl Iterator<Item = [u16; LANES / TILE]> {
        let Layout { points, pitch, .. } = layout;
        let row = move |i: usize| (TILE * z + i / TILE) * points[1] + TILE * y + i % TILE;
        (0..points[0]).step_by(LANES).map(move |x| {
            let mut least = [u16::MAX; LANES];
            for i in 0..TILE * TILE {
                let units = self.along_x[row(i) * pitch + x..].first_chunk();
                least = smaller(least, *units.unwrap_or(&[0; LANES]));
            }
            std::array::from_fn(|tile| {
                least[TILE * tile..][..TILE].iter().fold(u16::MAX, |a, &b| a.min(b))
            })
        })
    }
}

/// to\[j\] = from\[j + e s\] + Σᵢ tᵢ (from\[j + (e − i) s\] + from\[j + (e + i) s\]), given reach e
/// and stride s. The first tap is one.
#[inline(always)]
fn pass<I: Simd>(on: I, taps: &[u16], from: &[u16], reach: usize, stride: usize, to: &mut [u16]) {
    for (k, to) in to.chunks_mut(BATCH).enumerate() {
        let (center, count) = (reach * stride + k * BATCH, to.len());
        to.copy_from_slice(&from[center..][..count]);
        let sides = |i: usize| {
            [&from[center - i * stride..][..count], &from[center + i * stride..][..count]]
        };
        let mut i = 1;
        // Several taps at once, so that sums are read and written less often.
        for taps in taps[1..].chunks(3) {
            match *taps {
                [a, b, c] => {
                    add_sides(on, to, [a, b, c], [sides(i), sides(i + 1), sides(i + 2)]);
                }
                [a, b] => add_sides(on, to, [a, b], [sides(i), sides(i + 1)]),
                [a] => add_sides(on, to, [a], [sides(i)]),
                _ => {}
            }
            i += taps.len();
        }
    }
}

/// Adds what lies on both sides, times its tap.
#[inline(always)]
fn add_sides<I: Simd, const N: usize>(
    on: I,
    to: &mut [u16],
    taps: [u16; N],
    sides: [[&[u16]; 2]; N],
) {
    let to = to.as_chunks_mut::<LANES>().0;
    let sides = sides.map(|sides| sides.map(|side| &side.as_chunks::<LANES>().0[..to.len()]));
    for (j, sums) in to.iter_mut().enumerate() {
        for (tap, [before, behind]) in taps.iter().zip(&sides) {
            on.add_weighted(sums, &before[j], &behind[j], *tap);
        }
    }
}

/// By value: behind references, compilers go number by number.
#[inline(always)]
fn smaller(a: [u16; LANES], b: [u16; LANES]) -> [u16; LANES] {
    let mut least = [0; LANES];
    for (least, (a, b)) in least.iter_mut().zip(a.into_iter().zip(b)) {
        *least = a.min(b);
    }
    least
}
