//! Eight numbers in a register.
//!
//! Compilers take short loops over small arrays apart and put what they find together again by
//! halves and pairs, each sum of a hot loop in another way. A type whose operators are instructions
//! leaves them no choice.
//!
//! The eight are also two rows of four: vectors of three numbers, each with one more.

use crate::Real;
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

    /// Of each row of four (x, y, z, w): (y, z, x, w).
    fn rotate_left(self) -> Self;

    /// Of each row of four (x, y, z, w): (z, x, y, w).
    fn rotate_right(self) -> Self;

    /// Of each row of four the last number four times.
    fn splat_fourth(self) -> Self;

    /// Of each row of four the first three numbers, and the last of `other`'s.
    fn with_fourth(self, other: Self) -> Self;

    /// The sum of both rows of four.
    fn add_rows(self) -> [Real; 4];

    /// The nearest whole numbers; halves become even ones.
    fn rounded(self) -> Self;

    /// The nearest whole numbers, of two rows of four; halves go to even ones. Numbers of more than
    /// 32 767 have none.
    fn to_whole_rows(self) -> [[i16; 4]; 2];

    /// A bit for each number that is larger than its counterpart, the first lowest.
    fn mask_above(self, other: Self) -> u8;
}
