//! An allocator that refuses what no small file can be worth: numbers that a file claims are not to
//! be believed before it proves to be as long.
//!
//! Where it refuses, the process ends. Before that it says so, with the name of the input.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::RefCell;
use std::io::Write;

/// The largest piece of memory that is given \[bytes\]. What an LZMA file may ask for is below it.
const LARGEST: usize = 256 << 20;

thread_local! {
    /// The input that this thread works on.
    static INPUT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The system's allocator, up to a size.
pub struct Watch;

impl Watch {
    /// Tells which input comes now.
    pub fn name(input: &str) {
        INPUT.with_borrow_mut(|name| input.clone_into(name));
    }

    /// Whether this much is given.
    fn gives(size: usize) -> bool {
        if size > LARGEST {
            // Written past the tests' capture, whose text is lost with the process. What fails
            // here, or a thread that ends, must not stand in the way of the refusal.
            let _ = INPUT.try_with(|name| {
                let name = name.try_borrow().map_err(drop);
                let mut stderr = std::io::stderr();
                let _ = stderr.write_all(b"too much memory is asked for: ");
                name.map(|name| stderr.write_all(name.as_bytes()))
            });
        }
        size <= LARGEST
    }
}

// SAFETY: everything is left to the system's allocator, or refused by a null pointer.
unsafe impl GlobalAlloc for Watch {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match Watch::gives(layout.size()) {
            // SAFETY: the caller's promise.
            true => unsafe { System.alloc(layout) },
            false => std::ptr::null_mut(),
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match Watch::gives(layout.size()) {
            // SAFETY: the caller's promise.
            true => unsafe { System.alloc_zeroed(layout) },
            false => std::ptr::null_mut(),
        }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        match Watch::gives(size) {
            // SAFETY: the caller's promise.
            true => unsafe { System.realloc(memory, layout, size) },
            false => std::ptr::null_mut(),
        }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(memory, layout) }
    }
}
