//! Times of one piece of work, and the answer that they count with.

use std::fmt;

/// Times of one piece of work \[s\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The middle one.
    pub median: f64,
    /// The mean.
    pub mean: f64,
    /// The least.
    pub min: f64,
    /// The standard deviation of one of them; 0 for a single one.
    pub deviation: f64,
    /// How many.
    pub repeats: usize,
}

impl Sample {
    /// Of these times; NaN if there is none.
    pub fn new(mut seconds: Vec<f64>) -> Sample {
        seconds.sort_by(f64::total_cmp);
        let repeats = seconds.len();
        let at = |k: usize| seconds.get(k).copied().unwrap_or(f64::NAN);
        let mean = seconds.iter().sum::<f64>() / repeats as f64;
        let squares: f64 = seconds.iter().map(|t| (t - mean) * (t - mean)).sum();
        Sample {
            median: 0.5 * (at(repeats.saturating_sub(1) / 2) + at(repeats / 2)),
            mean,
            min: at(0),
            deviation: (squares / repeats.saturating_sub(1).max(1) as f64).sqrt(),
            repeats,
        }
    }
}

/// What was found: how many, and a sum over all of them that does not depend on their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// How many.
    pub count: u64,
    /// The sum.
    pub checksum: u64,
}

impl Answer {
    /// Counts `b` as an answer to `a`.
    #[inline(always)]
    pub fn add(&mut self, a: u32, b: u32) {
        // Multiplied, so that no two pairs of small numbers can stand for two others; folded, as
        // the sum of products alone would be the product of sums.
        let mixed = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.count += 1;
        self.checksum = self.checksum.wrapping_add(mixed ^ (mixed >> 29));
    }

    /// Both together.
    pub fn and(self, other: Answer) -> Answer {
        let checksum = self.checksum.wrapping_add(other.checksum);
        Answer { count: self.count + other.count, checksum }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:016x})", self.count, self.checksum)
    }
}

/// Whether to continue to the next size: a run there is expected to take less than `most` \[s\] if
/// the time grows as it did between the last two sizes, or in proportion to the size after the
/// first. `known` are sizes and times \[s\] so far.
pub fn is_affordable(known: &[(f64, f64)], next: f64, most: f64) -> bool {
    let growth = match known {
        [.., before, last] => ((last.1 / before.1).ln() / (last.0 / before.0).ln()).clamp(1.0, 2.0),
        _ => 1.0,
    };
    known.last().is_none_or(|last| last.1 * (next / last.0).powf(growth) < most)
}
