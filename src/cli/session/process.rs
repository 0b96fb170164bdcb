//! The process that runs a scene.

use crate::cli::console::Console;

/// The process that runs a scene.
pub struct Process {
    /// The command line, for the records.
    pub command_line: Vec<String>,
    /// Threads that compute.
    pub threads: usize,
    /// The output streams.
    pub console: Console,
}
