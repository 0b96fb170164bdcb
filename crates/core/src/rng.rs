//! A reproducible generator of random numbers: PCG XSL-RR 128/64 MCG (O'Neill 2014). Its state is
//! two words of SplitMix64 (Steele, Lea & Flood 2014) from a seed; a number in [0, 1) is the upper
//! 53 bits of a word. It uses only `+ − ×`, so that a seed gives the same bits everywhere.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::Rng;

/// A stream of random numbers.
pub struct RandomStream(Pcg64Mcg);

impl RandomStream {
    /// The stream that starts from a seed.
    pub fn new(seed: u64) -> Self {
        let mut word = split_mix(seed);
        let (high, low) = (u128::from(word()), u128::from(word()));
        RandomStream(Pcg64Mcg::new((high << 64) | low))
    }

    /// The stream of these numbers: whoever has the same ones, such as a seed, an id and a step,
    /// gets the same stream, whatever was drawn before and by whom.
    pub fn from_counters(counters: &[u64]) -> Self {
        // Each word goes through the finaliser of SplitMix64 before the next comes in.
        let mixed = counters.iter().fold(0, |state: u64, counter| {
            let mut word = split_mix(state ^ counter);
            word()
        });
        RandomStream::new(mixed)
    }

    /// Uniform in [0, 1).
    pub fn number(&mut self) -> f64 {
        const SCALE: f64 = 1.0 / (1u64 << 53) as f64;
        (self.0.next_u64() >> 11) as f64 * SCALE
    }

    /// Uniform in [low, high), up to rounding.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.number()
    }

    /// A whole number below `end`, which must be above 0.
    pub fn below(&mut self, end: usize) -> usize {
        ((self.number() * end as f64) as usize).min(end - 1)
    }
}

/// The words of SplitMix64 from a seed.
fn split_mix(mut state: u64) -> impl FnMut() -> u64 {
    move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_mix_gives_its_published_words() {
        let mut word = split_mix(1_234_567);
        assert_eq!([word(), word()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn streams_of_counters_differ_by_each_counter_and_its_place() {
        let first = |counters: &[u64]| RandomStream::from_counters(counters).number();
        assert_eq!(first(&[1, 2, 3]), first(&[1, 2, 3]));
        let others: [&[u64]; 4] = [&[1, 2, 4], &[0, 2, 3], &[2, 1, 3], &[1, 2, 3, 0]];
        assert!(others.iter().all(|other| first(other) != first(&[1, 2, 3])));
        // Neighbouring counters are not correlated: the mean of products is that of the means.
        let n = 20_000;
        let pairs = (0..n).map(|k| first(&[7, k]) * first(&[7, k + 1]));
        let mean = pairs.sum::<f64>() / n as f64;
        assert!((mean - 0.25).abs() < 0.006, "{mean}");
    }
}
