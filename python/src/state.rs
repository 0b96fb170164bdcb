//! The world with its stepper, and what of it Python has in hand.

use crate::exports::Exports;
use crate::waiting::Desk;
use hashfall::scene::{Frames, Prepared};
use hashfall::step::{self, Stepper};
use hashfall::surface::SurfaceSettings;
use hashfall::world::{Budget, Particles, World};
use pyo3::prelude::*;
use std::borrow::Cow;
use std::mem;
use std::sync::{Arc, Mutex};

/// An exception of a function that a step has called, until the step has ended.
pub type Pending = Arc<Mutex<Option<PyErr>>>;

/// The state of a simulation.
pub struct State {
    pub world: World,
    pub stepper: Stepper,
    /// The scene, without the particles of its world.
    pub scene: Arc<Prepared>,
    /// The particles as the scene places them, until the first step: a run begins with them.
    pub start: Option<(Particles, Budget)>,
    /// The last step, if there is one.
    pub last_step: Option<step::StepReport>,
    /// Whether a program has set anything of the world: a run from here is not the scene's alone.
    pub is_set: bool,
    /// Whether a step has failed, which leaves a state of no use.
    pub has_failed: bool,
    /// The arrays that Python holds.
    pub exports: Exports,
    /// What functions of Python raised within a step.
    pub pending: Pending,
    /// Where these functions are called.
    pub desk: Desk,
}

impl Drop for State {
    fn drop(&mut self) {
        // Arrays that Python holds outlive it.
        self.exports.release(&mut self.world.particles);
    }
}

impl State {
    /// The state at the start of a scene.
    ///
    /// # Errors
    /// If its world cannot be stepped.
    pub fn new(mut scene: Prepared) -> Result<Self, step::StepError> {
        let particles = mem::take(&mut scene.world.particles);
        let mut world = scene.world.clone();
        world.particles = particles.clone();
        let budget = world.open_boundaries.budget.clone();
        let stepper = Stepper::new(&scene.structures, &mut world)?;
        Ok(State {
            world,
            stepper,
            scene: Arc::new(scene),
            start: Some((particles, budget)),
            last_step: None,
            is_set: false,
            has_failed: false,
            exports: Exports::default(),
            pending: Pending::default(),
            desk: Desk::default(),
        })
    }

    /// When frames are.
    pub fn frames(&self) -> Frames {
        self.scene.frames
    }

    /// How surfaces are made.
    pub fn surface_settings(&self) -> SurfaceSettings {
        self.scene.surface.unwrap_or_default()
    }

    /// Mean force \[N\] and torque about the origin \[N m\] of the fluid on the walls and on each
    /// solid in the last step.
    pub fn forces(&self) -> Vec<[f64; 6]> {
        let dt = self.last_step.as_ref().map_or(f64::INFINITY, |step| step.dt);
        let impulses = self.stepper.step_impulses();
        impulses.iter().map(|impulse| impulse.to_array().map(|x| x / dt + 0.0)).collect()
    }
}

/// What a step did.
#[pyclass(frozen, get_all, module = "hashfall")]
#[derive(Clone)]
pub struct StepReport {
    /// The time step [s].
    dt: f64,
    /// The time after it [s].
    time: f64,
    /// What bound it.
    limited_by: Cow<'static, str>,
    /// Steps that were tried before it and taken back.
    rejected: u32,
    /// Largest and mean compression, density over rest density less 1.
    density_error_max: f64,
    density_error_mean: f64,
    /// Iterations of the pressure solve.
    iterations: u32,
}

impl StepReport {
    /// What the last step of a state did.
    pub fn new(step: &step::StepReport, time: f64) -> Self {
        StepReport {
            dt: step.dt,
            time,
            limited_by: step.limit.name().into(),
            rejected: step.rejected,
            density_error_max: step.density_error_max,
            density_error_mean: step.density_error_mean,
            iterations: step.density.iterations + step.divergence.iterations,
        }
    }
}

#[pymethods]
impl StepReport {
    #[new]
    fn from_parts(
        dt: f64,
        time: f64,
        limited_by: String,
        rejected: u32,
        density_error_max: f64,
        density_error_mean: f64,
        iterations: u32,
    ) -> Self {
        let limited_by = limited_by.into();
        StepReport {
            dt,
            time,
            limited_by,
            rejected,
            density_error_max,
            density_error_mean,
            iterations,
        }
    }

    /// What it is made of, for `pickle` and `copy`.
    fn __getnewargs__(&self) -> (f64, f64, &str, u32, f64, f64, u32) {
        let StepReport { dt, time, limited_by, rejected, .. } = self;
        let errors = (self.density_error_max, self.density_error_mean);
        (*dt, *time, limited_by, *rejected, errors.0, errors.1, self.iterations)
    }

    fn __repr__(&self) -> String {
        let StepReport { dt, time, limited_by, .. } = self;
        format!("StepReport(dt={dt:e}, time={time}, limited_by='{limited_by}')")
    }
}
