//! The space between solids, on a grid, and the place that a vessel is filled from.
//!
//! A cell is *open* if a particle fits there: if its middle is about a particle radius or more
//! from every solid. Open cells that share a face are connected: fluid flows from one to the
//! other, and not through a wall however thin, nor through a gap narrower than a particle.

use super::error::FillError;
use super::extent::reached_part;
use super::flood::FACES;
use super::level::level_of_volume;
use super::region::VesselRegion;
use super::spill::spill;
use crate::packing::{Cells, Grid, SignedDistance};
use crate::region::ROUNDING;
use hashfall_core::Dimension;
use std::ops::Range;

/// Cells of the space to look at, at the most: a few minutes, and 1 to 2 GB.
const MAX_CELLS: f64 = 1.5e8;

/// A cell is open whose middle has this depth or more in free space, in spacings.
pub const OPEN: f32 = -0.45;

/// Around a place an open cell is looked for so many cells away.
pub const MAX_CELLS_TO_OPEN: isize = 2;

/// How much to fill in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Asked {
    /// Up to this height \[m\].
    Level(f64),
    /// So much \[m³, in the plane m²\].
    Volume(f64),
}

/// The space between solids, and a place in it.
pub struct Vessel<'a> {
    /// Distance into free space: negative between the solids, within the walls of the domain.
    pub free: &'a SignedDistance<'a>,
    /// The free space on a grid.
    pub cells: Cells,
    /// Axes along which the grid begins again where it ends.
    pub periodic: [bool; 3],
    /// The open cell that is filled first.
    pub seed: [usize; 3],
    /// The cells along each axis that lie in the domain.
    within: [Range<usize>; 3],
}

/// Where a vessel may be.
#[derive(Clone, Copy, Debug)]
pub struct VesselDomain {
    /// In how many dimensions.
    pub dimension: Dimension,
    /// Lowest and highest corner \[m\].
    pub corners: [[f64; 3]; 2],
    /// Axes along which it begins again where it ends.
    pub periodic: [bool; 3],
    /// Particle spacing \[m\].
    pub d: f64,
}

impl<'a> Vessel<'a> {
    /// The space around a place \[m\], between solids that have the distance `free`.
    ///
    /// # Errors
    /// If the place is not free, or the domain is too large.
    pub fn new(
        domain: &VesselDomain,
        free: &'a SignedDistance<'a>,
        from: [f64; 3],
        asked: Asked,
    ) -> Result<Self, FillError> {
        let [low, mut high] = domain.corners;
        let axes: &[usize] = if domain.dimension == Dimension::Two { &[0, 2] } else { &[0, 1, 2] };
        if axes.iter().any(|&a| from[a] <= low[a] || from[a] >= high[a]) {
            return Err(FillError::OutsideDomain);
        }
        if let Asked::Level(level) = asked {
            if from[2] >= level {
                return Err(FillError::AboveLevel);
            }
            if level > high[2] + ROUNDING * domain.d {
                return Err(FillError::LevelAboveDomain { top: high[2] });
            }
            // The upper face of the grid is the level.
            high[2] = high[2].min(level);
        }
        if free(&from, domain.d) >= 0.0 {
            return Err(FillError::InSolid);
        }
        let mut grid = Grid::new(domain.dimension, [low, high], domain.d);
        let mut periodic = domain.periodic;
        // Without a level fluid may come anywhere.
        if let (Asked::Level(_), Some(part)) = (asked, reached_part(&grid, free, &from)) {
            (grid, periodic) = (part, [false; 3]);
        }
        let cells = grid.counts.iter().map(|&n| n as f64).product();
        if cells > MAX_CELLS {
            return Err(FillError::TooLarge(cells));
        }
        let cells = Cells::new(grid, free);
        let within = [0, 1, 2].map(|a| grid.within(a));
        let mut vessel = Vessel { free, cells, periodic, seed: [0; 3], within };
        vessel.seed = vessel.open_cell_near(&from).ok_or(FillError::Cramped)?;
        if let Asked::Volume(_) = asked {
            // It may fill less than up to there.
            vessel.seed = vessel.lowest_below(vessel.seed);
        }
        Ok(vessel)
    }

    /// What is filled of the vessel.
    ///
    /// # Errors
    /// If it runs over, or holds less than was asked for.
    pub fn fill(&self, asked: Asked) -> Result<VesselRegion, FillError> {
        match asked {
            Asked::Level(level) => {
                let layers = self.layers_below(level);
                match spill(self, layers) {
                    Some(at) => Err(FillError::RunsOver { at }),
                    None => Ok(VesselRegion::new(self, level)),
                }
            }
            Asked::Volume(volume) => level_of_volume(self, volume),
        }
    }

    /// The layers of cells whose middles lie below a height.
    pub(super) fn layers_below(&self, level: f64) -> usize {
        let Grid { low, step, counts, .. } = self.cells.grid;
        (((level - low[2]) / step[2] - 0.5).ceil().max(0.0) as usize).min(counts[2])
    }

    /// Whether a particle fits at a cell.
    pub(super) fn is_open(&self, cell: [usize; 3]) -> bool {
        self.cells.depth(cell.map(|c| c as isize)) <= OPEN
    }

    /// The number of a cell, x fastest, then y, then z.
    pub(super) fn number(&self, [i, j, k]: [usize; 3]) -> usize {
        let [nx, ny, _] = self.cells.grid.counts;
        i + nx * (j + ny * k)
    }

    /// The cell of a number.
    pub(super) fn cell(&self, number: usize) -> [usize; 3] {
        let [nx, ny, _] = self.cells.grid.counts;
        [number % nx, number / nx % ny, number / nx / ny]
    }

    /// The open cells in the lowest `layers` that share a face with one and are not among `seen`,
    /// which they join.
    pub(super) fn for_each_new(
        &self,
        cell: [usize; 3],
        seen: &mut [bool],
        layers: usize,
        mut visit: impl FnMut([usize; 3]),
    ) {
        for face in FACES {
            if let Some(next) = self.shifted(cell, face) {
                let number = self.number(next);
                if next[2] < layers && !seen[number] && self.is_open(next) {
                    seen[number] = true;
                    visit(next);
                }
            }
        }
    }

    /// The cell at an offset from another, round the ends of the domain where it is periodic;
    /// `None` beyond the domain.
    pub(super) fn shifted(&self, cell: [usize; 3], offset: [isize; 3]) -> Option<[usize; 3]> {
        let mut shifted = [0; 3];
        for a in 0..3 {
            let within = &self.within[a];
            let mut at = cell[a].wrapping_add_signed(offset[a]);
            if !within.contains(&at) {
                if !self.periodic[a] || within.len() == 1 {
                    return None;
                }
                at = if offset[a] < 0 { at + within.len() } else { at - within.len() };
            }
            shifted[a] = at;
        }
        Some(shifted)
    }

    /// How far beyond the ends of a periodic axis the middle of a cell lies, negative between
    /// them, in spacings.
    pub(super) fn beyond_ends(&self, cell: [usize; 3]) -> f32 {
        let grid = &self.cells.grid;
        let beyond = (0..3).filter(|&a| self.periodic[a]).map(|a| {
            let Range { start, end } = self.within[a];
            let middle = cell[a] as f64 + 0.5;
            (start as f64 - middle).max(middle - end as f64) * grid.step[a] / grid.d
        });
        beyond.fold(f64::NEG_INFINITY, f64::max) as f32
    }

    /// Whether no solid stands between two places \[m\]: what is free around the first, then
    /// around where that ends, and so on, reaches the second (sphere tracing, Hart 1996).
    pub(super) fn sees(&self, from: &[f64; 3], to: &[f64; 3]) -> bool {
        const STEPS: usize = 64;
        let d = self.cells.grid.d;
        let way = [0, 1, 2].map(|a| to[a] - from[a]);
        let length = way.iter().map(|x| x * x).sum::<f64>().sqrt();
        let mut gone = 0.0;
        for _ in 0..STEPS {
            if gone >= length {
                return true;
            }
            let at = [0, 1, 2].map(|a| from[a] + way[a] * (gone / length));
            let room = -(self.free)(&at, 2.0 * d);
            if room < 1e-3 * d {
                return false;
            }
            gone += room;
        }
        gone >= length
    }

    /// Where fluid comes to that is poured in at a cell: the lowest that it reaches without going
    /// up.
    fn lowest_below(&self, cell: [usize; 3]) -> [usize; 3] {
        let mut seen = vec![false; self.cells.grid.counts.iter().product()];
        let (mut lowest, mut pending) = (cell, vec![cell]);
        while let Some(cell) = pending.pop() {
            if cell[2] < lowest[2] {
                lowest = cell;
            }
            self.for_each_new(cell, &mut seen, cell[2] + 1, |next| pending.push(next));
        }
        lowest
    }

    /// The nearest open cell that a place sees.
    fn open_cell_near(&self, from: &[f64; 3]) -> Option<[usize; 3]> {
        let grid = &self.cells.grid;
        let mut near = grid.cells_near(from, MAX_CELLS_TO_OPEN).into_iter();
        near.find(|cell| self.is_open(*cell) && self.sees(from, &grid.centre(*cell)))
    }
}
