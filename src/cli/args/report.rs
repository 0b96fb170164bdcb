//! `sim report`.

use super::shared::MAX_FRAMES;
use super::values::whole_number;
use clap::Parser;
use std::path::PathBuf;

/// `sim report DIR`
#[derive(Debug, Parser)]
#[command(
    about = "Write an HTML page with charts of a run or a sweep",
    after_help = "The page needs no other file: charts of the log and the probes over time, or of \
                  a sweep's results over its parameters.\n\n\
        Examples:\n  \
        sim report out/spheres                      the page is out/spheres/report.html\n  \
        sim report out/spheres -o spheres.html\n  \
        sim report out/dam_break_sweep --frame 20"
)]
pub struct ReportArgs {
    /// Folder of the run or sweep, which may be in progress
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// File for the page [default: <DIR>/report.html]
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Frame to show [default: a few of a run; the last of each point of a sweep]
    #[arg(long, value_name = "N", value_parser = whole_number(0..=MAX_FRAMES))]
    pub frame: Option<u32>,
    /// Print nothing but warnings and errors
    #[arg(short, long)]
    pub quiet: bool,
}
