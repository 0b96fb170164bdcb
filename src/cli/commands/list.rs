//! `sim list`: the scenes that are built in.

use crate::cli::args::ListArgs;
use crate::cli::args::select::UnknownName;
use crate::cli::console::{Console, Verdict};
use crate::cli::files::built_in::{self, BuiltIn};
use crate::cli::files::text_output::deliver;

/// Prints every scene with its title and cost, or all that the named ones say of themselves.
pub fn list(args: &ListArgs, console: Console) -> Verdict {
    let messages = console.with_quiet(args.quiet);
    let deliver = |list: String| deliver("list", &list, &args.text, console, messages);
    if args.scenes.is_empty() {
        let verdict = deliver(overview());
        messages.message("run one with `sim NAME`; `sim new NAME` writes it to a file");
        return verdict;
    }
    let named = |name: &String| {
        let unknown = || UnknownName::new("built-in scene", name, &built_in::names());
        built_in::named(name).ok_or_else(unknown)
    };
    match args.scenes.iter().map(named).collect::<Result<Vec<_>, _>>() {
        Ok(scenes) => deliver(scenes.into_iter().map(described).collect()),
        Err(error) => {
            console.error(error);
            Verdict::WrongInput
        }
    }
}

/// All scenes, each with its title and cost.
fn overview() -> String {
    let width = built_in::names().iter().map(|name| name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for scene in built_in::all() {
        text += &format!("{:width$}  {}\n", scene.name, scene.title());
        if let Some(cost) = scene.cost() {
            text += &format!("{:width$}  {cost}\n", "");
        }
    }
    text
}

/// A scene, as it describes itself.
fn described(scene: &BuiltIn) -> String {
    let lines =
        scene.head().map(|line| if line.is_empty() { "\n".into() } else { format!("  {line}\n") });
    format!("{}\n{}", scene.name, lines.collect::<String>())
}
