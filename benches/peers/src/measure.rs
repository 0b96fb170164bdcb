//! Times and memory of one method.
//!
//! The first run is not timed; it tells the memory. Then the sides of a set alternate, so that
//! every repetition is a rebuild on moved input. Times are wall-clock; the median says what to
//! expect, the minimum what other work on the machine does not blur.

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use std::hint::black_box;
use std::time::Instant;

/// Counts bytes. The searches that are timed here allocate nothing per query, so it costs nothing.
#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// What can go wrong: an input that a crate refuses, answers that differ.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// How often and on how many threads.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Timed runs.
    pub repetitions: usize,
    /// Threads of the pool in which everything runs.
    pub threads: usize,
}

/// The smallest and the middle of some times \[ms\].
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// The middle one, or the mean of the middle two.
    pub median: f64,
    /// The smallest.
    pub min: f64,
}

/// Times and memory of a method.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Rebuilding the structure.
    pub build: Times,
    /// Searching it.
    pub search: Times,
    /// Both.
    pub total: Times,
    /// Bytes held after a rebuild and a search, without the input.
    pub bytes: usize,
}

/// Something that is rebuilt over an input and then searched.
pub trait Subject {
    /// The input of one time step.
    type Side;
    /// What a search finds, for comparison.
    type Answer: PartialEq;

    /// Rebuilds the structure.
    fn build(&mut self, side: &Self::Side) -> Result<(), Failure>;

    /// Searches it as a user would.
    fn search(&mut self, side: &Self::Side) -> Self::Answer;
}

/// Runs `work` in a pool of `threads`.
pub fn in_pool<T: Send>(
    threads: usize,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build()?.install(work)
}

/// Times `subject` in the current pool, and gives the answers of both sides.
pub fn measure<S: Subject>(
    subject: &mut S,
    sides: &[S::Side; 2],
    repetitions: usize,
) -> Result<(Cost, [S::Answer; 2]), Failure> {
    let region = Region::new(ALLOCATOR);
    subject.build(&sides[0])?;
    let first = subject.search(&sides[0]);
    let change = region.change();
    let bytes = change.bytes_allocated.saturating_sub(change.bytes_deallocated);
    subject.build(&sides[1])?;
    let answers = [first, subject.search(&sides[1])];
    let mut laps = Vec::with_capacity(repetitions);
    for repetition in 0..repetitions {
        let at = repetition % 2;
        let start = Instant::now();
        subject.build(black_box(&sides[at]))?;
        let built = start.elapsed();
        let answer = black_box(subject.search(&sides[at]));
        laps.push((built, start.elapsed()));
        if answer != answers[at] {
            return Err("a repetition gave another answer than the first run".into());
        }
    }
    let times =
        |of: &dyn Fn(&(std::time::Duration, std::time::Duration)) -> std::time::Duration| {
            Times::of(laps.iter().map(|lap| of(lap).as_secs_f64() * 1e3).collect())
        };
    let cost = Cost {
        build: times(&|lap| lap.0),
        search: times(&|lap| lap.1 - lap.0),
        total: times(&|lap| lap.1),
        bytes,
    };
    Ok((cost, answers))
}

impl Times {
    /// Of at least one time.
    fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        let middle = times.len() / 2;
        let median = (times[middle] + times[(times.len() - 1) / 2]) / 2.0;
        Times { median, min: times[0] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_of_odd_and_even_counts() {
        let odd = Times::of(vec![3.0, 1.0, 2.0]);
        assert_eq!((odd.median, odd.min), (2.0, 1.0));
        assert_eq!(Times::of(vec![4.0, 1.0, 2.0, 3.0]).median, 2.5);
    }
}
