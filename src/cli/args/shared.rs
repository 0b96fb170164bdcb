//! Options that several commands share.

use clap::{Args, ValueEnum, value_parser};
use std::ffi::OsString;

/// Upper bound of `--frames` and `--every`.
pub(super) const MAX_FRAMES: i64 = 1_000_000;

/// Options of every command that runs a scene.
#[derive(Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub scene: SceneArgs,
    /// Print nothing but warnings and errors
    #[arg(long)]
    pub quiet: bool,
    /// How the run is told: `json` writes an event a line to stdout, for programs
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Log::Text)]
    pub log: Log,
    /// Find neighbours with this structure, as `--set neighbors=KIND` would; `auto` tries all at
    /// the start and takes the fastest
    #[arg(long, value_name = "KIND|auto")]
    pub nns: Option<String>,
    /// Compare a sample of the neighbours with brute force after each search; end the run where
    /// they differ
    #[arg(long)]
    pub nns_verify: bool,
    /// Run even if memory or disk seem not to suffice
    #[arg(long)]
    pub allow_shortage: bool,
}

impl RunArgs {
    /// Whether only warnings and errors are told in words.
    pub fn is_quiet(&self) -> bool {
        self.quiet || self.log == Log::Json
    }
}

/// How a run is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Log {
    /// In words: talk on stderr, a summary on stdout
    Text,
    /// As JSON Lines on stdout: docs/scripting.md names the events
    Json,
}

impl Log {
    /// What a command line that cannot be read seems to ask for.
    pub fn asked_for(args: &[OsString]) -> Log {
        let is_json = |pair: &[OsString]| pair[0] == "--log" && pair[1] == "json";
        let asked = args.windows(2).any(is_json) || args.iter().any(|arg| arg == "--log=json");
        if asked { Log::Json } else { Log::Text }
    }
}

/// Options of every command that reads a scene of the user's.
#[derive(Debug, Args)]
pub struct SceneArgs {
    /// Frames after the first, of the whole run, in place of the scene's `frames.count`
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = value_parser!(u32).range(1..=MAX_FRAMES))]
    pub frames: Option<u32>,
    #[command(flatten)]
    pub common: CommonArgs,
    /// Read meshes from anywhere, not only from below the parent of the scene's folder
    #[arg(long)]
    pub allow_outside: bool,
}

/// Options of every command that changes a scene.
#[derive(Debug, Args)]
pub struct CommonArgs {
    /// Set a key of the scene, such as `fluids[0].viscosity=0.05`; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE", allow_hyphen_values = true)]
    pub overrides: Vec<String>,
    #[command(flatten)]
    pub threads: ThreadArgs,
}

/// The option of every command.
#[derive(Clone, Copy, Debug, Args)]
pub struct ThreadArgs {
    /// Threads [default: SLURM_CPUS_PER_TASK, else the cores this process may use]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    pub threads: Option<usize>,
}

/// Parses `--threads`.
pub(super) fn thread_count(text: &str) -> Result<usize, String> {
    hashfall_run::threads::parse(text)
}
