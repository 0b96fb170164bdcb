//! How space is cut into columns, rows along y, and rows along z, for one class of boxes.
//!
//! # Rounding
//!
//! With w the widest edge and rows of c ≥ w (1 + [`MARGIN`]), let a and b be lowest corners of
//! boxes that overlap: a ≥ b − w, so a/c ≥ b/c − 1 + MARGIN/2. Quotients are below 2³⁰ and wrong by
//! less than 2⁻²², so ⌊a/c⌋ ≥ ⌊b/c⌋ − 1. Columns are 2ᵏ c wide; the same holds for them if k ≥ 0,
//! else the difference is 2⁻ᵏ columns, the *lookback*.
//!
//! `c` width of a row \[m\].

use super::axis::{Axis, MAX_CELLS};
use hashfall_core::geometry::Aabb;
use hashfall_core::{Real, Vec3};

/// Boxes that a column of a row should hold: coarse columns sort faster, fine ones spare tests.
const COLUMN_CROWD: f64 = 0.4;

/// The widest and the narrowest columns, in widths of a row.
const COLUMNS: [f64; 2] = [2.0, 0.125];

/// How much wider than the widest box a row is, as a part of it.
pub(crate) const MARGIN: f64 = 1e-6;

/// The least half width of a row, so that there is a number of columns in a metre \[m\].
const LEAST: f64 = 1e-300;

/// Columns and rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lattice {
    /// Columns, and rows on y and z.
    pub axes: [Axis; 3],
    /// Whether one of them is cut.
    is_cut: bool,
    /// c/2 \[m\].
    pub half_width: f64,
    /// The width of a column, in widths of a row.
    pub column_width: f64,
    /// How many columns lower than another box a box may begin that overlaps it.
    pub lookback: u32,
}

impl Lattice {
    /// Even cells for boxes within `bounds` none of which is wider than twice `half_edge`; `crowd`
    /// of them share a cube as wide.
    pub fn even(bounds: &Aabb, half_edge: f64, crowd: f64) -> Self {
        let half_edge = half_edge.max(self::half_edge(bounds) / MAX_CELLS);
        Self::new(half_edge, crowd, |a, scale, _| Axis::even(ends(bounds, a), scale))
    }

    /// The same, with an axis cut where even cells would be too many. `half_lows` gives half of
    /// where boxes begin on an axis, ascending.
    pub fn cut(
        bounds: &Aabb,
        half_edge: f64,
        crowd: f64,
        half_lows: impl Fn(usize) -> Vec<f64>,
    ) -> Self {
        let most = MAX_CELLS * half_edge;
        Self::new(half_edge, crowd, |a, scale, reach| {
            if half_extent(bounds)[a] <= most {
                Axis::even(ends(bounds, a), scale)
            } else {
                Axis::cut(&half_lows(a), scale, reach)
            }
        })
    }

    /// With what `axis` makes of each axis, its scale, and how many cells apart boxes may begin
    /// that overlap.
    fn new(half_edge: f64, crowd: f64, axis: impl Fn(usize, f64, u32) -> Axis) -> Self {
        let half_width = (half_edge * (1.0 + 2.0 * MARGIN)).max(LEAST);
        let mut column_width = COLUMNS[0];
        while column_width > COLUMNS[1] && column_width * crowd > COLUMN_CROWD {
            column_width /= 2.0;
        }
        let lookback = (1.0 / column_width).ceil() as u32;
        let rows = 1.0 / half_width;
        let axes = [axis(0, rows / column_width, lookback), axis(1, rows, 1), axis(2, rows, 1)];
        Lattice { is_cut: axes.iter().any(Axis::is_cut), axes, half_width, column_width, lookback }
    }

    /// The column and the rows of a place.
    #[inline(always)]
    pub fn cell(&self, at: &Vec3) -> [u32; 3] {
        if self.is_cut {
            self.cut_cell(at)
        } else {
            [0, 1, 2].map(|a| self.axes[a].even_cell(at[a]))
        }
    }

    /// Apart, so that the usual cells keep their registers.
    #[cold]
    #[inline(never)]
    fn cut_cell(&self, at: &Vec3) -> [u32; 3] {
        [0, 1, 2].map(|a| self.axes[a].cell(at[a]))
    }

    /// The highest column, and row on y and z.
    pub fn highest(&self) -> [u32; 3] {
        [0, 1, 2].map(|a| self.axes[a].highest())
    }

    /// The number of a row.
    #[inline(always)]
    pub fn row(&self, y: u32, z: u32) -> u64 {
        u64::from(z) * self.rows_of_y() + u64::from(y)
    }

    /// One more than there are, so that the row beyond the last is none of the next z.
    #[inline(always)]
    fn rows_of_y(&self) -> u64 {
        u64::from(self.axes[1].highest()) + 2
    }

    /// Of the eight rows around one those with higher numbers.
    pub fn rows_after(&self, row: u64) -> [u64; 4] {
        let next_z = row + self.rows_of_y();
        // In the first row on y the one before is beyond the last of the z before, and empty.
        [row + 1, next_z - 1, next_z, next_z + 1]
    }
}

/// Where some bounds begin and end on an axis \[m\].
fn ends(bounds: &Aabb, axis: usize) -> [Real; 2] {
    [bounds.min[axis], bounds.max[axis]]
}

/// Half the longest edge of a box \[m\].
pub(crate) fn half_edge(b: &Aabb) -> f64 {
    half_extent(b).into_iter().fold(0.0, f64::max)
}

/// Half of each edge, which does not overflow \[m\].
fn half_extent(b: &Aabb) -> [f64; 3] {
    [0, 1, 2].map(|a| 0.5 * f64::from(b.max[a]) - 0.5 * f64::from(b.min[a]))
}

/// How many of `count` boxes spread evenly over `bounds` share a cube of which this is half an
/// edge: the least that can be.
pub(crate) fn crowd(bounds: &Aabb, count: usize, half_edge: f64) -> f64 {
    let part = |extent: f64| if extent > half_edge { half_edge / extent } else { 1.0 };
    count as f64 * half_extent(bounds).map(part).iter().product::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_beside_the_ends_hold_nothing() {
        let bounds = Aabb::new(Vec3::zeros(), Vec3::new(9.5, 4.5, 3.5));
        let lattice = Lattice::even(&bounds, 0.5, 0.1);
        let row = |y, z| lattice.row(y, z);
        let last = lattice.highest()[1];
        assert_eq!(lattice.highest(), [4, 4, 3]);
        let real: Vec<u64> = (0..4).flat_map(|z| (0..=last).map(move |y| row(y, z))).collect();
        assert!(real.is_sorted_by(|a, b| a < b));
        let after =
            |y, z| lattice.rows_after(row(y, z)).iter().filter(|r| real.contains(r)).count();
        assert_eq!((after(0, 0), after(2, 0), after(last, 0), after(last, 3)), (3, 4, 2, 0));
    }
}
