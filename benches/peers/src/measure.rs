//! Times and memory of methods that do the same work.
//!
//! The first runs of a method are not timed; they tell its memory and its answers. Then all
//! methods take turns, so that other work on the machine and its changing clock meet all of them
//! alike; the sides of a set alternate, so that every repetition is a rebuild on moved input.
//! Times are wall-clock: the median says what to expect, the minimum is blurred least. Processor
//! time of all threads is blurred less by other work, but does not tell how well threads share.

use cpu_time::ProcessTime;
use rayon::ThreadPool;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use std::fmt::Debug;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Counts bytes. The searches that are timed here allocate nothing per query, so it costs nothing.
#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// What can go wrong: an input that a crate refuses, answers that differ.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// How often and on how many threads.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    /// Timed runs.
    pub repetitions: usize,
    /// Where everything runs; one for all, as a pool that ends frees memory while others count.
    pub pool: &'a ThreadPool,
}

/// The smallest and the middle of some times \[ms\].
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// The middle one, or the mean of the middle two.
    pub median: f64,
    /// The smallest.
    pub min: f64,
}

/// The times of a method.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Rebuilding the structure.
    pub build: Times,
    /// Searching it.
    pub search: Times,
    /// Both.
    pub total: Times,
    /// Processor time of both.
    pub cpu: Times,
}

/// Something that is rebuilt over an input and then searched.
pub trait Subject: Send + 'static {
    /// The input of one time step.
    type Side: Send;
    /// What a search finds, for comparison.
    type Answer: PartialEq + Send + 'static;

    /// Rebuilds the structure.
    fn build(&mut self, side: &Self::Side) -> Result<(), Failure>;

    /// Searches it as a user would.
    fn search(&mut self, side: &Self::Side) -> Self::Answer;
}

/// A timed run: rebuild, search, and what was found.
struct Lap<A> {
    build: Duration,
    search: Duration,
    cpu: Duration,
    answer: A,
}

/// Runs a method on one of the sides.
type Runner<A> = Box<dyn FnMut(usize) -> Result<Lap<A>, Failure> + Send>;

/// A method among those that take turns.
pub struct Lane<A> {
    /// Of the method.
    pub name: String,
    /// Bytes held after a rebuild and a search, without the input.
    pub bytes: usize,
    /// For each side.
    pub answers: Vec<A>,
    run: Runner<A>,
    laps: Vec<[Duration; 3]>,
    /// How many laps are timed as one.
    together: usize,
}

impl<A: PartialEq + Send + 'static> Lane<A> {
    /// Does the first runs of a method in the current pool, and shows it to `inspect` after each.
    pub fn new<S: Subject<Answer = A>>(
        name: &str,
        mut subject: S,
        sides: impl Into<Vec<S::Side>>,
        mut inspect: impl FnMut(&S, &S::Side),
    ) -> Result<Self, Failure> {
        let mut first_run = |side: &S::Side| {
            let region = Region::new(ALLOCATOR);
            subject.build(side)?;
            let answer = subject.search(side);
            let change = region.change();
            inspect(&subject, side);
            let bytes = change.bytes_allocated.saturating_sub(change.bytes_deallocated);
            Ok::<(A, usize), Failure>((answer, bytes))
        };
        let sides: Vec<S::Side> = sides.into();
        let first_runs: Vec<_> = sides.iter().map(&mut first_run).collect::<Result<_, _>>()?;
        let bytes = first_runs.first().map_or(0, |(_, bytes)| *bytes);
        let run = move |side: usize| {
            let side = &sides[side];
            let (start, cpu) = (Instant::now(), ProcessTime::now());
            subject.build(black_box(side))?;
            let build = start.elapsed();
            let answer = black_box(subject.search(side));
            let search = start.elapsed() - build;
            Ok(Lap { build, search, cpu: cpu.elapsed(), answer })
        };
        Ok(Lane {
            name: name.to_owned(),
            bytes,
            answers: first_runs.into_iter().map(|(answer, _)| answer).collect(),
            run: Box::new(run),
            laps: vec![],
            together: 1,
        })
    }

    /// The times are those of so many laps together: where one saves work in others.
    pub fn timed_together(self, laps: usize) -> Self {
        Lane { together: laps, ..self }
    }

    fn turn(&mut self) -> Result<(), Failure> {
        (0..self.together).try_for_each(|_| self.lap(self.laps.len() % self.answers.len()))
    }

    fn lap(&mut self, side: usize) -> Result<(), Failure> {
        let Lap { build, search, cpu, answer } = (self.run)(side)?;
        self.laps.push([build, search, cpu]);
        if answer == self.answers[side] {
            Ok(())
        } else {
            Err(format!("{} gave another answer than in its first run", self.name).into())
        }
    }

    /// The times so far; there is at least one.
    pub fn cost(&self) -> Cost {
        let times = |of: fn(&[Duration; 3]) -> Duration| {
            let together = |laps: &[[Duration; 3]]| laps.iter().map(of).sum::<Duration>();
            let laps = self.laps.chunks_exact(self.together);
            Times::of(laps.map(|laps| together(laps).as_secs_f64() * 1e3).collect())
        };
        let [build, search] = [times(|l| l[0]), times(|l| l[1])];
        Cost { build, search, total: times(|l| l[0] + l[1]), cpu: times(|l| l[2]) }
    }
}

/// Fails unless all methods found the same, and there is one.
pub fn check_agreement<A: PartialEq + Debug>(lanes: &[Lane<A>]) -> Result<(), Failure> {
    let Some(first) = lanes.first() else {
        return Err("no method of that name".into());
    };
    match lanes.iter().find(|lane| lane.answers != first.answers) {
        None => Ok(()),
        Some(other) => {
            let [a, b] = [first, other].map(|o| format!("{} finds {:?}", o.name, o.answers));
            Err(format!("{a}; {b}").into())
        }
    }
}

/// Lets methods take turns in the current pool.
pub fn take_turns<'a, A: PartialEq + Send + 'static>(
    lanes: impl Iterator<Item = &'a mut Lane<A>>,
    repetitions: usize,
) -> Result<(), Failure> {
    let mut lanes: Vec<_> = lanes.collect();
    for repetition in 0..repetitions {
        eprintln!("repetition {} of {repetitions}", repetition + 1);
        lanes.iter_mut().try_for_each(|lane| lane.turn())?;
    }
    Ok(())
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
