//! Extremes of magnitudes by their bit patterns: as integers they are in the order of the numbers,
//! so that loops over them are the same in any order, and run in vectors of any instruction set.

use crate::Real;

#[cfg(not(feature = "f64"))]
type Pattern = i32;
#[cfg(feature = "f64")]
type Pattern = i64;

/// The bit pattern of |x|.
#[inline(always)]
fn pattern(x: Real) -> Pattern {
    x.to_bits().cast_signed() & Pattern::MAX
}

fn from_pattern(pattern: Pattern) -> Real {
    Real::from_bits(pattern.cast_unsigned())
}

/// The largest magnitude among numbers of the state; NaN is larger than all others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LargestMagnitude(Pattern);

/// The smallest magnitude among numbers of the state; NaN is larger than all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmallestMagnitude(Pattern);

impl LargestMagnitude {
    /// Notes a number.
    #[inline(always)]
    pub fn note(&mut self, x: Real) {
        self.0 = self.0.max(pattern(x));
    }

    /// Notes what another noted.
    #[inline(always)]
    pub fn merge(&mut self, other: Self) {
        self.0 = self.0.max(other.0);
    }

    /// The magnitude; 0 if no number was noted.
    pub fn value(self) -> Real {
        from_pattern(self.0)
    }
}

impl Default for SmallestMagnitude {
    fn default() -> Self {
        SmallestMagnitude(pattern(Real::INFINITY))
    }
}

impl SmallestMagnitude {
    /// Notes a number.
    #[inline(always)]
    pub fn note(&mut self, x: Real) {
        self.0 = self.0.min(pattern(x));
    }

    /// Notes what another noted.
    #[inline(always)]
    pub fn merge(&mut self, other: Self) {
        self.0 = self.0.min(other.0);
    }

    /// The magnitude; ∞ if no number was noted.
    pub fn value(self) -> Real {
        from_pattern(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f64")]
        fn they_are_those_of_any_order_and_split(
            bits in prop::collection::vec(any::<u32>(), 0..60),
            cut: prop::sample::Index,
        ) {
            let real = |&bits: &u32| f32::from_bits(bits) as Real;
            let numbers: Vec<Real> = bits.iter().map(real).collect();
            let note = |numbers: &[Real]| {
                let mut found = (LargestMagnitude::default(), SmallestMagnitude::default());
                numbers.iter().for_each(|&x| {
                    found.0.note(x);
                    found.1.note(x);
                });
                found
            };
            let (left, right) = numbers.split_at(cut.index(numbers.len() + 1));
            let ((mut most, mut least), (others, further)) = (note(right), note(left));
            most.merge(others);
            least.merge(further);
            let magnitudes = || numbers.iter().map(|x| x.abs());
            if numbers.iter().any(|x| x.is_nan()) {
                prop_assert!(most.value().is_nan());
            } else {
                prop_assert_eq!(most.value(), magnitudes().fold(0.0, Real::max));
            }
            prop_assert_eq!(least.value(), magnitudes().fold(Real::INFINITY, Real::min));
        }
    }
}
