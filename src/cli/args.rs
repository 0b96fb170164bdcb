//! The command line as the user may type it; nothing here acts.

use crate::world::ANISOTROPY;
use clap::{ArgAction, Args, Parser, ValueEnum, value_parser};
use std::ffi::OsString;
use std::path::PathBuf;

/// The most frames that can be meant.
const MAX_FRAMES: i64 = 1_000_000;
/// The most repeats of a measurement that can be meant.
const MAX_REPEATS: i64 = 10_000;
/// The most iterations of smoothing, as in a scene.
const MAX_ITERATIONS: i64 = 1000;

/// What the user asked for.
#[derive(Debug)]
pub enum Request {
    /// Run a scene.
    Simulate(SimulateArgs),
    /// Look at scenes.
    Check(CheckArgs),
    /// Look at runs again.
    Audit(AuditArgs),
    /// Go on with a run.
    Resume(ResumeArgs),
    /// Run the validation cases.
    Validate(ValidateArgs),
    /// Run the papers' experiments.
    Bench(BenchArgs),
    /// Mesh particle files.
    Surface(Box<SurfaceArgs>),
}

impl Request {
    /// Reads the command line, whose first argument is the program's own name.
    ///
    /// A command is known by the second argument, not by clap's subcommands: beside a free-standing
    /// SCENE those would take a second scene for a command, and say so.
    ///
    /// # Errors
    /// What clap has to say: a mistake, or the help that was asked for.
    pub fn parse(args: &[OsString]) -> Result<Request, clap::Error> {
        match args.get(1) {
            Some(command) if command == "check" => {
                CheckArgs::try_parse_from(&args[1..]).map(Request::Check)
            }
            Some(command) if command == "audit" => {
                AuditArgs::try_parse_from(&args[1..]).map(Request::Audit)
            }
            Some(command) if command == "resume" => {
                ResumeArgs::try_parse_from(&args[1..]).map(Request::Resume)
            }
            Some(command) if command == "validate" => {
                ValidateArgs::try_parse_from(&args[1..]).map(Request::Validate)
            }
            Some(command) if command == "bench" => {
                BenchArgs::try_parse_from(&args[1..]).map(Request::Bench)
            }
            Some(command) if command == "surface" => {
                SurfaceArgs::try_parse_from(&args[1..]).map(|args| Request::Surface(Box::new(args)))
            }
            _ => SimulateArgs::try_parse_from(args).map(Request::Simulate),
        }
    }
}

/// `sim SCENE.ron`
#[derive(Debug, Parser)]
#[command(
    name = "sim",
    version,
    about = "Simulates a fluid among solids and writes frames for ParaView and Blender",
    override_usage = "sim [OPTIONS] <SCENE>\n       sim check [OPTIONS] <SCENE>...\n       \
                      sim resume [OPTIONS] <DIR>\n       \
                      sim audit <DIR>...\n       \
                      sim validate [OPTIONS] [CASE]...\n       \
                      sim bench [OPTIONS] [EXPERIMENT]...\n       \
                      sim surface [OPTIONS] --particle-radius <R> <FILE>...",
    after_help = "Commands:\n  \
        check     Read scenes and report particles, memory, disk and time step, or every error\n  \
        resume    Go on with a run that was stopped, from its last checkpoint\n  \
        audit     Check runs again by their files\n  \
        validate  Run cases whose outcome is known, and measure the difference\n  \
        bench     Run the papers' experiments with every search structure\n  \
        surface   Make surfaces of particle files, of any program\n\n\
        Examples:\n  \
        sim scenes/spheres.ron                    frames go to out/spheres/\n  \
        sim scenes/spheres.ron --frames 20 --set fluids[0].viscosity=0.05\n  \
        sim check scenes/*.ron\n  \
        sim resume out/spheres\n  \
        sim validate kleefsman\n  \
        sim surface 'frames/fluid_{}.vtk' -r 0.01 -o meshes",
    arg_required_else_help = true
)]
pub struct SimulateArgs {
    /// Scene to run (RON)
    #[arg(value_name = "SCENE")]
    pub scene: PathBuf,
    /// Folder for the frames [default: out/<name of the scene>]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub run: RunArgs,
    /// Replace a run that is already in the folder
    #[arg(long)]
    pub overwrite: bool,
}

/// `sim check SCENE.ron...`
#[derive(Debug, Parser)]
#[command(
    name = "check",
    bin_name = "sim check",
    about = "Reads scenes and reports particles, memory, disk and time step, or every error; runs \
             nothing",
    arg_required_else_help = true
)]
pub struct CheckArgs {
    /// Scenes to read (RON)
    #[arg(value_name = "SCENE", required = true)]
    pub scenes: Vec<PathBuf>,
    #[command(flatten)]
    pub scene: SceneArgs,
}

/// `sim resume DIR`
#[derive(Debug, Parser)]
#[command(
    name = "resume",
    bin_name = "sim resume",
    about = "Goes on with a run that was stopped, from its last checkpoint, as if it never had \
             been",
    after_help = "Examples:\n  \
        sim resume out/spheres\n  \
        sim resume out/spheres --frames 400\n  \
        sim resume out/spheres --set solver.max_iterations=400",
    arg_required_else_help = true
)]
pub struct ResumeArgs {
    /// Folder of the run
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    #[command(flatten)]
    pub run: RunArgs,
}

/// `sim audit DIR...`
#[derive(Debug, Parser)]
#[command(
    name = "audit",
    bin_name = "sim audit",
    about = "Checks runs again by their files: whether all are whole and agree, what must be kept \
             is kept, and no limit of the scene is passed; exit code 1 if not",
    arg_required_else_help = true
)]
pub struct AuditArgs {
    /// Folders of runs
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    #[command(flatten)]
    pub threads: ThreadArgs,
}

/// `sim validate [CASE]...`
#[derive(Debug, Parser)]
#[command(
    name = "validate",
    bin_name = "sim validate",
    about = "Runs cases whose outcome is known from experiment or theory, and measures how far the \
             simulation is from it; exit code 1 if a goal is missed"
)]
pub struct ValidateArgs {
    /// Cases to run [default: all]
    #[arg(value_name = "CASE")]
    pub cases: Vec<String>,
    /// Folder for the report and the plots
    #[arg(long, value_name = "DIR", default_value = "out/validation")]
    pub out: PathBuf,
    /// Name the cases, and run nothing
    #[arg(long)]
    pub list: bool,
    #[command(flatten)]
    pub common: CommonArgs,
}

/// `sim bench [EXPERIMENT]...`
#[derive(Debug, Parser)]
#[command(
    name = "bench",
    bin_name = "sim bench",
    about = "Runs the experiments of the papers again, and cost curves, with every structure; exit \
             code 1 if structures disagree",
    after_help = "Examples:\n  \
        sim bench --list\n  \
        sim bench pouchol-fig4 --full\n  \
        sim bench neighbors broad-phase --threads 2"
)]
pub struct BenchArgs {
    /// Experiments to run [default: all]
    #[arg(value_name = "EXPERIMENT")]
    pub experiments: Vec<String>,
    /// Folder for the report, the values and the plots
    #[arg(long, value_name = "DIR", default_value = "out/bench")]
    pub out: PathBuf,
    /// Name the experiments and the structures, and run nothing
    #[arg(long)]
    pub list: bool,
    /// Measure at the sizes of the papers: minutes to hours
    #[arg(long)]
    pub full: bool,
    /// How often each time is taken
    #[arg(long, value_name = "N", default_value = "5",
          value_parser = value_parser!(u32).range(1..=MAX_REPEATS))]
    pub repeats: u32,
    /// Seed of all inputs
    #[arg(long, value_name = "N", default_value = "1")]
    pub seed: u64,
    /// Threads: the papers measure one
    #[arg(long, value_name = "N", default_value = "1", value_parser = thread_count)]
    pub threads: usize,
}

impl BenchArgs {
    /// The number of threads, which neither Slurm nor the machine decides.
    pub fn threads(&self) -> ThreadArgs {
        ThreadArgs { threads: Some(self.threads) }
    }
}

/// `sim surface FILE...`, with the names that users of splashsurf know
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
    /// Particle files: .vtk, .vtp, .vtu, .ply or .xyz
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

/// Options of every command that runs a scene.
#[derive(Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub scene: SceneArgs,
    /// Print nothing but warnings and errors
    #[arg(long)]
    pub quiet: bool,
    /// Find neighbours with this structure, as `--set neighbors=KIND` would; `auto` tries all at
    /// the start and takes the fastest
    #[arg(long, value_name = "KIND|auto")]
    pub nns: Option<String>,
    /// Compare a sample of the neighbours with brute force after each search; end the run where
    /// they differ
    #[arg(long)]
    pub nns_verify: bool,
    /// Run even if memory or disk seem not to suffice
    #[arg(long)]
    pub allow_shortage: bool,
}

/// Options of every command that reads a scene of the user's.
#[derive(Debug, Args)]
pub struct SceneArgs {
    /// Frames after the first, of the whole run, in place of the scene's `frames.count`
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = value_parser!(u32).range(1..=MAX_FRAMES))]
    pub frames: Option<u32>,
    #[command(flatten)]
    pub common: CommonArgs,
    /// Read meshes from anywhere, not only from below the parent of the scene's folder
    #[arg(long)]
    pub allow_outside: bool,
}

/// Options of every command that changes a scene.
#[derive(Debug, Args)]
pub struct CommonArgs {
    /// Set a key of the scene, such as `fluids[0].viscosity=0.05`; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE", allow_hyphen_values = true)]
    pub overrides: Vec<String>,
    #[command(flatten)]
    pub threads: ThreadArgs,
}

/// The option of every command.
#[derive(Clone, Copy, Debug, Args)]
pub struct ThreadArgs {
    /// Threads [default: SLURM_CPUS_PER_TASK, else the cores this process may use]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    pub threads: Option<usize>,
}

/// Parses `--threads`.
fn thread_count(text: &str) -> Result<usize, String> {
    crate::run::threads::parse(text)
}

/// Parses a number above 0.
fn positive(text: &str) -> Result<f64, String> {
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
