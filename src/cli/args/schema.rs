//! The arguments of `sim schema`.

use super::shared::TextArgs;
use clap::Parser;

/// `sim schema [KEY]`
#[derive(Debug, Parser)]
#[command(
    about = "Print every key of a scene: type, unit, bounds, default and meaning",
    after_help = "Examples:\n  \
        sim schema\n  \
        sim schema fluids.viscosity\n  \
        sim schema solids.Mesh\n  \
        sim schema --json -o scene.schema.json"
)]
pub struct SchemaArgs {
    /// Only this key and the keys below it
    #[arg(value_name = "KEY")]
    pub key: Option<String>,
    /// As a JSON Schema (draft 2020-12), for editors and programs
    #[arg(long, conflicts_with = "key")]
    pub json: bool,
    #[command(flatten)]
    pub text: TextArgs,
    /// Print no messages but warnings and errors
    #[arg(short, long)]
    pub quiet: bool,
}
