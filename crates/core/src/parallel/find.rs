//! Loops that end early.

use super::driver::{for_ranges, grain};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Whether `is(i)` holds for any of `0..n`; items are passed over once one is found.
pub fn any(n: usize, is: impl Fn(usize) -> bool + Sync) -> bool {
    any_by(n, grain(n), is)
}

/// The same with tasks of `length` items.
///
/// # Panics
/// If `length` is zero.
pub fn any_by(n: usize, length: usize, is: impl Fn(usize) -> bool + Sync) -> bool {
    let found = AtomicBool::new(false);
    for_ranges(n, length, &|mut range| {
        if range.any(|i| found.load(Ordering::Relaxed) || is(i)) {
            found.store(true, Ordering::Relaxed);
        }
    });
    found.into_inner()
}

/// The least of `0..n` for which `is` holds; items above one that is found are passed over.
pub fn find_first(n: usize, is: impl Fn(usize) -> bool + Sync) -> Option<usize> {
    find_first_by(n, grain(n), is)
}

/// The same with tasks of `length` items.
///
/// # Panics
/// If `length` is zero.
pub fn find_first_by(n: usize, length: usize, is: impl Fn(usize) -> bool + Sync) -> Option<usize> {
    let least = AtomicUsize::new(n);
    for_ranges(n, length, &|mut range| {
        let first = range.find(|&i| i > least.load(Ordering::Relaxed) || is(i));
        if let Some(first) = first {
            least.fetch_min(first, Ordering::Relaxed);
        }
    });
    Some(least.into_inner()).filter(|&first| first < n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::with_threads;
    use std::panic::catch_unwind;

    #[test]
    fn the_first_is_found_for_any_thread_count() {
        for (threads, n) in
            [1, 2, 5].into_iter().flat_map(|t| [0, 1, 600, 20_011].map(|n: usize| (t, n)))
        {
            with_threads(threads, || {
                for least in [0, 1, n / 2, n.saturating_sub(1), n] {
                    let right = (least..n).next();
                    assert_eq!(find_first(n, |i| i >= least), right);
                    assert_eq!(find_first(n, |i| i == least), right);
                    assert_eq!(find_first_by(n, 77, |i| i >= least), right);
                    assert_eq!(any(n, |i| i == least), right.is_some());
                    assert_eq!(any_by(n, 77, |i| i == least), right.is_some());
                }
            });
        }
    }

    #[test]
    fn a_loop_that_has_found_calls_no_more() {
        let calls = AtomicUsize::new(0);
        let is = |i: usize| {
            calls.fetch_add(1, Ordering::Relaxed);
            i >= 10
        };
        with_threads(1, || {
            assert!(any(100_000, is));
            assert_eq!(calls.swap(0, Ordering::Relaxed), 11);
            assert_eq!(find_first(100_000, is), Some(10));
            assert_eq!(calls.swap(0, Ordering::Relaxed), 11);
        });
    }

    #[test]
    fn a_panic_of_a_task_reaches_the_caller() {
        with_threads(2, || {
            assert!(catch_unwind(|| any(1000, |i| i == 500 && panic!("fault"))).is_err());
            assert!(catch_unwind(|| find_first(1000, |_| panic!("fault"))).is_err());
        });
    }
}
