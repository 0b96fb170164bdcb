//! The basin that a flood fills: the cells that it reaches, and those beside them up to the walls,
//! where a particle's centre does not come.

use super::flood::Flood;
use super::vessel::Vessel;
use crate::packing::{Cells, REACH};
use hashfall_core::parallel;

/// So often cells beside those of a basin are added: the corners of walls are two cells away from
/// where a particle fits.
const RINGS: usize = 2;

impl Vessel<'_> {
    /// The region that a flood fills up to a level \[m\].
    pub(super) fn basin(&self, flood: Flood, level: f64) -> Cells {
        let layers = self.layers_below(level);
        let grid = self.cells.grid;
        let mut is_wet = flood.is_wet;
        for _ in 0..RINGS {
            let added = self.beside(&is_wet, layers);
            added.into_iter().for_each(|number| is_wet[number] = true);
        }
        Cells::from_depths(grid, |cell| {
            let phi = self.cells.depth(cell.map(|c| c as isize));
            let above = ((grid.centre(cell)[2] - level) / grid.d) as f32;
            // Up to two cells below lies what a cell just above the level goes on from.
            let goes_on = || {
                let below = |n: usize| self.number([cell[0], cell[1], cell[2].saturating_sub(n)]);
                phi < 0.0 && (is_wet[below(1)] || is_wet[below(2)])
            };
            let is_beside = || (phi.abs() < REACH as f32) && self.touches(&is_wet, cell);
            let depth = match () {
                () if is_wet[self.number(cell)] => phi,
                () if above > 0.0 && above < 1.0 && goes_on() => phi,
                () if is_beside() => phi.abs(),
                () => REACH as f32,
            };
            depth.max(above).max(self.beyond_ends(cell))
        })
    }

    /// Free cells that are no part of a basin yet, and from which one is seen that is.
    fn beside(&self, is_wet: &[bool], layers: usize) -> Vec<usize> {
        let grid = &self.cells.grid;
        let [i, j] = [0, 1].map(|a| grid.within(a));
        let all = grid.within(2);
        let layer = |n: usize| {
            let k = all.start + n;
            let rows = j.clone().flat_map({
                let i = i.clone();
                move |j| i.clone().map(move |i| [i, j, k])
            });
            rows.filter_map(move |cell| {
                let number = self.number(cell);
                let is_free = self.cells.depth(cell.map(|c| c as isize)) < 0.0;
                let is_new = !is_wet[number] && is_free && self.sees_wet(is_wet, cell);
                is_new.then_some(number)
            })
        };
        parallel::flat_map(all.end.min(layers).saturating_sub(all.start), layer)
    }

    /// The cells around one, as the domain is closed there.
    fn around(&self, cell: [usize; 3]) -> impl Iterator<Item = ([isize; 3], [usize; 3])> + '_ {
        let is_flat = self.cells.grid.counts[1] == 1;
        let offsets = (0..27).map(|o| [o % 3 - 1, o / 3 % 3 - 1, o / 9 - 1]);
        offsets
            .filter(move |o| *o != [0; 3] && (!is_flat || o[1] == 0))
            .filter_map(move |o| self.shifted(cell, o).map(|next| (o, next)))
    }

    fn touches(&self, is_wet: &[bool], cell: [usize; 3]) -> bool {
        let grid = &self.cells.grid;
        // Beyond the sides the cells next to them count.
        let inside = [0, 1, 2].map(|a| {
            let within = grid.within(a);
            cell[a].clamp(within.start, within.end - 1)
        });
        let is_near = (0..3).all(|a| cell[a].abs_diff(inside[a]) <= 1);
        let is_inside_wet = inside != cell && is_wet[self.number(inside)];
        is_near && (is_inside_wet || self.around(inside).any(|(_, at)| is_wet[self.number(at)]))
    }

    fn sees_wet(&self, is_wet: &[bool], cell: [usize; 3]) -> bool {
        let grid = &self.cells.grid;
        let from = grid.centre(cell);
        let mut wet = self.around(cell).filter(|(_, next)| is_wet[self.number(*next)]);
        wet.any(|(offset, _)| {
            let to = [0, 1, 2].map(|a| from[a] + offset[a] as f64 * grid.step[a]);
            self.sees(&to, &from)
        })
    }
}
