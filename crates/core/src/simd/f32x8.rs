//! Eight numbers in a register.
//!
//! Compilers take short loops over small arrays apart and put what they find together again by
//! halves and pairs, each sum of a hot loop in another way. A type whose operators are instructions
//! leaves them no choice.

use super::Real;
use std::ops::{Add, AddAssign, Div, Mul, Sub};

/// Eight numbers on which one instruction works. A value proves that the CPU has it.
pub trait F32x8:
    Copy
    + Add<Output = Self>
    + AddAssign
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Mul<Real, Output = Self>
    + Div<Output = Self>
{
    /// The same number eight times.
    fn splat(self, number: Real) -> Self;

    /// The numbers one by one.
    fn to_array(self) -> [Real; 8];

    /// Each number by itself, which takes as long as eight times one.
    fn map(self, of_number: impl Fn(Real) -> Real) -> Self;

    /// `other` where this is below zero, and elsewhere zero.
    fn select_negative(self, other: Self) -> Self;

    /// The square roots.
    fn sqrt(self) -> Self;

    /// The larger of each two; `other` where this is not a number.
    fn max(self, other: Self) -> Self;

    /// A bit for each number that is larger than its counterpart, the first lowest.
    fn mask_above(self, other: Self) -> u8;
}

/// Eight numbers for CPUs of which nothing is known: compilers find what they can.
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
