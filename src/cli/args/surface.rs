//! `sim surface`, with the names that users of splashsurf know.

use super::columns::columns;
use super::shared::ThreadArgs;
use super::values::{ValueError, finite, not_negative, positive, switch, whole_number};
use clap::{ArgAction, Parser, ValueEnum};
use hashfall_input::ColumnChoice;
use hashfall_surface::ANISOTROPY;
use std::path::PathBuf;

/// Upper bound of smoothing iterations, as in a scene.
const MAX_ITERATIONS: u32 = 1000;

/// `sim surface FILE...`
#[derive(Debug, Parser)]
#[command(
    about = "Reconstruct closed surfaces from particle files of any program",
    after_help = "A file may be a pattern: `fluid_{}.vtk` is a sequence, where {} is a number, and \
                  `*.vtk` is every file that matches. Quote patterns.\n\n\
        Examples:\n  \
        sim surface particles.vtk --particle-radius 0.025 -o water.ply\n  \
        sim surface 'frames/fluid_{}.vtp' -r 0.01 -a velocity -o meshes --format vtp"
)]
pub struct SurfaceArgs {
    /// Particle files: .vtk, .vtp, .vtu, .ply, .bgeo, .csv, .dat, .pts or .xyz; or a .pvd or
    /// .series that lists them
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// File or folder for the meshes; {} in a file's name is the frame [default: out/surface]
    #[arg(short, long, value_name = "FILE|DIR", alias = "output-file")]
    pub out: Option<PathBuf>,
    /// Format of the meshes: obj holds no attributes [default: as --out ends, else ply]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<MeshFormat>,
    /// Particle radius r, half the particle spacing, in m
    #[arg(short = 'r', long, value_name = "R", alias = "radius", value_parser = positive)]
    pub particle_radius: f64,
    /// Do not compare the radius with the distances of the particles
    #[arg(long)]
    pub allow_radius: bool,
    /// Smoothing length l in radii; the support radius of the kernel is 2 l r
    #[arg(short = 'l', long, value_name = "L", default_value = "2.0", value_parser = positive)]
    pub smoothing_length: f64,
    /// Edge of a marching-cubes cell in radii
    #[arg(short = 'c', long, value_name = "C", default_value = "0.5", value_parser = positive)]
    pub cube_size: f64,
    /// Iso value of the surface: the volume fraction of fluid
    #[arg(short = 't', long, value_name = "T", default_value = "0.6", value_parser = positive)]
    pub surface_threshold: f64,
    /// Largest ratio by which kernels narrow across thin sheets: 1 for isotropic kernels, 1.75 for
    /// flat sheets of the right volume
    #[arg(long, value_name = "A", default_value = "1", value_parser = anisotropy)]
    pub anisotropy: f64,
    /// Leave the mesh as marching cubes make it: no clean-up, no smoothing
    #[arg(long, conflicts_with_all = ["mesh_cleanup", "mesh_smoothing_iters", "decimation"])]
    pub raw: bool,
    /// Collapse short edges and slivers; removes up to half of the triangles
    #[arg(long, value_name = "on|off", default_value = "on", action = ArgAction::Set,
          value_parser = switch)]
    pub mesh_cleanup: bool,
    /// Iterations of smoothing of the mesh
    #[arg(long, value_name = "N", default_value = "30",
          value_parser = whole_number(0..=MAX_ITERATIONS))]
    pub mesh_smoothing_iters: u32,
    /// Do not smooth spray, and smooth thin sheets less
    #[arg(long, value_name = "on|off", default_value = "on", action = ArgAction::Set,
          value_parser = switch)]
    pub mesh_smoothing_weights: bool,
    /// Iterations of smoothing of the normals [default: 10 where the mesh is smoothed, else 0]
    #[arg(long, value_name = "N", value_parser = whole_number(0..=MAX_ITERATIONS))]
    pub normals_smoothing_iters: Option<u32>,
    /// Remove triangles as long as the surface moves by at most this many radii, such as 0.1
    #[arg(long, value_name = "D", default_value = "0", value_parser = not_negative)]
    pub decimation: f64,
    /// Omit drops of less than this many particle volumes
    #[arg(long, value_name = "N", default_value = "0", value_parser = not_negative)]
    pub smallest_body: f64,
    /// File or folder for a mesh of the drops that --smallest-body omits
    #[arg(long, value_name = "FILE|DIR")]
    pub spray: Option<PathBuf>,
    /// Omit particles below this corner
    #[arg(long, num_args = 3, value_names = ["X", "Y", "Z"], allow_negative_numbers = true,
          requires = "particle_aabb_max", value_parser = finite)]
    pub particle_aabb_min: Option<Vec<f64>>,
    /// Omit particles above this corner
    #[arg(long, num_args = 3, value_names = ["X", "Y", "Z"], allow_negative_numbers = true,
          requires = "particle_aabb_min", value_parser = finite)]
    pub particle_aabb_max: Option<Vec<f64>>,
    /// Attribute to interpolate to the mesh, or `all`; may be repeated
    #[arg(short = 'a', long, value_name = "NAME", alias = "interpolate_attribute")]
    pub interpolate_attribute: Vec<String>,
    /// Columns of the files for x, y, z, u, v, w, density, pressure or phase, by their names or, of
    /// a table, by their numbers from 1, such as x=Points:0,y=4; others are known by their names
    #[arg(long, value_name = "KEY=COLUMN,...", value_parser = columns)]
    pub columns: Option<ColumnChoice>,
    /// Make one mesh per fluid, by an integer attribute such as `phase`; where fluids touch, their
    /// meshes share vertices and triangles
    #[arg(long, value_name = "NAME")]
    pub phases: Option<String>,
    /// First number of a sequence
    #[arg(short = 's', long, value_name = "N")]
    pub start_index: Option<u64>,
    /// Last number of a sequence
    #[arg(short = 'e', long, value_name = "N")]
    pub end_index: Option<u64>,
    /// Check that each mesh is closed and valid; exit code 1 if one is not
    #[arg(long, alias = "check-mesh")]
    pub check: bool,
    /// Memory for frames in parallel, in GiB [default: half of the free memory]
    #[arg(long, value_name = "GIB", value_parser = positive)]
    pub memory: Option<f64>,
    #[command(flatten)]
    pub threads: ThreadArgs,
    /// Print nothing but warnings and errors
    #[arg(short, long)]
    pub quiet: bool,
    /// Replace existing meshes
    #[arg(long)]
    pub overwrite: bool,
}

/// A format of meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MeshFormat {
    Ply,
    Vtp,
    Vtk,
    Obj,
}

impl MeshFormat {
    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            MeshFormat::Ply => "ply",
            MeshFormat::Vtp => "vtp",
            MeshFormat::Vtk => "vtk",
            MeshFormat::Obj => "obj",
        }
    }

    /// What ends the name of ParaView's series of such files, if it opens them.
    pub fn series(self) -> Option<String> {
        match self {
            MeshFormat::Vtp => Some("pvd".to_owned()),
            MeshFormat::Ply | MeshFormat::Vtk => Some(format!("{}.series", self.extension())),
            MeshFormat::Obj => None,
        }
    }
}

/// Parses the largest stretch of kernels.
fn anisotropy(text: &str) -> Result<f64, ValueError> {
    let number = text.parse().ok().filter(|x| ANISOTROPY.contains(x));
    number.ok_or_else(|| {
        let (min, max) = (ANISOTROPY.start(), ANISOTROPY.end());
        ValueError::new(format!("a number from {min} to {max}"))
    })
}
