//! `sim report`.

use clap::Parser;
use std::path::PathBuf;

/// `sim report DIR`
#[derive(Debug, Parser)]
#[command(
    name = "report",
    bin_name = "sim report",
    about = "Shows a run, or a sweep, as one page, an HTML file that needs nothing else: charts of \
             the log and of probes over time, or of results over what varies",
    after_help = "Examples:\n  \
        sim report out/spheres                      the page is out/spheres/report.html\n  \
        sim report out/spheres --out spheres.html\n  \
        sim report out/dam_break_sweep --frame 20",
    arg_required_else_help = true
)]
pub struct ReportArgs {
    /// Folder of the run or sweep, which may go on meanwhile
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// File for the page [default: <DIR>/report.html]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The frame that is shown [default: some of a run, the last of a sweep's points]
    #[arg(long, value_name = "N")]
    pub frame: Option<u32>,
}
