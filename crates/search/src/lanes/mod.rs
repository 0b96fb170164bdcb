//! Sixteen distance tests at a time, on the widest registers that the CPU has.
//!
//! One contract, [`Lanes`], and three bodies: AVX-512, AVX2, and plain Rust for every other CPU,
//! which compilers turn into what the target has (NEON on 64-bit ARM).
//!
//! All bodies compute `((Δx² + Δy²) + Δz²) < h²` with a rounding after every operation, as
//! `(a − b).norm_squared()` does: the answer has the same bits on every CPU.

mod baseline;
#[cfg(all(target_arch = "x86_64", not(feature = "f64")))]
mod x86;

#[cfg(target_arch = "x86_64")]
use hashfall_core::simd::{Avx2, Avx512};
use hashfall_core::simd::{Baseline, PerIsa};
pub(super) use hashfall_core::simd::{Isa, LANES};
use hashfall_core::{Real, Vec3};
use std::marker::PhantomData;
use std::ops::Range;

/// A structure of arrays of positions that can be read [`LANES`] at a time from any place.
#[derive(Clone, Debug, Default)]
pub(super) struct Positions {
    /// x, y and z, each followed by [`LANES`] numbers of padding \[m\].
    axes: [Vec<Real>; 3],
    len: usize,
}

impl Positions {
    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.axes.iter().map(|axis| size_of_val(&axis[..])).sum()
    }

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

    /// The corners of the box around the points at some places, at least one.
    #[inline(always)]
    pub fn bounds(&self, places: &Range<u32>) -> (Vec3, Vec3) {
        let mut low = self.at(places.start as usize);
        let mut high = low;
        for place in places.start + 1..places.end {
            let point = self.at(place as usize);
            for k in 0..3 {
                low[k] = low[k].min(point[k]);
                high[k] = high[k].max(point[k]);
            }
        }
        (low, high)
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
    /// The positions of the points at places `first..first + 16`; beyond the last point anything.
    ///
    /// # Safety
    /// `first` is at most the number of points.
    #[inline(always)]
    pub unsafe fn load<L: Lanes>(self, lanes: L, first: u32) -> [L::Reals; 3] {
        let [x, y, z] = self.0;
        // SAFETY: every axis has LANES numbers behind the last point.
        unsafe {
            [
                lanes.load(x.add(first as usize)),
                lanes.load(y.add(first as usize)),
                lanes.load(z.add(first as usize)),
            ]
        }
    }
}

/// Sixteen distances, tests as the bits of a mask, and what stands at its set bits: on the
/// instructions of which the type's values are proof.
pub(super) trait Lanes: Copy {
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
pub(super) trait LaneWork {
    /// What it gives back.
    type Output;

    /// The work itself: `#[inline(always)]`, so that it is compiled for the CPU it runs on.
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// Runs work on the lanes of an instruction set.
#[inline]
pub(super) fn run<W: LaneWork>(isa: Isa, work: W) -> W::Output {
    isa.dispatch(OnLanes(work), ())
}

/// Work on the lanes of the instruction set that it is compiled for; on arrays in double precision.
struct OnLanes<W>(W);

impl<W: LaneWork> PerIsa for OnLanes<W> {
    const USES_AVX512: bool = true;
    type Input = ();
    type Output = W::Output;

    #[inline(always)]
    fn baseline(self, (): ()) -> Self::Output {
        self.0.run(Baseline)
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn avx2(self, avx2: Avx2, (): ()) -> Self::Output {
        #[cfg(feature = "f64")]
        let (avx2, _) = (Baseline, avx2);
        self.0.run(avx2)
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn avx512(self, avx512: Avx512, (): ()) -> Self::Output {
        #[cfg(feature = "f64")]
        let (avx512, _) = (Baseline, avx512);
        self.0.run(avx512)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;

    struct Block<'a>(&'a Positions, u32, Vec3, Real);

    impl LaneWork for Block<'_> {
        type Output = (u32, Vec<u32>, Vec<Real>);

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> Self::Output {
            let (mut places, mut pushed) = (vec![0; LANES], vec![0.0; LANES]);
            // SAFETY: the places of the test are within the positions; there is room for sixteen.
            unsafe {
                let squares = lanes.squares(self.0.axes().load(lanes, self.1), &self.2);
                let mask = lanes.below(squares, self.3, 0xfff7);
                let numbers = lanes.places_from(1000);
                lanes.push_places(mask, numbers, places.as_mut_ptr());
                lanes.push(mask, squares, pushed.as_mut_ptr());
                places.truncate(mask.count_ones() as usize);
                pushed.truncate(mask.count_ones() as usize);
                (mask, places, pushed)
            }
        }
    }

    struct FromBox<'a>(&'a Positions, u32, [Vec3; 2], Real, &'a [u32; LANES]);

    impl LaneWork for FromBox<'_> {
        type Output = (Vec<Real>, Vec<u32>);

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> Self::Output {
            let (mut squares, mut names) = (vec![0.0; LANES], vec![0; LANES]);
            // SAFETY: blocks begin at points of the positions; every list holds sixteen.
            unsafe {
                let points = self.0.axes().load(lanes, self.1);
                let of_box = lanes.squares_from_box(points, &self.2[0], &self.2[1]);
                lanes.push(0xffff, of_box, squares.as_mut_ptr());
                let near = lanes.below(of_box, self.3, 0xffff);
                lanes.push_places(near, lanes.load_places(self.4.as_ptr()), names.as_mut_ptr());
                names.truncate(near.count_ones() as usize);
                (squares, names)
            }
        }
    }

    fn points_and_positions() -> (Vec<Vec3>, Positions) {
        let mut random = Random::new(7);
        let points: Vec<Vec3> = (0..1000).map(|_| random.vec3(-1.0, 1.0)).collect();
        let mut soa = Positions::default();
        for (k, axis) in soa.resize(points.len()).into_iter().enumerate() {
            axis.iter_mut().zip(&points).for_each(|(x, p)| *x = p[k]);
        }
        (points, soa)
    }

    #[test]
    fn a_box_is_never_farther_than_a_point_within_it_to_the_last_bit() {
        let (points, soa) = points_and_positions();
        let names = std::array::from_fn(|l| 7 * l as u32);
        for isa in Isa::available() {
            for first in 0..points.len() - LANES {
                let some: [Vec3; 3] = std::array::from_fn(|k| points[(first * 7 + 31 * k) % 1000]);
                let low = some[0].inf(&some[1]).inf(&some[2]);
                let high = some[0].sup(&some[1]).sup(&some[2]);
                let limit = 0.3;
                let (of_box, near) =
                    run(isa, FromBox(&soa, first as u32, [low, high], limit, &names));
                let mut wanted = Vec::new();
                for l in 0..LANES {
                    let point = points[first + l];
                    let apart = (low - point).sup(&(point - high)).sup(&Vec3::zeros());
                    assert_eq!(of_box[l], apart.norm_squared(), "{isa:?} at {first}");
                    assert!(some.iter().all(|x| of_box[l] <= (x - point).norm_squared()));
                    wanted.extend((of_box[l] < limit).then_some(names[l]));
                }
                assert_eq!(near, wanted, "{isa:?} at {first}");
            }
        }
    }

    #[test]
    fn every_instruction_set_gives_the_bits_of_the_plain_test() {
        let (points, soa) = points_and_positions();
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
