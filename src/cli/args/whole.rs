//! The whole command line as one clap command, for completions and man pages alone: it knows every
//! command and option, and nothing is parsed by it (see [`Request::parse`](super::Request::parse)).

use super::measure::{BenchArgs, ValidateArgs};
use super::preview::PreviewArgs;
use super::report::ReportArgs;
use super::runs::{AuditArgs, CheckArgs, ResumeArgs};
use super::schema::SchemaArgs;
use super::simulate::SimulateArgs;
use super::surface::SurfaceArgs;
use super::sweep::SweepArgs;
use clap::{Command, CommandFactory, Parser};
use clap_complete::Shell;
use std::path::PathBuf;

/// What stands before the examples in the help of a command.
const EXAMPLES: &str = "Examples:\n";

/// `sim completions SHELL`
#[derive(Debug, Parser)]
#[command(
    name = "completions",
    bin_name = "sim completions",
    about = "Prints a shell completion script; docs/scripting.md says where to install it",
    arg_required_else_help = true
)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

/// `sim man [COMMAND]`
#[derive(Debug, Parser)]
#[command(
    name = "man",
    bin_name = "sim man",
    about = "Prints a man page, or writes all man pages into a folder",
    after_help = "Examples:\n  \
        sim man resume | man -l -\n  \
        sim man --dir ~/.local/share/man/man1"
)]
pub struct ManArgs {
    /// Command of the page [default: sim itself]
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
    /// Write every page into this folder: sim.1, sim-check.1 and so on
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    pub dir: Option<PathBuf>,
}

/// `sim` with every command below it.
pub fn whole() -> Command {
    let commands = [
        CheckArgs::command(),
        ResumeArgs::command(),
        SweepArgs::command(),
        AuditArgs::command(),
        ReportArgs::command(),
        PreviewArgs::command(),
        ValidateArgs::command(),
        BenchArgs::command(),
        SurfaceArgs::command(),
        SchemaArgs::command(),
        CompletionsArgs::command(),
        ManArgs::command(),
    ];
    let mut whole = SimulateArgs::command()
        .subcommands(commands.map(|command| command.arg_required_else_help(false)))
        .disable_help_subcommand(true);
    whole.build();
    whole
}

/// The examples in a command's help, without their heading and margin.
pub fn examples(command: &Command) -> Option<String> {
    let help = command.get_after_help()?.to_string();
    let (_, examples) = help.split_once(EXAMPLES)?;
    Some(examples.lines().map(str::trim_start).collect::<Vec<_>>().join("\n"))
}
