//! Sixteen distance tests at a time, on the widest registers that the CPU has.
//!
//! One contract, [`Lanes`], and three bodies: AVX-512, AVX2, and plain Rust for every other CPU,
//! which compilers turn into what the target has (NEON on 64-bit ARM).
//!
//! All bodies compute `((Δx² + Δy²) + Δz²) < h²` with a rounding after every operation, as
//! `(a − b).norm_squared()` does: the answer has the same bits on every CPU.

mod portable;
#[cfg(all(target_arch = "x86_64", not(feature = "f64")))]
mod x86;

use crate::base::isa::{HotLoop, Instructions};
pub(super) use crate::base::isa::{Isa, LANES};
use crate::base::{Real, Vec3};
use portable::Portable;
use std::marker::PhantomData;

/// A structure of arrays of positions that can be read [`LANES`] at a time from any place.
#[derive(Clone, Debug, Default)]
pub(super) struct Positions {
    /// x, y and z, each followed by [`LANES`] numbers of padding \[m\].
    axes: [Vec<Real>; 3],
    len: usize,
}

impl Positions {
    /// Makes room for `len` points, whatever they hold; returns the axes without their padding.
    pub fn resize(&mut self, len: usize) -> [&mut [Real]; 3] {
        self.len = len;
        self.axes.each_mut().map(|axis| {
            axis.resize(len + LANES, 0.0);
            &mut axis[..len]
        })
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The position at a place.
    #[inline(always)]
    pub fn at(&self, place: usize) -> Vec3 {
        Vec3::new(self.axes[0][place], self.axes[1][place], self.axes[2][place])
    }

    /// The coordinates of [`LANES`] places from `first` on; beyond the last point anything.
    #[inline(always)]
    pub fn block(&self, first: usize) -> [&[Real; LANES]; 3] {
        self.axes.each_ref().map(|axis| {
            axis[first..].first_chunk().expect("as many numbers stand behind the last point")
        })
    }

    /// The axes for reading [`LANES`] numbers from any place.
    #[inline(always)]
    pub fn axes(&self) -> Axes<'_> {
        Axes(self.axes.each_ref().map(|axis| axis.as_ptr()), PhantomData)
    }
}

/// Where x, y and z of [`Positions`] begin: taken out of a loop, as compilers cannot tell that
/// lists written in it are not the arrays' own lengths.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axes<'a>([*const Real; 3], PhantomData<&'a Real>);

impl Axes<'_> {
    /// Where the coordinates from `first` on stand; [`LANES`] can be read from each.
    ///
    /// # Safety
    /// `first` is at most the number of points.
    #[inline(always)]
    unsafe fn from(self, first: u32) -> [*const Real; 3] {
        // SAFETY: every axis has LANES numbers behind the last point.
        self.0.map(|axis| unsafe { axis.add(first as usize) })
    }
}

/// Sixteen distances, tests as the bits of a mask, and what stands at its set bits.
pub(super) trait Lanes: Copy {
    /// Sixteen numbers in registers.
    type Reals: Copy;

    /// The squared distances of `at` from the points at places `first..first + 16`; beyond the last
    /// point they are anything.
    ///
    /// # Safety
    /// `first` is at most the number of points, and the CPU has what the type is named after.
    unsafe fn squares(self, points: Axes, first: u32, at: &Vec3) -> Self::Reals;

    /// Bit l says whether lane l is below `limit`, for the bits of `among`; the others are 0.
    ///
    /// # Safety
    /// The CPU has what the type is named after.
    unsafe fn below(self, squares: Self::Reals, limit: Real, among: u32) -> u32;

    /// Writes `first + l` for each set bit l, ascending, and then anything, 16 numbers in all.
    ///
    /// # Safety
    /// 16 numbers can be written to `out`, and the CPU has what the type is named after.
    unsafe fn push_places(self, mask: u32, first: u32, out: *mut u32);

    /// Writes the lane of each set bit, ascending, and then anything, 16 numbers in all.
    ///
    /// # Safety
    /// As for [`Lanes::push_places`].
    unsafe fn push(self, mask: u32, lanes: Self::Reals, out: *mut Real);
}

/// Work whose hot loop is written once, for any [`Lanes`].
pub(super) trait LaneWork {
    /// What it gives back.
    type Answer;

    /// The work itself: `#[inline(always)]`, so that it is compiled for the CPU it runs on.
    ///
    /// # Safety
    /// The CPU has what `lanes` is named after.
    unsafe fn run<L: Lanes>(self, lanes: L) -> Self::Answer;
}

/// Runs work on the lanes of an instruction set: the only match over them.
#[inline]
pub(super) fn run<W: LaneWork>(isa: Isa, work: W) -> W::Answer {
    match isa {
        #[cfg(all(target_arch = "x86_64", not(feature = "f64")))]
        // SAFETY: no Isa is made but for this CPU.
        Isa::Avx2 => unsafe { crate::base::isa::x86::run_avx2(OnLanes(x86::Avx2, work)) },
        #[cfg(all(target_arch = "x86_64", not(feature = "f64")))]
        // SAFETY: as above.
        Isa::Avx512 => unsafe { crate::base::isa::x86::run_avx512(OnLanes(x86::Avx512, work)) },
        isa => isa.run(OnLanes(Portable, work)),
    }
}

/// Work with the lanes it runs on, which this CPU has.
struct OnLanes<L, W>(L, W);

impl<L: Lanes, W: LaneWork> HotLoop for OnLanes<L, W> {
    type Answer = W::Answer;

    #[inline(always)]
    fn run<I: Instructions>(self, _: I) -> W::Answer {
        // SAFETY: `run` pairs lanes with the CPU that has them.
        unsafe { self.1.run(self.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::Random;

    struct Block<'a>(&'a Positions, u32, Vec3, Real);

    impl LaneWork for Block<'_> {
        type Answer = (u32, Vec<u32>, Vec<Real>);

        #[inline(always)]
        unsafe fn run<L: Lanes>(self, lanes: L) -> Self::Answer {
            let (mut places, mut pushed) = (vec![0; LANES], vec![0.0; LANES]);
            // SAFETY: the caller's promise; the places of the test are within the positions.
            unsafe {
                let squares = lanes.squares(self.0.axes(), self.1, &self.2);
                let mask = lanes.below(squares, self.3, 0xfff7);
                lanes.push_places(mask, 1000, places.as_mut_ptr());
                lanes.push(mask, squares, pushed.as_mut_ptr());
                places.truncate(mask.count_ones() as usize);
                pushed.truncate(mask.count_ones() as usize);
                (mask, places, pushed)
            }
        }
    }

    #[test]
    fn every_instruction_set_gives_the_bits_of_the_plain_test() {
        let mut random = Random::new(7);
        let points: Vec<Vec3> =
            (0..1000).map(|_| random.point(-1.0, 1.0).map(|x| x as Real)).collect();
        let mut soa = Positions::default();
        for (k, axis) in soa.resize(points.len()).into_iter().enumerate() {
            axis.iter_mut().zip(&points).for_each(|(x, p)| *x = p[k]);
        }
        for isa in Isa::available() {
            let mut near = 0;
            for first in 0..points.len() - LANES {
                // Radii that end exactly on a point, so that a last bit would show.
                let at = points[(first * 7) % points.len()];
                let square = |l: u32| (at - points[first + l as usize]).norm_squared();
                let limit = square((first % LANES) as u32);
                let is_wanted = |l: &u32| *l != 3 && square(*l) < limit;
                let wanted: Vec<u32> = (0..LANES as u32).filter(is_wanted).collect();
                let bits: u32 = wanted.iter().map(|l| 1 << l).sum();
                let places: Vec<u32> = wanted.iter().map(|l| 1000 + l).collect();
                let squares: Vec<Real> = wanted.iter().map(|&l| square(l)).collect();
                let found = run(isa, Block(&soa, first as u32, at, limit));
                assert_eq!(found, (bits, places, squares), "{isa:?} at {first}");
                near += wanted.len();
            }
            assert!(near > 1000);
        }
    }
}
