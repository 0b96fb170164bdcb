//! Options that several commands share.

use super::values::{duration, whole_number};
use clap::{Args, ValueEnum};
use hashfall_run::threads::ThreadCountError;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Upper bound of `--frames` and `--every`.
pub(super) const MAX_FRAMES: u32 = 1_000_000;

/// Options of every command that runs a scene.
#[derive(Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub scene: SceneArgs,
    /// Print nothing but warnings and errors
    #[arg(short, long)]
    pub quiet: bool,
    /// Messages for people, or events as JSON Lines on stdout for programs: docs/scripting.md
    #[arg(long, value_name = "text|json", value_enum, default_value_t = Log::Text,
          hide_possible_values = true)]
    pub log: Log,
    /// Search neighbours with this structure, as with `--set neighbors=KIND`; `auto` times all of
    /// them at the start and uses the fastest
    #[arg(long, value_name = "KIND|auto")]
    pub nns: Option<String>,
    /// Compare a sample of the neighbours with brute force after each search; stop the run if
    /// they differ
    #[arg(long)]
    pub nns_verify: bool,
    /// Stop with a checkpoint after this time, such as 90s, 10m or 2h30m; `sim resume` continues
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub max_time: Option<Duration>,
    /// Run even if memory or disk space seems insufficient
    #[arg(long)]
    pub allow_shortage: bool,
}

impl RunArgs {
    /// Whether only warnings and errors are printed as text.
    pub fn is_quiet(&self) -> bool {
        self.quiet || self.log == Log::Json
    }

    /// The options as words of a command line, with those that set keys of the scene or without.
    pub fn words(&self, with_settings: bool) -> Vec<String> {
        let option = |name: &str, value: &dyn ToString| [name.to_owned(), value.to_string()];
        let flag = |is_set: bool, name: &str| is_set.then(|| name.to_owned());
        let mut words = Vec::new();
        if with_settings {
            let scene = &self.scene;
            words.extend(scene.frames.iter().flat_map(|frames| option("--frames", frames)));
            words.extend(scene.common.overrides.iter().flat_map(|set| option("--set", set)));
            words.extend(flag(scene.allow_outside, "--allow-outside"));
            words.extend(self.nns.iter().flat_map(|kind| option("--nns", kind)));
        }
        let time = self.max_time.map(|time| time.as_secs());
        words.extend(time.iter().flat_map(|time| option("--max-time", time)));
        words.extend(flag(self.quiet, "--quiet"));
        words.extend(flag(self.nns_verify, "--nns-verify"));
        words.extend(flag(self.allow_shortage, "--allow-shortage"));
        words
    }
}

/// Options of commands that print text.
#[derive(Debug, Args)]
pub struct TextArgs {
    /// File to write [default: print it]
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long, requires = "out")]
    pub overwrite: bool,
}

/// The output format of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Log {
    /// Messages on stderr, a summary on stdout
    Text,
    /// JSON Lines on stdout; docs/scripting.md lists the events
    Json,
}

impl Log {
    /// The format that an invalid command line seems to ask for.
    pub fn guess(args: &[OsString]) -> Log {
        let is_json = |pair: &[OsString]| pair[0] == "--log" && pair[1] == "json";
        let is_json_requested =
            args.windows(2).any(is_json) || args.iter().any(|arg| arg == "--log=json");
        if is_json_requested { Log::Json } else { Log::Text }
    }
}

/// Options of every command that reads a scene file.
#[derive(Debug, Args)]
pub struct SceneArgs {
    /// Number of frames after the first, in place of the scene's `frames.count`
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole_number(1..=MAX_FRAMES))]
    pub frames: Option<u32>,
    /// Write no surfaces, which may take most of a run, as `--set surface=None` does
    #[arg(long)]
    pub no_surface: bool,
    #[command(flatten)]
    pub common: CommonArgs,
    /// Allow meshes outside the parent of the scene's folder
    #[arg(long)]
    pub allow_outside: bool,
}

/// Options of every command that sets keys of a scene.
#[derive(Debug, Args)]
pub struct CommonArgs {
    /// Set a key of the scene, such as `fluids[0].viscosity=0.05`; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE", allow_hyphen_values = true)]
    pub overrides: Vec<String>,
    #[command(flatten)]
    pub threads: ThreadArgs,
}

/// The option that all commands with parallel work share.
#[derive(Clone, Copy, Debug, Args)]
pub struct ThreadArgs {
    /// Threads [default: SLURM_CPUS_PER_TASK, else the cores this process may use]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    pub threads: Option<usize>,
}

/// Parses `--threads`.
///
/// # Errors
/// If the text is not a number from 1 to the largest number of threads.
pub(super) fn thread_count(text: &str) -> Result<usize, ThreadCountError> {
    hashfall_run::threads::parse(text)
}
