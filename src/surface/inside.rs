//! Which tiles are proved inside: stamps are added up over windows of blocks.
//!
//! A window is two rows of blocks by two, up to [`LONGEST`] blocks along x, so that its sums stay
//! in the nearest cache and a particle's stamp is cut by few borders. Points are kept as stamps
//! are: rows in twos along y, whose bytes alternate.

use super::cells::Cells;
use super::grid::{Grid, TILE};
use super::stamps::{LANES, PARTS, REACH, Stamps, WIDEST};
use crate::base::Real;
use crate::base::cell::{cell_key, cell_of_key};
use crate::base::isa::{HotLoop, Instructions, Isa};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Fewer particles do not prove a tile.
const FEWEST: usize = 8;

/// The tiles of which all points are proved inside.
pub(super) struct Inside {
    /// A bit for each tile, in whole words for each block.
    words: Vec<AtomicU64>,
    words_per_block: usize,
}

impl Inside {
    /// Proves what can be, for blocks by ascending key.
    pub fn prove(isa: Isa, stamps: &Stamps, grid: &Grid, cells: &Cells, keys: &[u64]) -> Self {
        let words_per_block = grid.tile_count().div_ceil(64);
        let words = (0..keys.len() * words_per_block).map(|_| AtomicU64::new(0)).collect();
        let inside = Inside { words, words_per_block };
        let rows = Rows::of(keys);
        let room = (ROW - 2 * stamps.width * LANES) / (2 * TILE * grid.tiles);
        let longest = LONGEST.min(room as i32);
        rows.pairs().into_par_iter().for_each_init(Sums::default, |sums, pair| {
            let mut window = Window::before(pair.map(|row| rows.range(row)));
            while window.advance(keys, longest) {
                if isa.run(AddAll { stamps, grid, cells, window: &window, first: pair[0], sums }) {
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
const ROW: usize = 320;

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
    /// A window before all blocks of some rows.
    fn before(blocks: [Range<usize>; PAIR * PAIR]) -> Self {
        Window { blocks, columns: i32::MIN..i32::MIN }
    }

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
    /// Pairs of rows of points by y, then z, with room for whole stamps at both ends.
    bytes: Vec<[u8; ROW]>,
    /// Bytes before the first block.
    margin: usize,
    /// Pairs along y, and half the points along z.
    pairs: usize,
}

/// Adds up the stamps at the points of a window; false if there are too few to prove a tile.
struct AddAll<'a> {
    stamps: &'a Stamps,
    grid: &'a Grid,
    cells: &'a Cells,
    window: &'a Window,
    /// The first row of blocks.
    first: RowPlace,
    sums: &'a mut Sums,
}

impl HotLoop for AddAll<'_> {
    type Answer = bool;

    #[inline(always)]
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn run<I: Instructions>(self, _: I) -> bool {
        let AddAll { stamps, grid, cells, window, first: [y, z], sums } = self;
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
        sums.clear(grid, stamps);
        let steps = (grid.h / grid.spacing) as Real;
        for cell in rows.into_iter().flatten() {
            let (key, particles) = cells.at(cell);
            let at = cell_of_key(key);
            let shift = [0, 1, 2].map(|a| (f64::from(at[a]) - corner[a]) as Real * steps);
            for i in particles {
                if cells.weights()[i] < stamps.least_weight {
                    continue;
                }
                let [x, y, z] = cells.within_cell(i);
                let at = [x * steps + shift[0], y * steps + shift[1], z * steps + shift[2]];
                match stamps.width {
                    1 => sums.add::<1>(stamps, at),
                    2 => sums.add::<2>(stamps, at),
                    3 => sums.add::<3>(stamps, at),
                    _ => sums.add::<WIDEST>(stamps, at),
                }
            }
        }
        true
    }
}

impl Sums {
    fn clear(&mut self, grid: &Grid, stamps: &Stamps) {
        let rows = TILE * grid.tiles * PAIR;
        self.margin = stamps.width * LANES;
        self.pairs = rows / 2;
        self.bytes.clear();
        self.bytes.resize(self.pairs * rows, [0; ROW]);
    }

    /// Adds the stamp of a particle, of so many lanes along x, given its place in grid steps.
    #[inline(always)]
    fn add<const WIDTH: usize>(&mut self, stamps: &Stamps, [x, y, z]: [Real; 3]) {
        let parts = [part_of(x), part_of(y), part_of(z)];
        let part = parts.map(|p| p.rem_euclid(PARTS as i32) as usize);
        let [x, y, z] = parts.map(|p| p.div_euclid(PARTS as i32) + stamps.low);
        let (first_pair, parity) = (y.div_euclid(2), y.rem_euclid(2) as usize);
        let number = Stamps::number(part, parity);
        let Ok(x) = usize::try_from(2 * x + self.margin as i32) else { return };
        if x + WIDTH * LANES > ROW {
            return;
        }
        let layers = 2 * self.pairs as i32;
        for z_here in z.max(0)..(z + stamps.size as i32).min(layers) {
            let (skipped, lanes) = stamps.layer(number, (z_here - z) as usize);
            let bounds = lanes.as_chunks::<WIDTH>().0;
            // Cut to the pairs of the window.
            let pair = first_pair + skipped as i32;
            let cut = (-pair).max(0) as usize;
            let pair = (pair.max(0) as usize).min(self.pairs);
            let Some(bounds) = bounds.get(cut..) else { continue };
            let layer = z_here as usize * self.pairs;
            let sums = &mut self.bytes[layer + pair..layer + self.pairs];
            for (sums, bounds) in sums.iter_mut().zip(bounds) {
                let sums = sums[x..].as_chunks_mut::<LANES>().0;
                for (sums, bounds) in sums.iter_mut().zip(bounds) {
                    *sums = add_lanes(*sums, *bounds);
                }
            }
        }
    }

    /// Whether the sums at all points of a tile of a block prove it inside.
    fn is_full(&self, grid: &Grid, block: [usize; 3], tile: [usize; 3]) -> bool {
        let [x, y, z] = [0, 1, 2].map(|a| (block[a] * grid.tiles + tile[a]) * TILE);
        (0..TILE * TILE / 2).all(|row| {
            let pair = (z + row / (TILE / 2)) * self.pairs + y / 2 + row % (TILE / 2);
            self.bytes[pair][self.margin + 2 * x..][..2 * TILE] == [u8::MAX; 2 * TILE]
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

/// The part of a step that a place is in, without a call on CPUs of the baseline.
#[inline(always)]
fn part_of(x: Real) -> i32 {
    let x = x * PARTS as Real;
    let towards_zero = x as i32;
    towards_zero - i32::from(towards_zero as Real > x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::vec3;
    use crate::surface::SortedParticles;
    use crate::surface::tests::random;
    use crate::world::Surface;

    /// How many tiles are proved inside a jittered block of 16³ particles, and how many there are.
    fn proved(cell: f64, shift: [f64; 3]) -> (usize, usize) {
        let mut random = random(2);
        let points: Vec<_> = (0..4096)
            .map(|i| {
                let at = [i % 16, i / 16 % 16, i / 256];
                let mut place = |a: usize| (f64::from(at[a]) + 0.5 + 0.1 * random()) * 0.125;
                vec3([place(0) + shift[0], place(1) + shift[1], place(2) + shift[2]])
            })
            .collect();
        let h = vec3([0.25; 3]).x;
        let sorted = SortedParticles::new(&points, &[], h);
        let splats = sorted.splats();
        let grid = Grid::new(h, &Surface { cell, ..Surface::default() }, h / 4.0);
        let cells = Cells::scan(splats.positions, h, |i| splats.volumes[i]);
        let keys = cells.reached_blocks(&grid);
        let stamps = Stamps::new(&grid, cells.weights());
        let inside = Inside::prove(Isa::of_this_cpu(), &stamps, &grid, &cells, &keys);
        let tiles = (0..keys.len()).flat_map(|b| (0..grid.tile_count()).map(move |t| (b, t)));
        let proved = tiles.filter(|&(block, tile)| inside.is_inside(block, tile)).count();
        let edge = TILE as f64 * grid.spacing;
        (proved, (2.0 / edge).powi(3) as usize)
    }

    #[test]
    fn most_of_a_block_of_fluid_is_proved_wherever_it_lies() {
        for cell in [0.25, 0.5] {
            let (at_origin, all) = proved(cell, [0.0; 3]);
            assert!(2 * at_origin > all && at_origin < all, "{at_origin} of {all}");
            for shift in [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -9.0], [-5.0; 3]] {
                assert_eq!(proved(cell, shift), (at_origin, all), "{shift:?}");
            }
        }
    }
}
