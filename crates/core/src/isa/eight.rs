//! Eight numbers in a register.
//!
//! Compilers take short loops over small arrays apart and put what they find together again by
//! halves and pairs, each sum of a hot loop in another way. A type whose operators are instructions
//! leaves them no choice.

use super::Real;
use std::ops::{Add, AddAssign, Div, Mul, Sub};

/// Eight numbers on which one instruction works. A value proves that the CPU has it.
pub trait Eight:
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
    fn numbers(self) -> [Real; 8];

    /// Each number by itself, which takes as long as eight times one.
    fn map(self, of_number: impl Fn(Real) -> Real) -> Self;

    /// `other` where this is below zero, and elsewhere zero.
    fn where_negative(self, other: Self) -> Self;

    /// The square roots.
    fn sqrt(self) -> Self;

    /// The larger of each two; `other` where this is not a number.
    fn max(self, other: Self) -> Self;

    /// A bit for each number that is larger than its counterpart, the first lowest.
    fn bits_above(self, other: Self) -> u8;
}

/// Eight numbers for CPUs of which nothing is known: compilers find what they can.
#[derive(Clone, Copy, Debug)]
pub struct Plain(pub [Real; 8]);

impl Plain {
    #[inline(always)]
    fn with(self, other: Plain, operator: impl Fn(Real, Real) -> Real) -> Plain {
        Plain(std::array::from_fn(|l| operator(self.0[l], other.0[l])))
    }
}

impl Eight for Plain {
    #[inline(always)]
    fn splat(self, number: Real) -> Plain {
        Plain([number; 8])
    }

    #[inline(always)]
    fn numbers(self) -> [Real; 8] {
        self.0
    }

    #[inline(always)]
    fn map(self, of_number: impl Fn(Real) -> Real) -> Plain {
        Plain(self.0.map(of_number))
    }

    #[inline(always)]
    fn where_negative(self, other: Plain) -> Plain {
        self.with(other, |x, other| if x < 0.0 { other } else { 0.0 })
    }

    #[inline(always)]
    fn sqrt(self) -> Plain {
        Plain(self.0.map(Real::sqrt))
    }

    #[inline(always)]
    fn max(self, other: Plain) -> Plain {
        self.with(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn bits_above(self, other: Plain) -> u8 {
        (0..8).fold(0, |bits, l| bits | u8::from(self.0[l] > other.0[l]) << l)
    }
}

impl Add for Plain {
    type Output = Plain;

    #[inline(always)]
    fn add(self, other: Plain) -> Plain {
        self.with(other, |a, b| a + b)
    }
}

impl AddAssign for Plain {
    #[inline(always)]
    fn add_assign(&mut self, other: Plain) {
        *self = *self + other;
    }
}

impl Sub for Plain {
    type Output = Plain;

    #[inline(always)]
    fn sub(self, other: Plain) -> Plain {
        self.with(other, |a, b| a - b)
    }
}

impl Mul for Plain {
    type Output = Plain;

    #[inline(always)]
    fn mul(self, other: Plain) -> Plain {
        self.with(other, |a, b| a * b)
    }
}

impl Mul<Real> for Plain {
    type Output = Plain;

    #[inline(always)]
    fn mul(self, number: Real) -> Plain {
        Plain(self.0.map(|x| x * number))
    }
}

impl Div for Plain {
    type Output = Plain;

    #[inline(always)]
    fn div(self, other: Plain) -> Plain {
        self.with(other, |a, b| a / b)
    }
}
