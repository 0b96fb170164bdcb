//! How the frame loop and Python meet.
//!
//! The loop runs in a thread of its own, with its pool. The thread that called `run` waits for it
//! without the GIL, looks at signals meanwhile, and calls the functions of the program: so these
//! run where they would without a simulation, and Ctrl-C reaches them. Before each step, if there
//! are functions, the loop hands its world and stepper over and waits to get them back.

use crate::access::{Busy, Simulation};
use crate::calls::{Request, call};
use crate::forces;
use crate::functions::Function;
use crate::state::State;
use crate::waiting::{Process, SIGNAL_INTERVAL};
use hashfall::output::Recorder;
use hashfall::run::{End, Observer, Plan, Requests, Resumed, RunProgress, RunReport};
use hashfall::step::{StepReport, Stepper};
use hashfall::world::{Particles, World};
use pyo3::prelude::*;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, PoisonError};
use std::thread;

/// The functions of a program for a run.
#[derive(Default)]
pub struct Callbacks {
    /// Called before each step with the simulation.
    pub on_step: Option<Py<PyAny>>,
    /// Called after each frame with the simulation and the frame's number.
    pub on_frame: Option<Py<PyAny>>,
}

/// What the loop tells the waiting thread, mostly with the state.
enum Message {
    /// A step is to come; after a frame, if one has been written since the last.
    BeforeStep(Box<State>, Option<u32>),
    /// It has ended; likewise.
    Ended(Box<State>, Option<u32>),
    /// A function of Python is to give accelerations.
    Force(Request),
}

/// The loop's side.
struct LoopSide {
    messages: Sender<Message>,
    replies: Receiver<Box<State>>,
    /// The state of the simulation, whose world and stepper stand in for the loop's while these are
    /// away.
    state: Option<Box<State>>,
    requests: Requests,
    /// Whether there is anything to call before a step, and after a frame.
    has_on_step: bool,
    has_on_frame: bool,
    /// Forces to add before the first step.
    forces: Vec<Function>,
    frame: Option<u32>,
}

impl LoopSide {
    /// Exchanges world and stepper with those of the state.
    fn exchange(state: &mut State, world: &mut World, stepper: &mut Stepper) {
        mem::swap(world, &mut state.world);
        mem::swap(stepper, &mut state.stepper);
    }
}

impl Observer for LoopSide {
    fn frame(&mut self, progress: &RunProgress) {
        self.frame = Some(progress.frame).filter(|_| self.has_on_frame);
    }

    fn awaits_files(&self) -> bool {
        self.has_on_frame
    }

    fn step(&mut self, _: &RunProgress) {}

    fn state(&mut self, _: &World, step: &StepReport) {
        if let Some(state) = &mut self.state {
            state.last_step = Some(*step);
        }
    }

    fn before_step(&mut self, world: &mut World, stepper: &mut Stepper) {
        if let Some(state) = &self.state {
            for function in mem::take(&mut self.forces) {
                stepper.add_force(forces::force(
                    function,
                    Arc::clone(&state.pending),
                    state.desk.clone(),
                ));
            }
        }
        let frame = self.frame.take();
        if !self.has_on_step && frame.is_none() {
            return;
        }
        let Some(mut state) = self.state.take() else { return };
        Self::exchange(&mut state, world, stepper);
        let is_sent = self.messages.send(Message::BeforeStep(state, frame)).is_ok();
        let Some(mut state) = self.replies.recv().ok().filter(|_| is_sent) else {
            // What the loop has in hand is no state of the run: it may neither step nor be written.
            // So the loop ends here and now; the reason is told by who did not give it back.
            resume_unwind(Box::new("the state of the run is lost"));
        };
        Self::exchange(&mut state, world, stepper);
        self.state = Some(state);
    }

    fn end(&mut self, mut world: World, mut stepper: Stepper) {
        let Some(mut state) = self.state.take() else { return };
        Self::exchange(&mut state, &mut world, &mut stepper);
        // As above.
        drop(self.messages.send(Message::Ended(state, self.frame.take())));
    }
}

/// A run to do.
pub struct Job<'a> {
    pub plan: Plan,
    pub resumed: Option<Resumed>,
    pub recorder: Recorder,
    pub callbacks: &'a Callbacks,
}

/// How a run ended.
pub struct Outcome {
    pub report: RunReport,
    pub end: End,
    /// What a function or a signal handler raised, for which the run has stopped.
    pub raised: Option<PyErr>,
    pub recorder: Recorder,
}

/// Why a run has no outcome: with its recorder, but in a child process, where it is the parent's.
pub type Loss = (PyErr, Option<Box<Recorder>>);

/// Does a run of a simulation until its end, a signal, or an exception.
///
/// # Errors
/// If the state is not there, or is lost; if threads cannot be started; in a child process that a
/// function has forked.
pub fn run(this: &Bound<'_, Simulation>, busy: &Busy<'_>, job: Job) -> Result<Outcome, Loss> {
    let (simulation, py) = (this.get(), this.py());
    let Job { plan, resumed, mut recorder, callbacks } = job;
    let taken =
        simulation.threads.pool(py).and_then(|pool| Ok((pool, simulation.take_state(busy)?)));
    let (pool, mut state) = match taken {
        Ok(taken) => taken,
        Err(error) => return Err((error, Some(recorder.into()))),
    };
    let (to_waiting, mut messages) = channel();
    let (to_loop, replies) = channel();
    let requests = Requests::default();
    // The loop has its own from now on.
    (state.start, state.world.particles) = (None, Particles::default());
    let (pending, desk) = (Arc::clone(&state.pending), state.desk.clone());
    let from_forces = to_waiting.clone();
    desk.open(move |request| from_forces.send(Message::Force(request)).is_ok());
    let mut side = LoopSide {
        messages: to_waiting,
        replies,
        state: Some(state),
        requests: requests.clone(),
        has_on_step: callbacks.on_step.is_some() || !simulation.on_step(py).is_empty(),
        has_on_frame: callbacks.on_frame.is_some(),
        forces: simulation.forces(),
        frame: None,
    };
    let mut to_loop = Some(to_loop);
    let mut lost = None;
    let process = Process::current();
    let mut waiting = Waiting { this, busy, callbacks, requests, raised: None };
    // It owns all that it needs: a child process leaves it to its parent.
    let running = thread::spawn(move || {
        let requests = side.requests.clone();
        let ended = catch_unwind(AssertUnwindSafe(|| {
            pool.install(|| plan.run_from(resumed, Some(&mut recorder), &mut side, &requests))
        }));
        desk.close();
        (ended, side.state, recorder)
    });
    loop {
        let receiver = &mut messages;
        match py.detach(move || receiver.recv_timeout(SIGNAL_INTERVAL)) {
            Ok(Message::BeforeStep(state, frame)) => {
                match waiting.call(state, frame) {
                    // The loop waits for it, unless a panic has ended it.
                    Ok(state) => drop(to_loop.as_ref().map(|to_loop| to_loop.send(state))),
                    Err(error) => {
                        // Without a sender the loop waits no longer.
                        to_loop = None;
                        lost = Some(error);
                    }
                }
            }
            Ok(Message::Ended(state, frame)) => waiting.end(state, frame),
            Ok(Message::Force(request)) => request.answer(py),
            Err(RecvTimeoutError::Timeout) => {
                let checked = py.check_signals();
                waiting.note(checked);
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if let Err(forked) = process.check() {
            return Err((forked, None));
        }
    }
    drop(to_loop);
    let raised = waiting.raised;
    let (ended, state, recorder) =
        py.detach(|| running.join()).unwrap_or_else(|panic| resume_unwind(panic));
    if let Some(lost) = lost {
        return Err((raised.unwrap_or(lost), Some(recorder.into())));
    }
    let (report, end) = ended.unwrap_or_else(|panic| resume_unwind(panic));
    if let Some(state) = state {
        // It ended before its first step.
        simulation.put_state(state);
    }
    let has_failed = !matches!(end, End::Finished | End::Interrupted);
    if let Err(error) = simulation.read(|state| state.has_failed = has_failed) {
        return Err((error, Some(recorder.into())));
    }
    let pending = pending.lock().unwrap_or_else(PoisonError::into_inner).take();
    Ok(Outcome { report, end, raised: raised.or(pending), recorder })
}

/// The side of the thread that waits.
struct Waiting<'a, 'py> {
    this: &'a Bound<'py, Simulation>,
    busy: &'a Busy<'a>,
    callbacks: &'a Callbacks,
    requests: Requests,
    /// What was raised first.
    raised: Option<PyErr>,
}

impl Waiting<'_, '_> {
    /// Stores what was raised, and stops the run.
    fn note(&mut self, result: PyResult<()>) {
        if let Err(raised) = result {
            self.raised.get_or_insert(raised);
            self.requests.stop.store(true, Ordering::SeqCst);
        }
    }

    /// Lets Python see the state, and calls its functions before a step.
    fn call(&mut self, state: Box<State>, frame: Option<u32>) -> PyResult<Box<State>> {
        self.this.get().put_state(state);
        let checked = self.this.py().check_signals();
        self.note(checked);
        if self.raised.is_none() {
            let called = self.after_frame(frame).and_then(|()| self.before_step());
            self.note(called);
        }
        self.this.get().take_state(self.busy)
    }

    fn after_frame(&self, frame: Option<u32>) -> PyResult<()> {
        if let (Some(frame), Some(function)) = (frame, &self.callbacks.on_frame) {
            let is_in_on_frame = &self.this.get().is_in_on_frame;
            is_in_on_frame.store(true, Ordering::SeqCst);
            let py = self.this.py();
            let args = (self.this, frame).into_pyobject(py)?;
            let called = call(function.bind(py), &args);
            is_in_on_frame.store(false, Ordering::SeqCst);
            called?;
        }
        Ok(())
    }

    fn before_step(&self) -> PyResult<()> {
        Simulation::call_on_step(self.this)?;
        if let Some(function) = &self.callbacks.on_step {
            let py = self.this.py();
            call(function.bind(py), &(self.this,).into_pyobject(py)?)?;
        }
        Ok(())
    }

    /// Leaves the last state to the simulation.
    fn end(&mut self, state: Box<State>, frame: Option<u32>) {
        self.this.get().put_state(state);
        if self.raised.is_none() {
            let called = self.after_frame(frame);
            self.note(called);
        }
    }
}
