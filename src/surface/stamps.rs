//! Which points are surely inside: lower bounds of all terms, added up in bytes.
//!
//! Every term of φ(x) = Σⱼ wⱼ f(|x − xⱼ|) is ≥ 0, so any part of the sum, and any lower bound of a
//! term, bounds φ from below. A *stamp* holds such bounds for the grid points around a particle, in
//! units of iso/255 rounded down: f at the largest distance to the point that the particle can have
//! in a box of (c/[`PARTS`])³, and the weight [`Stamps::least_weight`], which nearly all reach (the
//! others leave no stamp). Stamps are added with saturation: a byte at 255 proves φ > iso at its
//! point. That takes three instructions for 32 points, where evaluating the field takes twenty for
//! eight; deep in a fluid nothing else is done ([`super::inside`]).

use super::grid::Grid;
use crate::base::Real;

/// Parts of a grid step that a particle's place is rounded to, along each axis.
pub(super) const PARTS: usize = 4;

/// Reach of a stamp \[h\]: terms beyond are too small to be worth their rows.
pub(super) const REACH: f64 = 0.8;

/// What bounds must hold by, relative to iso: the rounding of places and of the field itself.
const MARGIN: f64 = 1e-3;

/// Bytes that are added at once.
pub(super) const LANES: usize = 32;

/// The most lanes of a row: the finest grid has 32 points to h.
pub(super) const WIDEST: usize = 4;

/// The stamps of particles in each part of a grid step. Rows are kept in twos along y, whose bytes
/// alternate: so one addition reaches points of both.
pub(super) struct Stamps {
    /// Particles of less weight leave none.
    pub least_weight: Real,
    /// The first point of a stamp, from that at or below the particle, along each axis.
    pub low: i32,
    /// Points along each axis.
    pub size: usize,
    /// Lanes of a pair of rows.
    pub width: usize,
    lanes: Vec<[u8; LANES]>,
    /// For each stamp and z, the pairs along y that are not zero.
    spans: Vec<(u8, u8)>,
}

impl Stamps {
    /// Makes the stamps for particles with these weights.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn new(grid: &Grid, weights: &[Real]) -> Self {
        let least_weight = typical_weight(weights);
        let step = grid.spacing / grid.h;
        let low = -((REACH / step).floor() as i32);
        let size = (1 - 2 * low + 1) as usize;
        let width = (2 * size).div_ceil(LANES);
        let scale = 255.0 * f64::from(least_weight) / (f64::from(grid.iso) * (1.0 + MARGIN));
        let mut stamps = Stamps { least_weight, low, size, width, lanes: vec![], spans: vec![] };
        // The square of the largest distance along an axis from a point to a particle in this part.
        let square = |part: usize, i: usize| {
            let from = part as f64 / PARTS as f64 - f64::from(low + i as i32);
            let most = from.abs().max((from + 1.0 / PARTS as f64).abs()) * step;
            most * most
        };
        let bound = |square: f64| {
            let is_beyond = square > REACH * REACH;
            if is_beyond { 0 } else { (profile(square.sqrt()) * scale).min(255.0) as u8 }
        };
        for [x_part, y_part, z_part, parity] in Stamps::kinds() {
            for z in 0..size {
                let start = stamps.lanes.len();
                for (pair, lane) in (0..stamps.pairs() * width).map(|i| (i / width, i % width)) {
                    stamps.lanes.push(std::array::from_fn(|byte| {
                        let x = (lane * LANES + byte) / 2;
                        let y = (2 * pair + byte % 2).wrapping_sub(parity);
                        if x >= size || y >= size {
                            return 0;
                        }
                        bound(square(x_part, x) + square(y_part, y) + square(z_part, z))
                    }));
                }
                stamps.spans.push(span(&stamps.lanes[start..], width));
            }
        }
        stamps
    }

    /// The parts of a step along x, y and z, and whether the first row is the second of a pair: in
    /// the order of the stamps.
    fn kinds() -> impl Iterator<Item = [usize; 4]> {
        let part = |i: usize, axis: u32| i / PARTS.pow(axis) % PARTS;
        (0..2 * PARTS.pow(3)).map(move |i| [part(i, 0), part(i, 1), part(i, 2), i / PARTS.pow(3)])
    }

    /// Pairs of rows along y.
    fn pairs(&self) -> usize {
        self.size / 2 + 1
    }

    /// The stamp of a particle in this part of a step.
    #[inline(always)]
    pub fn number([x, y, z]: [usize; 3], parity: usize) -> usize {
        ((parity * PARTS + z) * PARTS + y) * PARTS + x
    }

    /// The pairs of rows of a stamp at z that are not zero, from the first, and their lanes.
    #[inline(always)]
    pub fn layer(&self, number: usize, z: usize) -> (usize, &[[u8; LANES]]) {
        let layer = number * self.size + z;
        let (first, last) = self.spans[layer];
        let (first, last) = (usize::from(first), usize::from(last));
        let start = layer * self.pairs();
        (first, &self.lanes[(start + first) * self.width..(start + last) * self.width])
    }
}

/// The first rows of lanes that are not zero, and where they end.
fn span(rows: &[[u8; LANES]], width: usize) -> (u8, u8) {
    let is_marked = |row: &[[u8; LANES]]| row.iter().any(|lanes| *lanes != [0; LANES]);
    let mut marked = rows.chunks(width).enumerate().filter(|(_, row)| is_marked(row));
    let first = marked.next().map_or(0, |(row, _)| row);
    let last = marked.next_back().map_or(first, |(row, _)| row);
    (first as u8, last as u8 + 1)
}

/// f(q) in double precision.
fn profile(q: f64) -> f64 {
    let (a, b) = ((1.0 - q).max(0.0), (0.5 - q).max(0.0));
    a * a * a - 4.0 * b * b * b
}

/// A weight that 199 of 200 particles reach.
fn typical_weight(weights: &[Real]) -> Real {
    let every = weights.len() / 1000 + 1;
    let mut some: Vec<Real> = weights.iter().copied().step_by(every).collect();
    some.sort_by(Real::total_cmp);
    some.get(some.len() / 200).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::tests::random;
    use crate::world::Surface;

    #[test]
    fn no_stamp_promises_more_than_the_particle_gives() {
        let mut random = random(11);
        for cell in [0.5, 0.75, 1.0, 0.25, 0.125, 2.0] {
            let grid = Grid::new(4.0, &Surface { cell, ..Surface::default() }, 1.0);
            let stamps = Stamps::new(&grid, &[1.5]);
            let mut most: f64 = 0.0;
            for _ in 0..2000 {
                let place = [0; 3].map(|_| random());
                let part = place.map(|x| (x * PARTS as f64) as usize);
                let number = Stamps::number(part, 1);
                let point = [0; 3].map(|_| (random() * stamps.size as f64) as usize);
                let (first, lanes) = stamps.layer(number, point[2]);
                // The stamp begins in the second row of a pair.
                let row = point[1] + 1;
                let pair = (row / 2).checked_sub(first);
                let pairs = lanes.chunks(stamps.width).map(<[_]>::as_flattened);
                let pair = pair.and_then(|pair| pairs.clone().nth(pair));
                let byte = pair.map_or(0, |pair| pair[2 * point[0] + row % 2]);
                let apart = [0, 1, 2].map(|a| f64::from(stamps.low) + point[a] as f64 - place[a]);
                let q = apart.iter().map(|x| x * x).sum::<f64>().sqrt() * grid.spacing / grid.h;
                let promised = f64::from(byte) / 255.0 * f64::from(grid.iso);
                assert!(promised <= 1.5 * profile(q) * (1.0 + 1e-9), "{cell} {place:?} {point:?}");
                most = most.max(promised / (1.5 * profile(q).max(1e-9)));
            }
            assert!(most > 0.5, "stamps promise something: {most}");
        }
    }
}
