//! `sim list`: the scenes that are built in.

use crate::cli::console::{Console, Verdict};
use crate::cli::files::built_in;

/// Prints every scene with what it shows and how long it takes.
pub fn list(console: Console) -> Verdict {
    let width = built_in::names().iter().map(|name| name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for scene in built_in::all() {
        text += &format!("{:width$}  {}\n", scene.name, scene.title());
        if let Some(cost) = scene.cost() {
            text += &format!("{:width$}  {cost}\n", "");
        }
    }
    let verdict = console.output("list", text);
    console.message("run one with `sim NAME`; `sim new NAME` writes it to a file");
    verdict
}
