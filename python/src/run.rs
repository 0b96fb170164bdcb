//! Runs of a simulation into a folder, as the program does them.

use crate::access::{Busy, Simulation};
use crate::errors::{self, SimulationError};
use crate::observer::{self, Callbacks, Job, Outcome};
use hashfall::output::{Recorder, RunFolder, RunInfo, Status};
use hashfall::run::{End, Plan, Resumed};
use hashfall::scene::Prepared;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What a run has done.
#[pyclass(frozen, get_all, module = "hashfall")]
#[derive(Clone)]
pub struct Run {
    /// Its folder.
    pub folder: PathBuf,
    /// Frames written, with that of the start.
    pub frames: u32,
    /// Steps taken.
    pub steps: u64,
    /// Simulated time [s].
    pub time: f64,
    /// Digest of the last state, as in `run.json`.
    pub digest: String,
}

#[pymethods]
impl Run {
    #[new]
    fn new(folder: PathBuf, frames: u32, steps: u64, time: f64, digest: String) -> Self {
        Run { folder, frames, steps, time, digest }
    }

    /// What it is made of, for `pickle` and `copy`.
    fn __getnewargs__(&self) -> (PathBuf, u32, u64, f64, String) {
        let Run { folder, frames, steps, time, digest } = self.clone();
        (folder, frames, steps, time, digest)
    }

    fn __repr__(&self) -> String {
        let Run { folder, frames, steps, time, .. } = self;
        let folder = folder.display();
        format!("Run(folder='{folder}', frames={frames}, steps={steps}, time={time})")
    }
}

/// Runs a simulation from its start.
pub fn start(
    this: &Bound<'_, Simulation>,
    out: &Path,
    overwrite: bool,
    callbacks: &Callbacks,
) -> PyResult<Run> {
    let simulation = this.get();
    let busy = simulation.begin()?;
    let start = simulation.read(|state| {
        let (particles, budget) = state.start.clone()?;
        // What was set before the run stays; particles and emitters begin anew.
        let mut world = state.world.clone();
        (world.particles, world.open_boundaries.budget) = (particles, budget);
        Some((state.scene.clone(), world, state.is_set))
    })?;
    let (scene, world, is_set) = start.ok_or_else(|| {
        PyRuntimeError::new_err("a run begins at the start: make a new Simulation, and run that")
    })?;
    warn_of_foam(this.py(), &scene)?;
    let meshes: Vec<&str> = scene.meshes.iter().map(|mesh| mesh.name.as_str()).collect();
    // Before there is a folder: what fails here leaves none.
    let records = Records::new(this, &scene, callbacks)?.with_set(is_set);
    let folder = RunFolder::create(out, &meshes, overwrite);
    let folder = folder.map_err(|error| errors::folder(&error))?;
    let plan = Plan { world, ..Plan::from(&*scene) };
    let recorder = Recorder::start(folder, &plan.world, records.info(&plan));
    let recorder = recorder.map_err(|error| errors::folder(&error))?;
    execute(this, &busy, out, Begun { plan, resumed: None, recorder, callbacks })
}

/// Warns that a run leaves out the foam of its scene.
pub fn warn_of_foam(py: Python<'_>, scene: &Prepared) -> PyResult<()> {
    if scene.foam.is_none() {
        return Ok(());
    }
    let text =
        "a run from Python leaves out the `foam` of its scene: `sim foam` adds it afterwards";
    errors::warn_of_scene(py, text)
}

/// What the records of a run say besides its plan.
pub struct Records<'a> {
    name: String,
    scene: &'a Prepared,
    meshes: Vec<(&'a str, &'a [u8])>,
    command: Vec<String>,
    threads: usize,
    /// Whether the scene alone does not tell how it goes on.
    has_callbacks: bool,
}

impl<'a> Records<'a> {
    /// Of a run of a simulation with these functions.
    pub fn new(
        this: &Bound<'_, Simulation>,
        scene: &'a Prepared,
        callbacks: &Callbacks,
    ) -> PyResult<Self> {
        let (simulation, py) = (this.get(), this.py());
        let acts = callbacks.on_step.is_some() || !simulation.on_step(py).is_empty();
        let mesh = |mesh: &'a hashfall::scene::MeshFile| (mesh.name.as_str(), &mesh.bytes[..]);
        Ok(Records {
            name: simulation.name.clone(),
            scene,
            meshes: scene.meshes.iter().map(mesh).collect(),
            command: command(py)?,
            threads: simulation.threads.count,
            has_callbacks: acts || !simulation.forces().is_empty(),
        })
    }

    /// Also marked if a program has set something of the world before.
    pub fn with_set(self, is_set: bool) -> Self {
        Records { has_callbacks: self.has_callbacks || is_set, ..self }
    }

    /// With a plan.
    pub fn info(&'a self, plan: &'a Plan) -> RunInfo<'a> {
        RunInfo {
            name: &self.name,
            scene: &self.scene.resolved,
            meshes: &self.meshes,
            command: &self.command,
            threads: self.threads,
            frames: plan.frames,
            output: &plan.output,
            probes: &plan.probes.list,
            body_names: &plan.body_names,
            has_callbacks: self.has_callbacks,
        }
    }
}

/// The words that started the program; bytes that are no text are replaced.
fn command(py: Python<'_>) -> PyResult<Vec<String>> {
    let words: Vec<OsString> = py.import("sys")?.getattr("argv")?.extract()?;
    Ok(words.iter().map(|word| word.to_string_lossy().into_owned()).collect())
}

/// A run whose records have begun.
pub struct Begun<'a> {
    pub plan: Plan,
    pub resumed: Option<Resumed>,
    pub recorder: Recorder,
    pub callbacks: &'a Callbacks,
}

/// Does a run, and ends its records.
///
/// # Errors
/// What a function raised; why the run failed.
pub fn execute(
    this: &Bound<'_, Simulation>,
    busy: &Busy<'_>,
    out: &Path,
    run: Begun,
) -> PyResult<Run> {
    let Begun { plan, resumed, recorder, callbacks } = run;
    let outcome = observer::run(this, busy, Job { plan, resumed, recorder, callbacks });
    let Outcome { report, end, raised, recorder } = match outcome {
        Ok(outcome) => outcome,
        Err((error, recorder)) => {
            // The first error is the one to tell.
            if let Some(recorder) = recorder {
                drop(recorder.finish(&Status::Failed(error.to_string())));
            }
            return Err(error);
        }
    };
    let status = match (&end, &raised) {
        (End::Finished, _) => Status::Finished,
        (End::Interrupted, _) => Status::Interrupted,
        (_, Some(raised)) => Status::Failed(raised.to_string()),
        (End::Unwritable(error), None) => Status::Failed(error.to_string()),
        (end, None) => Status::Failed(failure(end)),
    };
    let recorded = recorder.finish(&status);
    if let Some(raised) = raised {
        return Err(raised);
    }
    match (end, status) {
        (End::Unwritable(error), _) => return Err(errors::folder(&error)),
        (_, Status::Failed(reason)) => return Err(SimulationError::new_err(reason)),
        _ => recorded.map_err(|error| errors::folder(&error))?,
    }
    Ok(Run {
        folder: out.to_path_buf(),
        frames: report.frames,
        steps: report.steps,
        time: report.time,
        digest: format!("{:016x}", report.digest),
    })
}

/// Why a run failed, as the program says it.
fn failure(end: &End) -> String {
    match end {
        End::BlewUp(blow_up) => format!("the simulation blew up: {blow_up}"),
        End::Breached(breach) => format!("the simulation exceeded a limit: {breach}"),
        End::Stalled(stall) => format!("the simulation stalled: {stall}"),
        End::WrongNeighbors(what) => format!("the neighbour search failed verification: {what}"),
        End::Unwritable(error) => error.to_string(),
        End::Finished | End::Interrupted => String::new(),
    }
}
