//! Arrays in place of registers, for CPUs of which nothing is known: compilers make of them what
//! the architecture has.

use super::f32x8::F32x8;
use super::with_simd::Simd;
use crate::Real;
use std::ops::{Add, AddAssign, Div, Mul, Sub};

/// The instructions of every CPU of the architecture.
#[derive(Clone, Copy, Debug)]
pub struct Baseline;

impl Simd for Baseline {
    type F32x8 = ArrayF32x8;

    #[inline(always)]
    fn splat(self, number: Real) -> ArrayF32x8 {
        ArrayF32x8([number; 8])
    }

    #[inline(always)]
    fn load(self, numbers: &[Real; 8]) -> ArrayF32x8 {
        ArrayF32x8(*numbers)
    }

    #[inline(always)]
    fn load_partial(self, count: usize, numbers: &[Real; 8]) -> ArrayF32x8 {
        ArrayF32x8(std::array::from_fn(|l| if l < count { numbers[l] } else { 0.0 }))
    }

    #[inline(always)]
    fn rows(self, first: &[Real; 4], second: &[Real; 4]) -> ArrayF32x8 {
        let ([a, b, c, d], [e, f, g, h]) = (*first, *second);
        ArrayF32x8([a, b, c, d, e, f, g, h])
    }

    #[inline(always)]
    fn whole_rows(self, rows: &[[i16; 4]; 2]) -> ArrayF32x8 {
        ArrayF32x8(std::array::from_fn(|l| Real::from(rows[l / 4][l % 4])))
    }

    #[inline(always)]
    fn splat_rows(self, first: Real, second: Real) -> ArrayF32x8 {
        self.rows(&[first; 4], &[second; 4])
    }

    #[inline(always)]
    fn transpose<const W: usize>(self, rows: [&[Real; W]; 8]) -> [ArrayF32x8; W] {
        std::array::from_fn(|column| ArrayF32x8(rows.map(|row| row[column])))
    }
}

/// Eight numbers in an array.
#[derive(Clone, Copy, Debug)]
pub struct ArrayF32x8(pub [Real; 8]);

impl ArrayF32x8 {
    #[inline(always)]
    fn with(self, other: ArrayF32x8, operator: impl Fn(Real, Real) -> Real) -> ArrayF32x8 {
        ArrayF32x8(std::array::from_fn(|l| operator(self.0[l], other.0[l])))
    }
}

impl F32x8 for ArrayF32x8 {
    #[inline(always)]
    fn splat(self, number: Real) -> ArrayF32x8 {
        ArrayF32x8([number; 8])
    }

    #[inline(always)]
    fn to_array(self) -> [Real; 8] {
        self.0
    }

    #[inline(always)]
    fn map(self, of_number: impl Fn(Real) -> Real) -> ArrayF32x8 {
        ArrayF32x8(self.0.map(of_number))
    }

    #[inline(always)]
    fn select_negative(self, other: ArrayF32x8) -> ArrayF32x8 {
        self.with(other, |x, other| if x < 0.0 { other } else { 0.0 })
    }

    #[inline(always)]
    fn sqrt(self) -> ArrayF32x8 {
        ArrayF32x8(self.0.map(Real::sqrt))
    }

    #[inline(always)]
    fn max(self, other: ArrayF32x8) -> ArrayF32x8 {
        self.with(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn rotate_left(self) -> ArrayF32x8 {
        let [x, y, z, w, p, q, r, s] = self.0;
        ArrayF32x8([y, z, x, w, q, r, p, s])
    }

    #[inline(always)]
    fn rotate_right(self) -> ArrayF32x8 {
        let [x, y, z, w, p, q, r, s] = self.0;
        ArrayF32x8([z, x, y, w, r, p, q, s])
    }

    #[inline(always)]
    fn splat_fourth(self) -> ArrayF32x8 {
        let [_, _, _, w, _, _, _, s] = self.0;
        ArrayF32x8([w, w, w, w, s, s, s, s])
    }

    #[inline(always)]
    fn with_fourth(self, other: ArrayF32x8) -> ArrayF32x8 {
        let ([x, y, z, _, p, q, r, _], [_, _, _, w, _, _, _, s]) = (self.0, other.0);
        ArrayF32x8([x, y, z, w, p, q, r, s])
    }

    #[inline(always)]
    fn add_rows(self) -> [Real; 4] {
        let [x, y, z, w, p, q, r, s] = self.0;
        [x + p, y + q, z + r, w + s]
    }

    #[inline(always)]
    fn rounded(self) -> ArrayF32x8 {
        // By a sum that has no bits for a fraction: what is larger is whole.
        const WHOLE: Real = 1.5 / Real::EPSILON;
        let round = |x: Real| if x.abs() < WHOLE / 3.0 { (x + WHOLE) - WHOLE } else { x };
        ArrayF32x8(self.0.map(round))
    }

    #[inline(always)]
    fn to_whole_rows(self) -> [[i16; 4]; 2] {
        // What a sum with this rounds to has the whole number as its last bits.
        const LAST_BITS: Real = 1.5 / Real::EPSILON;
        let whole = |l: usize| (self.0[l] + LAST_BITS).to_bits() as i16;
        std::array::from_fn(|row| std::array::from_fn(|k| whole(4 * row + k)))
    }

    #[inline(always)]
    fn mask_above(self, other: ArrayF32x8) -> u8 {
        (0..8).fold(0, |bits, l| bits | u8::from(self.0[l] > other.0[l]) << l)
    }
}

impl Add for ArrayF32x8 {
    type Output = ArrayF32x8;

    #[inline(always)]
    fn add(self, other: ArrayF32x8) -> ArrayF32x8 {
        self.with(other, |a, b| a + b)
    }
}

impl AddAssign for ArrayF32x8 {
    #[inline(always)]
    fn add_assign(&mut self, other: ArrayF32x8) {
        *self = *self + other;
    }
}

impl Sub for ArrayF32x8 {
    type Output = ArrayF32x8;

    #[inline(always)]
    fn sub(self, other: ArrayF32x8) -> ArrayF32x8 {
        self.with(other, |a, b| a - b)
    }
}

impl Mul for ArrayF32x8 {
    type Output = ArrayF32x8;

    #[inline(always)]
    fn mul(self, other: ArrayF32x8) -> ArrayF32x8 {
        self.with(other, |a, b| a * b)
    }
}

impl Mul<Real> for ArrayF32x8 {
    type Output = ArrayF32x8;

    #[inline(always)]
    fn mul(self, number: Real) -> ArrayF32x8 {
        ArrayF32x8(self.0.map(|x| x * number))
    }
}

impl Div for ArrayF32x8 {
    type Output = ArrayF32x8;

    #[inline(always)]
    fn div(self, other: ArrayF32x8) -> ArrayF32x8 {
        self.with(other, |a, b| a / b)
    }
}
