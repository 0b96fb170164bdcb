//! What runs tasks on threads: the only code that calls rayon, none of it generic in the items.

use rayon::prelude::*;
use std::ops::Range;

/// Items a task takes at a time: small enough to balance, large enough to hide the hand-over.
pub const CHUNK: usize = 512;

/// Tasks for each thread where the cost of an item is not known: so one that ends early finds more.
const TASKS_PER_THREAD: usize = 16;

/// Calls `task(k)` once for each of `0..n`, in any order.
///
/// A panic of a task goes on to the caller, after all tasks that have begun.
#[inline(never)]
pub fn for_each(n: usize, task: &(dyn Fn(usize) + Sync)) {
    (0..n).into_par_iter().for_each(task);
}

/// Calls `task` for consecutive ranges that make up `0..n`, of `length` items but for the last.
///
/// # Panics
/// If `length` is zero.
pub fn for_ranges(n: usize, length: usize, task: &(dyn Fn(Range<usize>) + Sync)) {
    for_each(n.div_ceil(length), &|k| task(k * length..n.min((k + 1) * length)));
}

/// Items for each task of a loop over `0..n` whose items may be cheap or dear.
pub(super) fn grain(n: usize) -> usize {
    (n / (TASKS_PER_THREAD * rayon::current_num_threads())).clamp(1, CHUNK)
}

/// Does both works, at the same time if a thread is free, and returns the results of both.
pub fn join<A: Send, B: Send>(
    left: impl FnOnce() -> A + Send,
    right: impl FnOnce() -> B + Send,
) -> (A, B) {
    let (mut left, mut right) = (Work::Open(left), Work::Open(right));
    join_works(&mut || left.run(), &mut || right.run());
    (left.into_result(), right.into_result())
}

/// A work before and after.
enum Work<F, T> {
    Open(F),
    Done(T),
    Running,
}

impl<T, F: FnOnce() -> T> Work<F, T> {
    fn run(&mut self) {
        if let Work::Open(work) = std::mem::replace(self, Work::Running) {
            *self = Work::Done(work());
        }
    }

    fn into_result(self) -> T {
        let Work::Done(result) = self else { unreachable!("both works are done after a join") };
        result
    }
}

/// Does both works, at the same time if a thread is free.
#[inline(never)]
fn join_works(left: &mut (dyn FnMut() + Send), right: &mut (dyn FnMut() + Send)) {
    rayon::join(left, right);
}

/// Does all of these works, in any order, and waits once, for all: so small loops share one end. A
/// work may have loops of its own.
pub fn together(works: &mut [&mut (dyn FnMut() + Send)]) {
    match works {
        [] => {}
        [work] => work(),
        _ => {
            let (left, right) = works.split_at_mut(works.len() / 2);
            join_works(&mut || together(left), &mut || together(right));
        }
    }
}

/// Does a work on a thread of the pool, so that each of its loops starts there without waiting for
/// a thread to wake.
pub fn inside_pool<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let mut work = Work::Open(work);
    run_inside_pool(&mut || work.run());
    work.into_result()
}

#[inline(never)]
fn run_inside_pool(work: &mut (dyn FnMut() + Send)) {
    rayon::scope(|_| work());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::{fill, with_threads};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn each_task_runs_once_for_any_thread_count() {
        for (threads, n) in [1, 2, 5].into_iter().flat_map(|t| [0, 1, 2, 513].map(|n| (t, n))) {
            let calls: Vec<AtomicUsize> = (0..n).map(|_| AtomicUsize::new(0)).collect();
            with_threads(threads, || {
                for_each(n, &|k| {
                    calls[k].fetch_add(1, Ordering::Relaxed);
                });
            });
            assert!(calls.iter().all(|calls| calls.load(Ordering::Relaxed) == 1));
        }
    }

    #[test]
    fn ranges_cover_all_items_once() {
        for (n, length) in [(0, 4), (1, 4), (4, 4), (5, 4), (1003, 10)] {
            let calls: Vec<AtomicUsize> = (0..n).map(|_| AtomicUsize::new(0)).collect();
            for_ranges(n, length, &|range| {
                assert!(range.len() == length || range.end == n, "{range:?} of {n}");
                for i in range {
                    calls[i].fetch_add(1, Ordering::Relaxed);
                }
            });
            assert!(calls.iter().all(|calls| calls.load(Ordering::Relaxed) == 1));
        }
    }

    #[test]
    fn a_panic_of_a_task_reaches_the_caller() {
        for threads in [1, 2, 5] {
            with_threads(threads, || {
                let fault = |k| assert!(k != 700, "task 700");
                let caught = catch_unwind(|| for_each(1000, &fault)).unwrap_err();
                assert_eq!(*caught.downcast::<&str>().unwrap(), "task 700");
                let joined = catch_unwind(|| join(|| 1, || -> i32 { panic!("right") }));
                assert_eq!(*joined.unwrap_err().downcast::<&str>().unwrap(), "right");
                let inside = catch_unwind(AssertUnwindSafe(|| inside_pool(|| panic!("inside"))));
                assert!(inside.is_err());
            });
        }
    }

    #[test]
    fn both_results_of_a_join_come_back() {
        for threads in [1, 2, 5] {
            let text = String::from("right");
            let both = with_threads(threads, || join(|| vec![1, 2], || text.len()));
            assert_eq!(both, (vec![1, 2], 5));
            assert_eq!(with_threads(threads, || inside_pool(|| vec![3])), [3]);
        }
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
    fn grains_are_at_least_one_item_and_at_most_a_chunk() {
        with_threads(2, || {
            assert_eq!([0, 1, 31, 64].map(grain), [1, 1, 1, 2]);
            assert_eq!(grain(1 << 30), CHUNK);
        });
    }
}
