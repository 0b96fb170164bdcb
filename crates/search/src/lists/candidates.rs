//! The points around a cell, side by side: what the points of the cell are tested against.
//!
//! Rows of cells are copied into four aligned arrays (x, y, z and places), so that every register
//! is full but the last and, in single precision, no load crosses a cache line. On the way, points
//! that no point of the cell can reach are left out: those at least h from the box around the
//! cell's points, which of 27 cells fill hardly more than 20. Copying costs a row once for all
//! points of the cell.
//!
//! The box decides as the points would, to the last bit: of `Δ = max(low − x, x − high, 0)` on each
//! axis and `((Δx² + Δy²) + Δz²) < h²` every operation rounds monotonically, so the box is never
//! farther than a point within it.

use crate::cells::rows::Around;
use crate::lanes::{LANES, Lanes, Positions};
use hashfall_core::Real;
use std::ops::Range;

/// Sixteen numbers: a cache line, or two in double precision.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Line<T>([T; LANES]);

impl<T> Line<T> {
    /// The numbers of some lines, one after the other.
    #[inline(always)]
    fn flat(lines: &[Line<T>]) -> &[T] {
        const { assert!(size_of::<Line<T>>() == LANES * size_of::<T>()) }
        // SAFETY: lines follow each other, and a line is its numbers and nothing else.
        unsafe { std::slice::from_raw_parts(lines.as_ptr().cast(), lines.len() * LANES) }
    }
}

/// The points around a cell, in the order of their places.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    axes: [Vec<Line<Real>>; 3],
    names: Vec<Line<u32>>,
    /// For each line a bit for each candidate in it.
    bits: Vec<u16>,
    /// Where the first point of the cell stands.
    own: usize,
    /// The first point of the cell.
    first: u32,
}

/// What places are called in lists.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Names<'a> {
    /// By themselves.
    Places,
    /// By the point that stands there; [`LANES`] numbers more behind the last.
    Points(&'a [u32]),
}

impl Names<'_> {
    #[inline(always)]
    fn of(self, place: u32) -> u32 {
        match self {
            Names::Places => place,
            Names::Points(names) => names[place as usize],
        }
    }

    /// The names of the places `first..first + 16`; beyond the last place anything.
    ///
    /// # Safety
    /// Names of points hold one for each place and [`LANES`] more, and `first` is a place.
    #[inline(always)]
    unsafe fn load<L: Lanes>(self, lanes: L, first: u32) -> L::Places {
        // SAFETY: the caller's promise.
        unsafe {
            match self {
                Names::Places => lanes.places_from(first),
                Names::Points(names) => lanes.load_places(names.as_ptr().add(first as usize)),
            }
        }
    }
}

impl Candidates {
    /// Takes the points around that are closer than `limit`, squared, to the box around the
    /// points at `cell`, places in the middle row.
    ///
    /// # Safety
    /// All places, in the runs and in `cell`, are those of the positions; names of points hold one
    /// for each place and [`LANES`] more.
    #[inline(always)]
    pub unsafe fn gather<L: Lanes>(
        &mut self,
        lanes: L,
        positions: &Positions,
        around: &Around,
        cell: &Range<u32>,
        limit: Real,
        names: Names<'_>,
    ) {
        self.make_room(around.points());
        // Even if h² is less than any number: the cell's own points are always taken.
        let limit = limit.max(Real::MIN_POSITIVE);
        let (low, high) = positions.bounds(cell);
        let [x, y, z] = self.axes.each_mut().map(|axis| axis.as_mut_ptr().cast::<Real>());
        let kept_names = self.names.as_mut_ptr().cast::<u32>();
        let axes = positions.axes();
        let (mut kept, mut middle) = (0, 0);
        for (row, run) in around.runs().iter().enumerate() {
            if row == 4 {
                middle = kept;
            }
            let mut first = run.first;
            while first < run.end {
                let among = (1u32 << (run.end - first).min(LANES as u32)) - 1;
                // SAFETY: the caller promises the names, and a block starts at a place. There is
                // room for all points of the runs, of which those kept are some, and for 16 more.
                unsafe {
                    let block = axes.load(lanes, first);
                    let squares = lanes.squares_from_box(block, &low, &high);
                    let near = lanes.below(squares, limit, among);
                    lanes.push(near, block[0], x.add(kept));
                    lanes.push(near, block[1], y.add(kept));
                    lanes.push(near, block[2], z.add(kept));
                    lanes.push_places(near, names.load(lanes, first), kept_names.add(kept));
                    kept += near.count_ones() as usize;
                }
                first += LANES as u32;
            }
        }
        self.set_bits(kept);
        self.first = cell.start;
        let own = names.of(cell.start);
        let before = Line::flat(&self.names)[middle..kept].iter().take_while(|&&name| name != own);
        self.own = middle + before.count();
    }

    /// Makes room for some points, and for as many behind as a register holds.
    fn make_room(&mut self, points: usize) {
        let lines = points.div_ceil(LANES) + 1;
        if self.names.len() < lines {
            self.axes.iter_mut().for_each(|axis| axis.resize(lines, Line::default()));
            self.names.resize(lines, Line::default());
        }
    }

    /// Sets the bits of the kept candidates.
    fn set_bits(&mut self, kept: usize) {
        self.bits.clear();
        self.bits.resize(kept / LANES, u16::MAX);
        if !kept.is_multiple_of(LANES) {
            self.bits.push((1 << (kept % LANES)) - 1);
        }
    }

    /// The bits of each line.
    #[inline(always)]
    pub fn bits(&self) -> &[u16] {
        &self.bits
    }

    /// Where a line's coordinates and names stand.
    #[inline(always)]
    pub fn line(&self, line: usize) -> ([*const Real; 3], *const u32) {
        let axis = |k: usize| self.axes[k][line].0.as_ptr();
        ([axis(0), axis(1), axis(2)], self.names[line].0.as_ptr())
    }

    /// Calls `work` with the bits of each line as a place of the cell sees them: without itself.
    #[inline(always)]
    pub fn without(&mut self, place: u32, work: impl FnOnce(&Self)) {
        let own = self.own + (place - self.first) as usize;
        self.bits[own / LANES] ^= 1 << (own % LANES);
        work(self);
        self.bits[own / LANES] ^= 1 << (own % LANES);
    }
}
