//! Tasks of one loop, handed out one by one, and the wait for the last of them.
//!
//! A step is some fifty short loops, each of which ends when the slowest thread is done. Rayon's
//! threads that find no work give their time slice away and soon sleep: to wake one takes as long
//! as many of the loops, and beside a busy neighbour a slice given away is lost for milliseconds.
//! So here tasks are taken from a counter, the next by whoever is free, and who has none left spins
//! for [`PATIENCE`] before it waits as rayon does; and while a step lasts, the other threads of the
//! pool look for work without pause ([`stay_awake`]).

use rayon::Yield;
use std::hint;
use std::marker::PhantomData;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long a thread spins for what others still do, and for new work. Far more than a task takes;
/// a thread that holds one longer has lost its core, and may need this one.
const PATIENCE: Duration = Duration::from_micros(100);

/// Pauses between two looks.
const PAUSES: usize = 16;

/// Calls `task(k)` once for each of `0..count`, on all threads of the pool.
pub(super) fn run(count: usize, task: &(dyn Fn(usize) + Sync)) {
    let threads = rayon::current_num_threads().min(count);
    if threads < 2 {
        return (0..count).for_each(task);
    }
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            if k >= count {
                break;
            }
            task(k);
            done.fetch_add(1, Ordering::Release);
        }
    };
    rayon::in_place_scope(|scope| {
        (1..threads).for_each(|_| scope.spawn(|_| work()));
        work();
        spin_until(&|| done.load(Ordering::Acquire) == count);
    });
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

/// Makes so many threads of the pool, at most all, the caller among them, look for work without
/// pause, each until there is none for a while or what is returned is dropped.
pub fn stay_awake(threads: usize) -> Awake {
    let is_over = Arc::new(AtomicBool::new(false));
    let threads = threads.min(rayon::current_num_threads());
    // Of a pool that the caller is no part of, all threads may be at other work.
    if let Some(caller) = rayon::current_thread_index().filter(|_| threads > 1) {
        let is_over = Arc::clone(&is_over);
        rayon::spawn_broadcast(move |context| {
            // Counted from the caller.
            let count = context.num_threads();
            if (1..threads).contains(&((context.index() + count - caller) % count)) {
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
