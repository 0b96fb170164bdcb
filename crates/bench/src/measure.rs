//! How a time is taken: often, on inputs that take turns, and never without its answer.
//!
//! The structure works on input A once untimed, which warms caches and gives it its memory, and
//! then on B, A, B, … So each repeat rebuilds on data that moved since. The median of the repeats
//! is what counts; beside it stand mean, minimum and standard deviation.

use super::{Halt, Lab};
use std::fmt;
use std::time::Instant;

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
    pub fn of(mut seconds: Vec<f64>) -> Sample {
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

/// What was measured of a structure: the times of its tasks, and its answer.
#[derive(Clone, Copy, Debug)]
pub struct Measured<const K: usize> {
    /// The times of each task, and last of all together.
    pub times: [Sample; K],
    /// On A and on B together.
    pub answer: Answer,
}

/// The seconds that some work takes, and its result.
pub fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = work();
    (start.elapsed().as_secs_f64(), result)
}

/// Measures `work` on the inputs 0 (A) and 1 (B) by turns; it gives the seconds of its tasks and
/// its answer.
///
/// # Errors
/// If it is to stop, or if the answers to an input differ.
pub fn alternate<const K: usize>(
    lab: &Lab<'_>,
    mut work: impl FnMut(usize) -> ([f64; K], Answer),
) -> Result<Measured<K>, Halt> {
    lab.go_on()?;
    let mut answers = [Some(work(0).1), None];
    let mut times = vec![Vec::new(); K];
    for repeat in 0..lab.setup.repeats.max(1) {
        lab.go_on()?;
        let side = (repeat + 1) % 2;
        let (seconds, answer) = work(side);
        let first = *answers[side].get_or_insert(answer);
        if first != answer {
            return Err(Halt::Wrong(format!("a repeat finds {answer}, another found {first}")));
        }
        times.iter_mut().zip(seconds).for_each(|(times, seconds)| times.push(seconds));
    }
    let answer = answers.into_iter().flatten().fold(Answer::default(), Answer::and);
    Ok(Measured { times: std::array::from_fn(|k| Sample::of(times[k].clone())), answer })
}

/// Whether to go on to the next size: a run there is expected to take less than `most` \[s\] if the
/// time grows as it did between the last two sizes, or in proportion to the size after the first.
/// `known` are sizes and times \[s\] so far.
pub fn is_affordable(known: &[(f64, f64)], next: f64, most: f64) -> bool {
    let growth = match known {
        [.., before, last] => ((last.1 / before.1).ln() / (last.0 / before.0).ln()).clamp(1.0, 2.0),
        _ => 1.0,
    };
    known.last().is_none_or(|last| last.1 * (next / last.0).powf(growth) < most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Setup, Size};
    use std::sync::atomic::AtomicBool;

    const SETUP: Setup =
        Setup { size: Size::Tiny, repeats: 4, seed: 1, threads: 1, memory: u64::MAX };

    #[test]
    fn samples_know_their_middle_and_their_spread() {
        let sample = Sample::of(vec![5.0, 1.0, 3.0, 2.0]);
        assert_eq!((sample.median, sample.mean, sample.min, sample.repeats), (2.5, 2.75, 1.0, 4));
        assert!((sample.deviation - (8.75f64 / 3.0).sqrt()).abs() < 1e-12);
        let one = Sample::of(vec![7.0]);
        assert_eq!((one.median, one.deviation), (7.0, 0.0));
        assert!(Sample::of(vec![]).median.is_nan());
    }

    #[test]
    fn inputs_take_turns_and_an_answer_that_changes_is_an_error() {
        let (stop, mut tell) = (AtomicBool::new(false), |_: &_| {});
        let lab = Lab::new(SETUP, &stop, &mut tell);
        let mut sides = Vec::new();
        let answer = |side: usize| Answer { count: side as u64, checksum: 9 };
        let measured = alternate(&lab, |side| {
            sides.push(side);
            ([1.0, 2.0], answer(side))
        });
        let measured = measured.unwrap();
        assert_eq!(sides, [0, 1, 0, 1, 0]);
        assert_eq!(measured.times.map(|t| (t.median, t.repeats)), [(1.0, 4), (2.0, 4)]);
        assert_eq!(measured.answer, Answer { count: 1, checksum: 18 });
        let mut calls = 0;
        let changing = alternate(&lab, |_| {
            calls += 1;
            ([1.0], answer(calls))
        });
        assert!(matches!(changing, Err(Halt::Wrong(why)) if why.contains("another found")));
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        let stopped = alternate(&Lab::new(SETUP, &stop, &mut |_| {}), |side| ([0.0], answer(side)));
        assert_eq!(stopped.err(), Some(Halt::Stopped));
    }

    #[test]
    fn checksums_see_what_belongs_to_what_but_no_order() {
        let of = |pairs: &[(u32, u32)]| {
            let mut answer = Answer::default();
            pairs.iter().for_each(|&(a, b)| answer.add(a, b));
            answer
        };
        assert_eq!(of(&[(1, 2), (3, 4)]), of(&[(3, 4), (1, 2)]));
        assert_ne!(of(&[(1, 2), (3, 4)]), of(&[(1, 4), (3, 2)]));
        assert_ne!(of(&[(1, 2)]), of(&[(2, 1)]));
    }

    #[test]
    fn sizes_end_where_a_run_would_take_too_long() {
        assert!(is_affordable(&[], 1e9, 2.0));
        let one = [(1e3, 0.1)];
        assert!(is_affordable(&one, 1e4, 2.0) && !is_affordable(&one, 1e5, 2.0));
        let quadratic = [(1e3, 0.001), (1e4, 0.1)];
        assert!(!is_affordable(&quadratic, 1e5, 2.0) && is_affordable(&quadratic, 4e4, 2.0));
        assert!(is_affordable(&quadratic, 1e5, 20.0));
    }
}
