//! Percentiles of many numbers in little memory: counts by logarithmic classes.
//!
//! A class is 1/64 of an octave, so that a percentile is right within 1.1 %. Counts are whole
//! numbers: the same for any order and any split.

/// Classes in an octave.
const PER_OCTAVE: u32 = 64;
/// Octaves: all positive numbers of single precision but the smallest.
const OCTAVES: u32 = 253;
/// The exponent of the first octave, biased as in the numbers themselves.
const FIRST_OCTAVE: u32 = 2;

/// Counts of numbers that are not negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    /// Numbers below all classes, zero among them.
    below: u64,
    counts: Vec<u64>,
}

impl Default for Histogram {
    fn default() -> Self {
        Histogram { below: 0, counts: vec![0; (PER_OCTAVE * OCTAVES) as usize] }
    }
}

impl Histogram {
    /// Counts a number; what is not a number counts as zero, infinity as the largest.
    pub fn add(&mut self, value: f32) {
        let bits = value.max(0.0).to_bits();
        let last = self.counts.len() - 1;
        // The exponent and the first six bits after it: linear within an octave.
        match (bits >> 17).checked_sub(FIRST_OCTAVE * PER_OCTAVE) {
            Some(class) => self.counts[last.min(class as usize)] += 1,
            None => self.below += 1,
        }
    }

    /// Adds the counts of another.
    pub fn merge(&mut self, other: &Histogram) {
        self.below += other.below;
        self.counts.iter_mut().zip(&other.counts).for_each(|(a, b)| *a += b);
    }

    /// The number that this part of all numbers does not exceed; 0 if there are none.
    pub fn percentile(&self, part: f64) -> f64 {
        self.percentile_above(part, self.below)
    }

    /// The same of the positive numbers alone.
    pub fn percentile_of_positive(&self, part: f64) -> f64 {
        self.percentile_above(part, 0)
    }

    fn percentile_above(&self, part: f64, below: u64) -> f64 {
        let total = below + self.counts.iter().sum::<u64>();
        let rank = (part * total as f64).ceil() as u64;
        let mut so_far = below;
        if rank <= so_far {
            return 0.0;
        }
        for (class, count) in (0..).zip(&self.counts) {
            so_far += count;
            if rank <= so_far {
                let bits = ((class + FIRST_OCTAVE * PER_OCTAVE) << 17) | (1 << 16);
                return f64::from(f32::from_bits(bits));
            }
        }
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_those_of_sorted_numbers() {
        let mut histogram = Histogram::default();
        let mut numbers: Vec<f32> = (0..10_000).map(|k| (k as f32 * 0.618_034).fract()).collect();
        numbers.iter_mut().for_each(|x| *x = *x * *x * 40.0);
        numbers.extend([0.0; 500]);
        numbers.iter().for_each(|x| histogram.add(*x));
        numbers.sort_by(f32::total_cmp);
        for part in [0.1, 0.5, 0.9, 0.98, 0.999] {
            let rank = (part * numbers.len() as f64).ceil() as usize;
            let (exact, found) = (f64::from(numbers[rank - 1]), histogram.percentile(part));
            assert!((found / exact - 1.0).abs() < 0.011, "{part}: {found} is not {exact}");
        }
        assert_eq!(histogram.percentile(0.04), 0.0);
        assert!(histogram.percentile_of_positive(0.04) > 0.01);
        let mut twice = histogram.clone();
        twice.merge(&histogram);
        assert_eq!(twice.percentile(0.9), histogram.percentile(0.9));
        assert_eq!(Histogram::default().percentile(0.5), 0.0);
    }

    #[test]
    fn any_number_counts() {
        let mut histogram = Histogram::default();
        [f32::NAN, -1.0, 0.0, f32::MIN_POSITIVE].iter().for_each(|x| histogram.add(*x));
        assert_eq!(histogram.percentile(1.0), 0.0);
        for large in [f32::INFINITY, f32::MAX] {
            let mut histogram = histogram.clone();
            histogram.add(large);
            assert!((1e38..1e39).contains(&histogram.percentile(1.0)), "{large}");
        }
    }
}
