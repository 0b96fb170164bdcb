//! Numbers to decide with: quick ones that know how wrong they may be, and exact ones.
//!
//! Every `f64` is a whole number times a power of two, and so are sums, differences and products of
//! them. [`Exact`] holds just that, of any length. [`Rough`] is a double with a bound of its error
//! (running error analysis: Wilkinson, Rounding errors in algebraic processes (1963), §1.4); where
//! its sign is not sure, the same question is put to [`Exact`].

use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;

/// What the geometry asks of a number.
pub trait Number: Sized + Clone {
    fn of(x: f64) -> Self;
    fn plus(&self, other: &Self) -> Self;
    fn minus(&self, other: &Self) -> Self;
    fn times(&self, other: &Self) -> Self;
    /// How it compares with zero; `None` if that is not sure.
    fn sign(&self) -> Option<Ordering>;
}

/// A double within `error` of the truth.
#[derive(Clone, Copy, Debug)]
pub struct Rough {
    value: f64,
    error: f64,
}

/// More than twice the rounding of a double, so that errors of the errors are covered.
const ROUNDING: f64 = 2.0 * f64::EPSILON;
/// More than what underflow takes away.
const TINY: f64 = f64::MIN_POSITIVE;

impl Rough {
    fn new(value: f64, error: f64) -> Self {
        Rough { value, error: error * (1.0 + ROUNDING) + value.abs() * ROUNDING + TINY }
    }
}

impl Number for Rough {
    fn of(value: f64) -> Self {
        Rough { value, error: 0.0 }
    }

    fn plus(&self, other: &Self) -> Self {
        Rough::new(self.value + other.value, self.error + other.error)
    }

    fn minus(&self, other: &Self) -> Self {
        Rough::new(self.value - other.value, self.error + other.error)
    }

    fn times(&self, other: &Self) -> Self {
        let (a, b) = (self.value.abs(), other.value.abs());
        let error = a * other.error + self.error * (b + other.error);
        Rough::new(self.value * other.value, error * (1.0 + ROUNDING))
    }

    fn sign(&self) -> Option<Ordering> {
        if self.error == 0.0 && self.value == 0.0 {
            return Some(Ordering::Equal);
        }
        (self.value.abs() > self.error).then(|| self.value.total_cmp(&0.0))
    }
}

/// A whole number times a power of two.
#[derive(Clone, Debug)]
pub struct Exact {
    digits: BigInt,
    exponent: i32,
}

impl Exact {
    /// The digits of both at the lower exponent, and that.
    fn aligned(&self, other: &Self) -> (BigInt, BigInt, i32) {
        let low = self.exponent.min(other.exponent);
        let digits = |n: &Exact| n.digits.clone() << (n.exponent - low);
        (digits(self), digits(other), low)
    }
}

impl Number for Exact {
    fn of(x: f64) -> Self {
        assert!(x.is_finite());
        let bits = x.to_bits();
        let (biased, fraction) = ((bits >> 52 & 0x7ff) as i32, (bits & ((1 << 52) - 1)) as i64);
        let (digits, exponent) = match biased {
            0 => (fraction, -1074),
            _ => (fraction | 1 << 52, biased - 1075),
        };
        let zeros = if digits == 0 { 0 } else { digits.trailing_zeros() as i32 };
        let digits = if x < 0.0 { -(digits >> zeros) } else { digits >> zeros };
        Exact { digits: digits.into(), exponent: if digits == 0 { 0 } else { exponent + zeros } }
    }

    fn plus(&self, other: &Self) -> Self {
        let (a, b, exponent) = self.aligned(other);
        Exact { digits: a + b, exponent }
    }

    fn minus(&self, other: &Self) -> Self {
        let (a, b, exponent) = self.aligned(other);
        Exact { digits: a - b, exponent }
    }

    fn times(&self, other: &Self) -> Self {
        let digits = &self.digits * &other.digits;
        Exact { digits, exponent: self.exponent + other.exponent }
    }

    fn sign(&self) -> Option<Ordering> {
        Some(match self.digits.sign() {
            Sign::Minus => Ordering::Less,
            Sign::NoSign => Ordering::Equal,
            Sign::Plus => Ordering::Greater,
        })
    }
}

#[test]
fn exact_numbers_lose_nothing() {
    let of = Exact::of;
    let tiny = f64::from_bits(3);
    for (a, b) in [(1e16, 1.0), (0.1, 0.2), (-1e300, tiny), (3.5, -3.5), (0.0, -2.0)] {
        let sum = of(a).plus(&of(b));
        assert_eq!(sum.minus(&of(a)).minus(&of(b)).sign(), Some(Ordering::Equal), "{a} {b}");
        let square = sum.times(&sum);
        // (a + b)² = a² + 2ab + b².
        let two_ab = of(2.0).times(&of(a)).times(&of(b));
        let parts = of(a).times(&of(a)).plus(&two_ab).plus(&of(b).times(&of(b)));
        assert_eq!(square.minus(&parts).sign(), Some(Ordering::Equal), "{a} {b}");
    }
    // 0.1 + 0.2 is not 0.3: doubles are what they are.
    assert_eq!(of(0.1).plus(&of(0.2)).minus(&of(0.3)).sign(), Some(Ordering::Greater));
    assert_eq!(of(1e16).plus(&of(1.0)).minus(&of(1e16)).sign(), Some(Ordering::Greater));
}

#[test]
fn rough_numbers_know_when_they_do_not_know() {
    let of = Rough::of;
    assert_eq!(of(1e16).plus(&of(1.0)).minus(&of(1e16)).sign(), None);
    assert_eq!(of(0.1).plus(&of(0.2)).minus(&of(0.3)).sign(), None);
    assert_eq!(of(0.1).plus(&of(0.2)).minus(&of(0.3001)).sign(), Some(Ordering::Less));
    assert_eq!(of(1e-200).times(&of(1e-200)).sign(), None, "it underflows");
    assert_eq!(of(0.0).sign(), Some(Ordering::Equal));
}
