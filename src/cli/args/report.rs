//! `sim report`.

use clap::Parser;
use std::path::PathBuf;

/// `sim report DIR`
#[derive(Debug, Parser)]
#[command(
    name = "report",
    bin_name = "sim report",
    about = "Shows a run as one page, an HTML file that needs nothing else: its facts, its scene, \
             and charts of its log and its probes over time",
    after_help = "Examples:\n  \
        sim report out/spheres                      the page is out/spheres/report.html\n  \
        sim report out/spheres --out spheres.html",
    arg_required_else_help = true
)]
pub struct ReportArgs {
    /// Folder of the run, which may go on meanwhile
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// File for the page [default: <DIR>/report.html]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}
