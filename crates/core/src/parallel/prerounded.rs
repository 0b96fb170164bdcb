//! Sums whose bits depend neither on the order nor on the split of the numbers, at a few additions
//! each: reproducible summation by pre-rounding (Demmel & Nguyen, Fast reproducible floating-point
//! summation (2013)).
//!
//! With 2ᵉ above the largest magnitude, each number is cut to a whole multiple of q = 2ᵉ⁻⁶², which
//! fits an `i64`; whole numbers add exactly, in any order, as an `i128`. Cutting costs less than q
//! a number, so that the sum of n is off by less than n 2⁻⁶¹ of the largest: nearer than a sum of
//! floats one by one. Theirs cuts by adding and subtracting a large float and keeps several such
//! bins; here one bin of 62 bits is enough. The largest magnitude is found in a first pass.
//!
//! An [`ExactSum`](crate::exact_sum::ExactSum) has no error, and takes some ten times as long.

use super::fold;

/// Bits of a cut number.
const BITS: i32 = 62;

/// The sums of `value(i)` over `0..n`, the same bits for any order and any split, within
/// n 2⁻⁶¹ of the largest magnitude; not finite if a number is not. `value` is asked twice.
pub fn prerounded_sum<const K: usize>(
    n: usize,
    value: impl Fn(usize) -> [f64; K] + Sync,
) -> [f64; K] {
    let larger = |mut a: [f64; K], b: [f64; K]| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a = largest(*a, b));
        a
    };
    let magnitudes = |i| value(i).map(f64::abs);
    let largest = fold(n, |chunk| chunk.map(magnitudes).fold([0.0; K], larger), larger);
    let scales = largest.unwrap_or([0.0; K]).map(Scale::new);
    let add = |mut sums: [i128; K], numbers: [i128; K]| {
        sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
        sums
    };
    let cut = |i| {
        let numbers = value(i);
        std::array::from_fn(|k| i128::from(scales[k].cut(numbers[k])))
    };
    let sums = fold(n, |chunk| chunk.map(cut).fold([0; K], add), add).unwrap_or([0; K]);
    std::array::from_fn(|k| scales[k].value(sums[k]))
}

/// The larger of two magnitudes; not a number if one is none.
fn largest(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}

/// 1 / q, as a product of two powers of two, for q may be too small to have a reciprocal.
#[derive(Clone, Copy)]
struct Scale {
    factors: [f64; 2],
    /// Only if not finite.
    largest: Option<f64>,
}

impl Scale {
    /// For numbers up to a magnitude.
    fn new(largest: f64) -> Self {
        // Zero and subnormal magnitudes are below the smallest normal number.
        let exponent = (largest.to_bits() >> 52 & 0x7ff).max(1) as i32 - 1022;
        let shift = BITS - exponent;
        let first = shift.clamp(-1000, 1000);
        let factors = [power_of_two(first), power_of_two(shift - first)];
        Scale { factors, largest: (!largest.is_finite()).then_some(largest) }
    }

    /// A number in units of q, cut towards zero.
    fn cut(&self, x: f64) -> i64 {
        (x * self.factors[0] * self.factors[1]) as i64
    }

    /// What a sum in units of q is worth.
    fn value(&self, sum: i128) -> f64 {
        self.largest.unwrap_or(sum as f64 / self.factors[1] / self.factors[0])
    }
}

/// 2ᵏ for a k of normal numbers.
fn power_of_two(k: i32) -> f64 {
    f64::from_bits(((k + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::{CHUNK, sum, with_threads};

    #[test]
    fn sums_are_the_same_bits_in_any_order_on_any_threads_and_near_the_exact_ones() {
        for (n, unit) in [(0, 1.0), (1, 1e-300), (CHUNK, 1e300), (10_007, 1.0), (9999, 5e-324)] {
            let value = |i: usize| [unit / (i as f64 + 1.0), unit * (i as f64).sin(), -unit];
            let one = with_threads(1, || prerounded_sum(n, value));
            assert_eq!(one, with_threads(3, || prerounded_sum(n, value)));
            assert_eq!(one, prerounded_sum(n, |i| value(n - 1 - i)));
            for (a, b) in one.iter().zip(sum(n, value)) {
                assert!((a - b).abs() <= 1e-15 * b.abs() + n as f64 * unit * 1e-18, "{a} {b}");
            }
        }
    }

    #[test]
    fn small_numbers_beside_a_large_one_count_up_to_what_is_cut() {
        let value = |i: usize| [if i == 7 { 2.0_f64.powi(60) } else { 1.0 }];
        assert_eq!(prerounded_sum(1000, value), [2.0_f64.powi(60) + 999.0]);
    }

    #[test]
    fn what_is_not_finite_shows() {
        let with = |x: f64| prerounded_sum(3000, |i| [if i == 1234 { x } else { 1.0 }])[0];
        assert!(with(f64::NAN).is_nan());
        assert!(!with(f64::INFINITY).is_finite());
        assert!(!with(f64::NEG_INFINITY).is_finite());
        assert!(with(1e308).is_finite());
    }
}
