//! A block of cells and of their corners, filled as they are asked for.
//!
//! What a corner has and what a cell is depend on the mesh and the place alone. So it does not
//! matter which thread finds them first: two that do find the same bits.

use super::hermite::Corner;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

/// Cells along an edge of a brick: a power of two.
pub(super) const EDGE: i32 = 4;

/// Cells of a brick, and corners.
const COUNT: usize = (EDGE * EDGE * EDGE) as usize;

/// What is done in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellState {
    /// Nothing is known of it yet.
    Unknown,
    /// What its corners have is interpolated.
    Interpolated,
    /// The integral is taken at each place.
    Direct,
}

/// Cells and the corners that are theirs: the lowest of each cell.
#[derive(Debug)]
pub(super) struct Brick {
    states: [AtomicU8; COUNT],
    /// Single precision; the value last, which is none as long as the corner is unknown.
    corners: [[AtomicU32; 4]; COUNT],
    /// Which triangles may be the nearest in each cell, once that is asked for.
    lists: OnceLock<Box<CellLists>>,
}

/// A list of triangles for each cell of a brick, one after the other.
#[derive(Debug)]
pub(super) struct CellLists {
    /// The end of each.
    ends: [u16; COUNT],
    numbers: Box<[u16]>,
}

impl CellLists {
    /// That of each cell is what `find` adds for the cell with this number, as long as all lists
    /// together can be counted: then empty.
    pub fn new(mut find: impl FnMut(usize, &mut Vec<u16>)) -> Self {
        let (mut ends, mut numbers) = ([0; COUNT], Vec::new());
        for (cell, end) in ends.iter_mut().enumerate() {
            let before = numbers.len();
            find(cell, &mut numbers);
            if numbers.len() > usize::from(u16::MAX) {
                numbers.truncate(before);
            }
            *end = numbers.len() as u16;
        }
        CellLists { ends, numbers: numbers.into() }
    }

    /// That of a cell.
    #[inline]
    fn of_cell(&self, cell: usize) -> &[u16] {
        let start = cell.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.numbers[usize::from(start)..usize::from(self.ends[cell])]
    }
}

impl Brick {
    /// Of which nothing is known.
    pub fn new() -> Self {
        let none = f32::NAN.to_bits();
        Brick {
            states: std::array::from_fn(|_| AtomicU8::new(0)),
            corners: std::array::from_fn(|_| std::array::from_fn(|_| AtomicU32::new(none))),
            lists: OnceLock::new(),
        }
    }

    /// The triangles that may be the nearest in a cell, as `find` finds them for all.
    #[inline]
    pub fn nearest_list(&self, cell: usize, find: impl FnOnce() -> CellLists) -> &[u16] {
        self.lists.get_or_init(|| Box::new(find())).of_cell(cell)
    }

    /// What it takes of memory \[bytes\].
    pub fn bytes(&self) -> usize {
        let bytes = |lists: &CellLists| size_of::<CellLists>() + size_of_val(&lists.numbers[..]);
        let of_lists = self.lists.get().map_or(0, |lists| bytes(lists));
        size_of::<Brick>() + of_lists
    }

    /// What a cell is.
    pub fn state(&self, cell: usize) -> CellState {
        match self.states[cell].load(Ordering::Acquire) {
            0 => CellState::Unknown,
            1 => CellState::Interpolated,
            _ => CellState::Direct,
        }
    }

    /// Notes what a cell is.
    pub fn set_state(&self, cell: usize, state: CellState) {
        self.states[cell].store(state as u8, Ordering::Release);
    }

    /// What a corner has, if that is known.
    pub fn corner(&self, corner: usize) -> Option<Corner> {
        let number = |k: usize, order| f32::from_bits(self.corners[corner][k].load(order));
        let value = number(0, Ordering::Acquire);
        let slope = |k| f64::from(number(k, Ordering::Relaxed));
        (!value.is_nan()).then(|| [f64::from(value), slope(1), slope(2), slope(3)])
    }

    /// Notes what a corner has; returns it as it is kept.
    pub fn set_corner(&self, corner: usize, known: Corner) -> Corner {
        let kept = known.map(|x| x as f32);
        for k in [1, 2, 3] {
            self.corners[corner][k].store(kept[k].to_bits(), Ordering::Relaxed);
        }
        self.corners[corner][0].store(kept[0].to_bits(), Ordering::Release);
        kept.map(f64::from)
    }
}
