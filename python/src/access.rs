//! A simulation as threads and Python share it: who may step, read, and take its state.

use crate::calls::call;
use crate::errors::{self, SimulationError};
use crate::functions::Function;
use crate::pools::Threads;
use crate::state::State;
use crate::waiting::serve;
use hashfall::core::Dimension;
use hashfall::run::extract_surfaces;
use hashfall::surface::Surfaces;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, TryLockError};

/// A scene in memory: stepped, read, controlled and run from Python.
#[pyclass(frozen, module = "hashfall", weakref)]
pub struct Simulation {
    /// `None` while a run has it.
    state: Mutex<Option<Box<State>>>,
    /// Whether a thread steps it, or has called a function between two steps.
    is_busy: AtomicBool,
    /// Whether `on_frame` of a run is being called, which may set nothing.
    pub is_in_on_frame: AtomicBool,
    /// Raised before each change of the arrays.
    generation: AtomicU64,
    /// Time \[s\], by its bits, and steps: to be read while it steps.
    time: AtomicU64,
    steps: AtomicU64,
    /// What is called before each step.
    pub on_step: Mutex<Vec<Py<PyAny>>>,
    /// The functions among the forces.
    pub forces: Mutex<Vec<Function>>,
    pub threads: Threads,
    pub name: String,
}

/// The mark of a simulation that is stepped; dropping it takes it away.
pub struct Busy<'a>(&'a AtomicBool);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::SeqCst);
    }
}

impl Simulation {
    /// A simulation with this state.
    pub fn from_state(state: State, threads: Threads, name: String) -> Self {
        let (time, steps) = (state.world.time, state.world.steps);
        Simulation {
            state: Mutex::new(Some(Box::new(state))),
            is_busy: AtomicBool::new(false),
            is_in_on_frame: AtomicBool::new(false),
            generation: AtomicU64::new(0),
            time: AtomicU64::new(time.to_bits()),
            steps: AtomicU64::new(steps),
            on_step: Mutex::default(),
            forces: Mutex::default(),
            threads,
            name,
        }
    }

    /// The number of the present state.
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::SeqCst)
    }

    /// Marks it as being stepped. The GIL is held.
    ///
    /// # Errors
    /// If it is already.
    pub fn begin(&self) -> PyResult<Busy<'_>> {
        let was_busy = self.is_busy.swap(true, Ordering::SeqCst);
        if was_busy { Err(errors::busy()) } else { Ok(Busy(&self.is_busy)) }
    }

    /// Reads or sets something of the state, without calling Python. The GIL is held.
    ///
    /// # Errors
    /// If somebody steps it at present.
    pub fn read<T>(&self, reader: impl FnOnce(&mut State) -> T) -> PyResult<T> {
        let mut state = self.state.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => errors::busy(),
            TryLockError::Poisoned(_) => broken(),
        })?;
        state.as_mut().map(|state| reader(state)).ok_or_else(errors::busy)
    }

    /// Sets something of the world for the next steps, and notes that if it succeeds. The GIL is
    /// held.
    ///
    /// # Errors
    /// As of [`Simulation::read`]; within `on_frame`; what is wrong with the value.
    pub fn set(&self, setter: impl FnOnce(&mut State) -> PyResult<()>) -> PyResult<()> {
        self.check_not_in_on_frame()?;
        self.read(|state| {
            setter(state)?;
            state.is_set = true;
            Ok(())
        })?
    }

    /// Checks that no `on_frame` is being called: what it set would be lost when the run is resumed
    /// from that frame, and nothing in its records would say so.
    ///
    /// # Errors
    /// If one is.
    pub fn check_not_in_on_frame(&self) -> PyResult<()> {
        if self.is_in_on_frame.load(Ordering::SeqCst) {
            return Err(PyRuntimeError::new_err(
                "`on_frame` only reads: what acts on the fluid is set in `on_step`",
            ));
        }
        Ok(())
    }

    /// Changes the state in the threads of its pool, without the GIL but for functions of Python.
    /// Arrays of it that Python holds stay as they are.
    ///
    /// # Errors
    /// If an earlier step failed, or threads cannot be started; in a child process that was forked
    /// meanwhile, whose simulation has no state any more.
    pub fn change<T: Send + 'static>(
        &self,
        py: Python<'_>,
        busy: &Busy<'_>,
        work: impl FnOnce(&mut State) -> T + Send + 'static,
    ) -> PyResult<T> {
        let pool = self.threads.pool(py)?;
        if self.read(|state| state.has_failed)? {
            return Err(broken());
        }
        let mut state = self.take_state(busy)?;
        state.start = None;
        let desk = state.desk.clone();
        let (state, result) = serve(py, &pool, &desk, move || {
            let result = catch_unwind(AssertUnwindSafe(|| work(&mut state)));
            state.has_failed |= result.is_err();
            (state, result)
        })?;
        self.put_state(state);
        Ok(result.unwrap_or_else(|panic| resume_unwind(panic)))
    }

    /// Takes the state out, for a run; who reads it meanwhile gets an exception. Arrays of it that
    /// Python holds stay as they are. The GIL is held.
    ///
    /// # Errors
    /// If it is out, or an earlier step failed.
    pub fn take_state(&self, _busy: &Busy<'_>) -> PyResult<Box<State>> {
        let mut state = self.state.lock().map_err(|_| broken())?;
        let mut state = state.take().ok_or_else(errors::busy)?;
        self.invalidate(&mut state);
        Ok(state)
    }

    /// Puts the state back.
    pub fn put_state(&self, state: Box<State>) {
        self.note(&state);
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = Some(state);
    }

    /// Makes all views of the state stale, and its arrays those of whoever holds them.
    fn invalidate(&self, state: &mut State) {
        self.generation.fetch_add(1, Ordering::SeqCst);
        state.exports.detach(&mut state.world.particles);
    }

    /// Stores time and steps, for other threads to read.
    fn note(&self, state: &State) {
        self.time.store(state.world.time.to_bits(), Ordering::SeqCst);
        self.steps.store(state.world.steps, Ordering::SeqCst);
    }

    /// Simulated time \[s\], also while another thread steps.
    pub fn now(&self) -> f64 {
        f64::from_bits(self.time.load(Ordering::SeqCst))
    }

    /// Steps taken, likewise.
    pub fn step_count(&self) -> u64 {
        self.steps.load(Ordering::SeqCst)
    }

    /// The surface of each fluid, or of all together; none in the plane. The GIL is released.
    ///
    /// # Errors
    /// As of [`Simulation::change`].
    pub fn extract(&self, py: Python<'_>, _busy: &Busy<'_>) -> PyResult<Vec<Surfaces>> {
        let pool = self.threads.pool(py)?;
        py.detach(|| {
            let state = self.state.lock().map_err(|_| broken())?;
            let state = state.as_ref().ok_or_else(errors::busy)?;
            if state.world.dimension == Dimension::Two {
                return Ok(Vec::new());
            }
            let (world, settings) = (&state.world, state.surface_settings());
            Ok(pool.install(|| extract_surfaces(world, &settings)))
        })
    }

    /// Calls what is to be called before each step.
    pub fn call_on_step(this: &Bound<'_, Simulation>) -> PyResult<()> {
        let py = this.py();
        for callback in this.get().on_step(py) {
            call(callback.bind(py), &(this,).into_pyobject(py)?)?;
        }
        Ok(())
    }

    /// What is to be called before each step.
    pub fn on_step(&self, py: Python<'_>) -> Vec<Py<PyAny>> {
        let list = self.on_step.lock().unwrap_or_else(PoisonError::into_inner);
        list.iter().map(|it| it.clone_ref(py)).collect()
    }

    /// The functions among the forces.
    pub fn forces(&self) -> Vec<Function> {
        self.forces.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The exception of a state that a failed step has left.
pub fn broken() -> PyErr {
    SimulationError::new_err("a step has failed; this simulation cannot go on")
}
