//! Which tiles are proved inside the fluid: lower bounds of the field over windows of blocks.
//!
//! A window has [`SIDE`] × [`SIDE`] rows of blocks and up to [`MAX_COLUMNS`] blocks along x: long
//! enough that few particles belong to several windows, and small enough for the inner caches.

use crate::field::cells::{Cells, Cursor};
use crate::field::grid::Grid;
use crate::field::window::{BoundProver, Window};
use hashfall_core::Real;
use hashfall_core::cell::cell_of_key;
use hashfall_core::parallel::{self, Buffers};
use hashfall_core::simd::{Isa, Simd, WithSimd};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// The tiles of which all points are proved inside.
pub(crate) struct InteriorProof {
    /// A bit for each tile, in whole words for each block.
    words: Vec<AtomicU64>,
    words_per_block: usize,
}

impl InteriorProof {
    /// Proves what can be, for blocks by ascending key.
    pub fn prove(isa: Isa, grid: &Grid, cells: &Cells, keys: &[u64]) -> Self {
        let words_per_block = grid.tile_count().div_ceil(64);
        let words = (0..keys.len() * words_per_block).map(|_| AtomicU64::new(0)).collect();
        let inside = InteriorProof { words, words_per_block };
        let Some(prover) = BoundProver::new(grid) else { return inside };
        let rows = Rows::new(keys);
        let buffers = Buffers::new(|| (Window::default(), Vec::new()));
        let prove = |(window, cursors): &mut (Window, Vec<_>), group: [RowPlace; SIDE * SIDE]| {
            let mut blocks = BlockWindow::before(group.map(|row| rows.range(row)));
            while blocks.advance(keys) {
                let (prover, first) = (&prover, group[0]);
                let place = Place { grid, cells, blocks: &blocks, first };
                if isa.run(ProveWindow { prover, place, cursors, window }) {
                    inside.note(grid, keys, &blocks, window);
                }
            }
        };
        let groups = rows.groups();
        parallel::for_each(groups.len(), &|k| buffers.with(|buffers| prove(buffers, groups[k])));
        inside
    }

    /// Whether a tile of a block, in the list, is proved inside.
    #[inline(always)]
    pub fn is_inside(&self, block: usize, tile: usize) -> bool {
        let word = &self.words[block * self.words_per_block + tile / 64];
        word.load(Ordering::Relaxed) >> (tile % 64) & 1 == 1
    }

    /// Notes the tiles of the blocks of a window that are proved.
    fn note(&self, grid: &Grid, keys: &[u64], blocks: &BlockWindow, window: &Window) {
        for (row, range) in blocks.blocks.iter().enumerate() {
            for block in range.clone().take_while(|&b| blocks.holds(keys[b])) {
                let column = (x_of(keys[block]) - blocks.columns.start) as usize;
                let corner = [column, row % SIDE, row / SIDE];
                for tile in 0..grid.tile_count() {
                    let at = grid.tile_at(tile);
                    if window.is_inside([0, 1, 2].map(|a| corner[a] * grid.tiles + at[a])) {
                        let word = &self.words[block * self.words_per_block + tile / 64];
                        word.fetch_or(1 << (tile % 64), Ordering::Relaxed);
                    }
                }
            }
        }
    }
}

/// Rows of blocks of a window along y, and along z.
const SIDE: usize = 4;

/// The most blocks of a window along x.
const MAX_COLUMNS: i32 = 8;

/// A row of blocks along x: its y and z.
type RowPlace = [i32; 2];

/// The rows of blocks in a list, by z, then y.
struct Rows {
    places: Vec<RowPlace>,
    ranges: Vec<Range<usize>>,
}

impl Rows {
    fn new(keys: &[u64]) -> Self {
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

    /// All rows in groups, by y, then z, of which at least one has blocks.
    fn groups(&self) -> Vec<[RowPlace; SIDE * SIDE]> {
        let mut firsts: Vec<RowPlace> =
            self.places.iter().map(|row| row.map(|i| i & !(SIDE as i32 - 1))).collect();
        firsts.sort_unstable();
        firsts.dedup();
        let place = |i: usize| [(i % SIDE) as i32, (i / SIDE) as i32];
        let group = |[y, z]: RowPlace| std::array::from_fn(|i| [y + place(i)[0], z + place(i)[1]]);
        firsts.into_iter().map(group).collect()
    }
}

/// Blocks side by side in some rows.
struct BlockWindow {
    /// The blocks of each row from the window on.
    blocks: [Range<usize>; SIDE * SIDE],
    /// The window along x, in blocks.
    columns: Range<i32>,
}

impl BlockWindow {
    /// A window before all blocks of some rows.
    fn before(blocks: [Range<usize>; SIDE * SIDE]) -> Self {
        BlockWindow { blocks, columns: i32::MIN..i32::MIN }
    }

    /// Goes on to the next blocks; false if there are no more.
    fn advance(&mut self, keys: &[u64]) -> bool {
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
        while end < first + MAX_COLUMNS && follows(end) {
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

/// Proves what can be in a window of blocks; false if that is nothing.
struct ProveWindow<'a> {
    prover: &'a BoundProver,
    place: Place<'a>,
    /// Cursors for the rows of cells around it.
    cursors: &'a mut Vec<Cursor>,
    window: &'a mut Window,
}

/// Where a window is.
struct Place<'a> {
    grid: &'a Grid,
    cells: &'a Cells,
    blocks: &'a BlockWindow,
    /// The first row of blocks.
    first: RowPlace,
}

impl WithSimd for ProveWindow<'_> {
    type Output = bool;

    #[inline(always)]
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn run<I: Simd>(self, on: I) -> bool {
        let ProveWindow { prover, place, cursors, window } = self;
        let Place { grid, cells, blocks, first: [y, z] } = place;
        let edge = grid.block_edge() / grid.h;
        let reach = prover.reach() as f64 * grid.spacing / grid.h;
        let corner = [blocks.columns.start, y, z].map(|i| f64::from(i) * edge);
        let size = [blocks.columns.len(), SIDE, SIDE];
        let low = corner.map(|x| (x - reach).floor() as i32);
        let high = [0, 1, 2].map(|a| (corner[a] + size[a] as f64 * edge + reach).floor() as i32);
        let steps = (grid.h / grid.spacing) as Real;
        window.clear(size.map(|blocks| blocks * grid.tiles));
        let (wide, deep) = ((high[1] - low[1] + 1) as usize, (high[2] - low[2] + 1) as usize);
        cursors.resize(wide * deep, Cursor::default());
        let rows = cursors.iter_mut().enumerate().flat_map(|(row, cursor)| {
            let (y, z) = (low[1] + (row % wide) as i32, low[2] + (row / wide) as i32);
            cells.in_row(cursor, [low[0], y, z], high[0])
        });
        for cell in rows {
            let (key, particles) = cells.at(cell);
            let at = cell_of_key(key);
            let shift = [0, 1, 2].map(|a| (f64::from(at[a]) - corner[a]) as Real * steps);
            for i in particles {
                let ([x, y, z], w) = (cells.within_cell(i), cells.isotropic_weight(i));
                window.add([x * steps + shift[0], y * steps + shift[1], z * steps + shift[2], w]);
            }
        }
        window.prove(on, prover)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::grid::TILE;
    use crate::settings::SurfaceSettings;
    use crate::sorted::SortedParticles;
    use crate::tests::random;
    use hashfall_core::vec3;

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
        let input = sorted.input();
        let grid = Grid::new(h, &SurfaceSettings { cell, ..SurfaceSettings::default() }, h / 4.0);
        let cells = Cells::scan(input.positions, h, |i| input.volumes[i]);
        let keys = cells.reached_blocks(&grid);
        let inside = InteriorProof::prove(Isa::current(), &grid, &cells, &keys);
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
