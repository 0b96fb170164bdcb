//! Positions as a structure of arrays, read sixteen at a time.

use super::contract::Lanes;
use hashfall_core::simd::LANES;
use hashfall_core::{Real, Vec3};
use std::marker::PhantomData;
use std::ops::Range;

/// A structure of arrays of positions that can be read [`LANES`] at a time from any place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Positions {
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

    /// The axes for reading [`LANES`] numbers from any place.
    #[inline(always)]
    pub fn axes(&self) -> Axes<'_> {
        Axes(self.axes.each_ref().map(|axis| axis.as_ptr()), PhantomData)
    }
}

/// Where x, y and z of [`Positions`] begin: taken out of a loop, as compilers cannot tell that
/// lists written in it are not the arrays' own lengths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axes<'a>([*const Real; 3], PhantomData<&'a Real>);

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
