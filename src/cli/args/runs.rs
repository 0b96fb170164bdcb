//! The arguments of commands that check scenes, and resume and audit runs.

use super::shared::{RunArgs, SceneArgs, TextArgs, ThreadArgs};
use super::slurm::SlurmArgs;
use clap::Parser;
use std::path::PathBuf;

/// `sim check SCENE.ron...`
#[derive(Debug, Parser)]
#[command(
    about = "Tell the particles and the cost of scenes, or all of their errors",
    after_help = "Nothing is written. Exit code 2 if a scene has errors.\n\n\
        Examples:\n  \
        sim check dam_break\n  \
        sim check scenes/*.ron --set particle_radius=0.01"
)]
pub struct CheckArgs {
    /// Scenes to read: files in RON or JSON, names that `sim list` prints, or - for stdin
    #[arg(value_name = "SCENE", required = true)]
    pub scenes: Vec<PathBuf>,
    #[command(flatten)]
    pub scene: SceneArgs,
    #[command(flatten)]
    pub text: TextArgs,
    /// Print nothing but warnings and errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// `sim resume DIR`
#[derive(Debug, Parser)]
#[command(
    about = "Resume a stopped run from its last checkpoint, or extend a finished one",
    after_help = "The result is the same, to the bit, as without the stop.\n\n\
        Examples:\n  \
        sim resume out/spheres\n  \
        sim resume out/spheres --frames 400\n  \
        sim resume out/spheres --set solver.max_iterations=400"
)]
pub struct ResumeArgs {
    /// Folder of the run
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub slurm: SlurmArgs,
}

/// `sim audit DIR...`
#[derive(Debug, Parser)]
#[command(
    about = "Check that the files of runs are complete and keep physical bounds",
    after_help = "Files are complete and consistent, mass and energy are conserved, and no limit \
                  of the scene is exceeded; exit code 1 if not.\n\n\
        Examples:\n  \
        sim audit out/spheres\n  \
        sim audit out/*"
)]
pub struct AuditArgs {
    /// Folders of runs
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    #[command(flatten)]
    pub text: TextArgs,
    #[command(flatten)]
    pub threads: ThreadArgs,
    /// Print nothing but warnings and errors
    #[arg(short, long)]
    pub quiet: bool,
}
