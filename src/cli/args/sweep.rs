//! `sim sweep`

use super::shared::{CommonArgs, Log, RunArgs, SceneArgs, ThreadArgs, thread_count};
use super::slurm::SlurmArgs;
use super::values::duration;
use clap::Parser;
use std::path::PathBuf;
use std::time::Duration;

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
    #[arg(long, value_name = "N", value_parser = thread_count, conflicts_with = "slurm")]
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
    /// Stop with checkpoints after this time, such as 90s, 10m or 2h30m; `sim sweep DIR` continues
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub max_time: Option<Duration>,
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

impl SweepArgs {
    /// Whether only warnings and errors are printed as text.
    pub fn is_quiet(&self) -> bool {
        self.quiet || self.log == Log::Json
    }

    /// The options that are passed on to the process of each point. This process watches the time
    /// of the whole sweep, and prints for it.
    pub fn point_options(&self) -> Vec<String> {
        let retry = self.retry_failed.then_some("--retry-failed");
        let shortage = self.allow_shortage.then_some("--allow-shortage");
        retry.into_iter().chain(shortage).map(str::to_owned).collect()
    }

    /// The options that are passed on to the job of each point on a cluster, which watches its own
    /// time.
    pub fn job_options(&self) -> Vec<String> {
        let quiet = self.quiet.then(|| "--quiet".to_owned());
        let time = self.max_time.map(|time| format!("--max-time={}", time.as_secs()));
        self.point_options().into_iter().chain(quiet).chain(time).collect()
    }

    /// The run options of a point, with these settings of its scene.
    pub fn run_args(&self, overrides: Vec<String>, allow_outside: bool) -> RunArgs {
        let threads = ThreadArgs { threads: None };
        RunArgs {
            scene: SceneArgs {
                no_surface: false,
                frames: None,
                common: CommonArgs { overrides, threads },
                allow_outside,
            },
            quiet: self.quiet,
            log: self.log,
            nns: None,
            nns_verify: false,
            max_time: self.max_time,
            allow_shortage: self.allow_shortage,
        }
    }
}
