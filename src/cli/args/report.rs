//! `sim report`.

use clap::Parser;
use std::path::PathBuf;

/// `sim report DIR`
#[derive(Debug, Parser)]
#[command(
    name = "report",
    bin_name = "sim report",
    about = "Writes a self-contained HTML page of a run or a sweep: charts of the log and the \
             probes over time, or of the results over the parameters",
    after_help = "Examples:\n  \
        sim report out/spheres                      the page is out/spheres/report.html\n  \
        sim report out/spheres --out spheres.html\n  \
        sim report out/dam_break_sweep --frame 20",
    arg_required_else_help = true
)]
pub struct ReportArgs {
    /// Folder of the run or sweep, which may be in progress
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// File for the page [default: <DIR>/report.html]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Frame to show [default: a few of a run; the last of each point of a sweep]
    #[arg(long, value_name = "N")]
    pub frame: Option<u32>,
}
