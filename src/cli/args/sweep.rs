//! `sim sweep`

use super::shared::{CommonArgs, Log, RunArgs, SceneArgs, ThreadArgs, thread_count};
use super::values::ValueError;
use clap::{Args, Parser};
use hashfall_sweep as sweep;
use std::path::PathBuf;

/// `sim sweep SWEEP|SCENE|DIR`
#[derive(Debug, Parser)]
#[command(
    about = "Run a scene with many parameter values, and collect the results in a table",
    after_help = "Several runs at a time. A stopped sweep continues. Exit code 1 if a point \
                  failed.\n\n\
        Examples:\n  \
        sim sweep sweeps/dam_break_viscosity.ron\n  \
        sim sweep dam_break --set fluids[0].viscosity=0.01,0.1,1\n  \
        sim sweep out/dam_break_sweep --retry-failed\n  \
        sim sweep sweeps/dam_break_viscosity.ron --slurm --time 02:00:00 --submit"
)]
pub struct SweepArgs {
    /// A sweep (RON), a scene to vary by `--set KEY=A,B,C`, or the folder of a sweep
    #[arg(value_name = "SWEEP|SCENE|DIR")]
    pub subject: PathBuf,
    /// Folder for all points [default: out/<name>_sweep of a scene, out/<name> of a sweep]
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Runs in parallel [default: one per thread, as far as memory allows]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    pub jobs: Option<usize>,
    /// Run failed points again
    #[arg(long)]
    pub retry_failed: bool,
    /// List the points with their settings and exit
    #[arg(long, conflicts_with_all = ["point", "collect", "slurm"])]
    pub list: bool,
    /// Run only this point, in this process
    #[arg(long, value_name = "N", conflicts_with_all = ["collect", "slurm", "jobs"])]
    pub point: Option<usize>,
    /// Collect the results so far and exit
    #[arg(long, conflicts_with = "slurm")]
    pub collect: bool,
    #[command(flatten)]
    pub slurm: SlurmArgs,
    #[command(flatten)]
    pub scene: SceneArgs,
    /// Print nothing but warnings and errors
    #[arg(short, long)]
    pub quiet: bool,
    /// Messages for people, or events as JSON Lines on stdout for programs: docs/scripting.md
    #[arg(long, value_name = "text|json", value_enum, default_value_t = Log::Text,
          hide_possible_values = true)]
    pub log: Log,
    /// Run points even if memory or disk space seems insufficient
    #[arg(long)]
    pub allow_shortage: bool,
    /// Replace the sweep in the folder and run all of its points again
    #[arg(long, conflicts_with_all = ["point", "collect", "list"])]
    pub overwrite: bool,
    /// Stop when stdin ends, for example because the parent process has ended
    #[arg(long, hide = true)]
    pub until_stdin_ends: bool,
}

/// How points run on a cluster.
#[derive(Debug, Args)]
pub struct SlurmArgs {
    /// Write `sweep.sbatch`, which runs the points as a Slurm job array, and exit
    #[arg(long, conflicts_with_all = ["jobs", "threads"])]
    pub slurm: bool,
    /// Submit it, and a job that collects the results
    #[arg(long, requires = "slurm")]
    pub submit: bool,
    /// Time limit of a job; a longer point stops with a checkpoint and is queued again
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

/// Checks a time limit, which is passed on unchanged.
fn time_limit(text: &str) -> Result<String, ValueError> {
    match sweep::seconds(text) {
        Some(1..) => Ok(text.to_owned()),
        _ => Err(ValueError::new("days-hours:minutes:seconds, such as 02:00:00 or 1-12:00:00")),
    }
}

/// Checks a memory size, which is passed on unchanged.
fn memory(text: &str) -> Result<String, ValueError> {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let has_unit = ["", "K", "M", "G", "T", "KB", "MB", "GB", "TB"]
        .contains(&text[number.len()..].to_ascii_uppercase().as_str());
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    if is_number && has_unit {
        return Ok(text.to_owned());
    }
    Err(ValueError::new("a number and K, M, G or T, such as 4000M or 16G"))
}

/// Checks an option of `sbatch`: one line of the script, passed on unchanged.
fn sbatch_option(text: &str) -> Result<String, ValueError> {
    if text.contains(char::is_control) {
        return Err(ValueError::new("one line without control characters"));
    }
    if !text.starts_with('-') || text.trim_matches('-').is_empty() {
        return Err(ValueError::new(
            "an option that begins with a dash, such as --partition=short",
        ));
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
    /// Whether only warnings and errors are printed as text.
    pub fn is_quiet(&self) -> bool {
        self.quiet || self.log == Log::Json
    }

    /// The options that are passed on to the process of each point.
    pub fn point_options(&self) -> Vec<&'static str> {
        let retry = self.retry_failed.then_some("--retry-failed");
        let shortage = self.allow_shortage.then_some("--allow-shortage");
        retry.into_iter().chain(shortage).collect()
    }

    /// The run options of a point, with these settings of its scene.
    pub fn run_args(&self, overrides: Vec<String>, allow_outside: bool) -> RunArgs {
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
