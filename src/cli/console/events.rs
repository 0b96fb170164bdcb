//! Events of a run for programs (`--log json`): JSON Lines on stdout, one object per line.
//!
//! Scripts read them, so the names are stable: docs/scripting.md lists them. Numbers are in SI
//! units. The last line is always [`Event::End`], except after a signal that ends the program at
//! once.
//!
//! A run continues without events when the reader closes the pipe. Any other write error makes the
//! verdict a failure.

use super::verdict::Verdict;
use hashfall_output::{BodyRow, StoppedRun};
use hashfall_run::RunReport;
use hashfall_scene::{Diagnostic, is_unprintable};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// An event.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event<'a> {
    /// A run starts or resumes.
    Start(Start),
    /// A frame has been written.
    Frame(Moment),
    /// A step has been taken; not every step is reported.
    Step {
        #[serde(flatten)]
        moment: Moment,
        /// Its time step \[s\].
        dt: f64,
        /// The limit that set it.
        limited_by: &'static str,
    },
    /// Bodies that move freely are here in a frame.
    Bodies {
        /// The frame.
        frame: u32,
        /// Simulated time \[s\].
        time: f64,
        /// In the order of the scene.
        bodies: Vec<BodyEvent<'a>>,
    },
    /// Probes have been read.
    Probes {
        /// Simulated time \[s\].
        time: f64,
        /// By the names of the probes, each in its unit.
        values: BTreeMap<&'a str, f64>,
    },
    /// A point of a sweep starts or ends.
    Point {
        /// Its number, from 0.
        point: usize,
        /// How many points the sweep has.
        points: usize,
        /// `running`, `finished`, `failed` or `unfinished`.
        status: &'static str,
        /// Why it failed or did not finish.
        reason: Option<&'a str>,
    },
    /// A problem that does not stop the run.
    Warning(DiagnosticEvent),
    /// A problem that stops the run or its start.
    Error(DiagnosticEvent),
    /// The last event.
    End(Ending<'a>),
}

/// The description of a run.
#[derive(Debug, Serialize)]
pub struct Start {
    /// Name and version.
    pub program: &'static str,
    /// Name of the scene.
    pub scene: String,
    /// Folder of the run's files.
    pub folder: String,
    /// Particles of fluid.
    pub particles: usize,
    /// Balls among the solids.
    pub spheres: usize,
    /// Triangles of the solids' meshes.
    pub triangles: usize,
    /// Threads that compute.
    pub threads: usize,
    /// The number of the last frame.
    pub frames: u32,
    /// Frames per second of simulated time \[1/s\].
    pub frame_rate: f64,
    /// The last frame before a resumed run.
    pub resumed_after: Option<u32>,
}

/// A body in a frame.
#[derive(Debug, Serialize)]
pub struct BodyEvent<'a> {
    /// Its place among the scene's solids.
    body: usize,
    /// Its name there.
    name: &'a str,
    /// Centre of mass \[m\].
    position: [f64; 3],
    /// Unit quaternion, its scalar first.
    orientation: [f64; 4],
    /// \[m/s\].
    velocity: [f64; 3],
    /// \[1/s\].
    spin: [f64; 3],
    /// Of the fluid \[N\].
    force: [f64; 3],
    /// Of the fluid about the centre of mass \[N m\].
    torque: [f64; 3],
    /// Of what it touches \[N\].
    contact_force: [f64; 3],
    /// Of what it touches, about the centre of mass \[N m\].
    contact_torque: [f64; 3],
}

impl<'a> BodyEvent<'a> {
    /// Of a body with its name.
    pub fn new(row: &BodyRow, name: &'a str) -> Self {
        BodyEvent {
            body: row.solid,
            name,
            position: row.state.position.into(),
            orientation: row.state.quaternion(),
            velocity: row.state.velocity.into(),
            spin: row.state.angular_velocity.into(),
            force: row.fluid.force.into(),
            torque: row.fluid.torque.into(),
            contact_force: row.contact.force.into(),
            contact_torque: row.contact.torque.into(),
        }
    }
}

/// The progress of a run.
#[derive(Debug, Serialize)]
pub struct Moment {
    /// The last frame written; 0 is the start.
    pub frame: u32,
    /// The number of the last frame.
    pub frames: u32,
    /// Simulated time \[s\].
    pub time: f64,
    /// Steps taken.
    pub steps: u64,
    /// The part of the simulated time that is done, from 0 to 1.
    pub progress: f64,
    /// Wall-clock time since the program began \[s\].
    pub wall: f64,
}

/// An error or a warning, with its source location if it has one.
#[derive(Debug, Serialize)]
pub struct DiagnosticEvent {
    pub message: String,
    /// File name as given by the user; `--set KEY=VALUE` counts as a file.
    file: Option<String>,
    /// From 1.
    line: Option<usize>,
    /// From 1, in characters.
    column: Option<usize>,
    /// A suggestion.
    help: Option<String>,
}

impl DiagnosticEvent {
    /// A message without a source location.
    pub fn new(message: &dyn fmt::Display) -> Self {
        DiagnosticEvent {
            message: message.to_string(),
            file: None,
            line: None,
            column: None,
            help: None,
        }
    }

    /// A problem of a scene, with its location.
    pub fn from_diagnostic(diagnostic: &Diagnostic) -> Self {
        let Diagnostic { source_name, span, message, help, .. } = diagnostic;
        let has_span = span.is_some();
        DiagnosticEvent {
            message: message.clone(),
            file: Some(source_name.clone()).filter(|name| !name.is_empty()),
            line: has_span.then(|| diagnostic.line()),
            column: has_span.then(|| diagnostic.column()),
            help: help.clone(),
        }
    }
}

/// The end of a command.
#[derive(Debug, Serialize)]
pub struct Ending<'a> {
    /// `finished`, `interrupted`, `failed` or `refused`.
    status: &'static str,
    /// The first error.
    reason: Option<&'a str>,
    #[serde(flatten)]
    extent: &'a RunExtent,
    /// Wall-clock time since the program began \[s\].
    wall: f64,
    exit_code: u8,
}

/// How far a run came.
#[derive(Debug, Default, Serialize)]
pub struct RunExtent {
    /// Frames written, with that of the start.
    frames: u32,
    /// Steps taken.
    steps: u64,
    /// Simulated time \[s\].
    time: f64,
    /// Digest of the last state, if there was one.
    digest: Option<String>,
}

impl RunExtent {
    /// The extent of a run that has just ended.
    pub fn from_report(report: &RunReport) -> Self {
        let RunReport { frames, steps, time, digest, .. } = *report;
        RunExtent { frames, steps, time, digest: Some(format!("{digest:016x}")) }
    }

    /// The extent of a run that had ended before.
    pub fn from_stopped_run(run: &StoppedRun) -> Self {
        let (steps, time, digest) = run.extent();
        RunExtent { frames: run.frames_written(), steps, time, digest: Some(digest.to_owned()) }
    }
}

/// The stream of events of this process.
#[derive(Debug)]
pub struct Events {
    start: Instant,
    state: Mutex<State>,
}

/// The state of the stream.
#[derive(Debug, Default)]
struct State {
    extent: RunExtent,
    /// The error after which nothing is written.
    closed: Option<io::Error>,
}

impl Events {
    /// The stream to stdout; its wall clock starts now.
    pub fn new() -> Self {
        Events { start: Instant::now(), state: Mutex::default() }
    }

    /// Writes an event.
    pub fn emit(&self, event: &Event) {
        self.state().write(event);
    }

    /// Stores how far the run came, for the `end` event.
    pub fn set_extent(&self, extent: RunExtent) {
        self.state().extent = extent;
    }

    /// Writes the `end` event with the first error.
    pub fn end(&self, verdict: Verdict, reason: Option<&str>) {
        let mut state = self.state();
        let extent = std::mem::take(&mut state.extent);
        state.write(&Event::End(Ending {
            status: match verdict {
                Verdict::Done => "finished",
                Verdict::DiskFull(code) if code == Verdict::WrongInput.code() => "refused",
                Verdict::Failed | Verdict::DiskFull(_) => "failed",
                Verdict::WrongInput => "refused",
                Verdict::Stopped(_) => "interrupted",
            },
            reason,
            extent: &extent,
            wall: self.wall(),
            exit_code: verdict.code(),
        }));
    }

    /// The write error by which events were lost; `None` for a closed pipe.
    pub fn lost(&self) -> Option<String> {
        let state = self.state();
        let why = state.closed.as_ref()?;
        (why.kind() != io::ErrorKind::BrokenPipe).then(|| why.to_string())
    }

    /// Wall-clock time since the start \[s\].
    pub fn wall(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A thread that panicked while it wrote leaves at worst a torn line.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Writes a line in one piece, unless that has failed before.
    fn write(&mut self, event: &Event) {
        if self.closed.is_none() {
            self.closed = write_line(&line(event)).err();
        }
    }
}

fn write_line(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(line.as_bytes())?;
    out.flush()
}

/// An event as a line of JSON. Control characters are escaped.
fn line(event: &Event) -> String {
    let json = serde_json::to_string(event).expect("names and numbers are always JSON");
    let mut line = String::with_capacity(json.len() + 1);
    for c in json.chars() {
        if is_unprintable(c) {
            // Writing to memory does not fail; all such characters take one unit of UTF-16.
            let _ = write!(line, "\\u{:04x}", u32::from(c));
        } else {
            line.push(c);
        }
    }
    line.push('\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_a_flat_object() {
        let moment = Moment { frame: 3, frames: 9, time: 0.5, steps: 70, progress: 0.4, wall: 2.5 };
        assert_eq!(
            line(&Event::Step { moment, dt: 1e-4, limited_by: "sound" }),
            "{\"event\":\"step\",\"frame\":3,\"frames\":9,\"time\":0.5,\"steps\":70,\
             \"progress\":0.4,\"wall\":2.5,\"dt\":0.0001,\"limited_by\":\"sound\"}\n"
        );
    }

    #[test]
    fn a_line_is_an_object_that_does_nothing_to_a_terminal() {
        let message = "a\x1b[2J\r\n\u{202e}\u{9b}ü\u{7f}".to_owned();
        let shown = line(&Event::Warning(DiagnosticEvent::new(&message)));
        assert!(shown.ends_with("}\n") && !shown.trim_end().contains(is_unprintable), "{shown:?}");
        let read: serde_json::Value = serde_json::from_str(&shown).unwrap();
        assert_eq!((&read["event"], &read["message"]), (&"warning".into(), &message.into()));
    }
}
