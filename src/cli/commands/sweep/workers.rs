//! Runs the points of a sweep as parallel processes, within this machine's cores and memory.
//!
//! Each point is a separate process (`sim sweep DIR --point N`), so that a crash affects only one
//! point. It reports progress as events, and stops with a checkpoint when its stdin ends: on
//! request, and when this process ends.

use super::collect;
use super::point::{BUSY, DISK_FULL};
use super::progress_board::ProgressBoard;
use crate::cli::args::SweepArgs;
use crate::cli::console::{Verdict, shell_path};
use crate::cli::files::load;
use crate::cli::files::path_policy::PathPolicy;
use crate::cli::files::sweep_folder::SweepFolder;
use crate::cli::preview;
use crate::cli::session::Process;
use crate::cli::system::memory;
use crate::cli::system::program;
use crate::cli::system::stderr_tail::read_tail;
use crate::cli::system::stop_signal::{StopSignal, is_exit_code};
use hashfall_run::Plan;
use hashfall_sweep::{PointOutcome, PointStatus};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How often the stop request is polled.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Upper bound of processes per core unless the user requests more.
const MAX_JOBS_OF_CORE: usize = 4;
/// Interval and timeout of waiting for a point that another process runs: after a killed sweep,
/// such a process writes a checkpoint and stops at its next step.
const RETRY: Duration = Duration::from_millis(500);
const MAX_WAIT: Duration = Duration::from_secs(120);

/// Runs all points that have not ended, and collects the results.
pub fn run(folder: &SweepFolder, args: &SweepArgs, process: &Process) -> Result<Verdict, Verdict> {
    let console = process.console;
    let stop = StopSignal::install(console)?;
    stop.stop_after(args.max_time, console)?;
    stop.finish_files_first();
    let pending = VecDeque::from(folder.pending(args.retry_failed));
    let most = thread::available_parallelism().map_or(1, usize::from) * MAX_JOBS_OF_CORE;
    let jobs = args.jobs.unwrap_or(process.threads.min(most)).min(pending.len().max(1));
    let mut board = ProgressBoard::new(console, args.is_quiet(), folder.points(), pending.len());
    let (sender, messages) = channel();
    let mut workers = Workers {
        program: program::program().unwrap_or_else(|_| "sim".into()),
        folder,
        args,
        jobs,
        threads: process.threads.max(jobs),
        memory: if args.allow_shortage { None } else { memory::free() },
        pending,
        running: BTreeMap::new(),
        is_refused: false,
        is_disk_full: false,
        busy: BTreeMap::new(),
        warned: BTreeSet::new(),
        next_memory: None,
        sender,
    };
    board.begin(jobs);
    workers.work(&messages, &stop, &mut board);
    board.end();
    let is_stopped = || stop.requests().stop.load(Ordering::SeqCst);
    let was_stopped = is_stopped();
    if workers.is_disk_full {
        // The results could not be written either.
        console.error(format_args!(
            "the disk is full; free some space, and continue with `sim sweep {}`",
            shell_path(folder.path())
        ));
        return Ok(Verdict::Failed);
    }
    let verdict = collect::collect(folder, args, console, &is_stopped);
    if was_stopped {
        if !args.is_quiet() {
            console.message(format_args!(
                "{}; continue with `sim sweep {}`",
                stop.reason(),
                shell_path(folder.path())
            ));
        }
        return Ok(Verdict::Stopped(stop.exit_code()));
    }
    Ok(if workers.is_refused { verdict.or_worse(Verdict::WrongInput) } else { verdict })
}

/// A message from the process of a point.
enum WorkerMessage {
    /// The fraction of its point that is done.
    Progress(f64),
    /// It has ended; with the end of its stderr.
    Ended(io::Result<ExitStatus>, String),
}

/// A point that is being run.
struct Running {
    threads: usize,
    memory: u64,
    /// Closing it requests a stop.
    stdin: Option<ChildStdin>,
}

/// The processes that run points, and the queue of points.
struct Workers<'a> {
    /// The path of this program.
    program: PathBuf,
    folder: &'a SweepFolder,
    args: &'a SweepArgs,
    jobs: usize,
    threads: usize,
    /// Memory for all processes \[bytes\]; `None` for no limit.
    memory: Option<u64>,
    pending: VecDeque<usize>,
    running: BTreeMap<usize, Running>,
    /// Whether a point was rejected for the sweep's scene or folder.
    is_refused: bool,
    /// Whether a point found the disk full.
    is_disk_full: bool,
    /// Points that other processes run: since when, and the time of the next attempt.
    busy: BTreeMap<usize, (Instant, Instant)>,
    /// Warnings of points, to print each only once.
    warned: BTreeSet<String>,
    /// The next pending point and its memory \[bytes\], once known.
    next_memory: Option<(usize, u64)>,
    sender: Sender<(usize, WorkerMessage)>,
}

impl Workers<'_> {
    /// Runs until no point is pending or running, or until all have stopped on request.
    fn work(
        &mut self,
        messages: &Receiver<(usize, WorkerMessage)>,
        stop: &StopSignal,
        board: &mut ProgressBoard,
    ) {
        loop {
            if stop.requests().stop.load(Ordering::SeqCst) || self.is_disk_full {
                self.pending.clear();
                self.running.values_mut().for_each(|running| drop(running.stdin.take()));
            }
            // One at a time, so that messages are handled in between.
            if let Some(point) = self.next() {
                self.start(point, board);
                continue;
            }
            if self.running.is_empty() && self.pending.is_empty() {
                return;
            }
            match messages.recv_timeout(POLL_INTERVAL) {
                Ok((point, WorkerMessage::Progress(part))) => board.progress(point, part),
                Ok((point, WorkerMessage::Ended(status, stderr_text))) => {
                    self.end(point, status, &stderr_text, board)
                }
                // A sender is kept here, so that the channel never closes.
                Err(_) => {}
            }
            board.refresh();
        }
    }

    /// The next point, if a job and memory are free.
    fn next(&mut self) -> Option<usize> {
        if self.running.len() >= self.jobs {
            return None;
        }
        let now = Instant::now();
        let can_start = |point: &usize| self.busy.get(point).is_none_or(|(_, again)| *again <= now);
        let place = self.pending.iter().position(can_start)?;
        let point = self.pending[place];
        if let Some(all) = self.memory {
            let known = self.next_memory.filter(|(of, _)| *of == point).map(|(_, memory)| memory);
            let next = known.unwrap_or_else(|| self.memory_of(point));
            self.next_memory = Some((point, next));
            let taken: u64 = self.running.values().map(|running| running.memory).sum();
            if !self.running.is_empty() && taken.saturating_add(next) > all {
                return None;
            }
        }
        self.pending.remove(place)
    }

    /// The memory of a point; 0 if it cannot run, as it will report why itself.
    fn memory_of(&self, point: usize) -> u64 {
        let record = &self.folder.manifest().record;
        let (scene, path_policy) =
            (Path::new(&record.scene), PathPolicy::new(record.allow_outside));
        let overrides = self.folder.manifest().overrides(point);
        let prepared =
            overrides.ok().and_then(|overrides| load::prepare(scene, &overrides, path_policy).ok());
        prepared.map_or(0, |scene| {
            let previews = preview::memory::after_run(&scene, 0, 1);
            Plan::from(&scene).memory_with_surfaces().max(previews)
        })
    }

    /// Starts the process of a point with its share of the free threads.
    fn start(&mut self, point: usize, board: &mut ProgressBoard) {
        let taken: usize = self.running.values().map(|running| running.threads).sum();
        let memory = self.next_memory.take().map_or(0, |(_, memory)| memory);
        let places = (self.jobs - self.running.len()).min(self.pending.len() + 1);
        let threads =
            (self.threads.saturating_sub(taken) / places.min(self.fitting(memory))).max(1);
        let mut child = match self.command(point, threads).spawn() {
            Ok(child) => child,
            // The system has no more processes or files: fewer in parallel.
            Err(_) if !self.running.is_empty() => {
                self.jobs = self.running.len();
                return self.pending.push_front(point);
            }
            Err(error) => {
                return board.unfinished(point, &format!("cannot start its process: {error}"));
            }
        };
        let stdin = child.stdin.take();
        listen(child, point, self.sender.clone());
        self.running.insert(point, Running { threads, memory, stdin });
        board.start(point, &collect::parameters(self.folder, point));
    }

    /// How many points of this memory fit into the free memory; at least one.
    fn fitting(&self, memory: u64) -> usize {
        let taken: u64 = self.running.values().map(|running| running.memory).sum();
        let free = self.memory.map_or(u64::MAX, |all| all.saturating_sub(taken));
        (free / memory.max(1)).clamp(1, self.jobs as u64) as usize
    }

    fn command(&self, point: usize, threads: usize) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("sweep").args(["--point", &point.to_string()]);
        command.args(["--threads", &threads.to_string(), "--log", "json", "--until-stdin-ends"]);
        // A folder's name may look like an option.
        command.args(self.args.point_options()).arg("--").arg(self.folder.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Handles the end of a process. One without an outcome was stopped or crashed.
    fn end(
        &mut self,
        point: usize,
        status: io::Result<ExitStatus>,
        stderr_text: &str,
        board: &mut ProgressBoard,
    ) {
        self.running.remove(&point);
        let warnings = stderr_text.lines().filter(|line| line.starts_with("warning: "));
        let new = warnings.filter(|line| self.warned.insert((*line).to_owned()));
        new.for_each(|warning| board.warn(point, warning));
        let code = status.as_ref().ok().and_then(ExitStatus::code);
        let standing = self.folder.status(point);
        if let PointStatus::Ended(outcome) = standing {
            return board.ended(point, &outcome);
        }
        match (code, status) {
            (Some(code), _) if code == i32::from(BUSY) => self.wait_for(point, board),
            (Some(code), _) if code == i32::from(DISK_FULL) => {
                self.is_disk_full = true;
                board.unfinished(point, first_error(stderr_text));
            }
            (Some(code), _) if is_exit_code(code) => board.stopped(point),
            // Rejected not for the point's settings, but for the sweep's scene or folder.
            (Some(2), _) => {
                self.pending.clear();
                self.is_refused = true;
                board.unfinished(point, first_error(stderr_text));
            }
            (Some(code), _) => {
                let reason = format!(
                    "its process ended with exit code {code}: {}",
                    first_error(stderr_text)
                );
                let outcome = PointOutcome::Failed { reason };
                match self.folder.record_outcome(point, &outcome) {
                    Ok(()) => board.ended(point, &outcome),
                    Err(error) => {
                        self.is_disk_full |= error.is_disk_full();
                        board.unfinished(point, &error.to_string());
                    }
                }
            }
            (None, Ok(status)) => {
                board.unfinished(point, &format!("its process was killed: {status}"))
            }
            (None, Err(error)) => {
                board.unfinished(point, &format!("its process was lost: {error}"))
            }
        }
    }

    /// Schedules another attempt at a point that another process runs, up to a timeout.
    fn wait_for(&mut self, point: usize, board: &mut ProgressBoard) {
        let now = Instant::now();
        let (since, again) = self.busy.entry(point).or_insert((now, now));
        *again = now + RETRY;
        if now.duration_since(*since) > MAX_WAIT {
            return board.unfinished(point, "another process runs it");
        }
        self.pending.push_back(point);
        board.stopped(point);
    }
}

/// Forwards the messages of a process until it ends.
fn listen(mut child: Child, point: usize, sender: Sender<(usize, WorkerMessage)>) {
    let stderr = child.stderr.take();
    let stderr_text = thread::spawn(move || stderr.map(read_tail).unwrap_or_default());
    let stdout = child.stdout.take();
    thread::spawn(move || {
        for line in stdout.into_iter().flat_map(|out| BufReader::new(out).lines()) {
            let Ok(line) = line else { break };
            let event: serde_json::Value = serde_json::from_str(&line).unwrap_or_default();
            if let Some(part) = event["progress"].as_f64() {
                // The receiver is gone when the sweep has ended.
                let _ = sender.send((point, WorkerMessage::Progress(part)));
            }
        }
        let status = child.wait();
        let stderr_text = stderr_text.join().unwrap_or_default();
        let stderr_text = String::from_utf8_lossy(&stderr_text).into_owned();
        let _ = sender.send((point, WorkerMessage::Ended(status, stderr_text)));
    });
}

/// The first error line of a process's stderr, or its first line.
fn first_error(stderr_text: &str) -> &str {
    let is_error = |line: &&str| line.starts_with("error: ") || line.contains("panicked at");
    stderr_text
        .lines()
        .find(is_error)
        .or_else(|| stderr_text.lines().next())
        .unwrap_or("it printed no message")
}
