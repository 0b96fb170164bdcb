//! The points of a sweep as processes side by side, on this machine's cores and in its memory.
//!
//! Each point is a process of its own (`sim sweep DIR --point N`): what happens to one happens to
//! no other. It tells its progress as events, and stops with a checkpoint when its stdin ends,
//! which is how it is asked to, and what the end of this process does as well.

use super::collect;
use super::point::{BUSY, DISK_FULL};
use super::show::Board;
use crate::cli::args::SweepArgs;
use crate::cli::console::Verdict;
use crate::cli::files::load;
use crate::cli::files::path_policy::PathPolicy;
use crate::cli::files::sweep_folder::SweepFolder;
use crate::cli::preview;
use crate::cli::session::Process;
use crate::cli::system::memory;
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

/// How often it is looked whether all shall stop.
const PATIENCE: Duration = Duration::from_millis(100);
/// Processes on a core at the most, if nobody asks for more: of a thousand none would get far.
const MAX_JOBS_OF_CORE: usize = 4;
/// How often a point is tried that another process runs, and how long: one whose workers was killed
/// stops at its next step, and writes a checkpoint first.
const RETRY: Duration = Duration::from_millis(500);
const MAX_WAIT: Duration = Duration::from_secs(120);

/// Runs all points that have not ended, and gathers the results.
pub fn run(folder: &SweepFolder, args: &SweepArgs, process: &Process) -> Result<Verdict, Verdict> {
    let console = process.console;
    let stop = StopSignal::install(console)?;
    stop.let_files_be_finished();
    let due = VecDeque::from(folder.due(args.retry_failed));
    let most = thread::available_parallelism().map_or(1, usize::from) * MAX_JOBS_OF_CORE;
    let jobs = args.jobs.unwrap_or(process.threads.min(most)).min(due.len().max(1));
    let mut board = Board::new(console, args.is_quiet(), folder.points(), due.len());
    let (tell, told) = channel();
    let mut workers = Workers {
        program: std::env::current_exe().unwrap_or_else(|_| "sim".into()),
        folder,
        args,
        jobs,
        threads: process.threads.max(jobs),
        memory: if args.allow_shortage { None } else { memory::free() },
        due,
        running: BTreeMap::new(),
        is_refused: false,
        is_disk_full: false,
        busy: BTreeMap::new(),
        warned: BTreeSet::new(),
        next_memory: None,
        tell,
    };
    board.begin(jobs);
    workers.work(&told, &stop, &mut board);
    board.end();
    let is_stopped = || stop.requests().stop.load(Ordering::SeqCst);
    let was_stopped = is_stopped();
    if workers.is_disk_full {
        // The results would find no room either.
        console.error(format_args!(
            "the disk has no room for the sweep, which stops: make room, and go on with `sim sweep \
             {}`",
            folder.path().display()
        ));
        return Ok(Verdict::Failed);
    }
    let verdict = collect::collect(folder, args, console, &is_stopped);
    if was_stopped {
        if !args.is_quiet() {
            console.talk(format_args!(
                "interrupted; go on with `sim sweep {}`",
                folder.path().display()
            ));
        }
        return Ok(Verdict::Stopped(stop.exit_code()));
    }
    Ok(if workers.is_refused { verdict.or_worse(Verdict::WrongInput) } else { verdict })
}

/// What a process tells.
enum WorkerMessage {
    /// The part of its point that is done.
    Progress(f64),
    /// It has ended; with its last words.
    Ended(io::Result<ExitStatus>, String),
}

/// A point that is being run.
struct Running {
    threads: usize,
    memory: u64,
    /// Its end asks the process to stop.
    stdin: Option<ChildStdin>,
}

/// Who runs points side by side.
struct Workers<'a> {
    /// Where this program is.
    program: PathBuf,
    folder: &'a SweepFolder,
    args: &'a SweepArgs,
    jobs: usize,
    threads: usize,
    /// What all may take together \[bytes\]; none if nobody counts.
    memory: Option<u64>,
    due: VecDeque<usize>,
    running: BTreeMap<usize, Running>,
    /// Whether a point was refused for what is not its own.
    is_refused: bool,
    /// Whether a point found the disk full.
    is_disk_full: bool,
    /// Points that other processes run: since when that is known, and when they are tried again.
    busy: BTreeMap<usize, (Instant, Instant)>,
    /// What points have warned of: many warn of the same.
    warned: BTreeSet<String>,
    /// The next point that is due, and what it takes \[bytes\], once that is known.
    next_memory: Option<(usize, u64)>,
    tell: Sender<(usize, WorkerMessage)>,
}

impl Workers<'_> {
    /// Until nothing is due and nothing runs, or it is asked to stop and all have.
    fn work(
        &mut self,
        told: &Receiver<(usize, WorkerMessage)>,
        stop: &StopSignal,
        board: &mut Board,
    ) {
        loop {
            if stop.requests().stop.load(Ordering::SeqCst) || self.is_disk_full {
                self.due.clear();
                self.running.values_mut().for_each(|running| drop(running.stdin.take()));
            }
            // One at a time, so that what has happened meanwhile is heeded between.
            if let Some(point) = self.next() {
                self.start(point, board);
                continue;
            }
            if self.running.is_empty() && self.due.is_empty() {
                return;
            }
            match told.recv_timeout(PATIENCE) {
                Ok((point, WorkerMessage::Progress(part))) => board.progress(point, part),
                Ok((point, WorkerMessage::Ended(status, words))) => {
                    self.end(point, status, &words, board)
                }
                // The workers itself can tell, too, so that nobody ever hangs up.
                Err(_) => {}
            }
            board.refresh();
        }
    }

    /// The next point, if there is room for it beside those that run.
    fn next(&mut self) -> Option<usize> {
        if self.running.len() >= self.jobs {
            return None;
        }
        let now = Instant::now();
        let can_start = |point: &usize| self.busy.get(point).is_none_or(|(_, again)| *again <= now);
        let place = self.due.iter().position(can_start)?;
        let point = self.due[place];
        if let Some(all) = self.memory {
            let known = self.next_memory.filter(|(of, _)| *of == point).map(|(_, memory)| memory);
            let next = known.unwrap_or_else(|| self.memory_of(point));
            self.next_memory = Some((point, next));
            let taken: u64 = self.running.values().map(|running| running.memory).sum();
            if !self.running.is_empty() && taken.saturating_add(next) > all {
                return None;
            }
        }
        self.due.remove(place)
    }

    /// What a point will take; nothing if it cannot be run: it will say why itself.
    fn memory_of(&self, point: usize) -> u64 {
        let record = &self.folder.manifest().record;
        let (scene, reach) = (Path::new(&record.scene), PathPolicy::new(record.allow_outside));
        let overrides = self.folder.manifest().overrides(point);
        let prepared =
            overrides.ok().and_then(|overrides| load::prepare(scene, &overrides, reach).ok());
        prepared.map_or(0, |scene| {
            let previews = preview::memory::after_run(&scene, 0, 1);
            Plan::from(&scene).memory_with_surfaces().max(previews)
        })
    }

    /// Starts a point's process on its share of the threads that are free.
    fn start(&mut self, point: usize, board: &mut Board) {
        let taken: usize = self.running.values().map(|running| running.threads).sum();
        let memory = self.next_memory.take().map_or(0, |(_, memory)| memory);
        let places = (self.jobs - self.running.len()).min(self.due.len() + 1);
        let threads = (self.threads.saturating_sub(taken) / places.min(self.room(memory))).max(1);
        let mut child = match self.command(point, threads).spawn() {
            Ok(child) => child,
            // The system has no more processes or files for this one: fewer side by side.
            Err(_) if !self.running.is_empty() => {
                self.jobs = self.running.len();
                return self.due.push_front(point);
            }
            Err(error) => return board.left(point, &format!("cannot start its process: {error}")),
        };
        let stdin = child.stdin.take();
        listen(child, point, self.tell.clone());
        self.running.insert(point, Running { threads, memory, stdin });
        board.start(point, &collect::parameters(self.folder, point));
    }

    /// How many points like this one have room in the memory that is not taken; at least one.
    fn room(&self, memory: u64) -> usize {
        let taken: u64 = self.running.values().map(|running| running.memory).sum();
        let free = self.memory.map_or(u64::MAX, |all| all.saturating_sub(taken));
        (free / memory.max(1)).clamp(1, self.jobs as u64) as usize
    }

    fn command(&self, point: usize, threads: usize) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("sweep").args(["--point", &point.to_string()]);
        command.args(["--threads", &threads.to_string(), "--log", "json", "--until-stdin-ends"]);
        // A folder may be called like an option.
        command.args(self.args.of_points()).arg("--").arg(self.folder.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Notes how a process ended. One that left no outcome was stopped, or fell.
    fn end(
        &mut self,
        point: usize,
        status: io::Result<ExitStatus>,
        words: &str,
        board: &mut Board,
    ) {
        self.running.remove(&point);
        let warnings = words.lines().filter(|line| line.starts_with("warning: "));
        let new = warnings.filter(|line| self.warned.insert((*line).to_owned()));
        new.for_each(|warning| board.warn(point, warning));
        let code = status.as_ref().ok().and_then(ExitStatus::code);
        let standing = self.folder.standing(point);
        if let PointStatus::Ended(outcome) = standing {
            return board.ended(point, &outcome);
        }
        match (code, status) {
            (Some(code), _) if code == i32::from(BUSY) => self.wait_for(point, board),
            (Some(code), _) if code == i32::from(DISK_FULL) => {
                self.is_disk_full = true;
                board.left(point, first_error(words));
            }
            (Some(code), _) if is_exit_code(code) => board.stopped(point),
            // Refused: not for what the point sets, but for the sweep's scene or folder.
            (Some(2), _) => {
                self.due.clear();
                self.is_refused = true;
                board.left(point, first_error(words));
            }
            (Some(code), _) => {
                let reason = format!("its process ended with code {code}: {}", first_error(words));
                let outcome = PointOutcome::Failed { reason };
                match self.folder.note(point, &outcome) {
                    Ok(()) => board.ended(point, &outcome),
                    Err(error) => {
                        self.is_disk_full |= error.is_disk_full();
                        board.left(point, &error.to_string());
                    }
                }
            }
            (None, Ok(status)) => board.left(point, &format!("its process was killed: {status}")),
            (None, Err(error)) => board.left(point, &format!("its process was lost: {error}")),
        }
    }

    /// Lets a point be tried again that another process runs, unless that goes on for long.
    fn wait_for(&mut self, point: usize, board: &mut Board) {
        let now = Instant::now();
        let (since, again) = self.busy.entry(point).or_insert((now, now));
        *again = now + RETRY;
        if now.duration_since(*since) > MAX_WAIT {
            return board.left(point, "another process runs it");
        }
        self.due.push_back(point);
        board.stopped(point);
    }
}

/// Passes on what a process tells, until it ends.
fn listen(mut child: Child, point: usize, tell: Sender<(usize, WorkerMessage)>) {
    let stderr = child.stderr.take();
    let words = thread::spawn(move || stderr.map(read_tail).unwrap_or_default());
    let stdout = child.stdout.take();
    thread::spawn(move || {
        for line in stdout.into_iter().flat_map(|out| BufReader::new(out).lines()) {
            let Ok(line) = line else { break };
            let event: serde_json::Value = serde_json::from_str(&line).unwrap_or_default();
            if let Some(part) = event["progress"].as_f64() {
                // Nobody listens any more when all has ended.
                let _ = tell.send((point, WorkerMessage::Progress(part)));
            }
        }
        let status = child.wait();
        let words = words.join().unwrap_or_default();
        let words = String::from_utf8_lossy(&words).into_owned();
        let _ = tell.send((point, WorkerMessage::Ended(status, words)));
    });
}

/// The first error in what a process has said, or its first words.
fn first_error(words: &str) -> &str {
    let is_error = |line: &&str| line.starts_with("error: ") || line.contains("panicked at");
    words.lines().find(is_error).or_else(|| words.lines().next()).unwrap_or("it said nothing")
}
