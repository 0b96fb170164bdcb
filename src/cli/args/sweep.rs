//! `sim sweep`

use super::shared::{CommonArgs, Log, RunArgs, SceneArgs, ThreadArgs, thread_count};
use clap::{Args, Parser};
use hashfall_sweep as sweep;
use std::path::PathBuf;

/// `sim sweep SWEEP|SCENE|DIR`
#[derive(Debug, Parser)]
#[command(
    name = "sweep",
    bin_name = "sim sweep",
    about = "Runs a scene many times with other parameters, several runs side by side, and gathers \
             their results in a table; goes on where it was stopped; exit code 1 if a point failed",
    after_help = "Examples:\n  \
        sim sweep sweeps/dam_break_viscosity.ron\n  \
        sim sweep scenes/dam_break.ron --set fluids[0].viscosity=0.01,0.1,1\n  \
        sim sweep out/dam_break_sweep --retry-failed\n  \
        sim sweep sweeps/dam_break_viscosity.ron --slurm --time 02:00:00 --submit",
    arg_required_else_help = true
)]
pub struct SweepArgs {
    /// A sweep (RON), a scene to vary by `--set KEY=A,B,C`, or the folder of a sweep
    #[arg(value_name = "SWEEP|SCENE|DIR")]
    pub subject: PathBuf,
    /// Folder for all points [default: out/<name>_sweep of a scene, out/<name> of a sweep]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Runs side by side [default: a thread for each, as memory suffices]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    pub jobs: Option<usize>,
    /// Run points again that have failed
    #[arg(long)]
    pub retry_failed: bool,
    /// Print the points and what each sets, and run nothing
    #[arg(long, conflicts_with_all = ["point", "collect", "slurm"])]
    pub list: bool,
    /// Run this point alone, in this process
    #[arg(long, value_name = "N", conflicts_with_all = ["collect", "slurm", "jobs"])]
    pub point: Option<usize>,
    /// Gather the results of what has been run, and run nothing
    #[arg(long, conflicts_with = "slurm")]
    pub collect: bool,
    #[command(flatten)]
    pub slurm: SlurmArgs,
    #[command(flatten)]
    pub scene: SceneArgs,
    /// Print nothing but warnings and errors
    #[arg(long)]
    pub quiet: bool,
    /// How it is told: `json` writes an event a line to stdout, for programs
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Log::Text)]
    pub log: Log,
    /// Run points even if memory or disk seem not to suffice
    #[arg(long)]
    pub allow_shortage: bool,
    /// Replace the sweep that is in the folder, and run all of its points anew
    #[arg(long, conflicts_with_all = ["point", "collect", "list"])]
    pub overwrite: bool,
    /// Stop when stdin ends, as it does when the process that runs this one is gone
    #[arg(long, hide = true)]
    pub until_stdin_ends: bool,
}

/// How points run on a cluster.
#[derive(Debug, Args)]
pub struct SlurmArgs {
    /// Write `sweep.sbatch`, which runs the points as an array of Slurm jobs, and run nothing here
    #[arg(long, conflicts_with_all = ["jobs", "threads"])]
    pub slurm: bool,
    /// Submit it, and a job that gathers the results
    #[arg(long, requires = "slurm")]
    pub submit: bool,
    /// Time limit of a job; a point that takes longer stops with a checkpoint and is queued again
    #[arg(long, value_name = "[D-]H:M:S", requires = "slurm", default_value = "12:00:00",
          value_parser = time_limit)]
    pub time: String,
    /// Seconds before the limit at which a point stops
    #[arg(long, value_name = "S", requires = "slurm", default_value = "120",
          value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub stop_before: u32,
    /// Cores of a job
    #[arg(long, value_name = "N", requires = "slurm", default_value = "1",
          value_parser = thread_count)]
    pub cpus: usize,
    /// Memory of a job, as `sbatch --mem` takes it [default: the cluster's]
    #[arg(long, value_name = "SIZE", requires = "slurm", value_parser = memory)]
    pub mem: Option<String>,
    /// Another option of sbatch, such as `--sbatch=--partition=short`; may be repeated
    #[arg(long, value_name = "OPTION", requires = "slurm", allow_hyphen_values = true,
          value_parser = sbatch_option)]
    pub sbatch: Vec<String>,
}

/// Parses a time limit, which is passed on as it is.
fn time_limit(text: &str) -> Result<String, String> {
    match sweep::seconds(text) {
        Some(1..) => Ok(text.to_owned()),
        _ => Err("days-hours:minutes:seconds are expected, such as 02:00:00 or 1-12:00:00".into()),
    }
}

/// Parses a size of memory, which is passed on as it is.
fn memory(text: &str) -> Result<String, String> {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let has_unit = ["", "K", "M", "G", "T", "KB", "MB", "GB", "TB"]
        .contains(&text[number.len()..].to_ascii_uppercase().as_str());
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    if is_number && has_unit {
        return Ok(text.to_owned());
    }
    Err("a number and K, M, G or T are expected, such as 4000M or 16G".into())
}

/// Parses an option of `sbatch`: one line of the script, passed on as it is.
fn sbatch_option(text: &str) -> Result<String, String> {
    if text.contains(char::is_control) {
        return Err("an option is one line, without control characters".into());
    }
    if !text.starts_with('-') || text.trim_matches('-').is_empty() {
        return Err("an option begins with a dash, such as --partition=short".into());
    }
    Ok(text.to_owned())
}

impl SlurmArgs {
    /// Whether a job has time to run before it is asked to stop.
    pub fn has_time(&self) -> bool {
        sweep::seconds(&self.time).is_some_and(|limit| limit > u64::from(self.stop_before))
    }
}

impl SweepArgs {
    /// Whether only warnings and errors are told in words.
    pub fn is_quiet(&self) -> bool {
        self.quiet || self.log == Log::Json
    }

    /// The options that the process of each point takes over.
    pub fn of_points(&self) -> Vec<&'static str> {
        let retry = self.retry_failed.then_some("--retry-failed");
        let shortage = self.allow_shortage.then_some("--allow-shortage");
        retry.into_iter().chain(shortage).collect()
    }

    /// The options by which a point's run goes, with these settings of its scene.
    pub fn of_run(&self, overrides: Vec<String>, allow_outside: bool) -> RunArgs {
        let threads = ThreadArgs { threads: None };
        RunArgs {
            scene: SceneArgs {
                frames: None,
                common: CommonArgs { overrides, threads },
                allow_outside,
            },
            quiet: self.quiet,
            log: self.log,
            nns: None,
            nns_verify: false,
            allow_shortage: self.allow_shortage,
        }
    }
}
