//! The arguments of commands that check scenes, and resume and audit runs.

use super::shared::{RunArgs, SceneArgs, ThreadArgs};
use clap::Parser;
use std::path::PathBuf;

/// `sim check SCENE.ron...`
#[derive(Debug, Parser)]
#[command(
    name = "check",
    bin_name = "sim check",
    about = "Reads scenes and reports particles, memory, disk and time step, or all errors; runs \
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
    about = "Resumes a stopped run from its last checkpoint; the result is the same as without \
             the stop",
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
    about = "Checks the files of runs: all are complete and consistent, mass and energy are \
             conserved, and no limit of the scene is exceeded; exit code 1 if not",
    arg_required_else_help = true
)]
pub struct AuditArgs {
    /// Folders of runs
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    #[command(flatten)]
    pub threads: ThreadArgs,
}
