//! The class `Simulation` as Python sees it: a scene in memory that is stepped and read.

use crate::access::{Simulation, broken};
use crate::advance::advance;
use crate::calls::ForceState;
use crate::control::{self, Body};
use crate::errors;
use crate::exports::Field;
use crate::forces;
use crate::functions::Function;
use crate::meshes::Mesh;
use crate::observer::Callbacks;
use crate::paths::GivenPath;
use crate::pools::Threads;
use crate::run::{self, Run};
use crate::scenes::Request;
use crate::state::{State, StepReport};
use crate::views::View;
use hashfall::bodies::Wrench;
use numpy::{PyArray2, ToPyArray as _};
use pyo3::exceptions::PyValueError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::PoisonError;

#[pymethods]
impl Simulation {
    #[new]
    #[pyo3(signature = (scene, base_path=None, *, set=None, threads=None, allow_outside=false))]
    fn new(
        py: Python<'_>,
        scene: &Bound<'_, PyAny>,
        base_path: Option<GivenPath>,
        set: Option<&Bound<'_, PyDict>>,
        threads: Option<usize>,
        allow_outside: bool,
    ) -> PyResult<Self> {
        let request = Request::new(scene, base_path.map(|path| path.0), set, allow_outside)?;
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
        let step = this.get().change(this.py(), &busy, move |state| {
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
        let (simulation, py) = (this.get(), this.py());
        let busy = simulation.begin()?;
        let (before, now) = (simulation.steps(), simulation.time());
        if time < now {
            let message = format!("cannot step back to t = {time} s: the simulation is at {now} s");
            return Err(PyValueError::new_err(message));
        }
        while simulation.time() < time {
            Self::call_on_step(this)?;
            let is_single = !simulation.on_step(py).is_empty();
            simulation.change(py, &busy, move |state| advance(state, time, is_single))??;
            py.check_signals()?;
        }
        Ok(simulation.steps() - before)
    }

    /// Runs the scene from its start into a folder, as `sim` does. Previews and foam are left to
    /// `sim preview` and `sim foam`.
    #[pyo3(signature = (out, *, overwrite=false, on_step=None, on_frame=None))]
    fn run(
        this: &Bound<'_, Self>,
        out: GivenPath,
        overwrite: bool,
        on_step: Option<Py<PyAny>>,
        on_frame: Option<Py<PyAny>>,
    ) -> PyResult<Run> {
        run::start(this, &out.0, overwrite, &Callbacks { on_step, on_frame })
    }

    /// Calls `function(simulation)` before each step from now on; returns the function.
    #[pyo3(name = "on_step")]
    fn add_on_step(&self, function: Py<PyAny>, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.check_not_in_on_frame()?;
        let mut callbacks = self.on_step.lock().unwrap_or_else(PoisonError::into_inner);
        callbacks.push(function.clone_ref(py));
        Ok(function)
    }

    /// Adds the accelerations [m/s²] that `function(time, positions, velocities)` returns, one for
    /// each particle, in each evaluation of forces from now on; returns the function.
    fn add_force(&self, function: Py<PyAny>, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let _busy = self.begin()?;
        let wrapped = Function::new(py, function.clone_ref(py))?;
        let present = self.read(|state| {
            let particles = &state.world.particles;
            ForceState::new(state.world.time, &particles.position, &particles.velocity)
        })?;
        present.accelerations(py, &wrapped)?;
        self.read(|state| {
            let (pending, desk) = (state.pending.clone(), state.desk.clone());
            state.stepper.add_force(forces::force(wrapped.clone(), pending, desk));
        })?;
        self.forces.lock().unwrap_or_else(PoisonError::into_inner).push(wrapped);
        Ok(function)
    }

    /// Simulated time [s].
    #[getter]
    pub fn time(&self) -> f64 {
        self.now()
    }

    /// Steps taken.
    #[getter]
    pub fn steps(&self) -> u64 {
        self.step_count()
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
        let impulses: Vec<_> = impulses.iter().map(Wrench::to_array).collect();
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
        self.set(|state| control::set_velocity(state, body, velocity, angular_velocity))
    }

    /// Sets the velocities that lead a solid of motion `Driven` to a position [m] and orientation
    /// (quaternion from its place in the scene, the scalar first) at a time [s]; it goes on so
    /// after that.
    #[pyo3(signature = (body, position, orientation=[1.0, 0.0, 0.0, 0.0], *, time))]
    fn move_body(
        &self,
        body: usize,
        position: [f64; 3],
        orientation: [f64; 4],
        time: f64,
    ) -> PyResult<()> {
        self.set(|state| control::move_body(state, body, (position, orientation), time))
    }

    /// Sets the speed [m/s] at which fluid leaves an emitter, for the next steps; 0 does not stop
    /// it, its `end` does.
    fn set_emitter_speed(&self, emitter: usize, speed: f64) -> PyResult<()> {
        self.set(|state| control::set_emitter_speed(state, emitter, speed))
    }

    /// Gravity [m/s²]; it may be set.
    #[getter]
    fn gravity(&self) -> PyResult<[f64; 3]> {
        self.read(|state| control::gravity(state))
    }

    #[setter]
    fn set_gravity(&self, gravity: [f64; 3]) -> PyResult<()> {
        self.set(|state| control::set_gravity(state, gravity))
    }

    /// The surface of each fluid as it stands, or of all together, as the scene says; none in the
    /// plane.
    fn surfaces(&self, py: Python<'_>) -> PyResult<Vec<Mesh>> {
        let busy = self.begin()?;
        let surfaces = self.extract(py, &busy)?;
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
