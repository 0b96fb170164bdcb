//! `sim export`: the frames of a run in formats of pipelines.

use super::shared::{MAX_FRAMES, ThreadArgs};
use super::values::{ValueError, positive, whole_number};
use clap::Parser;
use clap::builder::PossibleValuesParser;
use hashfall_export::{FORMATS, Part};
use std::path::PathBuf;

/// `sim export DIR`
#[derive(Debug, Parser)]
#[command(
    about = "Write a run's frames in formats of pipelines: USD and others",
    after_help = "Files go into a folder for each format: <DIR>/export/usd/ and so on. \
                  docs/export.md says which format is for which program.\n\n\
        Examples:\n  \
        sim export out/spheres --format usd\n  \
        sim export out/spheres --format vtkhdf,vdb --level 4\n  \
        sim export out/spheres --format usd --only surface --from 10 --to 60 --every 2\n  \
        sim export out/spheres --format usd --only particles --box 0,0,0 1,1,0.5 --quantize 16"
)]
pub struct ExportArgs {
    /// Folder of the run
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Formats, separated by commas
    #[arg(short, long, value_name = "FORMAT,...", required = true, value_delimiter = ',',
          value_parser = PossibleValuesParser::new(FORMATS.map(|format| format.name())))]
    pub format: Vec<String>,
    /// Folder for the files; of several formats each has a folder in it
    /// [default: <DIR>/export/<FORMAT>]
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace an earlier export, or files of the same names in the folder of --out
    #[arg(long)]
    pub overwrite: bool,
    /// First frame
    #[arg(long, value_name = "K", default_value = "0", value_parser = whole_number(0..=MAX_FRAMES))]
    pub from: u32,
    /// Last frame [default: the last there is]
    #[arg(long, value_name = "K", value_parser = whole_number(0..=MAX_FRAMES))]
    pub to: Option<u32>,
    /// Only every N-th frame
    #[arg(long, value_name = "N", default_value = "1",
          value_parser = whole_number(1..=MAX_FRAMES))]
    pub every: u32,
    /// Parts to write, separated by commas [default: all that the run and the format have]
    #[arg(long, value_name = "PART,...", value_delimiter = ',',
          value_parser = PossibleValuesParser::new(Part::ALL.map(Part::name)))]
    pub only: Vec<String>,
    /// Only the particles and foam within the box from one corner to the other, in m
    #[arg(long = "box", value_names = ["X,Y,Z", "X,Y,Z"], num_args = 2,
          allow_hyphen_values = true, value_parser = corner)]
    pub region: Option<Vec<[f32; 3]>>,
    /// Change numbers by at most the range of their array in a frame over 2^BITS, where the format
    /// is smaller for it
    #[arg(long, value_name = "BITS", value_parser = whole_number(8..=20))]
    pub quantize: Option<u32>,
    /// Effort of lossless compression, where the format has it: 0 is none, 9 the most
    #[arg(long, value_name = "0..9", default_value = "1", value_parser = whole_number(0..=9))]
    pub level: u32,
    /// Edge of a voxel of vdb, in m [default: the radius of particles]
    #[arg(long, value_name = "M", value_parser = positive)]
    pub voxel: Option<f64>,
    /// Numbers of half precision in vdb
    #[arg(long)]
    pub half: bool,
    #[command(flatten)]
    pub threads: ThreadArgs,
    /// Print nothing but warnings and errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// Parses a corner of a box.
fn corner(text: &str) -> Result<[f32; 3], ValueError> {
    let number = |text: &str| text.trim().parse().ok().filter(|x: &f32| x.is_finite());
    let numbers: Option<Vec<f32>> = text.split(',').map(number).collect();
    let corner = numbers.and_then(|numbers| numbers.try_into().ok());
    corner.ok_or_else(|| ValueError::new("three numbers, such as 0,0,0.5"))
}
