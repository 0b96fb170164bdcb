//! `sim surface`, with the names that users of splashsurf know.

use super::shared::ThreadArgs;
use clap::{ArgAction, Parser, ValueEnum, value_parser};
use hashfall_surface::ANISOTROPY;
use std::path::PathBuf;

/// The most iterations of smoothing, as in a scene.
const MAX_ITERATIONS: i64 = 1000;

/// `sim surface FILE...`
#[derive(Debug, Parser)]
#[command(
    name = "surface",
    bin_name = "sim surface",
    about = "Makes closed surfaces of particle files that any program has written",
    after_help = "A file may be a pattern: `fluid_{}.vtk` stands for a sequence, where {} is a \
                  number, and `*.vtk` for all that fit. Quote patterns.\n\n\
        Examples:\n  \
        sim surface particles.vtk --particle-radius 0.025 -o water.ply\n  \
        sim surface 'frames/fluid_{}.vtp' -r 0.01 -a velocity -o meshes --format vtp",
    arg_required_else_help = true
)]
pub struct SurfaceArgs {
    /// Particle files: .vtk, .vtp, .vtu, .ply, .bgeo or .xyz; or a .pvd or .series that names some
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// File or folder for the meshes; {} in a file's name is the frame [default: out/surface]
    #[arg(short, long, value_name = "FILE|DIR", alias = "output-file")]
    pub out: Option<PathBuf>,
    /// Format of the meshes: obj holds no attributes [default: as --out ends, else ply]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<MeshFormat>,
    /// Radius r of a particle, half the distance to the next, in m
    #[arg(short = 'r', long, value_name = "R", alias = "radius", value_parser = positive)]
    pub particle_radius: f64,
    /// Smoothing length l in radii: a particle reaches as far as 2 l r
    #[arg(short = 'l', long, value_name = "L", default_value = "2.0", value_parser = positive)]
    pub smoothing_length: f64,
    /// Edge of a marching-cubes cell in radii
    #[arg(short = 'c', long, value_name = "C", default_value = "0.5", value_parser = positive)]
    pub cube_size: f64,
    /// Iso value of the surface: the part of a place that fluid fills
    #[arg(short = 't', long, value_name = "T", default_value = "0.6", value_parser = positive)]
    pub surface_threshold: f64,
    /// How many times narrower kernels may be across thin sheets: 1 for round ones, 1.75 for
    /// sheets that are flat and have their volume
    #[arg(long, value_name = "A", default_value = "1", value_parser = anisotropy)]
    pub anisotropy: f64,
    /// Collapse short edges and slivers: up to half of the triangles go
    #[arg(long, value_name = "on|off", default_value = "on", action = ArgAction::Set,
          value_parser = switch)]
    pub mesh_cleanup: bool,
    /// Iterations of smoothing of the mesh
    #[arg(long, value_name = "N", default_value = "30",
          value_parser = value_parser!(u32).range(..=MAX_ITERATIONS))]
    pub mesh_smoothing_iters: u32,
    /// Leave spray as it is, and smooth thin sheets less
    #[arg(long, value_name = "on|off", default_value = "on", action = ArgAction::Set,
          value_parser = switch)]
    pub mesh_smoothing_weights: bool,
    /// Iterations of smoothing of the normals [default: 10 where the mesh is smoothed, else 0]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(..=MAX_ITERATIONS))]
    pub normals_smoothing_iters: Option<u32>,
    /// Save triangles where the surface moves by no more than so many radii, such as 0.1
    #[arg(long, value_name = "D", default_value = "0", value_parser = not_negative)]
    pub decimation: f64,
    /// Leave out drops of less than so many particle volumes
    #[arg(long, value_name = "N", default_value = "0", value_parser = not_negative)]
    pub smallest_body: f64,
    /// File or folder for a mesh of the drops that --smallest-body leaves out
    #[arg(long, value_name = "FILE|DIR")]
    pub spray: Option<PathBuf>,
    /// Leave out particles below this corner
    #[arg(long, num_args = 3, value_names = ["X", "Y", "Z"], allow_negative_numbers = true,
          requires = "particle_aabb_max", value_parser = finite)]
    pub particle_aabb_min: Option<Vec<f64>>,
    /// Leave out particles above this corner
    #[arg(long, num_args = 3, value_names = ["X", "Y", "Z"], allow_negative_numbers = true,
          requires = "particle_aabb_min", value_parser = finite)]
    pub particle_aabb_max: Option<Vec<f64>>,
    /// Attribute that the mesh shall have, or `all`; may be repeated
    #[arg(short = 'a', long, value_name = "NAME", alias = "interpolate_attribute")]
    pub interpolate_attribute: Vec<String>,
    /// Make a mesh of each fluid, by an attribute of whole numbers such as `phase`; where fluids
    /// touch, their meshes share vertices and triangles
    #[arg(long, value_name = "NAME")]
    pub phases: Option<String>,
    /// First number of a sequence
    #[arg(short = 's', long, value_name = "N")]
    pub start_index: Option<u64>,
    /// Last number of a sequence
    #[arg(short = 'e', long, value_name = "N")]
    pub end_index: Option<u64>,
    /// Check that each mesh is closed and sound; exit code 1 if one is not
    #[arg(long, alias = "check-mesh")]
    pub check: bool,
    /// Memory for frames side by side, in GiB [default: half of what is free]
    #[arg(long, value_name = "GIB", value_parser = positive)]
    pub memory: Option<f64>,
    #[command(flatten)]
    pub threads: ThreadArgs,
    /// Print nothing but warnings and errors
    #[arg(short, long)]
    pub quiet: bool,
    /// Replace meshes that are already there
    #[arg(long)]
    pub overwrite: bool,
}

/// A format of meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MeshFormat {
    Ply,
    Vtp,
    Obj,
}

/// Parses a number above 0.
pub(super) fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number > 0.0 && f64::is_finite(number) => Ok(number),
        _ => Err("a number above 0 is expected".to_owned()),
    }
}

/// Parses a number that may be 0.
fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number >= 0.0 && f64::is_finite(number) => Ok(number),
        _ => Err("a number from 0 on is expected".to_owned()),
    }
}

/// Parses how much kernels may be stretched.
fn anisotropy(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if ANISOTROPY.contains(&number) => Ok(number),
        _ => {
            Err(format!("a number from {} to {} is expected", ANISOTROPY.start(), ANISOTROPY.end()))
        }
    }
}

/// Parses a switch.
fn switch(text: &str) -> Result<bool, String> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("`on` or `off` is expected".to_owned()),
    }
}

/// Parses a coordinate.
fn finite(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| f64::is_finite(*number));
    number.ok_or_else(|| "a finite number is expected".to_owned())
}
