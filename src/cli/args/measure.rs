//! The arguments of `sim validate` and `sim bench`.

use super::shared::{CommonArgs, ThreadArgs, thread_count};
use super::values::whole_number;
use clap::Parser;
use std::path::PathBuf;

/// Upper bound of `--repeats`.
const MAX_REPEATS: u32 = 10_000;

/// `sim validate [CASE]...`
#[derive(Debug, Parser)]
#[command(
    about = "Run cases with a known outcome, and measure the error",
    after_help = "The outcome is known from experiment or theory. Exit code 1 if a goal is \
                  missed; with --convergence only if a run fails.\n\n\
        Examples:\n  \
        sim validate --quick\n  \
        sim validate --quick 'elastic_*'\n  \
        sim validate kleefsman -o out/kleefsman\n  \
        sim validate standing_wave --convergence"
)]
pub struct ValidateArgs {
    /// Cases to run, or patterns of their names, such as 'elastic_*' [default: all]
    #[arg(value_name = "CASE")]
    pub cases: Vec<String>,
    /// Folder for the report and the plots
    #[arg(short, long, value_name = "DIR", default_value = "out/validation")]
    pub out: PathBuf,
    /// Leave out the long cases: seven minutes on two cores
    #[arg(long)]
    pub quick: bool,
    /// Run each case named at other time steps, frame rates and particle spacings too: tables of
    /// what it measures, its spread and its order of convergence. Goals do not count then
    #[arg(long, conflicts_with = "list")]
    pub convergence: bool,
    /// List these cases and exit
    #[arg(long)]
    pub list: bool,
    #[command(flatten)]
    pub common: CommonArgs,
    /// Print nothing but warnings and errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// `sim bench [EXPERIMENT]...`
#[derive(Debug, Parser)]
#[command(
    about = "Repeat the papers' experiments with every search structure",
    after_help = "Cost curves over sizes, and a report with plots. Exit code 1 if structures \
                  disagree.\n\n\
        Examples:\n  \
        sim bench --list\n  \
        sim bench pouchol-fig4 --full\n  \
        sim bench neighbors broad-phase --threads 2"
)]
pub struct BenchArgs {
    /// Experiments to run, or patterns of their names, such as 'ahmad-*' [default: all]
    #[arg(value_name = "EXPERIMENT")]
    pub experiments: Vec<String>,
    /// Folder for the report, the values and the plots
    #[arg(short, long, value_name = "DIR", default_value = "out/bench")]
    pub out: PathBuf,
    /// List the experiments and the structures and exit
    #[arg(long)]
    pub list: bool,
    /// Measure at the sizes of the papers: minutes to hours
    #[arg(long)]
    pub full: bool,
    /// Repetitions of each measurement
    #[arg(long, value_name = "N", default_value = "5",
          value_parser = whole_number(1..=MAX_REPEATS))]
    pub repeats: u32,
    /// Seed of all inputs
    #[arg(long, value_name = "N", default_value = "1")]
    pub seed: u64,
    /// Threads; the papers use one
    #[arg(long, value_name = "N", default_value = "1", value_parser = thread_count)]
    pub threads: usize,
    /// Print nothing but warnings and errors
    #[arg(short, long)]
    pub quiet: bool,
}

impl BenchArgs {
    /// The number of threads, independent of Slurm and of the machine.
    pub fn threads(&self) -> ThreadArgs {
        ThreadArgs { threads: Some(self.threads) }
    }
}
