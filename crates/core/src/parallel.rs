//! Parallel loops whose results do not depend on the number of threads.
//!
//! Each item is computed on its own, and sums are exact ([`crate::exact_sum`]): the same bits for
//! one thread and for sixty-four, and for any split of the items. Other folds go over fixed chunks
//! in order.
//!
//! Where many bodies share a loop, its tasks are behind an indirect call: so the loop, which is
//! large, is compiled once for each type of items, for the price of one such call a task.

use crate::exact_sum::ExactSum;
use rayon::prelude::*;
use std::ops::Range;

/// Items a task takes at a time: small enough to balance, large enough to hide the hand-over.
pub const CHUNK: usize = 512;

/// Calls `write(i, &mut out[i])` for every item.
pub fn fill<T: Send>(out: &mut [T], write: impl Fn(usize, &mut T) + Sync) {
    fill_chunks(out, &|chunk, items| {
        for (i, item) in (chunk * CHUNK..).zip(items) {
            write(i, item);
        }
    });
}

/// Calls `write(i, &mut a[i], &mut b[i])` for every item of two arrays of one length.
///
/// # Panics
/// If their lengths differ.
pub fn fill_both<A: Send, B: Send>(
    a: &mut [A],
    b: &mut [B],
    write: impl Fn(usize, &mut A, &mut B) + Sync,
) {
    assert_eq!(a.len(), b.len(), "two arrays of one length");
    a.par_chunks_mut(CHUNK).zip(b.par_chunks_mut(CHUNK)).enumerate().for_each(|(chunk, (a, b))| {
        for (k, (a, b)) in a.iter_mut().zip(b).enumerate() {
            write(chunk * CHUNK + k, a, b);
        }
    });
}

/// Calls `write(k, chunk)` for every chunk, of which only the last may be shorter than [`CHUNK`].
pub fn fill_chunks<T: Send>(out: &mut [T], write: &(dyn Fn(usize, &mut [T]) + Sync)) {
    out.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, items)| write(chunk, items));
}

/// Calls `write(k, chunk, &mut own[k])` for every chunk as [`fill_chunks`] does; there is one of
/// `own` for each, or more.
///
/// # Panics
/// If there are fewer.
pub fn fill_chunks_with<T: Send, S: Send>(
    out: &mut [T],
    own: &mut [S],
    write: &(dyn Fn(usize, &mut [T], &mut S) + Sync),
) {
    let own = &mut own[..out.len().div_ceil(CHUNK)];
    let tasks = out.par_chunks_mut(CHUNK).zip(own).enumerate();
    tasks.for_each(|(chunk, (items, own))| write(chunk, items, own));
}

/// Calls `write(k, &mut pieces[k])` for every piece of a work, each a task of its own.
pub fn fill_pieces<T: Send>(pieces: &mut [T], write: &(dyn Fn(usize, &mut T) + Sync)) {
    pieces.par_iter_mut().enumerate().for_each(|(k, piece)| write(k, piece));
}

/// What `of(k)` gives for each of the pieces `0..n` of a work, in their order, each a task of its
/// own.
pub fn map_pieces<T: Send>(n: usize, of: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    (0..n).into_par_iter().map(of).collect()
}

/// Does all of these works, in any order, and waits once, for all: so small loops share one end. A
/// work may have loops of its own.
pub fn together(works: &mut [&mut (dyn FnMut() + Send)]) {
    match works {
        [] => {}
        [work] => work(),
        _ => {
            let (left, right) = works.split_at_mut(works.len() / 2);
            rayon::join(|| together(left), || together(right));
        }
    }
}

/// What `part` finds of the chunks of `0..n`, joined in their order.
pub fn fold<T: Send>(
    n: usize,
    part: impl Fn(Range<usize>) -> T + Sync,
    join: impl Fn(T, T) -> T,
) -> Option<T> {
    map_pieces(n.div_ceil(CHUNK), &|c| part(c * CHUNK..n.min((c + 1) * CHUNK)))
        .into_iter()
        .reduce(join)
}

/// The largest `value(i)` over `0..n`, at least `floor`; NaN values are passed over.
pub fn max<T>(n: usize, floor: T, value: impl Fn(usize) -> T + Sync) -> T
where
    T: Copy + PartialOrd + Send + Sync,
{
    let larger = |a: T, b: T| if b > a { b } else { a };
    fold(n, |chunk| chunk.map(&value).fold(floor, larger), larger).unwrap_or(floor)
}

/// The exact sums of `value(i)` over `0..n`, rounded once: the same bits for any order and any
/// split.
pub fn sum<const K: usize>(n: usize, value: impl Fn(usize) -> [f64; K] + Sync) -> [f64; K] {
    let sums = (0..n.div_ceil(CHUNK)).into_par_iter().fold(zeros::<K>, |mut sums, chunk| {
        for i in chunk * CHUNK..n.min((chunk + 1) * CHUNK) {
            sums.iter_mut().zip(value(i)).for_each(|(sum, x)| sum.add(x));
        }
        sums
    });
    sums.reduce(zeros, merge).map(|sum| sum.value())
}

/// K sums of nothing.
fn zeros<const K: usize>() -> [ExactSum; K] {
    std::array::from_fn(|_| ExactSum::new())
}

/// The sums of the numbers of both.
fn merge<const K: usize>(mut a: [ExactSum; K], b: [ExactSum; K]) -> [ExactSum; K] {
    a.iter_mut().zip(&b).for_each(|(a, b)| a.merge(b));
    a
}

/// Runs a test on this number of threads.
///
/// # Panics
/// If the system gives no threads.
#[cfg(any(test, feature = "testing"))]
pub fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("the system has threads").install(work)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_have_the_same_bits_for_any_thread_count_and_order() {
        let value = |i: usize| [1.0 / (i as f64 + 1.0), (i as f64).sin() * 1e200];
        let n = 10_007;
        let one = with_threads(1, || sum(n, value));
        for threads in [2, 3, 5] {
            assert_eq!(one, with_threads(threads, || sum(n, value)));
            assert_eq!(one, with_threads(threads, || sum(n, |i| value(n - 1 - i))));
        }
        assert!((one[0] - 9.788).abs() < 0.01, "harmonic number of 10007, was {}", one[0]);
        assert_eq!(sum(0, value), [0.0; 2]);
    }

    #[test]
    fn each_chunk_has_its_own_and_there_may_be_more() {
        for n in [0, 1, CHUNK, CHUNK + 1, 3000] {
            let (mut out, mut own) = (vec![0; n], vec![usize::MAX; n.div_ceil(CHUNK) + 2]);
            fill_chunks_with(&mut out, &mut own, &|chunk, items, own| {
                items.fill(chunk);
                *own = items.len();
            });
            assert!(out.iter().enumerate().all(|(i, &chunk)| chunk == i / CHUNK));
            let (of_chunks, rest) = own.split_at(n.div_ceil(CHUNK));
            assert_eq!((of_chunks.iter().sum::<usize>(), rest), (n, &[usize::MAX; 2][..]));
        }
    }

    #[test]
    #[should_panic(expected = "two arrays of one length")]
    fn arrays_of_two_lengths_are_refused() {
        fill_both(&mut [0; 5], &mut [0; 4], |_, _, _| ());
    }

    #[test]
    fn works_that_are_done_together_are_all_done() {
        let (mut a, mut b, mut c) = (vec![0; 2000], vec![0; 3], 0);
        with_threads(3, || {
            together(&mut [
                &mut || fill(&mut a, |i, a| *a = i),
                &mut || b.fill(7),
                &mut || c += 1,
                &mut || together(&mut []),
            ]);
        });
        assert!(a.iter().enumerate().all(|(i, &a)| i == a));
        assert_eq!((b, c), (vec![7; 3], 1));
    }

    #[test]
    fn max_and_fill_reach_every_item() {
        let mut out = vec![0; 2000];
        fill(&mut out, |i, o| *o = i);
        assert!(out.iter().enumerate().all(|(i, &o)| i == o));
        assert_eq!(max(2000, 0, |i| out[i]), 1999);
        assert_eq!(max(0, -1, |_| 7), -1);
    }
}
