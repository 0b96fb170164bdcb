//! Loops on a given number of threads, for tests.

/// Runs a test on so many threads.
///
/// # Panics
/// If the system gives no threads.
pub fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("the system has threads").install(work)
}
