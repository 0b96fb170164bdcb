//! Tasks of one loop, and threads that stay awake for the next.
//!
//! A step is some fifty short loops, each of which ends when the slowest thread is done. Threads
//! that find no work give their time slice away and soon sleep: to wake one takes as long as many
//! of the loops. So while a step lasts, the other threads of the pool look for work without pause,
//! each until there is none for [`PATIENCE`] ([`stay_awake`]).
//!
//! Tasks are split by halves, so that a thread has much the same particles in each loop, in its
//! cache. Handed out one by one from a counter they go to either: on two threads a step of `Dfsph`
//! was then 1.4 times as fast as on one, and is 1.8 times (29 791 particles).

use rayon::Yield;
use rayon::prelude::*;
use std::hint;
use std::marker::PhantomData;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a thread spins for new work: longer than the parts of a step that are no loops.
const PATIENCE: Duration = Duration::from_micros(100);

/// Pauses between two looks.
const PAUSES: usize = 16;

/// Calls `task(k)` once for each of `0..count`, on all threads of the pool.
pub(super) fn run(count: usize, task: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().for_each(task);
}

/// Looks again and again, at most for [`PATIENCE`]; returns whether `is_over` was seen.
fn spin_until(is_over: &dyn Fn() -> bool) -> bool {
    let start = Instant::now();
    while !is_over() {
        if start.elapsed() > PATIENCE {
            return false;
        }
        (0..PAUSES).for_each(|_| hint::spin_loop());
    }
    true
}

/// While it lives, other threads look for work without pause.
#[derive(Debug)]
pub struct Awake {
    is_over: Arc<AtomicBool>,
}

impl Drop for Awake {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// Makes the other threads of the pool look for work without pause, each until there is none for a
/// while or what is returned is dropped. Where there are more threads than `tasks`, none does: to
/// wake them all would cost more than the few that find work save.
pub fn stay_awake(tasks: usize) -> Awake {
    let is_over = Arc::new(AtomicBool::new(false));
    // Of a pool that the caller is no part of, all threads may be at other work.
    let caller = rayon::current_thread_index();
    if let Some(caller) = caller.filter(|_| (2..=tasks).contains(&rayon::current_num_threads())) {
        let is_over = Arc::clone(&is_over);
        rayon::spawn_broadcast(move |context| {
            if context.index() != caller {
                look_for_work(&is_over);
            }
        });
    }
    Awake { is_over }
}

fn look_for_work(is_over: &AtomicBool) {
    let may_go = || is_over.load(Ordering::Relaxed);
    // Work that is found is done at once, and begins another spell of patience.
    let has_worked = || rayon::yield_now() == Some(Yield::Executed);
    while !may_go() && spin_until(&|| may_go() || has_worked()) {}
}

/// The chunks of a slice, to be handed out to tasks.
pub(super) struct Chunks<'a, T> {
    items: *mut T,
    len: usize,
    size: usize,
    lives: PhantomData<&'a mut [T]>,
}

// SAFETY: `get` promises that no two threads have the same items at a time; they are sent.
unsafe impl<T: Send> Sync for Chunks<'_, T> {}

impl<'a, T> Chunks<'a, T> {
    pub fn new(items: &'a mut [T], size: usize) -> Self {
        Chunks { items: items.as_mut_ptr(), len: items.len(), size, lives: PhantomData }
    }

    pub fn count(&self) -> usize {
        self.len.div_ceil(self.size)
    }

    /// Chunk `k`.
    ///
    /// # Safety
    /// Each is asked for once.
    #[allow(clippy::mut_from_ref, reason = "each chunk is given to one caller alone")]
    pub unsafe fn get(&self, k: usize) -> &mut [T] {
        let start = (k * self.size).min(self.len);
        let len = self.size.min(self.len - start);
        // SAFETY: the items are within the slice, which is borrowed for as long as this lives, and
        // of no other chunk; the caller asks for each once.
        unsafe { slice::from_raw_parts_mut(self.items.add(start), len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::with_threads;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::AtomicUsize;

    fn add(sum: &AtomicUsize, number: usize) {
        sum.fetch_add(number, Ordering::Relaxed);
    }

    #[test]
    fn each_task_runs_once_those_of_loops_in_tasks_too() {
        for threads in [1, 2, 5] {
            let counts: Vec<AtomicUsize> = (0..40 * 30).map(|_| AtomicUsize::new(0)).collect();
            with_threads(threads, || {
                let _awake = stay_awake(40);
                run(40, &|i| {
                    run(30, &|k| add(&counts[30 * i + k], 1));
                });
                run(0, &|_| unreachable!("there is no task"));
            });
            assert!(counts.iter().all(|count| count.load(Ordering::Relaxed) == 1), "{threads}");
        }
    }

    #[test]
    fn a_panic_in_a_task_arrives_and_the_pool_goes_on() {
        with_threads(3, || {
            for bad in [0, 7, 99] {
                let result = catch_unwind(AssertUnwindSafe(|| {
                    run(100, &|k| assert!(k != bad, "task {k}"));
                }));
                assert!(result.is_err(), "{bad}");
            }
            let sum = AtomicUsize::new(0);
            run(100, &|k| add(&sum, k));
            assert_eq!(sum.into_inner(), 4950);
        });
    }

    #[test]
    fn threads_stay_awake_for_loops_of_any_pool_and_of_none() {
        drop(stay_awake(100));
        let sum = AtomicUsize::new(0);
        with_threads(2, || {
            for _ in 0..50 {
                let _awake = stay_awake(4);
                run(4, &|k| add(&sum, k));
            }
        });
        assert_eq!(sum.into_inner(), 300);
    }
}
