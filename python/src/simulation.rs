//! The class `Simulation`: a scene in memory that is stepped and read.

use crate::control::Body;
use crate::errors::{self, SimulationError};
use crate::forces::{self, Function};
use crate::meshes::Mesh;
use crate::observer::Callbacks;
use crate::pools::Threads;
use crate::run::{self, Run};
use crate::scenes::Request;
use crate::state::{State, StepReport};
use crate::views::{Field, View};
use hashfall::core::{Dimension, Vec3};
use hashfall::run::extract_surfaces;
use numpy::{PyArray2, ToPyArray as _};
use pyo3::exceptions::PyValueError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// How long steps go on before signals are looked at.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// A scene in memory: stepped, read, controlled and run from Python.
#[pyclass(frozen, module = "hashfall", weakref)]
pub struct Simulation {
    /// `None` while a run has it.
    state: Mutex<Option<Box<State>>>,
    /// Whether a thread steps it, or has called a function between two steps.
    is_busy: AtomicBool,
    /// Raised before each change of the arrays.
    generation: AtomicU64,
    /// Time \[s\], by its bits, and steps: to be read while it steps.
    time: AtomicU64,
    steps: AtomicU64,
    /// What is called before each step.
    on_step: Mutex<Vec<Py<PyAny>>>,
    /// The functions among the forces.
    forces: Mutex<Vec<Function>>,
    pub(crate) threads: Threads,
    pub(crate) name: String,
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

    /// Changes the state in the threads of its pool, without the GIL. Arrays of it that Python
    /// holds stay as they are.
    ///
    /// # Errors
    /// If an earlier step failed, or threads cannot be started.
    pub fn change<T: Send>(
        &self,
        py: Python<'_>,
        _busy: &Busy<'_>,
        work: impl FnOnce(&mut State) -> T + Send,
    ) -> PyResult<T> {
        let pool = self.threads.pool(py)?;
        let (result, owners) = py.detach(|| {
            let mut state = self.state.lock().map_err(|_| broken())?;
            let state = state.as_mut().ok_or_else(errors::busy)?;
            if state.has_failed {
                return Err(broken());
            }
            let owners = self.invalidate(state);
            state.start = None;
            let result = pool.install(|| work(state));
            self.note(state);
            Ok::<_, PyErr>((result, owners))
        })?;
        // With the GIL held again.
        drop(owners);
        Ok(result)
    }

    /// Takes the state out, for a run; who reads it meanwhile gets an exception. Arrays of it that
    /// Python holds stay as they are. The GIL is held.
    ///
    /// # Errors
    /// If it is out, or an earlier step failed.
    pub fn take_state(&self, _busy: &Busy<'_>) -> PyResult<Box<State>> {
        let mut state = self.state.lock().map_err(|_| broken())?;
        let mut state = state.take().ok_or_else(errors::busy)?;
        drop(self.invalidate(&mut state));
        Ok(state)
    }

    /// Puts the state back.
    pub fn put_state(&self, state: Box<State>) {
        self.note(&state);
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = Some(state);
    }

    /// Makes all views of the state stale, and its arrays those of whoever holds them.
    fn invalidate(&self, state: &mut State) -> Vec<Py<Simulation>> {
        self.generation.fetch_add(1, Ordering::SeqCst);
        state.exports.detach(&mut state.world.particles)
    }

    /// Stores time and steps, for other threads to read.
    fn note(&self, state: &State) {
        self.time.store(state.world.time.to_bits(), Ordering::SeqCst);
        self.steps.store(state.world.steps, Ordering::SeqCst);
    }

    /// Calls what is to be called before each step.
    pub fn call_on_step(this: &Bound<'_, Simulation>) -> PyResult<()> {
        let py = this.py();
        for callback in this.get().on_step(py) {
            callback.call1(py, (this,))?;
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
fn broken() -> PyErr {
    SimulationError::new_err("a step has failed; this simulation cannot go on")
}

/// Why steps ended.
enum Ended {
    AtTime,
    /// Signals are to be looked at.
    Paused,
}

/// Takes steps until a time \[s\], or for a while, or a single one.
fn advance(state: &mut State, until: f64, is_single: bool) -> Result<Ended, PyErr> {
    let start = Instant::now();
    while state.world.time < until {
        let before = state.world.time;
        let report = state.stepper.step(&mut state.world, until);
        let raised = state.pending.lock().unwrap_or_else(PoisonError::into_inner).take();
        state.has_failed = raised.is_some() || report.is_err();
        if let Some(raised) = raised {
            return Err(raised);
        }
        state.last_step = Some(report.map_err(|it| SimulationError::new_err(it.to_string()))?);
        if state.world.time <= before {
            return Err(SimulationError::new_err(format!(
                "the simulation stalled at t = {before} s: the time step is below the resolution \
                 of time"
            )));
        }
        if is_single || start.elapsed() >= SIGNAL_INTERVAL {
            return Ok(if state.world.time < until { Ended::Paused } else { Ended::AtTime });
        }
    }
    Ok(Ended::AtTime)
}

#[pymethods]
impl Simulation {
    #[new]
    #[pyo3(signature = (scene, base_path=None, *, set=None, threads=None, allow_outside=false))]
    fn new(
        py: Python<'_>,
        scene: &Bound<'_, PyAny>,
        base_path: Option<PathBuf>,
        set: Option<&Bound<'_, PyDict>>,
        threads: Option<usize>,
        allow_outside: bool,
    ) -> PyResult<Self> {
        let request = Request::new(scene, base_path, set, allow_outside)?;
        let threads = Threads::new(threads);
        let pool = threads.pool(py)?;
        let prepared = py.detach(|| pool.install(|| request.prepare()));
        let prepared = prepared.map_err(|faults| errors::scene(py, faults))?;
        errors::warn(py, &prepared.warnings)?;
        let state = py.detach(|| pool.install(|| State::new(prepared)));
        let state = state.map_err(|error| errors::start(&error))?;
        Ok(Simulation::from_state(state, threads, request.name()))
    }

    /// Takes one step, which ends at `until` [s] at the latest.
    #[pyo3(signature = (until=None))]
    fn step(this: &Bound<'_, Self>, until: Option<f64>) -> PyResult<StepReport> {
        let until = until.unwrap_or(f64::INFINITY);
        if until.is_nan() || until <= this.get().time() {
            let now = this.get().time();
            return Err(PyValueError::new_err(format!("{until} s is not after t = {now} s")));
        }
        let busy = this.get().begin()?;
        Self::call_on_step(this)?;
        let step = this.get().change(this.py(), &busy, |state| {
            advance(state, until, true)?;
            let step = state.last_step.as_ref().map(|it| StepReport::new(it, state.world.time));
            step.ok_or_else(broken)
        })?;
        this.py().check_signals()?;
        step
    }

    /// Steps to a time [s], on which the last step lands exactly; returns the number of steps.
    fn advance_to(this: &Bound<'_, Self>, time: f64) -> PyResult<u64> {
        if !time.is_finite() {
            return Err(PyValueError::new_err(format!("cannot step to t = {time} s")));
        }
        let (own, py) = (this.get(), this.py());
        let busy = own.begin()?;
        let before = own.steps();
        while own.time() < time {
            Self::call_on_step(this)?;
            let is_single = !own.on_step(py).is_empty();
            own.change(py, &busy, |state| advance(state, time, is_single))??;
            py.check_signals()?;
        }
        Ok(own.steps() - before)
    }

    /// Runs the scene from its start into a folder, as `sim` does.
    #[pyo3(signature = (out, *, overwrite=false, on_step=None, on_frame=None))]
    fn run(
        this: &Bound<'_, Self>,
        out: PathBuf,
        overwrite: bool,
        on_step: Option<Py<PyAny>>,
        on_frame: Option<Py<PyAny>>,
    ) -> PyResult<Run> {
        run::start(this, &out, overwrite, &Callbacks { on_step, on_frame })
    }

    /// Calls `function(simulation)` before each step from now on; returns the function.
    #[pyo3(name = "on_step")]
    fn add_on_step(&self, function: Py<PyAny>, py: Python<'_>) -> Py<PyAny> {
        let mut callbacks = self.on_step.lock().unwrap_or_else(PoisonError::into_inner);
        callbacks.push(function.clone_ref(py));
        function
    }

    /// Adds the accelerations [m/s²] that `function(time, positions, velocities)` returns, one for
    /// each particle, in each evaluation of forces from now on; returns the function.
    fn add_force(&self, function: Py<PyAny>, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let _busy = self.begin()?;
        let own = Function::new(function.clone_ref(py));
        let (time, positions, velocities) = self.read(|state| {
            let particles = &state.world.particles;
            (state.world.time, particles.position.clone(), particles.velocity.clone())
        })?;
        let mut accelerations = vec![Vec3::zeros(); positions.len()];
        forces::call(py, &function, (time, &positions, &velocities), &mut accelerations)?;
        self.read(|state| {
            let pending = state.pending.clone();
            state.stepper.add_force(forces::force(own.clone(), pending));
        })?;
        self.forces.lock().unwrap_or_else(PoisonError::into_inner).push(own);
        Ok(function)
    }

    /// Simulated time [s].
    #[getter]
    pub fn time(&self) -> f64 {
        f64::from_bits(self.time.load(Ordering::SeqCst))
    }

    /// Steps taken.
    #[getter]
    pub fn steps(&self) -> u64 {
        self.steps.load(Ordering::SeqCst)
    }

    /// Time, steps, positions and velocities to the bit, as `run.json` has them.
    #[getter]
    fn digest(&self) -> PyResult<String> {
        self.read(|state| format!("{:016x}", state.world.digest()))
    }

    /// The number of particles.
    fn __len__(&self) -> PyResult<usize> {
        self.read(|state| state.world.particles.len())
    }

    /// The time of a frame [s]; frame 0 is at t = 0.
    fn frame_time(&self, frame: u32) -> PyResult<f64> {
        self.read(|state| state.frames().time(frame))
    }

    /// The number of the scene's last frame.
    #[getter]
    fn frame_count(&self) -> PyResult<u32> {
        self.read(|state| state.frames().count)
    }

    /// Particle radius [m]; the spacing is twice that.
    #[getter]
    fn particle_radius(&self) -> PyResult<f64> {
        self.read(|state| f64::from(state.world.particle_radius))
    }

    /// The names of the fluids; `phase` counts them.
    #[getter]
    fn fluids(&self) -> PyResult<Vec<String>> {
        self.read(|state| state.world.fluids.iter().map(|fluid| fluid.name.clone()).collect())
    }

    /// The scene with every default written out, as `sim` writes it into the folder of a run.
    #[getter]
    fn scene(&self) -> PyResult<String> {
        self.read(|state| state.scene.resolved.clone())
    }

    /// Centres of the particles [m].
    #[getter]
    fn positions(this: &Bound<'_, Self>) -> PyResult<View> {
        View::new(this, Field::Position)
    }

    /// Velocities of the particles [m/s].
    #[getter]
    fn velocities(this: &Bound<'_, Self>) -> PyResult<View> {
        View::new(this, Field::Velocity)
    }

    /// Accelerations of the particles [m/s²].
    #[getter]
    fn accelerations(this: &Bound<'_, Self>) -> PyResult<View> {
        View::new(this, Field::Acceleration)
    }

    /// Densities at the particles [kg/m³].
    #[getter]
    fn density(this: &Bound<'_, Self>) -> PyResult<View> {
        View::new(this, Field::Density)
    }

    /// Pressures at the particles [Pa].
    #[getter]
    fn pressure(this: &Bound<'_, Self>) -> PyResult<View> {
        View::new(this, Field::Pressure)
    }

    /// The number of each particle, given once for good. Particles are in the order of cells, which
    /// changes.
    #[getter]
    fn ids(this: &Bound<'_, Self>) -> PyResult<View> {
        View::new(this, Field::Id)
    }

    /// Which fluid each particle is of, as the number of its name.
    #[getter]
    fn phase(this: &Bound<'_, Self>) -> PyResult<View> {
        View::new(this, Field::Phase)
    }

    /// Mean force [N] and torque about the origin [N m] of the fluid in the last step: six numbers
    /// for the walls together, then for each solid.
    #[getter(forces)]
    fn get_forces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let forces = self.read(|state| state.forces())?;
        Ok(rows(py, &forces))
    }

    /// What the fluid has given to the walls and to each solid since this was called last: momentum
    /// [N s] and angular momentum about the origin [N m s].
    fn take_impulses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let _busy = self.begin().map_err(|_| {
            errors::BusyError::new_err("within a step or a run, `forces` tells what acts")
        })?;
        let impulses = self.read(|state| state.stepper.take_impulses())?;
        Ok(rows(py, &impulses))
    }

    /// The bodies that move, where they are.
    #[getter]
    fn bodies(&self) -> PyResult<Vec<Body>> {
        self.read(|state| Body::all(&state.world))
    }

    /// Sets velocity [m/s] and angular velocity [1/s] of a solid of motion `Driven`, for the next
    /// steps. Solids count from 1; the walls are 0.
    #[pyo3(signature = (body, velocity, angular_velocity=[0.0; 3]))]
    fn set_body_velocity(
        &self,
        body: usize,
        velocity: [f64; 3],
        angular_velocity: [f64; 3],
    ) -> PyResult<()> {
        self.read(|state| crate::control::set_velocity(state, body, velocity, angular_velocity))?
    }

    /// Sets the speed [m/s] at which fluid leaves an emitter, for the next steps; 0 does not stop
    /// it, its `end` does.
    fn set_emitter_speed(&self, emitter: usize, speed: f64) -> PyResult<()> {
        self.read(|state| crate::control::set_emitter_speed(state, emitter, speed))?
    }

    /// Gravity [m/s²]; it may be set.
    #[getter]
    fn gravity(&self) -> PyResult<[f64; 3]> {
        self.read(|state| crate::control::gravity(state))
    }

    #[setter]
    fn set_gravity(&self, gravity: [f64; 3]) -> PyResult<()> {
        self.read(|state| crate::control::set_gravity(state, gravity))?
    }

    /// The surface of each fluid as it stands, or of all together, as the scene says; none in the
    /// plane.
    fn surfaces(&self, py: Python<'_>) -> PyResult<Vec<Mesh>> {
        let _busy = self.begin()?;
        let pool = self.threads.pool(py)?;
        let surfaces = py.detach(|| {
            let state = self.state.lock().map_err(|_| broken())?;
            let state = state.as_ref().ok_or_else(errors::busy)?;
            if state.world.dimension == Dimension::Two {
                return Ok(Vec::new());
            }
            let (world, settings) = (&state.world, state.surface_settings());
            Ok::<_, PyErr>(pool.install(|| extract_surfaces(world, &settings)))
        })?;
        surfaces.into_iter().map(|it| Mesh::new(py, it.main)).collect()
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        // Locks that are taken are those of threads that hold the simulation, so it is in use.
        if let Ok(functions) = self.on_step.try_lock() {
            functions.iter().try_for_each(|it| visit.call(it))?;
        }
        let forces = self.forces.try_lock();
        forces.map_or(Ok(()), |forces| forces.iter().try_for_each(|it| it.traverse(&visit)))
    }

    fn __clear__(&self) {
        let functions = self.on_step.try_lock().map(|mut list| std::mem::take(&mut *list));
        drop(functions);
        self.forces().iter().for_each(Function::clear);
    }

    fn __repr__(&self) -> String {
        format!("<Simulation '{}' at t = {} s, step {}>", self.name, self.time(), self.steps())
    }
}

/// Rows of six numbers as an array.
fn rows<'py>(py: Python<'py>, rows: &[[f64; 6]]) -> Bound<'py, PyArray2<f64>> {
    numpy::ndarray::arr2(rows).to_pyarray(py)
}
