//! Filling a vessel: the space around the place that fluid is poured in at, and what is full of it.

use super::error::FillError;
use super::extent::reached_part;
use super::level::level_of_volume;
use super::region::VesselRegion;
use super::spill::spill;
use super::vessel::{MAX_CELLS_TO_OPEN, Vessel};
use crate::packing::{Cells, Grid, SignedDistance};
use crate::region::ROUNDING;
use hashfall_core::Dimension;

/// Cells of the space to look at, at the most: a few minutes, and 1 to 2 GB.
const MAX_CELLS: f64 = 1.5e8;

/// How much to fill in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Asked {
    /// Up to this height \[m\].
    Level(f64),
    /// So much \[m³, in the plane m²\].
    Volume(f64),
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
