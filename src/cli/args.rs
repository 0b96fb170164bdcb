//! The command line as the user may type it; nothing here acts.

mod preview;
mod report;
mod schema;
mod surface;
mod sweep;
mod whole;

pub use preview::{Colour, Of, PreviewArgs};
pub use report::ReportArgs;
pub use schema::SchemaArgs;
pub use surface::{MeshFormat, SurfaceArgs};
pub use sweep::{SlurmArgs, SweepArgs};
pub use whole::{CompletionsArgs, ManArgs, examples, whole};

use clap::{Args, Parser, ValueEnum, value_parser};
use std::ffi::OsString;
use std::path::PathBuf;

/// The most frames that can be meant.
const MAX_FRAMES: i64 = 1_000_000;
/// The most repeats of a measurement that can be meant.
const MAX_REPEATS: i64 = 10_000;

/// What the user asked for.
#[derive(Debug)]
pub enum Request {
    /// Run a scene.
    Simulate(SimulateArgs),
    /// Look at scenes.
    Check(CheckArgs),
    /// Look at runs again.
    Audit(AuditArgs),
    /// Show a run as a page.
    Report(ReportArgs),
    /// Go on with a run.
    Resume(ResumeArgs),
    /// Run the validation cases.
    Validate(ValidateArgs),
    /// Run the papers' experiments.
    Bench(BenchArgs),
    /// Mesh particle files.
    Surface(Box<SurfaceArgs>),
    /// Run a scene with many parameters.
    Sweep(Box<SweepArgs>),
    /// Tell what a scene may hold.
    Schema(SchemaArgs),
    /// Tell a shell how to complete.
    Completions(CompletionsArgs),
    /// Make man pages.
    Man(ManArgs),
    /// Make pictures of a run.
    Preview(PreviewArgs),
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
        let rest = args.get(1..).unwrap_or_default();
        match rest.first().and_then(|command| command.to_str()) {
            Some("check") => read(rest, Request::Check),
            Some("resume") => read(rest, Request::Resume),
            Some("sweep") => read(rest, |args| Request::Sweep(Box::new(args))),
            Some("audit") => read(rest, Request::Audit),
            Some("report") => read(rest, Request::Report),
            Some("preview") => read(rest, Request::Preview),
            Some("validate") => read(rest, Request::Validate),
            Some("bench") => read(rest, Request::Bench),
            Some("surface") => read(rest, |args| Request::Surface(Box::new(args))),
            Some("schema") => read(rest, Request::Schema),
            Some("completions") => read(rest, Request::Completions),
            Some("man") => read(rest, Request::Man),
            _ => read(args, Request::Simulate),
        }
    }

    /// How a run is told; other commands have their own ways.
    pub fn log(&self) -> Log {
        match self {
            Request::Simulate(simulate) => simulate.run.log,
            Request::Resume(resume) => resume.run.log,
            Request::Sweep(sweep) => sweep.log,
            _ => Log::Text,
        }
    }
}

/// Reads the arguments of one command, whose name stands first.
fn read<A: Parser>(args: &[OsString], request: fn(A) -> Request) -> Result<Request, clap::Error> {
    A::try_parse_from(args).map(request)
}

/// `sim SCENE.ron`
#[derive(Debug, Parser)]
#[command(
    name = "sim",
    version,
    about = "Simulates a fluid among solids and writes frames for ParaView and Blender",
    override_usage = "sim [OPTIONS] <SCENE>\n       sim check [OPTIONS] <SCENE>...\n       \
                      sim resume [OPTIONS] <DIR>\n       \
                      sim sweep [OPTIONS] <SWEEP|SCENE|DIR>\n       \
                      sim audit <DIR>...\n       \
                      sim report [OPTIONS] <DIR>\n       \
                      sim preview [OPTIONS] <DIR>\n       \
                      sim validate [OPTIONS] [CASE]...\n       \
                      sim bench [OPTIONS] [EXPERIMENT]...\n       \
                      sim surface [OPTIONS] --particle-radius <R> <FILE>...\n       \
                      sim schema [OPTIONS] [KEY]\n       \
                      sim completions <SHELL>\n       \
                      sim man [OPTIONS] [COMMAND]",
    after_help = "Commands:\n  \
        check     Read scenes and report particles, memory, disk and time step, or every error\n  \
        resume    Go on with a run that was stopped, from its last checkpoint\n  \
        sweep     Run a scene with many parameters, and gather the results\n  \
        audit     Check runs again by their files\n  \
        report    Show a run as one page of charts\n  \
        preview   Make pictures, a film and a page with a player of a run\n  \
        validate  Run cases whose outcome is known, and measure the difference\n  \
        bench     Run the papers' experiments with every search structure\n  \
        surface   Make surfaces of particle files, of any program\n  \
        schema    Print what a scene may hold, for people or as JSON Schema\n  \
        completions  Print what a shell needs to complete commands and options\n  \
        man       Print a man page, or write all of them\n\n\
        Examples:\n  \
        sim scenes/spheres.ron                    frames go to out/spheres/\n  \
        sim scenes/spheres.ron --frames 20 --set fluids[0].viscosity=0.05\n  \
        sim check scenes/*.ron\n  \
        sim resume out/spheres\n  \
        sim sweep scenes/dam_break.ron --set fluids[0].viscosity=0.01,0.1,1\n  \
        sim preview out/spheres\n  \
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

/// Options of every command that runs a scene.
#[derive(Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub scene: SceneArgs,
    /// Print nothing but warnings and errors
    #[arg(long)]
    pub quiet: bool,
    /// How the run is told: `json` writes an event a line to stdout, for programs
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Log::Text)]
    pub log: Log,
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

impl RunArgs {
    /// Whether only warnings and errors are told in words.
    pub fn is_quiet(&self) -> bool {
        self.quiet || self.log == Log::Json
    }
}

/// How a run is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Log {
    /// In words: talk on stderr, a summary on stdout
    Text,
    /// As JSON Lines on stdout: docs/scripting.md names the events
    Json,
}

impl Log {
    /// What a command line that cannot be read seems to ask for.
    pub fn asked_for(args: &[OsString]) -> Log {
        let is_json = |pair: &[OsString]| pair[0] == "--log" && pair[1] == "json";
        let asked = args.windows(2).any(is_json) || args.iter().any(|arg| arg == "--log=json");
        if asked { Log::Json } else { Log::Text }
    }
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
    hashfall_run::threads::parse(text)
}
