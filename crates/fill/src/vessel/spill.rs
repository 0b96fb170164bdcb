//! Whether a vessel runs over: below the level, fluid reaches a side of the domain on a way that
//! goes down from its highest place.
//!
//! The lowest level at which a side is reached is found by bisection. There the flood is compared
//! with that a layer of cells lower: if it now holds cells far below, that were not wet, fluid
//! fell from a rim, or out of a hole; if not, the basin just widens as it fills, as a lake does.

use super::flood::Flood;
use super::vessel::{FACES, Vessel};
use std::collections::VecDeque;

/// So many layers of cells below the level fluid has fallen.
const FALL: usize = 5;

/// The highest place of the way on which fluid falls to a side of the domain \[m\], if it
/// does below so many layers.
pub fn spill(vessel: &Vessel, layers: usize) -> Option<[f64; 3]> {
    rim(vessel, layers).map(|(at, _)| at)
}

/// The same, and the number of layers below which it is not reached.
pub fn rim(vessel: &Vessel, layers: usize) -> Option<([f64; 3], usize)> {
    // The lowest flood from the seed.
    let mut dry = vessel.seed[2] + 1;
    let mut wet = layers;
    if dry >= wet || !vessel.flood(wet).touches_side || vessel.flood(dry).touches_side {
        return None;
    }
    while wet - dry > 1 {
        let middle = dry + (wet - dry) / 2;
        if vessel.flood(middle).touches_side { wet = middle } else { dry = middle }
    }
    let at = fall(vessel, &vessel.flood(dry), &vessel.flood(wet), wet)?;
    Some((at, dry))
}

/// The highest place on the way from one flood to the nearest cell far below of a higher flood.
fn fall(vessel: &Vessel, before: &Flood, after: &Flood, layers: usize) -> Option<[f64; 3]> {
    // Breadth first from all cells that were wet before, through those that are new.
    let is_new = |number: usize| after.is_wet[number] && !before.is_wet[number];
    let beside = |number: usize| {
        let cell = vessel.cell(number);
        let next = FACES.iter().filter_map(move |face| vessel.shifted(cell, *face));
        next.map(|next| (next, vessel.number(next))).filter(|(_, to)| is_new(*to))
    };
    let wet = (0..before.is_wet.len()).filter(|n| before.is_wet[*n]);
    let shore = wet.filter(|n| beside(*n).next().is_some());
    let mut pending: VecDeque<u32> = shore.map(|n| n as u32).collect();
    let mut came_from = vec![u32::MAX; after.is_wet.len()];
    while let Some(number) = pending.pop_front() {
        for (next, to) in beside(number as usize) {
            if came_from[to] != u32::MAX {
                continue;
            }
            came_from[to] = number;
            if next[2] + FALL < layers {
                return Some(highest(vessel, before, &came_from, to));
            }
            pending.push_back(to as u32);
        }
    }
    None
}

/// The last of the highest cells on the way back.
fn highest(vessel: &Vessel, before: &Flood, came_from: &[u32], end: usize) -> [f64; 3] {
    let room = |cell: [usize; 3]| -vessel.cells.depth(cell.map(|c| c as isize));
    let (mut number, mut top) = (end, vessel.cell(end));
    while !before.is_wet[number] {
        let cell = vessel.cell(number);
        // Straight above what it runs over the room is the least.
        if (cell[2], room(top)) > (top[2], room(cell)) {
            top = cell;
        }
        number = came_from[number] as usize;
    }
    // A particle's centre passes so far above what it runs over.
    let [x, y, z] = vessel.cells.grid.centre(top);
    let above = f64::from(room(top)) * vessel.cells.grid.d;
    [x, y, z - above]
}
