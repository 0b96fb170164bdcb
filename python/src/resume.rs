//! Runs that are resumed, with the functions that act on them.

use crate::access::Simulation;
use crate::errors::{self, FolderError};
use crate::observer::Callbacks;
use crate::paths::GivenPath;
use crate::pools::Threads;
use crate::run::{self, Begun, Records, Run};
use crate::scenes;
use crate::state::State;
use hashfall::cli;
use hashfall::output::{Checkpoint, CheckpointError, Recorder, ResumePoint, RunFolder, StoppedRun};
use hashfall::run::{Notes, Plan, Resumed};
use hashfall::scene::Override;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Resumes a stopped run; the result is the same as without the stop, if the functions are.
#[pyfunction]
#[pyo3(signature = (
    folder, *, on_step=None, on_frame=None, forces=Vec::new(), frames=None, set=None,
    threads=None, allow_outside=false
))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub fn resume(
    py: Python<'_>,
    folder: GivenPath,
    on_step: Option<Py<PyAny>>,
    on_frame: Option<Py<PyAny>>,
    forces: Vec<Py<PyAny>>,
    frames: Option<u32>,
    set: Option<&Bound<'_, PyDict>>,
    threads: Option<usize>,
    allow_outside: bool,
) -> PyResult<Run> {
    let GivenPath(folder) = folder;
    let failed = |error| errors::folder(&error);
    let run = RunFolder::for_resume(&folder).and_then(StoppedRun::open).map_err(failed)?;
    if run.has_callbacks() && on_step.is_none() && forces.is_empty() {
        return Err(PyValueError::new_err(
            "functions, or what a program has set, act on this run, and it resumes only with them: \
             pass `on_step`, or `forces`",
        ));
    }
    let mut changes = scenes::overrides(py, set)?;
    changes.extend(frames.map(|count| Override::new("frames.count", &count.to_string())));
    let threads = Threads::new(threads);
    let pool = threads.pool(py)?;
    let scene = py.detach(|| pool.install(|| cli::reopen(&folder, &changes, allow_outside)));
    let scene = scene.map_err(|faults| errors::scene(py, faults))?;
    errors::warn(py, &scene.warnings)?;
    let mut plan = Plan::from(&scene);
    if let Some(last) = run.finished_frames().filter(|&last| plan.frames.count <= last) {
        let (steps, time, digest) = run.extent();
        return Ok(Run { folder, frames: last + 1, steps, time, digest: digest.to_owned() });
    }
    run::warn_of_foam(py, &scene)?;
    let name = run.name().to_owned();
    let state = py.detach(|| pool.install(|| State::new(scene)));
    let state = state.map_err(|error| errors::start(&error))?;
    let scene = state.scene.clone();
    let this = Bound::new(py, Simulation::from_state(state, threads, name))?;
    for force in forces {
        this.call_method1("add_force", (force,))?;
    }
    let (from, resumed) = restore(py, &run, &mut plan, &changes)?;
    if resumed.as_ref().is_some_and(|resumed| resumed.frame > plan.frames.count) {
        return Err(FolderError::new_err("the run has more frames already"));
    }
    let callbacks = Callbacks { on_step, on_frame };
    let records = Records::new(&this, &scene, &callbacks)?;
    let setting = |it: Override| format!("{}={}", it.key, it.value);
    let settings = changes.into_iter().map(setting).collect();
    let recorder = run.resume(&plan.world, records.info(&plan), from, settings);
    let recorder: Recorder = recorder.map_err(failed)?;
    let busy = this.get().begin()?;
    run::execute(&this, &busy, &folder, Begun { plan, resumed, recorder, callbacks: &callbacks })
}

/// Brings a plan to the last checkpoint that can be used, if there is one.
fn restore(
    py: Python<'_>,
    run: &StoppedRun,
    plan: &mut Plan,
    changes: &[Override],
) -> PyResult<(Option<ResumePoint>, Option<Resumed>)> {
    let fits = |checkpoint: &Checkpoint<Notes>| {
        plan.check_checkpoint(checkpoint).map_err(CheckpointError::unsuitable)
    };
    let found = run.last_checkpoint(&fits).map_err(|error| errors::folder(&error))?;
    for (name, why) in &found.unusable {
        errors::warn_of(py, &format!("ignoring `{name}`: {why}"))?;
    }
    let Some((name, checkpoint)) = found.checkpoint else { return Ok((None, None)) };
    let (history, mut resumed) = plan.restore(checkpoint);
    if changes.iter().any(Override::changes_motion) {
        // Other forces have another energy: gains are measured from here.
        resumed.notes.report.energy = None;
    }
    Ok((Some(ResumePoint { history, checkpoint: Some(name) }), Some(resumed)))
}
