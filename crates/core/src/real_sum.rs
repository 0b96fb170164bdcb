//! Exact sums of the state's own numbers, for loops that add one for every particle.
//!
//! A number of single precision has 24 bits. So limbs of 64 bits that are 16 bits apart take it
//! whole: one addition to one limb, where an [`ExactSum`] touches two. Limb k is worth
//! 2¹⁶ᵏ⁻¹⁴⁹, the place of the smallest number; a number adds less than 2³⁹, so that 2²⁴ of them
//! fit. In double precision the sum is an [`ExactSum`].

use crate::Real;
use crate::exact_sum::ExactSum;

/// Limbs for the exponents of single precision.
#[cfg(not(feature = "f64"))]
const LIMBS: usize = 16;

/// An exact sum of at most 2²⁴ numbers of the state's precision.
#[derive(Clone, Debug, Default)]
pub struct RealSum {
    #[cfg(not(feature = "f64"))]
    limbs: [i64; LIMBS],
    /// In single precision, what has no limb: infinities and NaN.
    rest: ExactSum,
}

impl RealSum {
    /// Adds a number, exactly.
    #[cfg(not(feature = "f64"))]
    #[inline]
    pub fn add(&mut self, x: Real) {
        let bits = x.to_bits();
        let exponent = bits >> 23 & 0xff;
        if exponent == 0xff {
            return self.rest.add(f64::from(x));
        }
        // A subnormal number has the place of the smallest normal ones, and no leading one.
        let mantissa = bits & 0x7f_ffff | u32::from(exponent != 0) << 23;
        let position = exponent.saturating_sub(1);
        let part = i64::from(mantissa) << (position % 16);
        let sign = i64::from(bits.cast_signed() >> 31);
        self.limbs[(position / 16) as usize] += (part ^ sign) - sign;
    }

    /// Adds a number, exactly.
    #[cfg(feature = "f64")]
    #[inline]
    pub fn add(&mut self, x: Real) {
        self.rest.add(x);
    }

    /// Adds all numbers to a sum that takes any.
    pub fn add_to(&self, sum: &mut ExactSum) {
        #[cfg(not(feature = "f64"))]
        for (k, &limb) in self.limbs.iter().enumerate() {
            // In two halves, each a whole number below 2⁵³.
            let place = f64::from_bits((1023 - 149 + 16 * k as u64) << 52);
            let low = limb & 0xffff_ffff;
            sum.add(low as f64 * place);
            sum.add((limb - low) as f64 * place);
        }
        sum.merge(&self.rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f64")]
        fn it_is_the_exact_sum_of_any_numbers(bits in prop::collection::vec(any::<u32>(), 0..600)) {
            let numbers = bits.iter().map(|&bits| f32::from_bits(bits) as Real);
            let numbers: Vec<Real> = numbers.filter(|x| x.is_finite()).collect();
            let mut sum = RealSum::default();
            numbers.iter().for_each(|&x| sum.add(x));
            let mut found = ExactSum::new();
            sum.add_to(&mut found);
            let expected: ExactSum = numbers.iter().map(|&x| f64::from(x)).collect();
            prop_assert_eq!(found.value().to_bits(), expected.value().to_bits());
        }
    }

    #[test]
    fn infinities_and_cancelling_numbers_come_through() {
        let value = |numbers: &[Real]| {
            let mut sum = RealSum::default();
            numbers.iter().for_each(|&x| sum.add(x));
            let mut all = ExactSum::new();
            sum.add_to(&mut all);
            all.value()
        };
        assert_eq!(value(&[1e30, 1.0, -1e30]), 1.0);
        assert_eq!(value(&[1.0, Real::INFINITY]), f64::INFINITY);
        assert!(value(&[Real::NEG_INFINITY, Real::INFINITY]).is_nan());
        assert_eq!(value(&[]).to_bits(), 0);
    }
}
