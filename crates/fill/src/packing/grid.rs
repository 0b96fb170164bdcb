//! A grid of cells over a box, about half a spacing wide; in the plane one layer of them.
//!
//! Cells fit the box: their faces lie on its sides, so that sums over the cells of a box are
//! exact. Beyond each side lie [`MARGIN`] cells more.
//!
//! Symbols: d particle spacing \[m\], u place in spacings from the lowest corner \[–\].

use hashfall_core::{Dimension, Vec3, to_real};
use std::ops::Range;

/// Cells beyond each side of the box.
const MARGIN: usize = 2;
/// Cells per spacing, at least.
const PER_SPACING: f64 = 2.0;
/// How far a box may exceed a whole number of cells through rounding.
const ROUNDING: f64 = 1e-6;

/// Cells over a box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// In how many dimensions.
    pub dimension: Dimension,
    /// The lowest corner of the lowest cell \[m\].
    pub low: [f64; 3],
    /// Edges of a cell \[m\].
    pub step: [f64; 3],
    /// Cells along each axis.
    pub counts: [usize; 3],
    /// Particle spacing \[m\].
    pub d: f64,
}

impl Grid {
    /// Cells over the box between two corners \[m\], for particles of spacing `d` \[m\].
    pub fn new(dimension: Dimension, [low, high]: [[f64; 3]; 2], d: f64) -> Self {
        let mut grid = Grid { dimension, low, step: [d; 3], counts: [1; 3], d };
        for a in 0..3 {
            if dimension == Dimension::Two && a == 1 {
                grid.low[a] = -0.5 * d;
                continue;
            }
            let length = (high[a] - low[a]).max(d / PER_SPACING);
            let cells = (length * PER_SPACING / d - ROUNDING).ceil().max(1.0);
            grid.step[a] = length / cells;
            grid.low[a] = low[a] - MARGIN as f64 * grid.step[a];
            grid.counts[a] = cells as usize + 2 * MARGIN;
        }
        grid
    }

    /// The axes along which there are cells.
    pub fn axes(&self) -> &'static [usize] {
        match self.dimension {
            Dimension::Two => &[0, 2],
            Dimension::Three => &[0, 1, 2],
        }
    }

    /// The cells along an axis that lie in the box.
    pub fn within(&self, a: usize) -> Range<usize> {
        match self.counts[a] {
            1 => 0..1,
            n => MARGIN..n - MARGIN,
        }
    }

    /// Whether a cell stands at a side of the box, not counting its floor and its ceiling: at a
    /// wall the first cell that a particle fits in may be the second.
    pub fn is_at_side(&self, cell: [usize; 3]) -> bool {
        let axes = [0, 1].into_iter().filter(|&a| self.counts[a] > 1);
        axes.into_iter().any(|a| {
            let within = self.within(a);
            cell[a] <= within.start + 1 || cell[a] + 2 >= within.end
        })
    }

    /// The grid of a part of the cells in the box, with as many beyond each side.
    pub fn part(&self, cells: [Range<usize>; 3]) -> Grid {
        let mut part = *self;
        for &a in self.axes() {
            part.low[a] += (cells[a].start as f64 - MARGIN as f64) * self.step[a];
            part.counts[a] = cells[a].len() + 2 * MARGIN;
        }
        part
    }

    /// The cells in the box at most `reach` cells from that of a place \[m\], the nearest first.
    pub fn cells_near(&self, x: &[f64; 3], reach: isize) -> Vec<[usize; 3]> {
        let (below, part) = self.between(&self.to_local(x));
        let nearest = [0, 1, 2].map(|a| below[a] + isize::from(part[a] >= 0.5));
        let reach = |a: usize| if self.counts[a] == 1 { 0..=0 } else { -reach..=reach };
        let rows = reach(2).flat_map(|k| reach(1).map(move |j| (j, k)));
        let mut near: Vec<[isize; 3]> =
            rows.flat_map(|(j, k)| reach(0).map(move |i| [i, j, k])).collect();
        near.sort_by_key(|[i, j, k]| i * i + j * j + k * k);
        let cells = near.into_iter().map(|offset| [0, 1, 2].map(|a| nearest[a] + offset[a]));
        let is_within =
            |c: &[isize; 3]| (0..3).all(|a| c[a] >= 0 && self.within(a).contains(&(c[a] as usize)));
        cells.filter(is_within).map(|cell| cell.map(|c| c as usize)).collect()
    }

    /// The middle of a cell \[m\].
    pub fn centre(&self, cell: [usize; 3]) -> [f64; 3] {
        [0, 1, 2].map(|a| self.low[a] + (cell[a] as f64 + 0.5) * self.step[a])
    }

    /// What a cell holds \[m³, in the plane m²\].
    pub fn volume_of_cell(&self) -> f64 {
        self.axes().iter().map(|&a| self.step[a]).product()
    }

    /// What a particle stands for \[m³, in the plane m²\].
    pub fn volume_of_particle(&self) -> f64 {
        self.axes().iter().map(|_| self.d).product()
    }

    /// A typical edge of a cell \[m\].
    pub fn mean_step(&self) -> f64 {
        let axes = self.axes();
        axes.iter().map(|&a| self.step[a]).sum::<f64>() / axes.len() as f64
    }

    /// A place \[m\] in spacings.
    pub fn to_local(self, x: &[f64; 3]) -> Vec3 {
        let [x, y, z] = [0, 1, 2].map(|a| to_real((x[a] - self.low[a]) / self.d));
        Vec3::new(x, y, z)
    }

    /// A place in spacings \[m\]; in the plane it lies at y = 0.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn to_world(self, u: &Vec3) -> [f64; 3] {
        let [x, y, z] = [0, 1, 2].map(|a| self.low[a] + f64::from(u[a]) * self.d);
        [x, if self.dimension == Dimension::Two { 0.0 } else { y }, z]
    }

    /// The cell whose middle is next below a place in spacings, and the place between that and the
    /// next middle along each axis, from 0 to 1.
    pub fn between(&self, u: &Vec3) -> ([isize; 3], Vec3) {
        let (mut cell, mut part) = ([0; 3], Vec3::zeros());
        for &a in self.axes() {
            let at = u[a] * to_real(self.d / self.step[a]) - 0.5;
            let floor = at.floor();
            (cell[a], part[a]) = (floor as isize, at - floor);
        }
        (cell, part)
    }
}
