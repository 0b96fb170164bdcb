//! The command line as the user may type it; nothing here acts.

use clap::{Args, Parser, value_parser};
use std::ffi::OsString;
use std::path::PathBuf;

/// The most frames that can be meant.
const MAX_FRAMES: i64 = 1_000_000;

/// What the user asked for.
#[derive(Debug)]
pub enum Request {
    /// Run a scene.
    Simulate(SimulateArgs),
    /// Look at scenes.
    Check(CheckArgs),
    /// Run the validation cases.
    Validate(ValidateArgs),
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
            Some(command) if command == "validate" => {
                ValidateArgs::try_parse_from(&args[1..]).map(Request::Validate)
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
                      sim validate [OPTIONS] [CASE]...",
    after_help = "Commands:\n  \
        check     Read scenes and report particles, memory, disk and time step, or every error\n  \
        validate  Run cases whose outcome is known, and measure the difference\n\n\
        Examples:\n  \
        sim scenes/spheres.ron                    frames go to out/spheres/\n  \
        sim scenes/spheres.ron --frames 20 --set fluids[0].viscosity=0.05\n  \
        sim check scenes/*.ron\n  \
        sim validate kleefsman",
    arg_required_else_help = true
)]
pub struct SimulateArgs {
    /// Scene to run (RON)
    #[arg(value_name = "SCENE")]
    pub scene: PathBuf,
    /// Folder for the frames [default: out/<name of the scene>]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Frames after the first, in place of the scene's `frames.count`
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=MAX_FRAMES))]
    pub frames: Option<u32>,
    #[command(flatten)]
    pub common: CommonArgs,
    /// Print nothing but warnings and errors
    #[arg(long)]
    pub quiet: bool,
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
    pub common: CommonArgs,
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

/// Options of every command that reads a scene.
#[derive(Debug, Args)]
pub struct CommonArgs {
    /// Set a key of the scene, such as `fluids[0].viscosity=0.05`; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE", allow_hyphen_values = true)]
    pub overrides: Vec<String>,
    /// Threads [default: SLURM_CPUS_PER_TASK, else the cores this process may use]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    pub threads: Option<usize>,
}

/// Parses `--threads`.
fn thread_count(text: &str) -> Result<usize, String> {
    crate::run::threads::parse(text)
}
