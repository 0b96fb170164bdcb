//! Which blocks hold particles, which can be reached by them, and the particles near a block.
//!
//! Positions are sorted by the key of their cell, x lowest. So a cell is a range of particles,
//! three cells along x are one range, and the 27 cells around a block are nine ranges.

use super::Splats;
use super::grid::{Grid, relative};
use crate::base::cell::{Cell, cell_key, cell_of};
use crate::base::{Real, Vec3, parallel};
use crate::kernel::SmoothingKernel;
use std::ops::Range;

/// What to add (wrapping) to a cell's key for that of the cell at an offset.
pub(super) fn key_step(offset: Cell) -> u64 {
    cell_key(offset).wrapping_sub(cell_key([0; 3]))
}

/// The cells that hold particles, by ascending key.
pub(super) struct OccupiedCells {
    keys: Vec<u64>,
    /// First particle of each cell, and the number of particles.
    starts: Vec<usize>,
}

impl OccupiedCells {
    /// Scans positions that are sorted by cells of size `h`.
    pub fn scan(positions: &[Vec3], h: Real) -> Self {
        let mut key_of = vec![0; positions.len()];
        parallel::fill(&mut key_of, |i, key| *key = cell_key(cell_of(&positions[i], h)));
        debug_assert!(key_of.is_sorted(), "positions are sorted by cells");
        let mut cells = OccupiedCells { keys: Vec::new(), starts: vec![0] };
        let mut end = 0;
        for cell in key_of.chunk_by(|a, b| a == b) {
            end += cell.len();
            cells.keys.push(cell[0]);
            cells.starts.push(end);
        }
        cells
    }

    /// The keys of all occupied cells and their 26 neighbours, ascending: outside these blocks the
    /// field is zero.
    pub fn reached_blocks(&self) -> Vec<u64> {
        let axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
        axes.into_iter().map(key_step).fold(self.keys.clone(), |keys, step| {
            let steps = [step.wrapping_neg(), 0, step];
            let shifted = |step: u64| keys.iter().map(move |key| key.wrapping_add(step));
            let mut all: Vec<u64> = steps.into_iter().flat_map(shifted).collect();
            // Three sorted runs: the stable sort merges them in linear time.
            all.sort();
            all.dedup();
            all
        })
    }

    /// The particles of the 27 cells around a block in nine ranges, and how many of the cells are
    /// occupied.
    pub fn around(&self, block: u64) -> ([Range<usize>; 9], usize) {
        let mut occupied = 0;
        let ranges = std::array::from_fn(|row| {
            let middle = block.wrapping_add(key_step([0, row as i32 % 3 - 1, row as i32 / 3 - 1]));
            let is_in_row = |key: u64| key.abs_diff(middle) <= 1;
            let first = self.keys.partition_point(|&k| k < middle && !is_in_row(k));
            let count = self.keys[first..].iter().take_while(|&&k| is_in_row(k)).count();
            occupied += count;
            self.starts[first]..self.starts[first + count]
        });
        (ranges, occupied)
    }
}

/// The particles that reach a block, relative to its lowest corner; buffers are reused.
#[derive(Default)]
pub(super) struct NearParticles {
    /// Positions relative to the block \[m\].
    pub positions: Vec<Vec3>,
    /// Volumes \[m³\].
    pub volumes: Vec<Real>,
    /// Places in the splats.
    pub indices: Vec<u32>,
    /// Whether each of the 27 cells around the block is occupied.
    pub is_surrounded: bool,
}

impl NearParticles {
    /// Collects the particles closer than h to the closed block, in the order of the splats.
    pub fn gather(&mut self, splats: &Splats, grid: &Grid, cells: &OccupiedCells, block: u64) {
        let origin = grid.origin(block);
        let (ranges, occupied) = cells.around(block);
        self.is_surrounded = occupied == 27;
        self.positions.clear();
        self.volumes.clear();
        self.indices.clear();
        for i in ranges.into_iter().flatten() {
            let local = relative(&splats.positions[i], &origin);
            if squared_distance_to_block(&local, grid.h) < grid.h * grid.h {
                self.positions.push(local);
                self.volumes.push(splats.volumes[i]);
                self.indices.push(i as u32);
            }
        }
    }

    /// A value that the field exceeds nowhere on the closed block: as W falls with distance, the
    /// sum with each particle at its least distance.
    pub fn upper_bound(&self, grid: &Grid) -> Real {
        let at_least_distance = |(x, volume): (&Vec3, &Real)| {
            volume * grid.kernel.value(squared_distance_to_block(x, grid.h).sqrt())
        };
        self.positions.iter().zip(&self.volumes).map(at_least_distance).sum()
    }

    /// The field at one point.
    pub fn field_at(&self, grid: &Grid, point: &Vec3) -> Real {
        let term = |(x, volume): (&Vec3, &Real)| volume * grid.kernel.value((point - x).norm());
        self.positions.iter().zip(&self.volumes).map(term).sum()
    }
}

/// Squared distance from a point to the cube from 0 to h on each axis.
#[inline(always)]
fn squared_distance_to_block(point: &Vec3, h: Real) -> Real {
    point.map(|x| (-x).max(x - h).max(0.0)).norm_squared()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells_of(cells: &[[i32; 3]]) -> OccupiedCells {
        let mut keys: Vec<u64> = cells.iter().map(|&c| cell_key(c)).collect();
        keys.sort_unstable();
        let starts = (0..=keys.len()).collect();
        OccupiedCells { keys, starts }
    }

    #[test]
    fn scanning_finds_each_cell_with_its_particles() {
        let points = [[-0.5, 0.0, 0.0], [0.1, 0.2, 0.3], [0.9, 0.2, 0.3], [0.0, 0.0, 7.0]];
        let cells = OccupiedCells::scan(&points.map(crate::base::vec3), 1.0);
        assert_eq!(cells.keys, [[-1, 0, 0], [0, 0, 0], [0, 0, 7]].map(cell_key));
        assert_eq!(cells.starts, [0, 1, 3, 4]);
        let none = OccupiedCells::scan(&[], 1.0);
        assert!(none.reached_blocks().is_empty());
        assert_eq!(none.around(cell_key([0; 3])).1, 0);
    }

    #[test]
    fn reached_blocks_are_the_occupied_cells_and_their_neighbours() {
        let cells = cells_of(&[[0, 0, 0], [1, 1, 1], [9, -4, 2]]);
        let reached = cells.reached_blocks();
        assert_eq!(reached.len(), 27 + 27 - 8 + 27);
        assert!(reached.is_sorted());
        assert!(reached.binary_search(&cell_key([8, -5, 1])).is_ok());
        assert!(reached.binary_search(&cell_key([3, 0, 0])).is_err());
    }

    #[test]
    fn the_cells_around_a_block_are_found_row_by_row() {
        let cells = cells_of(&[[-1, 0, 0], [0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, -1], [0, 2, 0]]);
        let (ranges, occupied) = cells.around(cell_key([0, 0, 0]));
        let found: Vec<u64> = ranges.into_iter().flatten().map(|i| cells.keys[i]).collect();
        assert_eq!(occupied, 4);
        assert_eq!(found, [[0, 1, -1], [-1, 0, 0], [0, 0, 0], [1, 0, 0]].map(cell_key));
    }
}
