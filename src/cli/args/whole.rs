//! The whole command line as one clap command, for completions and man pages.

use super::request::CommandLine;
use super::shared::TextArgs;
use super::simulate::SimulateArgs;
use clap::{Args, Command, CommandFactory, Parser};
use clap_complete::Shell;
use std::path::PathBuf;

/// What stands before the examples in the help of a command.
const EXAMPLES: &str = "Examples:\n";

/// `sim completions SHELL`
#[derive(Debug, Parser)]
#[command(
    about = "Print a shell completion script",
    after_help = "docs/scripting.md says where to install it.\n\n\
        Examples:\n  \
        sim completions bash -o ~/.local/share/bash-completion/completions/sim"
)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
    #[command(flatten)]
    pub text: TextArgs,
    /// Print no messages but warnings and errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// `sim man [COMMAND]`
#[derive(Debug, Parser)]
#[command(
    about = "Print a man page, or write all of them",
    after_help = "Examples:\n  \
        sim man resume | man -l -\n  \
        sim man -o ~/.local/share/man/man1"
)]
pub struct ManArgs {
    /// Command of the page [default: sim itself]
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
    /// Write every page into this folder: sim.1, sim-check.1 and so on
    #[arg(short, long, alias = "dir", value_name = "DIR", conflicts_with = "command")]
    pub out: Option<PathBuf>,
    /// Print no messages but warnings and errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// `sim` with every command below it, for man pages.
pub fn whole() -> Command {
    let mut whole = CommandLine::command();
    whole.build();
    whole
}

/// As [`whole`], with what `sim SCENE` takes beside the commands, for completions.
pub fn whole_with_scene() -> Command {
    let mut whole = SimulateArgs::augment_args(CommandLine::command())
        .subcommand_required(false)
        .args_conflicts_with_subcommands(true);
    whole.build();
    whole
}

/// The examples in a command's help, without their heading and margin.
pub fn examples(command: &Command) -> Option<String> {
    let help = command.get_after_help()?.to_string();
    let (_, examples) = help.split_once(EXAMPLES)?;
    Some(examples.lines().map(str::trim_start).collect::<Vec<_>>().join("\n"))
}
