//! Which points are surely inside: lower bounds of all terms, added up in bytes.
//!
//! Every term of φ(x) = Σⱼ wⱼ f(|x − xⱼ|) is ≥ 0, so any part of the sum, and any lower bound of a
//! term, bounds φ from below. A *stamp* holds such bounds for the grid points around a particle, in
//! units of iso/255 rounded down: f at the largest distance to the point that the particle can have
//! in a box of (c/[`PARTS`])³, and the weight [`Stamps::least_weight`], which nearly all reach (the
//! others leave no stamp). Stamps are added with saturation: a byte at 255 proves φ > iso at its
//! point. That takes a few instructions for sixteen points, where evaluating the field takes
//! twenty for eight; deep in a fluid nothing else is done.

use super::cells::Cells;
use super::grid::{Grid, TILE};
use crate::base::Real;
use crate::base::cell::{cell_key, cell_of_key};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Parts of a grid step that a particle's place is rounded to, along each axis.
const PARTS: usize = 4;

/// Reach of a stamp \[h\]: terms beyond are too small to be worth their rows.
const REACH: f64 = 0.8;

/// What bounds must hold by, relative to iso: the rounding of places and of the field itself.
const MARGIN: f64 = 1e-3;

/// Bytes that are added at once.
const LANES: usize = 16;

/// The most lanes of a row: the finest grid has 32 points to h.
const WIDEST: usize = 4;

/// Fewer particles do not prove a tile.
const FEWEST: usize = 8;

/// The stamps of particles in each part of a grid step.
pub(super) struct Stamps {
    /// Particles of less weight leave none.
    least_weight: Real,
    /// The first point of a stamp, from that at or below the particle, along each axis.
    low: i32,
    /// Rows along y and z, and lanes of a row.
    rows: usize,
    width: usize,
    lanes: Vec<[u8; LANES]>,
    /// For each stamp and z, the rows along y that are not zero.
    spans: Vec<(u8, u8)>,
}

impl Stamps {
    /// Makes the stamps for particles with these weights.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn new(grid: &Grid, weights: &[Real]) -> Self {
        let least_weight = typical_weight(weights);
        let step = grid.spacing / grid.h;
        let low = -((REACH / step).floor() as i32);
        let rows = (1 - 2 * low + 1) as usize;
        let width = rows.div_ceil(LANES);
        let scale = 255.0 * f64::from(least_weight) / (f64::from(grid.iso) * (1.0 + MARGIN));
        let mut stamps = Stamps { least_weight, low, rows, width, lanes: vec![], spans: vec![] };
        for part in 0..PARTS.pow(3) {
            let part = [part % PARTS, part / PARTS % PARTS, part / (PARTS * PARTS)];
            // The largest distance along an axis from a grid point to the particle's part of it.
            let reach = |a: usize, i: usize| {
                let from = part[a] as f64 / PARTS as f64 - f64::from(low + i as i32);
                from.abs().max((from + 1.0 / PARTS as f64).abs()) * step
            };
            let bound = |x: usize, y: usize, z: usize| {
                let q = [reach(0, x), reach(1, y), reach(2, z)];
                let q = q.iter().map(|q| q * q).sum::<f64>().sqrt();
                let is_beyond = q > REACH || x >= rows;
                if is_beyond { 0.0 } else { (profile(q) * scale).min(255.0) }
            };
            for z in 0..rows {
                let start = stamps.lanes.len();
                for (y, lane) in (0..rows * width).map(|i| (i / width, i % width)) {
                    let byte = |i: usize| bound(lane * LANES + i, y, z) as u8;
                    stamps.lanes.push(std::array::from_fn(byte));
                }
                let is_blank = |y: &usize| {
                    let row = &stamps.lanes[start + y * width..][..width];
                    row.iter().all(|lanes| *lanes == [0; LANES])
                };
                let first = (0..rows).take_while(is_blank).count();
                let last = (first..rows).rev().find(|y| !is_blank(y)).map_or(first, |y| y + 1);
                stamps.spans.push((first as u8, last as u8));
            }
        }
        stamps
    }
}

/// f(q) in double precision.
fn profile(q: f64) -> f64 {
    (1.0 - q).max(0.0).powi(3) - 4.0 * (0.5 - q).max(0.0).powi(3)
}

/// A weight that 199 of 200 particles reach.
fn typical_weight(weights: &[Real]) -> Real {
    let every = weights.len() / 1000 + 1;
    let mut some: Vec<Real> = weights.iter().copied().step_by(every).collect();
    some.sort_by(Real::total_cmp);
    some.get(some.len() / 200).copied().unwrap_or(0.0)
}

/// The tiles of which all points are proved inside.
pub(super) struct Inside {
    /// A bit for each tile, in whole words for each block.
    words: Vec<AtomicU64>,
    words_per_block: usize,
}

impl Inside {
    /// Proves what can be, for blocks by ascending key.
    pub fn prove(stamps: &Stamps, grid: &Grid, cells: &Cells, keys: &[u64]) -> Self {
        let words_per_block = grid.tile_count().div_ceil(64);
        let words = (0..keys.len() * words_per_block).map(|_| AtomicU64::new(0)).collect();
        let inside = Inside { words, words_per_block };
        let rows = Rows::of(keys);
        let room = (ROW - 2 * stamps.width * LANES) / (TILE * grid.tiles);
        let longest = LONGEST.min(room as i32);
        rows.pairs().into_par_iter().for_each_init(Sums::default, |sums, pair| {
            let mut window = Window { blocks: pair.map(|row| rows.range(row)), columns: 0..0 };
            while window.advance(keys, longest) {
                if sums.add_all(stamps, grid, cells, &window, pair[0]) {
                    inside.note(grid, keys, &window, sums);
                }
            }
        });
        inside
    }

    /// Whether a tile of a block, in the list, is proved inside.
    #[inline(always)]
    pub fn is_inside(&self, block: usize, tile: usize) -> bool {
        let word = &self.words[block * self.words_per_block + tile / 64];
        word.load(Ordering::Relaxed) >> (tile % 64) & 1 == 1
    }

    /// Notes the tiles of the blocks of a window whose sums are all full.
    fn note(&self, grid: &Grid, keys: &[u64], window: &Window, sums: &Sums) {
        for (row, blocks) in window.blocks.iter().enumerate() {
            for block in blocks.clone().take_while(|&b| window.holds(keys[b])) {
                let column = (x_of(keys[block]) - window.columns.start) as usize;
                for tile in 0..grid.tile_count() {
                    if sums.is_full(grid, [column, row % PAIR, row / PAIR], grid.tile_at(tile)) {
                        let word = &self.words[block * self.words_per_block + tile / 64];
                        word.fetch_or(1 << (tile % 64), Ordering::Relaxed);
                    }
                }
            }
        }
    }
}

/// Rows of blocks side by side that share stamps: so many along y, and along z.
const PAIR: usize = 2;

/// The most blocks of a window along x: the sums of two rows by two stay in the nearest cache.
const LONGEST: i32 = 8;

/// Bytes of a row of sums: a block of the finest grid, with room for its widest stamps.
const ROW: usize = 160;

/// A row of blocks along x: its y and z.
type RowPlace = [i32; 2];

/// The rows of blocks in a list, by z, then y.
struct Rows {
    places: Vec<RowPlace>,
    ranges: Vec<Range<usize>>,
}

impl Rows {
    fn of(keys: &[u64]) -> Self {
        let mut rows = Rows { places: Vec::new(), ranges: Vec::new() };
        let mut start = 0;
        let place = |key: u64| cell_of_key(key)[1..].try_into().unwrap_or([0; 2]);
        for row in keys.chunk_by(|&a, &b| place(a) == place(b)) {
            rows.places.push(place(row[0]));
            rows.ranges.push(start..start + row.len());
            start += row.len();
        }
        rows
    }

    /// The blocks of a row.
    fn range(&self, [y, z]: RowPlace) -> Range<usize> {
        let found = self.places.binary_search_by_key(&[z, y], |&[y, z]| [z, y]);
        found.map_or(0..0, |row| self.ranges[row].clone())
    }

    /// All rows in groups of two by two, of which at least one has blocks.
    fn pairs(&self) -> Vec<[RowPlace; PAIR * PAIR]> {
        let mut firsts: Vec<RowPlace> =
            self.places.iter().map(|row| row.map(|i| i & !(PAIR as i32 - 1))).collect();
        firsts.sort_unstable();
        firsts.dedup();
        let group = |[y, z]: RowPlace| [[y, z], [y + 1, z], [y, z + 1], [y + 1, z + 1]];
        firsts.into_iter().map(group).collect()
    }
}

/// Blocks side by side in some rows.
struct Window {
    /// The blocks of each row from the window on.
    blocks: [Range<usize>; PAIR * PAIR],
    /// The window along x, in blocks.
    columns: Range<i32>,
}

impl Window {
    /// Goes on to the next blocks; false if there are no more.
    fn advance(&mut self, keys: &[u64], longest: i32) -> bool {
        for row in &mut self.blocks {
            let done = row.clone().take_while(|&b| x_of(keys[b]) < self.columns.end).count();
            row.start += done;
        }
        let next = |row: &Range<usize>| (!row.is_empty()).then(|| x_of(keys[row.start]));
        let Some(first) = self.blocks.iter().filter_map(next).min() else { return false };
        // As far as blocks follow without a gap in some row.
        let mut end = first + 1;
        let follows = |end: i32| {
            let mut rows = self.blocks.iter();
            rows.any(|row| {
                let at = row.start + keys[row.clone()].partition_point(|&key| x_of(key) < end);
                at < row.end && x_of(keys[at]) == end
            })
        };
        while end < first + longest && follows(end) {
            end += 1;
        }
        self.columns = first..end;
        true
    }

    fn holds(&self, key: u64) -> bool {
        x_of(key) < self.columns.end
    }
}

fn x_of(key: u64) -> i32 {
    cell_of_key(key)[0]
}

/// Sums of stamps at the points of a window; the buffer is reused.
#[derive(Default)]
struct Sums {
    /// Rows of points by y, then z, with room for whole stamps at both ends.
    bytes: Vec<[u8; ROW]>,
    /// Points before the first block.
    margin: usize,
    /// Rows along y, and along z.
    rows: usize,
}

impl Sums {
    /// Adds up the stamps at the points of a window; false if there are too few to prove a tile.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn add_all(
        &mut self,
        stamps: &Stamps,
        grid: &Grid,
        cells: &Cells,
        window: &Window,
        [y, z]: RowPlace,
    ) -> bool {
        let edge = grid.block_edge() / grid.h;
        let corner = [window.columns.start, y, z].map(|i| f64::from(i) * edge);
        let size = [window.columns.len(), PAIR, PAIR].map(|blocks| blocks as f64 * edge);
        let low = corner.map(|x| (x - REACH).floor() as i32);
        let high = [0, 1, 2].map(|a| (corner[a] + size[a] + REACH).floor() as i32);
        let rows = (low[2]..=high[2]).flat_map(|z| (low[1]..=high[1]).map(move |y| (y, z)));
        let of_row = |(y, z)| cells.between(cell_key([low[0], y, z]), cell_key([high[0], y, z]));
        let rows: Vec<Range<usize>> = rows.map(of_row).collect();
        if rows.iter().map(|row| cells.count(row)).sum::<usize>() < FEWEST {
            return false;
        }
        let n = TILE * grid.tiles;
        self.margin = stamps.width * LANES;
        self.rows = n * PAIR;
        self.bytes.clear();
        self.bytes.resize(self.rows * self.rows, [0; ROW]);
        let steps = (grid.h / grid.spacing) as Real;
        for cell in rows.into_iter().flatten() {
            let (key, particles) = cells.at(cell);
            let at = cell_of_key(key);
            let shift = [0, 1, 2].map(|a| (f64::from(at[a]) - corner[a]) as Real * steps);
            for i in particles.filter(|&i| cells.weights()[i] >= stamps.least_weight) {
                let [x, y, z] = cells.within_cell(i);
                let at = [x * steps + shift[0], y * steps + shift[1], z * steps + shift[2]];
                match stamps.width {
                    1 => self.add::<1>(stamps, at),
                    2 => self.add::<2>(stamps, at),
                    3 => self.add::<3>(stamps, at),
                    _ => self.add::<WIDEST>(stamps, at),
                }
            }
        }
        true
    }

    /// Adds the stamp of a particle, of so many lanes along x, given its place in grid steps.
    #[inline(always)]
    fn add<const WIDTH: usize>(&mut self, stamps: &Stamps, at: [Real; 3]) {
        let parts = at.map(|x| floor(x * PARTS as Real));
        let [x, y, z] = parts.map(|p| p.div_euclid(PARTS as i32) + stamps.low);
        let part = parts.map(|p| p.rem_euclid(PARTS as i32) as usize);
        let stamp = (part[2] * PARTS + part[1]) * PARTS + part[0];
        let Ok(x) = usize::try_from(x + self.margin as i32) else { return };
        if x + WIDTH * LANES > ROW {
            return;
        }
        let clip =
            |from: i32, first: i32, last: i32| first.max(-from)..last.min(self.rows as i32 - from);
        for dz in clip(z, 0, stamps.rows as i32) {
            let layer = stamp * stamps.rows + dz as usize;
            let (first, last) = stamps.spans[layer];
            let ys = clip(y, first.into(), last.into());
            if ys.is_empty() {
                continue;
            }
            let row = (z + dz) as usize * self.rows + (y + ys.start) as usize;
            let bounds = &stamps.lanes[(layer * stamps.rows + ys.start as usize) * WIDTH..];
            let sums = self.bytes[row..].iter_mut().take(ys.len());
            for (sums, bounds) in sums.zip(bounds.as_chunks::<WIDTH>().0) {
                let sums = sums[x..].as_chunks_mut::<LANES>().0;
                for (sums, bounds) in sums.iter_mut().zip(bounds) {
                    *sums = add_lanes(*sums, *bounds);
                }
            }
        }
    }

    /// Whether the sums at all points of a tile of a block prove it inside.
    fn is_full(&self, grid: &Grid, block: [usize; 3], tile: [usize; 3]) -> bool {
        let first = [0, 1, 2].map(|a| (block[a] * grid.tiles + tile[a]) * TILE);
        (0..TILE * TILE).all(|row| {
            let (y, z) = (first[1] + row % TILE, first[2] + row / TILE);
            self.bytes[z * self.rows + y][self.margin + first[0]..][..TILE] == [u8::MAX; TILE]
        })
    }
}

/// Sums with saturation. By value: behind references, compilers go byte by byte.
#[inline(always)]
fn add_lanes(a: [u8; LANES], b: [u8; LANES]) -> [u8; LANES] {
    let mut sums = [0; LANES];
    for (sum, (a, b)) in sums.iter_mut().zip(a.into_iter().zip(b)) {
        *sum = a.saturating_add(b);
    }
    sums
}

/// The whole number at or below `x`, without a call on CPUs of the baseline.
#[inline(always)]
fn floor(x: Real) -> i32 {
    let towards_zero = x as i32;
    towards_zero - i32::from(towards_zero as Real > x)
}
