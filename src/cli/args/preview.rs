//! `sim preview`: pictures, a film and a page of a run.

use super::shared::{MAX_FRAMES, ThreadArgs};
use super::values::{ValueError, positive, whole_number};
use clap::{Parser, ValueEnum};
use hashfall_preview::colour_map::{FLUIDS, Fluids};
use hashfall_scene::{PREVIEW_ANGLES, PREVIEW_SIDES};
use std::ffi::OsStr;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Allowed frame rates of films \[1/s\].
const RATES: RangeInclusive<f64> = 1e-3..=1e4;

/// `sim preview DIR`
#[derive(Debug, Parser)]
#[command(
    about = "Render images, a film and a page with a player of a run",
    after_help = "Previews go into the run's folder, or that of --out, and replace earlier ones: \
                  preview/frame_00000.png ..., preview/preview.gif, preview/index.html, and \
                  preview/preview.mp4 if `ffmpeg` is installed. The run may be in progress.\n\n\
        Examples:\n  \
        sim preview out/spheres\n  \
        sim preview out/spheres --of particles --view -40,15 --zoom 1.4\n  \
        sim preview out/spheres --size 1920x1080 --every 5 --colour density"
)]
pub struct PreviewArgs {
    /// Folder of the run
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Folder for the previews, a new one or with earlier ones [default: <DIR>/preview]
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write into a folder with other files, and replace those that are called as previews are
    #[arg(long, requires = "out")]
    pub overwrite: bool,
    /// What to show; auto is the surface if the run has one, else the particles
    #[arg(
        long,
        value_enum,
        value_name = "auto|particles|surface",
        default_value = "auto",
        hide_possible_values = true
    )]
    pub of: Of,
    /// Width and height of the images
    #[arg(long, value_name = "WxH", default_value = "960x540", value_parser = size)]
    pub size: [u32; 2],
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
    /// Frames per second of the films [default: real time]
    #[arg(long, value_name = "F", value_parser = fps)]
    pub fps: Option<f64>,
    /// View direction: degrees about the vertical (0 front, 90 right) and above the horizon
    /// [default: 29,24; in two dimensions 0,0]
    #[arg(long, value_name = "AZIMUTH,ELEVATION", allow_hyphen_values = true, value_parser = view)]
    pub view: Option<[f64; 2]>,
    /// Magnification; 1 fits the whole domain
    #[arg(long, value_name = "Z", default_value = "1", value_parser = positive)]
    pub zoom: f64,
    /// Look of the fluid, or quantity that colours show; auto is the phase (one colour per fluid)
    /// if there are several fluids, clear water for the surface of one, the speed of particles
    #[arg(
        long,
        alias = "color",
        value_enum,
        value_name = "auto|water|speed|density|phase|none",
        default_value = "auto",
        hide_possible_values = true
    )]
    pub colour: Colour,
    /// Colours of the fluids in the scene's order, as hexadecimal RGB; implies `--colour phase`
    /// unless `--colour` is given
    #[arg(long, alias = "fluid-colors", value_name = "RRGGBB,...", value_parser = fluids)]
    pub fluid_colours: Option<Fluids>,
    /// Ends of the colour scale [default: the range of the run; speeds from 0]
    #[arg(long, value_name = "A,B", allow_hyphen_values = true, value_parser = range)]
    pub range: Option<[f64; 2]>,
    /// Write no GIF
    #[arg(long)]
    pub no_gif: bool,
    /// Write no page
    #[arg(long)]
    pub no_page: bool,
    /// Write no MP4 even if `ffmpeg` is installed
    #[arg(long)]
    pub no_mp4: bool,
    /// Largest size of the GIF, in MB; it is scaled down or has fewer frames to fit
    #[arg(long, value_name = "MB", default_value = "10", value_parser = positive)]
    pub gif_limit: f64,
    #[command(flatten)]
    pub threads: ThreadArgs,
    /// Print nothing but warnings and errors
    #[arg(short, long)]
    pub quiet: bool,
}

impl PreviewArgs {
    /// The default arguments for the run in a folder.
    pub fn with_defaults(folder: &Path) -> PreviewArgs {
        let words = [OsStr::new("preview"), OsStr::new("--"), folder.as_os_str()];
        PreviewArgs::parse_from(words)
    }

    /// The colours of fluids.
    pub fn fluids(&self) -> Fluids {
        self.fluid_colours.unwrap_or(FLUIDS)
    }
}

/// What is shown of the fluid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Of {
    Auto,
    Particles,
    Surface,
}

/// What colours show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    Auto,
    Water,
    Speed,
    Density,
    Phase,
    None,
}

/// Parses a size.
fn size(text: &str) -> Result<[u32; 2], ValueError> {
    let side = |text: &str| text.parse().ok().filter(|side| PREVIEW_SIDES.contains(side));
    text.split_once(['x', '×'])
        .and_then(|(width, height)| Some([side(width)?, side(height)?]))
        .ok_or_else(|| {
            let (min, max) = (PREVIEW_SIDES.start(), PREVIEW_SIDES.end());
            ValueError::new(format!("width and height from {min} to {max}, such as 960x540"))
        })
}

/// Parses colours of fluids; those that are not given are as usual.
fn fluids(text: &str) -> Result<Fluids, ValueError> {
    let colour = |text: &str| {
        let digits = text.trim().trim_start_matches('#');
        let is_hex = digits.len() == 6 && digits.chars().all(|digit| digit.is_ascii_hexdigit());
        let [_, colour @ ..] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
        is_hex.then_some(colour)
    };
    let mut fluids = FLUIDS;
    let given: Option<Vec<[u8; 3]>> = text.split(',').map(colour).collect();
    match given.filter(|given| given.len() <= fluids.len()) {
        Some(given) => fluids[..given.len()].copy_from_slice(&given),
        None => {
            let max = fluids.len();
            return Err(ValueError::new(format!("1 to {max} colours, such as e69f3c,3f9fd8")));
        }
    }
    Ok(fluids)
}

/// Parses two finite numbers.
fn pair(text: &str) -> Option<[f64; 2]> {
    let number = |text: &str| text.trim().parse().ok().filter(|x: &f64| x.is_finite());
    let (a, b) = text.split_once(',')?;
    Some([number(a)?, number(b)?])
}

/// Parses a frame rate.
fn fps(text: &str) -> Result<f64, ValueError> {
    let (min, max) = (RATES.start(), RATES.end());
    let rate = text.parse().ok().filter(|rate| RATES.contains(rate));
    rate.ok_or_else(|| ValueError::new(format!("a number from {min} to {max}")))
}

/// Parses two numbers, the lower first, also after rounding to single precision.
fn range(text: &str) -> Result<[f64; 2], ValueError> {
    let is_sound = |[a, b]: &[f64; 2]| {
        let [a, b] = [*a as f32, *b as f32];
        a < b && (b - a).is_finite()
    };
    pair(text).filter(is_sound).ok_or_else(|| {
        ValueError::new("two numbers of single precision, the lower first, such as 0,2.5")
    })
}

/// Parses a view.
fn view(text: &str) -> Result<[f64; 2], ValueError> {
    let (min, max) = (PREVIEW_ANGLES.start(), PREVIEW_ANGLES.end());
    pair(text)
        .filter(|angles| angles.iter().all(|angle| PREVIEW_ANGLES.contains(angle)))
        .ok_or_else(|| ValueError::new(format!("two numbers from {min} to {max}, such as 29,24")))
}
