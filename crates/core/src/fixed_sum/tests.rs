//! Fixed-point sums against whole numbers of any size, for any order and split, on every
//! instruction set.

use super::*;
use crate::simd::{Isa, Simd, WithSimd};
use num_bigint::BigInt;
use proptest::prelude::*;
use std::mem::discriminant;

/// A finite double as a whole number of 2⁻¹⁰⁷⁴.
fn exact(x: f64) -> BigInt {
    let exponent = (x.to_bits() >> 52 & 0x7ff) as u32;
    let fraction = x.to_bits() & ((1 << 52) - 1);
    let mantissa = if exponent == 0 { fraction } else { fraction | 1 << 52 };
    let magnitude = BigInt::from(mantissa) << (exponent.max(1) - 1);
    if x.is_sign_negative() { -magnitude } else { magnitude }
}

/// The multiple of 2ᵉ⁻¹⁰⁷⁴ next to a whole number of 2⁻¹⁰⁷⁴, ties to even.
fn rounded(x: &BigInt, e: u32) -> BigInt {
    let half = (BigInt::from(1) << e) >> 1;
    let floor: BigInt = x >> e;
    let rest = x - (&floor << e);
    let is_odd = &floor % 2 != BigInt::ZERO;
    let is_up = rest > half || rest == half && e > 0 && is_odd;
    (floor + u8::from(is_up)) << e
}

/// Adds numbers by the loop of an instruction set.
struct Add<'a>(&'a FixedPoint<1>, &'a [f64]);

impl WithSimd for Add<'_> {
    type Output = FixedSums<1>;

    #[inline(always)]
    fn run<I: Simd>(self, _: I) -> FixedSums<1> {
        let mut sums = FixedSums::default();
        sums.add_to(0, self.0, self.1);
        sums
    }
}

/// The sum of parts on every instruction set and one by one, which all are the same.
fn sum(format: &FixedPoint<1>, parts: &[&[f64]]) -> Option<f64> {
    let mut one_by_one = FixedSums::default();
    parts.concat().iter().for_each(|&x| one_by_one.add(format, [x]));
    let found = format.values(&one_by_one).map(|[sum]| sum);
    for isa in Isa::available() {
        let mut sums = FixedSums::default();
        parts.iter().for_each(|part| sums.merge(&isa.run(Add(format, part))));
        let values = format.values(&sums).map(|[sum]| sum.to_bits());
        assert_eq!(values, found.map(f64::to_bits), "{isa:?}");
    }
    found
}

fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |most, x| x.abs().max(most))
}

/// Finite doubles with which quanta are in range: any bits, halves, subnormal ones, powers of two.
fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<u64>().prop_map(f64::from_bits).prop_filter("small", |x| x.abs() < 1e300),
        (-8_i32..8).prop_map(|x| f64::from(x) / 2.0),
        any::<i64>().prop_map(|x| f64::from_bits(x.unsigned_abs() >> 12).copysign(x as f64)),
        (-1100_i32..990).prop_map(|e| f64::powi(2.0, e)),
        (-50_i32..50, -9e15..9e15).prop_map(|(e, x)| x * f64::powi(2.0, e)),
    ]
}

/// Numbers of all sizes, or near each other.
fn numbers() -> impl Strategy<Value = Vec<f64>> {
    prop_oneof![
        prop::collection::vec(any_number(), 0..70),
        prop::collection::vec(-1e3..1e3, 0..2000),
        prop::collection::vec((-3_i32..3).prop_map(|x| f64::from(x) * 0.1), 0..70),
    ]
}

/// The parts of a whole between cuts.
fn split<'a>(numbers: &'a [f64], cuts: &[prop::sample::Index]) -> Vec<&'a [f64]> {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(numbers.len() + 1)).collect();
    cuts.extend([0, numbers.len()]);
    cuts.sort_unstable();
    cuts.windows(2).map(|cut| &numbers[cut[0]..cut[1]]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn sums_are_those_of_addends_that_are_each_rounded_once(numbers in numbers()) {
        let format = FixedPoint::new([largest(&numbers)], numbers.len());
        let found = sum(&format, &[&numbers]).expect("all are within bounds");
        let [quantum] = format.quantum;
        let e = (exact(quantum).magnitude().bits() - 1) as u32;
        let multiples: BigInt = numbers.iter().map(|&x| rounded(&exact(x), e)).sum();
        let whole = i64::try_from(multiples >> e).expect("it fits");
        prop_assert_eq!(found.to_bits(), (whole as f64 * quantum).to_bits());
        // As the head says.
        let n = numbers.len() as f64;
        prop_assert!(quantum <= f64::max(2.0 * largest(&numbers) * f64::powi(0.5, 49), 5e-324));
        let error = exact(found) - numbers.iter().map(|&x| exact(x)).sum::<BigInt>();
        let bound = exact(n * quantum * 0.5) + exact(found.abs() * f64::EPSILON) + 1;
        prop_assert!(BigInt::from(error.magnitude().clone()) <= bound);
    }

    #[test]
    fn any_order_and_any_split_give_the_same_bits(
        pair in numbers().prop_flat_map(|n| (Just(n.clone()), Just(n).prop_shuffle())),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let (numbers, shuffled) = pair;
        let format = FixedPoint::new([largest(&numbers)], numbers.len());
        let parts = split(&shuffled, &cuts);
        let whole = sum(&format, &[&numbers]).map(f64::to_bits);
        prop_assert_eq!(whole, sum(&format, &parts).map(f64::to_bits));
    }

    #[test]
    fn what_is_beyond_the_bound_never_wraps_unseen(
        numbers in numbers(),
        ratio in 0.0..1.5,
        special in prop::option::of(prop::sample::select(
            vec![f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN],
        )),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let mut numbers = numbers;
        let bound = largest(&numbers) * ratio;
        numbers.extend(special);
        let format = FixedPoint::new([bound], numbers.len());
        let found = sum(&format, &[&numbers]);
        numbers.reverse();
        let backwards = sum(&format, &split(&numbers, &cuts));
        prop_assert_eq!(discriminant(&found), discriminant(&backwards));
        prop_assert!(special.is_none() || found.is_none());
        if let Some(found) = found {
            let [quantum] = format.quantum;
            let error = exact(found) - numbers.iter().map(|&x| exact(x)).sum::<BigInt>();
            let n = numbers.len() as f64;
            let allowed = exact(n * quantum * 0.5) + exact(found.abs() * f64::EPSILON) + 1;
            prop_assert!(BigInt::from(error.magnitude().clone()) <= allowed);
        }
    }
}

#[test]
fn many_equal_addends_of_the_bound_do_not_wrap() {
    for count in [1, 2, 3, 4096, 4097, 1 << 20] {
        for x in [1.0, -1.0, 0.1, -f64::from_bits(1), 1e300, f64::MIN_POSITIVE] {
            let found = sum(&FixedPoint::new([x], count), &[&vec![x; count]]);
            let error = found.map(|sum| (sum - x * count as f64).abs());
            let allowed = count as f64 * x.abs() * f64::powi(0.5, 41);
            assert!(error.is_some_and(|error| error <= allowed), "{found:?} of {count} {x:e}");
        }
    }
    assert_eq!(sum(&FixedPoint::new([1.0], 1 << 20), &[&vec![1.0; 1 << 20]]), Some(1048576.0));
}

#[test]
fn a_sum_of_nothing_and_of_zeros_is_positive_zero() {
    for bound in [0.0, 1.0, f64::MAX] {
        for numbers in [&[][..], &[0.0, -0.0], &[-0.0; 9]] {
            let found = sum(&FixedPoint::new([bound], numbers.len()), &[numbers]);
            assert_eq!(found.map(f64::to_bits), Some(0), "{bound}");
        }
    }
}

#[test]
fn a_bound_that_is_not_finite_is_none() {
    for bound in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
        assert_eq!(sum(&FixedPoint::new([bound], 2), &[&[0.0, 1.0]]), None);
    }
}

#[test]
fn a_bound_of_zero_takes_zeros_alone() {
    let format = FixedPoint::new([0.0], 3);
    assert_eq!(sum(&format, &[&[0.0, 1e-300, 0.0]]), None);
    assert_eq!(sum(&format, &[&[f64::NAN]]), None);
}
