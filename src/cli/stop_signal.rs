//! Ctrl-C and SIGTERM: the first asks the run to stop at the next step, the second ends at once.
//!
//! Before a run has begun, and nothing of it is on disk, the first ends at once too.

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
    asked: Arc<AtomicBool>,
    exit_code: Arc<AtomicUsize>,
}

impl StopSignal {
    /// Installs the handlers; a signal ends the program at once.
    ///
    /// # Errors
    /// When the system refuses a handler.
    pub fn install() -> io::Result<Self> {
        let signal = StopSignal {
            at_once: Arc::new(AtomicBool::new(true)),
            asked: Arc::new(AtomicBool::new(false)),
            exit_code: Arc::new(AtomicUsize::new(0)),
        };
        for number in [SIGINT, SIGTERM] {
            let code = SIGNAL_EXIT_BASE + number;
            // Handlers run in this order: the first looks whether it is too early or the second.
            flag::register_conditional_shutdown(number, code, Arc::clone(&signal.at_once))?;
            flag::register_usize(number, Arc::clone(&signal.exit_code), code as usize)?;
            flag::register(number, Arc::clone(&signal.asked))?;
            flag::register(number, Arc::clone(&signal.at_once))?;
        }
        Ok(signal)
    }

    /// From now on the first signal only asks, so that files can be finished.
    pub fn let_files_be_finished(&self) {
        self.at_once.store(false, Ordering::SeqCst);
    }

    /// Raised once a signal has come.
    pub fn asked(&self) -> &AtomicBool {
        &self.asked
    }

    /// The exit code that tells which signal came: 130 or 143.
    pub fn exit_code(&self) -> u8 {
        self.exit_code.load(Ordering::SeqCst) as u8
    }
}
