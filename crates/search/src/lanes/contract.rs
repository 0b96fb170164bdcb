//! What sixteen lanes can do, and work on them.

use crate::boxes::box_records::BoxTest;
use hashfall_core::simd::LANES;
use hashfall_core::{Real, Vec3};

/// Sixteen boxes: their lowest x, y and z, then their highest.
pub(crate) type BoxLanes = [[Real; LANES]; 6];

/// Sixteen distances, tests as the bits of a mask, and what stands at its set bits, beside tests of
/// boxes in records: on the instructions of which the type's values are proof.
pub(crate) trait Lanes: BoxTest {
    /// Sixteen numbers in registers.
    type Reals: Copy;

    /// Sixteen places in registers.
    type Places: Copy;

    /// Sixteen numbers from memory.
    ///
    /// # Safety
    /// Sixteen can be read.
    unsafe fn load(self, from: *const Real) -> Self::Reals;

    /// Sixteen places from memory.
    ///
    /// # Safety
    /// Sixteen can be read.
    unsafe fn load_places(self, from: *const u32) -> Self::Places;

    /// The places `first..first + 16`.
    fn places_from(self, first: u32) -> Self::Places;

    /// The squared distances of sixteen points, as x, y and z, from `at`.
    fn squares(self, points: [Self::Reals; 3], at: &Vec3) -> Self::Reals;

    /// The squared distances of sixteen points from the box between two corners.
    fn squares_from_box(self, points: [Self::Reals; 3], low: &Vec3, high: &Vec3) -> Self::Reals;

    /// Bit l says whether box l overlaps the box between two corners, touching included.
    fn overlapping(self, boxes: &BoxLanes, low: &Vec3, high: &Vec3) -> u32;

    /// Bit l says whether lane l is below `limit`, for the bits of `among`; the others are 0.
    fn below(self, squares: Self::Reals, limit: Real, among: u32) -> u32;

    /// Writes the place of each set bit, ascending, and then anything.
    ///
    /// # Safety
    /// Sixteen can be written.
    unsafe fn push_places(self, mask: u32, places: Self::Places, out: *mut u32);

    /// Writes the lane of each set bit, ascending, and then anything.
    ///
    /// # Safety
    /// Sixteen can be written.
    unsafe fn push(self, mask: u32, lanes: Self::Reals, out: *mut Real);
}

/// Work whose hot loop is written once, for any [`Lanes`].
pub(crate) trait LaneWork {
    /// What it gives back.
    type Output;

    /// The work itself: `#[inline(always)]`, so that it is compiled for the CPU it runs on.
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}
