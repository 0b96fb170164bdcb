//! The whole command line as one clap command, for completions and man pages.

use super::request::CommandLine;
use super::simulate::SimulateArgs;
use clap::{Args, Command, CommandFactory};

/// What stands before the examples in the help of a command.
const EXAMPLES: &str = "Examples:\n";

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
