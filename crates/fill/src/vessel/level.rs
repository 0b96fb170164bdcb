//! The level up to which a volume fills a vessel.
//!
//! The volume grows with the level, in leaps where fluid runs over into a second basin. So the
//! level is found by the volumes of the layers of cells, which tell it at once as long as the
//! basin is one, and else by bisection.

use super::error::FillError;
use super::region::VesselRegion;
use super::spill::rim;
use super::vessel::Vessel;

/// Levels that are tried.
const ROUNDS: usize = 40;
/// Levels as near to each other are the same, in spacings.
const SAME_LEVEL: f64 = 1e-3;
/// Volumes as near to what is asked for are the same, in particles.
const NEAR: f64 = 0.3;

/// What so much fluid \[m³, in the plane m²\] fills.
///
/// If the volume leaps past what is asked for, as fluid runs over into a second basin, it is what
/// is filled before that.
///
/// # Errors
/// If the vessel holds less, or the volume is thinner than a layer of cells.
pub fn level_of_volume(vessel: &Vessel, volume: f64) -> Result<VesselRegion, FillError> {
    let grid = &vessel.cells.grid;
    let all = grid.within(2);
    let spills = rim(vessel, all.end);
    let most = spills.map_or(all.end, |(_, dry)| dry);
    let height = |layers: usize| grid.low[2] + layers as f64 * grid.step[2];
    // A particle's centre passes above the rim, the level does not.
    let top = spills.map_or(height(most), |(at, _)| at[2].min(height(most)));
    let full = VesselRegion::new(vessel, top);
    let room = full.volume_of_cells();
    let near = NEAR * grid.volume_of_particle();
    if room + near < volume {
        let rim = spills.map(|(at, _)| at);
        return Err(FillError::TooMuch { most: room, rim });
    }
    let least = VesselRegion::new(vessel, height(vessel.seed[2] + 1)).volume_of_cells();
    if volume + near < least {
        return Err(FillError::TooLittle { least });
    }
    // Between these heights; the next is where the layers of the last region reach the volume.
    let (mut low, mut high) = (height(vessel.seed[2]), top);
    let mut region = full;
    for _ in 0..ROUNDS {
        let excess = region.volume_of_cells() - volume;
        if excess.abs() < near {
            return Ok(region);
        }
        if high - low < SAME_LEVEL * grid.d {
            break;
        }
        if excess > 0.0 {
            high = region.level()
        } else {
            low = region.level()
        }
        let next = region.level_of(volume);
        let is_between = low < next && next < high;
        let level = if is_between { next } else { 0.5 * (low + high) };
        region = VesselRegion::new(vessel, level);
    }
    Ok(VesselRegion::new(vessel, low))
}
