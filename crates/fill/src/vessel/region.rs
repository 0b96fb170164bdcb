//! What is filled of a vessel, as a region.

use super::vessel::Vessel;
use crate::packing::Cells;
use crate::region::Region;

/// What is filled of a vessel, on a grid.
pub struct VesselRegion {
    /// How deep each cell lies in it.
    pub cells: Cells,
    level: f64,
    bounds: [[f64; 3]; 2],
}

impl VesselRegion {
    /// What is filled up to a level \[m\].
    pub(super) fn new(vessel: &Vessel, level: f64) -> Self {
        let flood = vessel.flood(vessel.layers_below(level));
        let cells = vessel.basin(flood, level);
        let mut bounds = cells.bounds();
        // A closed vessel may end below the level.
        bounds[1][2] = bounds[1][2].min(level);
        VesselRegion { cells, level, bounds }
    }

    /// Up to where \[m\].
    pub fn level(&self) -> f64 {
        self.level
    }

    /// The volume of all cells, as far as they lie in it \[m³, in the plane m²\].
    pub fn volume_of_cells(&self) -> f64 {
        self.cells.volume()
    }

    /// Where its layers of cells reach a volume \[m³, in the plane m²\]; above its own level as
    /// its topmost full layer goes on \[m\].
    pub fn level_of(&self, volume: f64) -> f64 {
        let grid = &self.cells.grid;
        let layers = self.cells.layers();
        let mut sum = 0.0;
        for (k, layer) in layers.iter().enumerate() {
            if sum + layer >= volume && *layer > 0.0 {
                return grid.low[2] + (k as f64 + (volume - sum) / layer) * grid.step[2];
            }
            sum += layer;
        }
        let last = layers.iter().rposition(|layer| *layer > 0.0).unwrap_or(0);
        let fullest = layers[last.saturating_sub(2)..=last].iter().copied().fold(0.0, f64::max);
        self.level + (volume - sum) / fullest.max(f64::MIN_POSITIVE) * grid.step[2]
    }
}

impl Region for VesselRegion {
    fn bounds(&self) -> [[f64; 3]; 2] {
        self.bounds
    }

    fn contains(&self, x: &[f64; 3]) -> bool {
        self.signed_distance(x) < 0.0
    }

    /// Between the middles of cells; beyond a few spacings not told apart.
    fn signed_distance(&self, x: &[f64; 3]) -> f64 {
        let grid = &self.cells.grid;
        f64::from(self.cells.depth_at(&grid.to_local(x)).0) * grid.d
    }

    fn volume(&self) -> f64 {
        self.volume_of_cells()
    }
}
