//! Cells of space: the integer cube that a point lies in, and its place in the world's order.
//!
//! A cell of size `s` covers `[i·s, (i+1)·s)` on each axis, so a point on a face belongs to the
//! cell above it, for negative coordinates too. Space is unbounded up to [`CELL_LIMIT`] cells
//! either side of the origin; beyond it a key would repeat, so a time step ends with an error
//! when it moves a point there.

use super::{Real, Vec3};

/// Integer coordinates of a cell.
pub type Cell = [i32; 3];

/// Cells are told apart for coordinates in `-CELL_LIMIT..CELL_LIMIT`.
pub const CELL_LIMIT: i32 = 1 << 20;

/// The cell of size `size` that contains `point`.
///
/// Coordinates beyond `i32` saturate; a NaN maps to cell 0, so steps check before they search.
#[inline]
pub fn cell_of(point: &Vec3, size: Real) -> Cell {
    [floor(point.x / size), floor(point.y / size), floor(point.z / size)]
}

/// The whole number at or below `x`, without the call that `floor` is on CPUs of the baseline.
#[inline(always)]
fn floor(x: Real) -> i32 {
    let towards_zero = x as i32;
    towards_zero.saturating_sub(i32::from(towards_zero as Real > x))
}

/// Whether a cell and those around it lie within [`CELL_LIMIT`] on each axis.
#[inline]
pub fn is_within_limit(cell: Cell) -> bool {
    cell.iter().all(|&c| -CELL_LIMIT < c && c < CELL_LIMIT - 1)
}

/// One number per cell that orders cells by z, then y, then x: 21 bits an axis, x lowest.
///
/// Cells that are neighbours along x have consecutive keys, so a row of cells is one range.
#[inline]
pub fn cell_key(cell: Cell) -> u64 {
    let bits = |c: i32| (c.wrapping_add(CELL_LIMIT) as u64) & 0x1f_ffff;
    (bits(cell[2]) << 42) | (bits(cell[1]) << 21) | bits(cell[0])
}

/// The key of what has no cell.
pub const NO_KEY: u64 = u64::MAX;

/// The key of the cell that contains `point`; [`NO_KEY`] if it is not finite or the cell is not
/// [within the limit](is_within_limit).
#[inline]
pub fn key_of_point(point: &Vec3, size: Real) -> u64 {
    let cell = cell_of(point, size);
    let is_number = point.x.is_finite() & point.y.is_finite() & point.z.is_finite();
    if is_number && is_within_limit(cell) { cell_key(cell) } else { NO_KEY }
}

/// The cell of a key made by [`cell_key`].
#[inline]
pub fn cell_of_key(key: u64) -> Cell {
    let coordinate = |shift: u32| ((key >> shift) & 0x1f_ffff) as i32 - CELL_LIMIT;
    [coordinate(0), coordinate(21), coordinate(42)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_face_belongs_to_the_cell_above_it() {
        assert_eq!(cell_of(&Vec3::new(0.0, -0.5, 0.5), 0.5), [0, -1, 1]);
        assert_eq!(cell_of(&Vec3::new(-0.1, 0.49, -0.51), 0.5), [-1, 0, -2]);
    }

    #[test]
    fn floors_are_those_of_the_library() {
        let halves = (-50..50).map(|n| n as Real * 0.5);
        let more = [8_388_607.5, -8_388_607.5, 3e9, -3e9, 1e30, -1e30, Real::INFINITY, Real::NAN];
        for x in halves.flat_map(|x| [x.next_down(), x, x.next_up()]).chain(more) {
            assert_eq!(floor(x), x.floor() as i32, "{x}");
        }
    }

    #[test]
    fn keys_order_cells_by_z_then_y_then_x_and_come_back() {
        let cells = [[-5, 7, -1], [3, -2, 0], [4, -2, 0], [-9, -1, 0], [0, 0, 1]];
        assert!(cells.windows(2).all(|w| cell_key(w[0]) < cell_key(w[1])));
        assert!(cells.iter().all(|&c| cell_of_key(cell_key(c)) == c));
        assert_eq!(cell_key([4, -2, 0]), cell_key([3, -2, 0]) + 1);
    }

    #[test]
    fn the_limit_holds_at_both_ends() {
        assert!(is_within_limit([1 - CELL_LIMIT, 0, CELL_LIMIT - 2]));
        assert!(!is_within_limit([CELL_LIMIT - 1, 0, 0]) && !is_within_limit([0, -CELL_LIMIT, 0]));
        let corner = [-CELL_LIMIT, CELL_LIMIT - 1, 0];
        assert_eq!(cell_of_key(cell_key(corner)), corner);
    }
}
