//! The end of a program that runs out of memory: an error and exit code 1, as any other failure.
//!
//! The standard library aborts where an allocation fails, and its hook for that is unstable. So the
//! binary allocates through [`Allocator`], which passes everything on to the system and ends the
//! program in order once the system refuses: one error on stderr, `failed` in the run's `run.json`,
//! no unfinished files. An allocator must not unwind, hence all this happens at the failed call, in
//! the memory that a reserve leaves. Other threads may fail meanwhile; they wait for the end. So do
//! threads in which the C library aborts, as it does where a new thread has no memory for the
//! destructors of its locals.

use hashfall_output::RunFolder;
use signal_hook::low_level::exit;
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Memory for the records of the end \[bytes\].
const RESERVE: usize = 2 << 20;

/// The run of this process, with the memory that reporting its failure takes.
static RUN: Mutex<Option<(PathBuf, Vec<u8>)>> = Mutex::new(None);
/// The thread whose allocation failed first, by its [mark](thread_mark); 0 before that.
static FIRST: AtomicUsize = AtomicUsize::new(0);

/// The allocator of the system, except that a failed allocation ends the program with an error.
#[derive(Clone, Copy, Debug, Default)]
pub struct Allocator;

// SAFETY: every call goes to the system's allocator as it is, and what comes back is passed on;
// where that is null, the process ends without unwinding.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the contract of this function is that of the system's, and the caller keeps it.
        allocated(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller passes a block of this allocator with its layout, and all of them are
        // the system's.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller guarantees a layout of non-zero size, as the system's function needs.
        allocated(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller passes a block of the system's allocator with its layout, and a valid
        // new size.
        allocated(unsafe { System.realloc(at, layout, size) }, size)
    }
}

/// Stores the folder of the run to mark as failed if memory runs out, and reserves memory for it.
pub fn watch(run: &Path) {
    let reserve = Vec::with_capacity(RESERVE);
    *RUN.lock().unwrap_or_else(PoisonError::into_inner) = Some((run.to_path_buf(), reserve));
}

/// Returns the pointer, or ends the program if it is null.
#[inline]
fn allocated(at: *mut u8, size: usize) -> *mut u8 {
    if at.is_null() {
        end(size);
    }
    at
}

/// Ends the program, as `size` bytes could not be allocated.
#[cold]
fn end(size: usize) -> ! {
    let mark = thread_mark();
    if FIRST.compare_exchange(0, mark, Ordering::SeqCst, Ordering::SeqCst).is_err() {
        // Another thread reports its failure, or not even this one's report could be allocated.
        wait_or_exit();
    }
    let _guard = ExitOnUnwind;
    catch_aborts();
    let mut text = [0; 96];
    let reason = reason(&mut text, size);
    let mut line = [0; 128];
    let mut rest = &mut line[..];
    let _ = writeln!(rest, "error: {reason}");
    let unused = rest.len();
    write_last_to_stderr(&line[..line.len() - unused]);
    // Another thread may hold the lock, but none for long: it is taken where a run begins.
    if let Some((folder, reserve)) = RUN.try_lock().ok().and_then(|mut run| run.take()) {
        drop(reserve);
        RunFolder::mark_failed(folder, reason);
    }
    exit(1)
}

/// Lets no abort of the C library end the process before the failure is recorded: a thread that
/// aborts waits for the end, and the thread that records the failure ends with its exit code.
#[cfg(unix)]
fn catch_aborts() {
    extern "C" fn on_abort(_: libc::c_int) {
        wait_or_exit();
    }
    let handler = on_abort as extern "C" fn(libc::c_int);
    // SAFETY: the handler does only what is safe in a signal handler: it reads a local that needs
    // no memory and an atomic, sleeps, and exits without the handlers of exit.
    unsafe { libc::signal(libc::SIGABRT, handler as libc::sighandler_t) };
}

#[cfg(not(unix))]
fn catch_aborts() {}

/// Waits for the end of the program, or ends it if this is the thread that all others wait for.
fn wait_or_exit() -> ! {
    if FIRST.load(Ordering::SeqCst) == thread_mark() {
        exit(1);
    }
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}

/// Ends the program if a panic passes by: an allocator must not unwind.
struct ExitOnUnwind;

impl Drop for ExitOnUnwind {
    fn drop(&mut self) {
        exit(1)
    }
}

/// Writes the last words to stderr, if somebody listens, without the lock of the standard library:
/// a thread that waits for the end may hold that. What the C library says when it aborts adds
/// nothing.
#[cfg(unix)]
fn write_last_to_stderr(bytes: &[u8]) {
    // SAFETY: the pointer and the length are those of initialized bytes, and the path ends in NUL.
    unsafe {
        libc::write(libc::STDERR_FILENO, bytes.as_ptr().cast(), bytes.len());
        let nowhere = libc::open(c"/dev/null".as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
        libc::dup2(nowhere, libc::STDERR_FILENO);
    }
}

#[cfg(not(unix))]
fn write_last_to_stderr(bytes: &[u8]) {
    let _ = std::io::stderr().write_all(bytes);
}

/// The error message, in memory that is already allocated.
fn reason(text: &mut [u8; 96], size: usize) -> &str {
    let length = {
        let mut rest = &mut text[..];
        let _ = write!(rest, "out of memory: cannot allocate {size} bytes");
        rest.len()
    };
    std::str::from_utf8(&text[..text.len() - length]).unwrap_or("out of memory")
}

/// A number that no other thread has, and that takes no memory: the address of a local of its own.
fn thread_mark() -> usize {
    thread_local!(static MARK: u8 = const { 0 });
    MARK.with(|mark| std::ptr::from_ref(mark).addr())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_names_the_bytes() {
        let message = |size| reason(&mut [0; 96], size).to_owned();
        assert_eq!(message(30), "out of memory: cannot allocate 30 bytes");
        assert!(message(usize::MAX).contains(&usize::MAX.to_string()));
    }

    #[test]
    fn each_thread_has_a_mark_of_its_own() {
        let here = thread_mark();
        assert_eq!(here, thread_mark());
        let there = thread::scope(|scope| scope.spawn(thread_mark).join().unwrap());
        assert!(here != there && here != 0);
    }
}
