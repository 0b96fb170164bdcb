//! The `sim` binary: hands the command line to `cli`, and its verdict to the system.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: hashfall::cli::Allocator = hashfall::cli::Allocator;

fn main() -> ExitCode {
    hashfall::cli::main(std::env::args_os())
}
