//! The arguments of commands that write completions and man pages.

use super::shared::TextArgs;
use clap::Parser;
use clap_complete::Shell;
use std::path::PathBuf;

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
