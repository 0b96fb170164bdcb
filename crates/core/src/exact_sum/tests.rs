//! Exact sums against whole numbers of any size, for any order and split.

use super::*;
use num_bigint::BigInt;
use proptest::prelude::*;

/// A finite double as a whole number of 2⁻¹⁰⁷⁴.
fn exact(x: f64) -> BigInt {
    let exponent = (x.to_bits() >> 52 & 0x7ff) as u32;
    let fraction = x.to_bits() & ((1 << 52) - 1);
    let mantissa = if exponent == 0 { fraction } else { fraction | 1 << 52 };
    let magnitude = BigInt::from(mantissa) << (exponent.max(1) - 1);
    if x.is_sign_negative() { -magnitude } else { magnitude }
}

/// The double nearest to a whole number of 2⁻¹⁰⁷⁴, ties to even: by search among the neighbours of
/// the number cut off, without a look at the bits that the sum looks at.
fn nearest(whole: &BigInt) -> f64 {
    let magnitude = BigInt::from(whole.magnitude().clone());
    let is_below = |bits: u64| exact(f64::from_bits(bits)) <= magnitude;
    let (mut low, mut high) = (0_u64, f64::INFINITY.to_bits());
    while high - low > 1 {
        let middle = low.midpoint(high);
        *(if is_below(middle) { &mut low } else { &mut high }) = middle;
    }
    // As a number, the pattern of infinity is 2¹⁰²⁴: what would follow the largest double.
    let down = &magnitude - exact(f64::from_bits(low));
    let up = exact(f64::from_bits(high)) - &magnitude;
    let is_up = up < down || up == down && high % 2 == 0;
    let rounded = f64::from_bits(if is_up { high } else { low });
    if *whole < BigInt::ZERO { -rounded } else { rounded }
}

fn oracle(numbers: &[f64]) -> f64 {
    nearest(&numbers.iter().map(|&x| exact(x)).sum())
}

/// Any finite double: any bits, small whole numbers and halves of them, subnormal and huge ones.
fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |x| x.is_finite()),
        (-8_i32..8).prop_map(|x| f64::from(x) / 2.0),
        any::<i64>().prop_map(|x| f64::from_bits(x.unsigned_abs() >> 12).copysign(x as f64)),
        (any::<u64>(), 0_u64..3).prop_map(|(bits, e)| {
            f64::from_bits((0x7fe - e) << 52 | bits & 0x800f_ffff_ffff_ffff)
        }),
        (-1100_i32..1023).prop_map(|e| f64::powi(2.0, e)),
    ]
}

/// Numbers of which some come again with the other sign, and some as their neighbours.
fn numbers() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec((any_number(), 0_u8..4), 0..40).prop_map(|drawn| {
        let twin = |(x, kind): &(f64, u8)| match kind {
            0 => vec![*x],
            1 => vec![*x, -x],
            2 => vec![*x, -x.next_up().clamp(f64::MIN, f64::MAX)],
            _ => vec![*x, *x],
        };
        drawn.iter().flat_map(twin).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn sums_are_the_exact_sum_rounded_to_nearest_even(numbers in numbers()) {
        let sum: ExactSum = numbers.iter().copied().collect();
        prop_assert_eq!(sum.value().to_bits(), oracle(&numbers).to_bits());
    }

    #[test]
    fn any_order_and_any_split_give_the_same_bits(
        pair in numbers().prop_flat_map(|n| (Just(n.clone()), Just(n).prop_shuffle())),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        is_from_the_right: bool,
    ) {
        let (numbers, shuffled) = pair;
        let whole: ExactSum = numbers.iter().copied().collect();
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(numbers.len() + 1)).collect();
        cuts.extend([0, numbers.len()]);
        cuts.sort_unstable();
        let sum_of = |cut: &[usize]| shuffled[cut[0]..cut[1]].iter().copied().collect();
        let mut parts: Vec<ExactSum> = cuts.windows(2).map(sum_of).collect();
        if is_from_the_right {
            parts.reverse();
        }
        let mut sum = ExactSum::new();
        parts.iter().for_each(|part| sum.merge(part));
        prop_assert_eq!(sum.value().to_bits(), whole.value().to_bits());
    }
}

#[test]
fn carries_propagate_in_time() {
    // The most that can stand in a limb, so often that limbs overflow, of one sign and the other.
    for x in [f64::MAX, f64::from_bits((31 << 52) | ((1 << 52) - 1)), 0.1] {
        let n = 3 * u64::from(MAX_PENDING) + 5;
        let mut sum = ExactSum::new();
        (0..n).for_each(|_| sum.add(-x));
        let mut twice = sum.clone();
        twice.merge(&sum);
        (0..2 * n).for_each(|_| twice.add(x));
        assert_eq!(twice.value().to_bits(), 0);
        assert_eq!(sum.value(), nearest(&(exact(-x) * n)));
    }
}

#[test]
fn merges_of_many_sums_propagate_carries() {
    let x = f64::from_bits((31 << 52) | ((1 << 52) - 1));
    let part: ExactSum = std::iter::repeat_n(x, MAX_PENDING as usize).collect();
    let mut sum = ExactSum::new();
    (0..5000).for_each(|_| sum.merge(&part));
    assert_eq!(sum.value(), nearest(&(exact(x) * MAX_PENDING * 5000)));
}

#[test]
fn infinities_and_nan_add_as_in_any_sum() {
    let sum = |numbers: &[f64]| numbers.iter().copied().collect::<ExactSum>().value();
    let infinity = f64::INFINITY;
    assert_eq!(sum(&[1.0, infinity, -f64::MAX]), infinity);
    assert_eq!(sum(&[-infinity, 7.0, -infinity]), -infinity);
    assert!(sum(&[infinity, 1.0, -infinity]).is_nan());
    assert!(sum(&[f64::NAN, infinity]).is_nan());
    assert_eq!(sum(&[f64::MAX, f64::MAX]), infinity);
    assert_eq!(sum(&[f64::MAX, f64::MAX, -f64::MAX]), f64::MAX);
    let mut merged = ExactSum::new();
    merged.add(infinity);
    merged.merge(&[-infinity].into_iter().collect());
    assert!(merged.value().is_nan());
}

#[test]
fn sums_of_nothing_and_of_zeros_are_positive_zero() {
    assert_eq!(ExactSum::new().value().to_bits(), 0);
    let zeros: ExactSum = [-0.0, 1e-320, -1e-320, -0.0].into_iter().collect();
    assert_eq!(zeros.value().to_bits(), 0);
}
