//! Options of commands that run on a cluster.

use super::shared::{Log, thread_count};
use super::values::{ValueError, whole_number};
use clap::Args;
use hashfall_sweep as sweep;

/// How a run or the points of a sweep go to a cluster.
#[derive(Debug, Default, Args)]
pub struct SlurmArgs {
    /// Write a script that runs this on a cluster with Slurm, and exit; a sweep is an array of jobs
    #[arg(long, conflicts_with = "threads")]
    pub slurm: bool,
    /// Submit it; for a sweep also a job that collects the results
    #[arg(long, requires = "slurm")]
    pub submit: bool,
    /// Time limit of a job; a longer run stops with a checkpoint and is queued again
    #[arg(long, value_name = "[D-]H:M:S", requires = "slurm", default_value = "12:00:00",
          value_parser = time_limit)]
    pub time: String,
    /// Seconds before the limit at which a run stops
    #[arg(long, value_name = "S", requires = "slurm", default_value = "120",
          value_parser = whole_number(1..=86_400))]
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
    /// Checks options that do not fit together, if there is to be a script.
    ///
    /// # Errors
    /// What is wrong: a job would have no time to run before it is asked to stop, or the name of
    /// the script would be printed among events.
    pub fn check(&self, log: Log) -> Result<(), String> {
        if !self.slurm {
            return Ok(());
        }
        if log == Log::Json {
            return Err(
                "`--slurm` cannot be combined with `--log json`: it prints the name of the \
                        script, and no events"
                    .to_owned(),
            );
        }
        let limit = sweep::seconds(&self.time).unwrap_or_default();
        if limit <= u64::from(self.stop_before) {
            let (time, before) = (&self.time, self.stop_before);
            return Err(format!(
                "with `--time {time}` and `--stop-before {before}` a job would stop as soon as it \
                 starts"
            ));
        }
        Ok(())
    }
}
