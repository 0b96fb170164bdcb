//! `sim foam`: spray, foam and bubbles of a run.

use super::shared::CommonArgs;
use clap::Parser;
use std::path::PathBuf;

/// `sim foam DIR`
#[derive(Debug, Parser)]
#[command(
    about = "Compute spray, foam and bubbles of a run from its frames",
    after_help = "They go into the run's folder, foam/foam_00000.vtp ..., with foam.pvd for \
                  ParaView and .ply for Blender. A stopped computation goes on where it was; with \
                  other settings it starts anew. docs/foam.md has the settings.\n\n\
        Examples:\n  \
        sim foam out/dam_break\n  \
        sim foam out/dam_break --set foam.trapped_air.rate=4000 --set 'foam.lifetime=(2,8)'\n  \
        sim foam out/dam_break --set foam.lifetime=None"
)]
pub struct FoamArgs {
    /// Folder of the run
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    #[command(flatten)]
    pub common: CommonArgs,
    /// Print nothing but warnings and errors
    #[arg(short, long)]
    pub quiet: bool,
}
