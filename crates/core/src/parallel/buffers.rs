//! Buffers that tasks use one after the other.

use std::sync::{Mutex, PoisonError};

/// Buffers for the tasks of a loop, as many as run at the same time. A result must not depend on
/// what the last task has left in a buffer.
pub struct Buffers<B, F> {
    free: Mutex<Vec<B>>,
    new: F,
}

impl<B: Send, F: Fn() -> B + Sync> Buffers<B, F> {
    /// No buffer; `new` makes one when all are in use.
    pub fn new(new: F) -> Self {
        Buffers { free: Mutex::new(Vec::new()), new }
    }

    /// Does a work with a buffer that no other work uses meanwhile.
    pub fn with<T>(&self, work: impl FnOnce(&mut B) -> T) -> T {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut buffer = free.unwrap_or_else(&self.new);
        let result = work(&mut buffer);
        self.free.lock().unwrap_or_else(PoisonError::into_inner).push(buffer);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::{for_each, map_pieces, with_threads};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn one_buffer_is_made_for_each_thread_at_most() {
        for threads in [1, 2, 5] {
            let made = AtomicUsize::new(0);
            let buffers = Buffers::new(|| {
                made.fetch_add(1, Ordering::Relaxed);
                Vec::new()
            });
            let lengths = with_threads(threads, || {
                map_pieces(500, &|k| {
                    buffers.with(|buffer| {
                        buffer.clear();
                        buffer.resize(k, ());
                        buffer.len()
                    })
                })
            });
            assert_eq!(lengths, (0..500).collect::<Vec<_>>());
            assert!((1..=threads).contains(&made.into_inner()));
        }
    }

    #[test]
    fn a_buffer_of_a_work_that_panics_is_not_used_again() {
        let buffers = Buffers::new(|| 0);
        let faulty = |buffer: &mut i32| {
            *buffer = 7;
            panic!("fault");
        };
        let work = || for_each(1, &|_| buffers.with(faulty));
        assert!(catch_unwind(AssertUnwindSafe(work)).is_err());
        assert_eq!(buffers.with(|buffer| *buffer), 0);
    }
}
