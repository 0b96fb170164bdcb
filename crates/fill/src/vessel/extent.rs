//! The part of a grid that fluid reaches from a place without coming to a side of the domain, so
//! that the rest of a large domain need not be sampled for a small vessel.

use super::vessel::{MAX_CELLS_TO_OPEN, OPEN};
use crate::packing::{Grid, SignedDistance};
use std::collections::HashMap;
use std::ops::Range;

/// Cells kept beside what is reached: the basin ends there, and its flood does not see their end.
const PAD: usize = 4;
/// Cells looked at before the whole domain is sampled, side by side, instead.
const MAX_VISITED: usize = 20_000_000;

/// The part around what is reached from the open cells near `from`; `None` if that is a side of
/// the domain.
pub fn reached_part(grid: &Grid, free: &SignedDistance, from: &[f64; 3]) -> Option<Grid> {
    let within = [0, 1, 2].map(|a| grid.within(a));
    let is_open = |cell| free(&grid.centre(cell), grid.d) / grid.d <= f64::from(OPEN);
    let near = grid.cells_near(from, MAX_CELLS_TO_OPEN).into_iter();
    let mut visited = Visited::default();
    let open = near.filter(|cell| is_open(*cell) && visited.insert(*cell));
    let mut pending: Vec<[u32; 3]> = open.map(|cell| cell.map(|c| c as u32)).collect();
    let first = pending.first()?.map(|c| c as usize);
    let (mut low, mut high) = (first, first);
    while let Some(cell) = pending.pop() {
        let cell = cell.map(|c| c as usize);
        if grid.is_at_side(cell) || visited.count > MAX_VISITED {
            return None;
        }
        (0..3).for_each(|a| (low[a], high[a]) = (low[a].min(cell[a]), high[a].max(cell[a])));
        for (a, step) in [0, 1, 2].into_iter().flat_map(|a| [(a, -1), (a, 1)]) {
            let mut next = cell;
            next[a] = next[a].wrapping_add_signed(step);
            if within[a].contains(&next[a]) && visited.insert(next) && is_open(next) {
                pending.push(next.map(|c| c as u32));
            }
        }
    }
    let part = [0, 1, 2].map(|a| {
        let Range { start, end } = within[a].clone();
        low[a].saturating_sub(PAD).max(start)..(high[a] + PAD + 1).min(end)
    });
    Some(grid.part(part))
}

/// A set of cells: a bit for each of 4 × 4 × 4 that lie side by side.
#[derive(Default)]
struct Visited {
    blocks: HashMap<[usize; 3], u64>,
    count: usize,
}

impl Visited {
    /// Adds a cell; whether it is new.
    fn insert(&mut self, cell: [usize; 3]) -> bool {
        let [i, j, k] = cell.map(|c| c % 4);
        let bit = 1 << (i + 4 * (j + 4 * k));
        let block = self.blocks.entry(cell.map(|c| c / 4)).or_default();
        let is_new = *block & bit == 0;
        *block |= bit;
        self.count += usize::from(is_new);
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::Dimension;

    /// Distance into what is free of a block with a pit, 0.2 m wide, that is open above 0.3 m.
    fn pit([x, y, z]: &[f64; 3]) -> f64 {
        let side = ((x - 0.5).abs() - 0.1).max((y - 0.5).abs() - 0.1);
        side.max(0.1 - z).min(0.3 - z)
    }

    fn part_below(level: f64) -> Option<(Grid, Grid)> {
        let grid = Grid::new(Dimension::Three, [[0.0; 3], [1.0, 1.0, level]], 0.02);
        reached_part(&grid, &|x, _| pit(x), &[0.5, 0.5, 0.15]).map(|part| (grid, part))
    }

    #[test]
    fn what_is_reached_ends_at_the_walls() {
        let (grid, part) = part_below(0.25).expect("the pit alone is reached");
        for a in 0..3 {
            let cells = part.within(a);
            let [low, high] = [cells.start, cells.end - 1].map(|c| {
                let mut cell = [0; 3];
                cell[a] = c;
                part.centre(cell)[a]
            });
            let (from, to) = if a == 2 { (0.1, 0.25) } else { (0.4, 0.6) };
            let pad = (PAD + 1) as f64 * grid.step[a];
            assert!(low < from && low > from - pad, "{a}: {low}");
            // Upwards the level is the end of the domain.
            assert!(high > to - grid.step[a] && high < to + pad, "{a}: {high}");
            // Cells are those of the whole.
            let offset = (part.low[a] - grid.low[a]) / grid.step[a];
            assert!((offset - offset.round()).abs() < 1e-9, "{a}: {offset}");
        }
    }

    #[test]
    fn above_the_rim_all_is_looked_at() {
        assert!(part_below(0.4).is_none());
    }
}
