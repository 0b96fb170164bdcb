//! How a command ended, and its exit code.

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All was done.
    Done,
    /// The run failed: it blew up, missed a goal, or a file could not be written.
    Failed,
    /// The arguments, a scene or the folder are invalid.
    WrongInput,
    /// The disk is full, or has too little space for the run: the command can be repeated when
    /// there is space. With the exit code.
    DiskFull(u8),
    /// A signal stopped the command; with its exit code.
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
