//! The arguments of `sim new` and `sim list`.

use super::shared::TextArgs;
use clap::Parser;
use std::path::PathBuf;

/// `sim new NAME`
#[derive(Debug, Parser)]
#[command(
    about = "Write a scene to start from, with the meshes that it needs",
    after_help = "The scene is one of those built in, which `sim list` prints. No file is \
                  replaced but scene.schema.json.\n\n\
        Examples:\n  \
        sim new splash                            writes splash.ron, from dam_break\n  \
        sim new bottle --from glass               writes bottle.ron and meshes/glass.obj\n  \
        sim new honey                             the built-in scene of that name\n  \
        sim new splash --json                     writes splash.json and scene.schema.json"
)]
pub struct NewArgs {
    /// Name of the scene's file; .ron is added, or .json
    #[arg(value_name = "NAME")]
    pub name: PathBuf,
    /// Built-in scene to start from [default: that of the same name, else dam_break]
    #[arg(long, value_name = "SCENE")]
    pub from: Option<String>,
    /// Write JSON, and scene.schema.json for editors; so does a name that ends with .json
    #[arg(long)]
    pub json: bool,
    /// Replace an existing scene; a mesh is never replaced
    #[arg(long)]
    pub overwrite: bool,
    /// Print nothing but warnings and errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// `sim convert SCENE`
#[derive(Debug, Parser)]
#[command(
    about = "Write a scene in RON as JSON, or one in JSON as RON",
    after_help = "What the file gives is kept, without defaults; JSON has no comments. Paths in \
                  it stay as they are. A file to write ends with .json or .ron as its language \
                  asks.\n\n\
        Examples:\n  \
        sim convert scenes/glass.ron              prints it in JSON\n  \
        sim convert scenes/glass.ron -o scenes/glass.json\n  \
        sim convert scene.json -o scene.ron"
)]
pub struct ConvertArgs {
    /// Scene to convert: a file, a name that `sim list` prints, or - for stdin
    #[arg(value_name = "SCENE")]
    pub scene: PathBuf,
    #[command(flatten)]
    pub text: TextArgs,
    /// Print no messages but warnings and errors
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
        sim list glass                            what it shows\n  \
        sim dam_break\n  \
        sim check honey --set particle_radius=0.01"
)]
pub struct ListArgs {
    /// Scenes to describe [default: a line or two of each]
    #[arg(value_name = "SCENE")]
    pub scenes: Vec<String>,
    #[command(flatten)]
    pub text: TextArgs,
    /// Print no messages but warnings and errors
    #[arg(short, long)]
    pub quiet: bool,
}
