//! The arguments of `sim new` and `sim list`.

use clap::Parser;
use std::path::PathBuf;

/// `sim new NAME`
#[derive(Debug, Parser)]
#[command(
    about = "Write a scene to start from, with the meshes that it needs",
    after_help = "The scene is one of those built in, which `sim list` prints. No file is \
                  replaced.\n\n\
        Examples:\n  \
        sim new splash                            writes splash.ron, from dam_break\n  \
        sim new bottle --from glass               writes bottle.ron and meshes/glass.obj\n  \
        sim new honey                             the built-in scene of that name"
)]
pub struct NewArgs {
    /// Name of the scene's file; .ron is added
    #[arg(value_name = "NAME")]
    pub name: PathBuf,
    /// Built-in scene to start from [default: that of the same name, else dam_break]
    #[arg(long, value_name = "SCENE")]
    pub from: Option<String>,
    /// Replace existing files
    #[arg(long)]
    pub overwrite: bool,
    /// Print nothing but warnings and errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// `sim list`
#[derive(Debug, Parser)]
#[command(
    about = "List the scenes that are built in",
    after_help = "Wherever a command takes a scene, a name of this list will do if there is no \
                  file of that name.\n\n\
        Examples:\n  \
        sim list\n  \
        sim dam_break\n  \
        sim check honey --set particle_radius=0.01"
)]
pub struct ListArgs {}
