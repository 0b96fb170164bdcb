//! The `sim` binary: hands the command line to `cli`, and its verdict to the system.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod hypot;

use hashfall::cli;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: cli::Allocator = cli::Allocator;

fn main() -> ExitCode {
    ExitCode::from(cli::main(std::env::args_os()))
}
