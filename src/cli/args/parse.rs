//! From the words of the command line to a command with its arguments.

use super::first_word::{Surroundings, with_command};
use super::request::{CommandLine, Request};
use super::usage::UsageError;
use clap::Parser;
use std::ffi::OsString;

impl Request {
    /// Reads the command line, whose first argument is the program's own name.
    ///
    /// # Errors
    /// A usage mistake, or the help or version that the user asked for.
    pub fn parse(args: &[OsString], around: &Surroundings) -> Result<Request, UsageError> {
        let args = with_command(args, around)?;
        match CommandLine::try_parse_from(&args) {
            Ok(line) => Ok(line.request),
            Err(error) => Err(UsageError::new(error, &args)),
        }
    }
}
