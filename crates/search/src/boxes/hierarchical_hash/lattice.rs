//! The lattice of finest cells over the bounds of all objects, and the cells that boxes touch.
//!
//! A coordinate x lies in cell p(x) = round((x − o) / s), with o the lowest corner of the bounds
//! and s the finest cell's edge, a power of two. The rounding is that of one addition of 2²³ (2⁵²
//! in double precision), whose last bits then are the integer: no conversion, so that compilers
//! vectorise it on any machine. Each step of p is monotone, and objects and queries take the same
//! steps: boxes that share a point share its cell, and that is all that exactness needs.

use crate::boxes::box_records::{Corners, corners_of};
use crate::cells::classes::power_of_two_from;
use hashfall_core::geometry::Aabb;
use hashfall_core::{Real, Vec3};

/// Doublings from the finest cell to one that holds all objects; 2²² cells a side fit a position.
pub(crate) const DOUBLINGS: u32 = 22;

/// Edges of the finest cell in the smallest query.
const CELLS_IN_SMALLEST: Real = 2.0;

/// The size up to which a query is small, in sizes of the smallest.
const REACH: Real = 4.0;

/// The position of a cell of any size, in its own edges.
pub(crate) type Position = [u32; 3];

/// Finest cells and where they lie.
#[derive(Clone, Debug)]
pub(crate) struct Lattice {
    /// o and −o.
    pub origin: Corners,
    /// 1/s and −1/s.
    pub scale: Corners,
    /// The position of the last finest cell.
    pub last: Corners,
    /// Finest cells over which small queries reach at most.
    pub reach: u32,
}

/// The finest cells that a box touches, from `low` to `high` on each axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Footprint {
    pub low: Position,
    pub high: Position,
}

impl Lattice {
    /// Covers `bounds`, which are finite, with cells of half the `smallest` query \[m\], or larger
    /// where there would be too many.
    pub fn new(bounds: &Aabb, smallest: Real) -> Self {
        // Halved first, as the extent of finite bounds may be infinite.
        let half_extent = (bounds.max * 0.5 - bounds.min * 0.5).max();
        let fewest = half_extent / (1u32 << (DOUBLINGS - 1)) as Real;
        let wanted = smallest / CELLS_IN_SMALLEST;
        let finest = power_of_two_from(wanted.max(fewest).max(4.0 * Real::MIN_POSITIVE));
        let both = |v: Vec3| [v.x, v.y, v.z, 0.0, -v.x, -v.y, -v.z, 0.0];
        let mut lattice = Lattice {
            origin: both(bounds.min),
            scale: both(Vec3::from_element(1.0 / finest)),
            last: [(1u32 << DOUBLINGS) as Real; 8],
            // One more, as a box may begin and end anywhere in a cell. The quotient is
            // CELLS_IN_SMALLEST at most, where the product could be beyond all numbers.
            reach: (REACH * (smallest / finest)).ceil() as u32 + 1,
        };
        let [x, y, z] = lattice.footprint(bounds).high.map(|p| p as Real);
        lattice.last = [x, y, z, 0.0, x, y, z, 0.0];
        lattice
    }

    /// The position of the last finest cell.
    pub fn last(&self) -> Position {
        [self.last[0] as u32, self.last[1] as u32, self.last[2] as u32]
    }

    /// The positions of corners among the finest cells; those outside count to the outermost.
    #[inline(always)]
    pub fn positions(&self, corners: &Corners) -> [u32; 8] {
        std::array::from_fn(|k| {
            let cells = (corners[k] - self.origin[k]) * self.scale[k];
            // No `clamp`: it promises more about NaN than the instructions do.
            let cells = if cells > 0.0 { cells } else { 0.0 };
            let cells = if cells < self.last[k] { cells } else { self.last[k] };
            nearest_integer(cells)
        })
    }

    /// The finest cells that a box touches, and those from which small queries touch it.
    pub fn extended_footprint(&self, b: &Aabb) -> Footprint {
        let Footprint { low, high } = self.footprint(b);
        Footprint { low: low.map(|l| l.saturating_sub(self.reach)), high }
    }

    /// The lowest finest cell that the box with these corners touches, and whether it is small and
    /// not empty.
    #[inline(always)]
    pub fn corner(&self, corners: &Corners) -> (Position, bool) {
        let Footprint { low, high } = Footprint::of_positions(&self.positions(corners));
        let is_small = |a: usize| {
            // Around the ends of the numbers, if the box is empty.
            let is_near = high[a].wrapping_sub(low[a]) <= self.reach;
            is_near & (corners[a] + corners[a + 4] >= 0.0)
        };
        (low, (0..3).fold(true, |all, a| all & is_small(a)))
    }

    /// The finest cells that a box touches.
    pub fn footprint(&self, b: &Aabb) -> Footprint {
        Footprint::of_positions(&self.positions(&corners_of(b)))
    }
}

impl Footprint {
    /// The footprint of the box whose corners have these positions.
    #[inline(always)]
    pub fn of_positions(p: &[u32; 8]) -> Self {
        Footprint { low: [p[4], p[5], p[6]], high: [p[0], p[1], p[2]] }
    }

    /// The cells larger by `doublings` that it touches.
    #[inline(always)]
    pub fn coarsened(&self, doublings: u32) -> Self {
        Footprint { low: coarsened(self.low, doublings), high: coarsened(self.high, doublings) }
    }

    /// The number of cells, as if they were the finest; saturates.
    pub fn cells(&self) -> u64 {
        let [x, y, z] = std::array::from_fn(|a| u64::from(self.high[a] - self.low[a]) + 1);
        (x * y).saturating_mul(z)
    }

    /// Whether a cell, as if it were a finest, is among them.
    #[inline(always)]
    pub fn contains(&self, cell: Position) -> bool {
        (0..3).all(|a| self.low[a] <= cell[a] && cell[a] <= self.high[a])
    }

    /// The part in the cell at `cell` of 2^`shift` finest cells, with which it overlaps.
    #[inline(always)]
    pub fn within(&self, cell: Position, shift: u32) -> Self {
        let (low, last) = (cell.map(|c| c << shift), (1 << shift) - 1);
        Footprint {
            low: std::array::from_fn(|a| self.low[a].max(low[a])),
            high: std::array::from_fn(|a| self.high[a].min(low[a] + last)),
        }
    }

    /// The axes, as bits, on which it begins below the cell at `cell` of 2^`shift` finest cells.
    #[inline(always)]
    pub fn axes_begun_below(&self, cell: Position, shift: u32) -> u32 {
        (0..3).fold(0, |axes, a| axes | u32::from(self.low[a] < cell[a] << shift) << a)
    }

    /// Visits the cells by z, then y, then x.
    #[inline(always)]
    pub fn for_each(&self, mut visit: impl FnMut(Position)) {
        for z in self.low[2]..=self.high[2] {
            for y in self.low[1]..=self.high[1] {
                for x in self.low[0]..=self.high[0] {
                    visit([x, y, z]);
                }
            }
        }
    }
}

/// The cell larger by `doublings` that holds the one at `cell`.
#[inline(always)]
pub(crate) fn coarsened(cell: Position, doublings: u32) -> Position {
    cell.map(|c| c >> doublings)
}

/// Added to a number below it, it leaves the nearest integer in the last bits.
#[cfg(not(feature = "f64"))]
pub(crate) const BEYOND: Real = (1u32 << 23) as Real;
/// Added to a number below it, it leaves the nearest integer in the last bits.
#[cfg(feature = "f64")]
pub(crate) const BEYOND: Real = (1u64 << 52) as Real;

/// The nearest integer to `x`, which is in 0..=2²².
#[inline(always)]
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f64")]
fn nearest_integer(x: Real) -> u32 {
    (x + BEYOND).to_bits().wrapping_sub(BEYOND.to_bits()) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_ascend_with_coordinates_and_end_at_the_bounds() {
        let most = Real::MAX;
        for (low, high, smallest) in [(-1.0, 7.0, 0.1), (-most, most, 1.0), (3.0, 3.0, 1e-3)] {
            let bounds = Aabb::new(Vec3::from_element(low), Vec3::from_element(high));
            let lattice = Lattice::new(&bounds, smallest);
            let position = |x: Real| {
                let point = Vec3::from_element(x);
                let footprint = lattice.footprint(&Aabb::new(point, point));
                assert_eq!(footprint.low, footprint.high);
                footprint.low[0]
            };
            let places =
                (0..=1000).map(|k| low * (1.0 - k as Real * 1e-3) + high * k as Real * 1e-3);
            let places: Vec<u32> = places.map(position).collect();
            assert!(places.is_sorted() && places[0] == 0);
            assert!(position(high) <= 1 << DOUBLINGS);
            assert_eq!(position(-most), 0);
            assert_eq!(position(most), position(high));
        }
    }
}
