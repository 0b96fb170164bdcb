//! How a time is taken: often, on inputs that take turns, and never without its answer.
//!
//! The structure works on input A once untimed, which warms caches and gives it its memory, and
//! then on B, A, B, … So each repeat rebuilds on data that moved since. The median of the repeats
//! is what counts; beside it stand mean, minimum and standard deviation.

use crate::lab::{Halt, Lab};
use crate::sample::{Answer, Sample};
use std::time::Instant;

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
    repeat(lab, &mut work)
}

/// [`alternate`], compiled once for all works of as many tasks.
fn repeat<const K: usize>(
    lab: &Lab<'_>,
    work: &mut dyn FnMut(usize) -> ([f64; K], Answer),
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
    Ok(Measured { times: std::array::from_fn(|k| Sample::new(times[k].clone())), answer })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::{Setup, Size};
    use crate::sample::is_affordable;
    use std::sync::atomic::AtomicBool;

    const SETUP: Setup =
        Setup { size: Size::Tiny, repeats: 4, seed: 1, threads: 1, memory: u64::MAX };

    #[test]
    fn samples_know_their_middle_and_their_spread() {
        let sample = Sample::new(vec![5.0, 1.0, 3.0, 2.0]);
        assert_eq!((sample.median, sample.mean, sample.min, sample.repeats), (2.5, 2.75, 1.0, 4));
        assert!((sample.deviation - (8.75f64 / 3.0).sqrt()).abs() < 1e-12);
        let one = Sample::new(vec![7.0]);
        assert_eq!((one.median, one.deviation), (7.0, 0.0));
        assert!(Sample::new(vec![]).median.is_nan());
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
