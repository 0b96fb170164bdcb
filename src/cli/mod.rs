//! The command line: arguments, the commands, and every message the user reads.
//!
//! Data goes to stdout; messages (progress, warnings, errors) go to stderr. Exit codes: 0 success;
//! 1 the run failed, a validation missed a goal, structures disagree, or a mesh is invalid; 2 the
//! input is wrong; 129, 130, 140, 143 and 152 stopped by a signal, with complete files.

mod args;
mod commands;
mod console;
mod dispatch;
mod export;
mod files;
mod preview;
mod progress;
mod session;
mod system;

pub use dispatch::main;
pub use files::scenes::{open_file, open_text, reopen};
pub use system::out_of_memory::Allocator;
pub use system::program::set_program;
