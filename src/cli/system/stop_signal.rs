//! Signals that end a run, signals that ask for a checkpoint, and signals that are ignored.
//!
//! | signal | sender | effect |
//! |---|---|---|
//! | SIGINT, SIGTERM | Ctrl-C, batch systems | stop after the step; a second one ends at once |
//! | SIGHUP | a terminal that closes | stop after the step, unless `nohup` has it ignored |
//! | SIGXCPU | the limit on CPU time | stop after the step |
//! | SIGUSR2 | batch systems, before they kill | stop after the step |
//! | SIGUSR1 | Slurm, before the end of a job's time | write a checkpoint and continue |
//! | SIGXFSZ | the limit on the size of files | the write fails with its error |
//!
//! A stopped run has a checkpoint and whole files, and its exit code is 128 plus the signal's
//! number. SIGHUP, SIGXCPU and SIGUSR2 never end a run at once: a closing terminal sends the first
//! of them more than once, and the kernel repeats the second every second of CPU time.
//!
//! `--max-time` and the end of stdin ask for the same as SIGTERM, once, and end nothing at once.
//!
//! Before a run has begun, and nothing of it is on disk, each of them ends the program at once.

use crate::cli::console::Console;
use crate::cli::console::Verdict;
use hashfall_run::Requests;
#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// The exit code of a program that a signal ended is this plus the signal's number.
const SIGNAL_EXIT_BASE: i32 = 128;
/// Signals of which a second one ends the program at once.
const FORCING: [i32; 2] = [SIGINT, SIGTERM];
/// Signals that only request a stop, however often they come.
#[cfg(unix)]
const REQUESTING: [i32; 3] = [SIGHUP, SIGXCPU, SIGUSR2];
#[cfg(not(unix))]
const REQUESTING: [i32; 0] = [];

/// The flags that signal handlers set for the run.
pub struct StopSignal {
    /// Whether a signal ends the program at once, because there are no files to finish.
    is_early: Arc<AtomicBool>,
    /// Whether the next [forcing](FORCING) signal ends the program.
    at_once: Arc<AtomicBool>,
    requests: Requests,
    exit_code: Arc<AtomicUsize>,
    /// Whether the time of the command is over.
    is_time_up: Arc<AtomicBool>,
}

impl StopSignal {
    /// Installs the handlers; a signal ends the program at once.
    ///
    /// # Errors
    /// If the system refuses a handler; the error has been printed.
    pub fn install(console: Console) -> Result<Self, Verdict> {
        StopSignal::try_install().map_err(|error| {
            console.error(format_args!("cannot install signal handlers: {error}"));
            Verdict::Failed
        })
    }

    fn try_install() -> io::Result<Self> {
        let signal = StopSignal {
            is_early: Arc::new(AtomicBool::new(true)),
            at_once: Arc::new(AtomicBool::new(false)),
            requests: Requests::default(),
            exit_code: Arc::new(AtomicUsize::new(0)),
            is_time_up: Arc::default(),
        };
        for number in FORCING {
            // Handlers run in this order: the first looks whether this is the second signal.
            let code = SIGNAL_EXIT_BASE + number;
            flag::register_conditional_shutdown(number, code, Arc::clone(&signal.at_once))?;
            signal.stop_on(number)?;
            flag::register(number, Arc::clone(&signal.at_once))?;
        }
        for number in REQUESTING.into_iter().filter(|&number| !is_kept_ignored(number)) {
            signal.stop_on(number)?;
        }
        #[cfg(unix)]
        flag::register(SIGUSR1, Arc::clone(&signal.requests.checkpoint))?;
        Ok(signal)
    }

    /// Lets a signal ask to stop, or end the program while nothing is on disk.
    fn stop_on(&self, number: i32) -> io::Result<()> {
        let code = SIGNAL_EXIT_BASE + number;
        flag::register_conditional_shutdown(number, code, Arc::clone(&self.is_early))?;
        flag::register_usize(number, Arc::clone(&self.exit_code), code as usize)?;
        flag::register(number, Arc::clone(&self.requests.stop))?;
        Ok(())
    }

    /// From now on the first signal only requests a stop, so that files can be finished.
    pub fn finish_files_first(&self) {
        self.is_early.store(false, Ordering::SeqCst);
    }

    /// Requests a stop when stdin ends.
    ///
    /// # Errors
    /// If the system cannot start the waiting thread.
    pub fn stop_at_end_of_stdin(&self) -> io::Result<()> {
        let stop = Arc::clone(&self.requests.stop);
        std::thread::Builder::new().spawn(move || {
            // The content is ignored, and an error counts as the end.
            let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
            stop.store(true, Ordering::SeqCst);
        })?;
        Ok(())
    }

    /// Requests a stop after a time, if there is one; prints why it cannot.
    ///
    /// # Errors
    /// If the system cannot start the waiting thread.
    pub fn stop_after(&self, time: Option<Duration>, console: Console) -> Result<(), Verdict> {
        let Some(time) = time else { return Ok(()) };
        let (stop, is_time_up) = (Arc::clone(&self.requests.stop), Arc::clone(&self.is_time_up));
        let wait = move || {
            std::thread::sleep(time);
            is_time_up.store(true, Ordering::SeqCst);
            stop.store(true, Ordering::SeqCst);
        };
        std::thread::Builder::new().spawn(wait).map(drop).map_err(|error| {
            console.error(format_args!("cannot wait for `--max-time`: {error}"));
            Verdict::Failed
        })
    }

    /// Why the command stops: its time is over, or a signal or another process has asked for it.
    pub fn reason(&self) -> &'static str {
        let is_signalled = self.exit_code.load(Ordering::SeqCst) != 0;
        match self.is_time_up.load(Ordering::SeqCst) && !is_signalled {
            true => "the time of `--max-time` is over",
            false => "interrupted",
        }
    }

    /// The requests of signals.
    pub fn requests(&self) -> &Requests {
        &self.requests
    }

    /// The exit code of the received signal; that of SIGTERM for the end of stdin or of the time.
    pub fn exit_code(&self) -> u8 {
        match self.exit_code.load(Ordering::SeqCst) {
            0 => (SIGNAL_EXIT_BASE + SIGTERM) as u8,
            code => code as u8,
        }
    }
}

/// Whether an exit code is that of a run that a signal has stopped.
pub fn is_exit_code(code: i32) -> bool {
    FORCING.into_iter().chain(REQUESTING).any(|number| code == SIGNAL_EXIT_BASE + number)
}

/// Makes a write beyond the limit on the size of files (`ulimit -f`) an error in place of the
/// program's end: `File too large`.
pub fn survive_file_size_limit() {
    // A handler, not an ignored signal: programs that this one starts would inherit the latter.
    #[cfg(unix)]
    drop(flag::register(SIGXFSZ, Arc::default()));
}

/// Whether this is SIGHUP and was ignored when the program started, as by `nohup`.
#[cfg(unix)]
fn is_kept_ignored(number: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action the call only writes the present one to memory that is large
    // enough; all zeros are a valid one, should it fail.
    let action = unsafe {
        libc::sigaction(number, std::ptr::null(), action.as_mut_ptr());
        action.assume_init()
    };
    number == SIGHUP && action.sa_sigaction == libc::SIG_IGN
}

#[cfg(not(unix))]
fn is_kept_ignored(_number: i32) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_of_stopped_runs_are_recognised() {
        let stopped: Vec<i32> = (0..=255).filter(|&code| is_exit_code(code)).collect();
        #[cfg(target_os = "linux")]
        assert_eq!(stopped, [129, 130, 140, 143, 152]);
        assert!(stopped.contains(&130) && !is_exit_code(1) && !is_exit_code(75));
    }
}
