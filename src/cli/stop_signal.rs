//! Ctrl-C and SIGTERM: the first asks the run to stop at the next step, the second ends at once.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The exit code of a program that a signal ended is this plus the signal's number.
const SIGNAL_EXIT_BASE: i32 = 128;

/// What the signal handlers leave for the run to see.
pub struct StopSignal {
    asked: Arc<AtomicBool>,
    exit_code: Arc<AtomicUsize>,
}

impl StopSignal {
    /// Installs the handlers.
    ///
    /// # Errors
    /// When the system refuses a handler.
    pub fn install() -> io::Result<Self> {
        let signal = StopSignal {
            asked: Arc::new(AtomicBool::new(false)),
            exit_code: Arc::new(AtomicUsize::new(0)),
        };
        for number in [SIGINT, SIGTERM] {
            let code = SIGNAL_EXIT_BASE + number;
            // Handlers run in this order: the first looks whether an earlier signal came.
            flag::register_conditional_shutdown(number, code, Arc::clone(&signal.asked))?;
            flag::register_usize(number, Arc::clone(&signal.exit_code), code as usize)?;
            flag::register(number, Arc::clone(&signal.asked))?;
        }
        Ok(signal)
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
