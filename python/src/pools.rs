//! The threads of parallel loops: one pool for all that ask for no number in particular, and one
//! for each simulation that does.
//!
//! Threads do not survive a fork. A child process makes pools of its own and never touches those of
//! its parent, whose threads it would wait for in vain. Pools are looked up with the GIL held, so
//! no fork of Python happens in between.

use hashfall::run::threads;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

/// A pool that is made when it is asked for, in each process.
struct Pool(Mutex<Option<(u32, Arc<ThreadPool>)>>);

impl Pool {
    const fn new() -> Self {
        Pool(Mutex::new(None))
    }

    /// The pool of this process, of so many threads.
    fn threads(&self, count: usize) -> PyResult<Arc<ThreadPool>> {
        let process = std::process::id();
        let mut pool = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*pool {
            Some((of, pool)) if *of == process => return Ok(Arc::clone(pool)),
            // Its threads are the parent's.
            Some(_) => mem::forget(pool.take()),
            None => {}
        }
        let made = ThreadPoolBuilder::new().num_threads(count).build().map_err(|error| {
            PyRuntimeError::new_err(format!("cannot start {count} threads: {error}"))
        })?;
        let made = Arc::new(made);
        *pool = Some((process, Arc::clone(&made)));
        Ok(made)
    }
}

/// The pool of all that ask for no number.
static SHARED: Pool = Pool::new();

/// The threads of a simulation or a call.
pub struct Threads {
    /// How many.
    pub count: usize,
    /// If a number was asked for.
    own: Option<Pool>,
}

impl Threads {
    /// As many as asked for, else as many as Slurm or the machine gives.
    pub fn new(requested: Option<usize>) -> Self {
        let slurm = std::env::var("SLURM_CPUS_PER_TASK").ok();
        let requested = requested.map(|count| count.max(1));
        let count = threads::Threads::choose(requested, slurm.as_deref()).count;
        Threads { count, own: requested.map(|_| Pool::new()) }
    }

    /// Their pool.
    ///
    /// # Errors
    /// If the system refuses the threads.
    pub fn pool(&self, _py: Python<'_>) -> PyResult<Arc<ThreadPool>> {
        self.own.as_ref().unwrap_or(&SHARED).threads(self.count)
    }
}
