//! Counts the allocations of a program, for tests that some work makes none:
//!
//! ```ignore
//! #[global_allocator]
//! static COUNTING: CountingAllocator = CountingAllocator;
//! ```

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, which counts.
#[derive(Debug)]
pub struct CountingAllocator;

/// How often the program has allocated, if its allocator counts.
pub fn allocation_count() -> usize {
    ALLOCATIONS.load(Relaxed)
}

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(memory, layout) }
    }
}
