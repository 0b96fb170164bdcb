//! Work in a pool of threads, and the thread of Python that waits for it.
//!
//! No thread of a pool ever calls Python: it asks the thread that waits, which belongs to Python.
//! So functions run where they would without a simulation, an interpreter that ends has no foreign
//! threads to deal with, and `__del__` may step. The work owns all that it needs: who waits may
//! leave, which a child process must that was forked in a function of Python: it has none of the
//! threads that it would wait for.

use crate::calls::Request;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::ThreadPool;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How often signals are looked at.
pub const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// What takes a request to the thread that waits; whether that is still there.
type Way = Box<dyn Fn(Request) -> bool + Send>;

/// Where forces ask for accelerations: the thread that waits at present, if there is one.
#[derive(Clone, Default)]
pub struct Desk(Arc<Mutex<Option<Way>>>);

impl Desk {
    /// Opens it for a loop.
    pub fn open(&self, way: impl Fn(Request) -> bool + Send + 'static) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(way));
    }

    /// Closes it: nobody waits any more.
    pub fn close(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Hands a request in; whether somebody takes it.
    pub fn ask(&self, request: Request) -> bool {
        let way = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        way.as_ref().is_some_and(|way| way(request))
    }
}

/// A process, in which a thread waits.
#[derive(Clone, Copy)]
pub struct Process(u32);

impl Process {
    /// The present one.
    pub fn current() -> Process {
        Process(process::id())
    }

    /// Checks that Python has not forked it meanwhile.
    ///
    /// # Errors
    /// In the child.
    pub fn check(self) -> PyResult<()> {
        if self.is_current() {
            return Ok(());
        }
        Err(PyRuntimeError::new_err(
            "this process was forked within a step or a run, which goes on in its parent alone; \
             leave the child by `os._exit`, or make a new Simulation in it",
        ))
    }

    /// Whether it is still the present one.
    pub fn is_current(self) -> bool {
        process::id() == self.0
    }
}

/// Does work of a simulation in a pool, and serves what its forces ask for meanwhile.
///
/// # Errors
/// In a child process that was forked meanwhile.
pub fn serve<T: Send + 'static>(
    py: Python<'_>,
    pool: &ThreadPool,
    desk: &Desk,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let process = Process::current();
    let (to_desk, mut requests) = channel();
    desk.open(move |request| to_desk.send(request).is_ok());
    let (to_waiting, mut results) = channel();
    let own = desk.clone();
    pool.spawn(move || {
        let result = catch_unwind(AssertUnwindSafe(work));
        // Nobody waits if the caller has left.
        drop(to_waiting.send(result));
        own.close();
    });
    loop {
        let receiver = &mut requests;
        // Until the desk is closed.
        let Ok(request) = py.detach(move || receiver.recv()) else { break };
        request.answer(py);
        process.check()?;
    }
    let receiver = &mut results;
    match py.detach(move || receiver.recv()) {
        Ok(result) => Ok(result.unwrap_or_else(|panic| resume_unwind(panic))),
        Err(_) => Err(PyRuntimeError::new_err("a thread of the pool has ended")),
    }
}

/// Does work in a pool that calls no Python, and looks at signals meanwhile; after one that raises,
/// the work goes on without anybody who waits.
///
/// # Errors
/// What a handler of signals raises.
pub fn wait<T: Send + 'static>(
    py: Python<'_>,
    pool: &ThreadPool,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let process = Process::current();
    let (to_waiting, mut results) = channel();
    pool.spawn(move || {
        let result: thread::Result<T> = catch_unwind(AssertUnwindSafe(work));
        // Nobody waits if a signal has come.
        drop(to_waiting.send(result));
    });
    loop {
        let receiver = &mut results;
        match py.detach(move || receiver.recv_timeout(SIGNAL_INTERVAL)) {
            Ok(result) => return Ok(result.unwrap_or_else(|panic| resume_unwind(panic))),
            Err(RecvTimeoutError::Timeout) => {
                py.check_signals()?;
                process.check()?;
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("a thread of the pool has ended"));
            }
        }
    }
}
