//! Ctrl-C and SIGTERM: the first asks the run to stop at the next step, the second ends at once.
//! SIGUSR1, with which Slurm warns of the end of a job's time, asks for a checkpoint.
//!
//! Before a run has begun, and nothing of it is on disk, the first ends at once too.

use super::console::Console;
use super::verdict::Verdict;
use crate::run::Requests;
#[cfg(unix)]
use signal_hook::consts::SIGUSR1;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The exit code of a program that a signal ended is this plus the signal's number.
const SIGNAL_EXIT_BASE: i32 = 128;

/// What the signal handlers leave for the run to see.
pub struct StopSignal {
    /// Whether the next signal ends the program.
    at_once: Arc<AtomicBool>,
    requests: Requests,
    exit_code: Arc<AtomicUsize>,
}

impl StopSignal {
    /// Installs the handlers; a signal ends the program at once.
    ///
    /// # Errors
    /// When the system refuses a handler, which is told.
    pub fn install(console: Console) -> Result<Self, Verdict> {
        StopSignal::try_install().map_err(|error| {
            console.error(format_args!("cannot listen for signals: {error}"));
            Verdict::Failed
        })
    }

    fn try_install() -> io::Result<Self> {
        let signal = StopSignal {
            at_once: Arc::new(AtomicBool::new(true)),
            requests: Requests::default(),
            exit_code: Arc::new(AtomicUsize::new(0)),
        };
        for number in [SIGINT, SIGTERM] {
            let code = SIGNAL_EXIT_BASE + number;
            // Handlers run in this order: the first looks whether it is too early or the second.
            flag::register_conditional_shutdown(number, code, Arc::clone(&signal.at_once))?;
            flag::register_usize(number, Arc::clone(&signal.exit_code), code as usize)?;
            flag::register(number, Arc::clone(&signal.requests.stop))?;
            flag::register(number, Arc::clone(&signal.at_once))?;
        }
        #[cfg(unix)]
        flag::register(SIGUSR1, Arc::clone(&signal.requests.checkpoint))?;
        Ok(signal)
    }

    /// From now on the first signal only asks, so that files can be finished.
    pub fn let_files_be_finished(&self) {
        self.at_once.store(false, Ordering::SeqCst);
    }

    /// Asks to stop when stdin ends.
    pub fn heed_end_of_stdin(&self) {
        let stop = Arc::clone(&self.requests.stop);
        std::thread::spawn(move || {
            // Whatever comes is not meant for us, and an error is an end as well.
            let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
            stop.store(true, Ordering::SeqCst);
        });
    }

    /// What signals have asked for.
    pub fn requests(&self) -> &Requests {
        &self.requests
    }

    /// The exit code that tells which signal came: 130 or 143, which also stands for the end of
    /// stdin.
    pub fn exit_code(&self) -> u8 {
        match self.exit_code.load(Ordering::SeqCst) {
            0 => (SIGNAL_EXIT_BASE + SIGTERM) as u8,
            code => code as u8,
        }
    }
}
