//! The arguments of `sim run SCENE`, which `sim SCENE` is short for.

use super::shared::RunArgs;
use super::slurm::SlurmArgs;
use clap::Parser;
use std::path::PathBuf;

/// `sim run SCENE`
#[derive(Debug, Parser)]
#[command(
    about = "Run a scene; `sim SCENE` is short for this",
    after_help = "Examples:\n  \
        sim run scenes/spheres.ron                frames go to out/spheres/\n  \
        sim run dam_break                         a scene that is built in, see `sim list`\n  \
        sim scenes/spheres.ron -o /scratch/spheres --frames 20\n  \
        sim scenes/spheres.ron --set fluids[0].viscosity=0.05\n  \
        sim scenes/spheres.ron --slurm --time 04:00:00 --cpus 8 --submit"
)]
pub struct SimulateArgs {
    /// Scene to run: a file in RON or JSON, a name that `sim list` prints, or - for stdin
    #[arg(value_name = "SCENE")]
    pub scene: PathBuf,
    /// Folder for the frames [default: out/<name of the scene>, of stdin out/stdin]
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub slurm: SlurmArgs,
    /// Replace a run that is already in the folder
    #[arg(long)]
    pub overwrite: bool,
}
