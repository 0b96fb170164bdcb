//! How a command ended, as the system hears it.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All was done.
    Done,
    /// The run failed: it blew up, missed a goal, or a file could not be written.
    Failed,
    /// The arguments, a scene or the folder are not what they should be.
    WrongInput,
    /// The disk is full, or has less room than the run needs: what is to be done can be done when
    /// there is room. With the exit code.
    DiskFull(u8),
    /// A signal asked to stop; the code tells which.
    Stopped(u8),
}

impl Verdict {
    /// The worse of two commands' ends: wrong input counts more than a failure.
    pub fn or_worse(self, other: Verdict) -> Verdict {
        if other.code() > self.code() { other } else { self }
    }

    /// The exit code.
    pub fn code(self) -> u8 {
        match self {
            Verdict::Done => 0,
            Verdict::Failed => 1,
            Verdict::WrongInput => 2,
            Verdict::DiskFull(code) | Verdict::Stopped(code) => code,
        }
    }
}

impl From<Verdict> for ExitCode {
    fn from(verdict: Verdict) -> ExitCode {
        ExitCode::from(verdict.code())
    }
}
