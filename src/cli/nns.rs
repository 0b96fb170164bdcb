//! `--nns` and `--nns-verify`: the neighbour structure of a run by a flag of its own.

use super::args::RunArgs;
use super::console::Console;
use super::units;
use crate::run::{Plan, fastest};
use crate::scene::{Diagnostic, Override, Prepared};

/// The value of `--nns` that asks for the fastest.
const AUTO: &str = "auto";

/// Prepares a scene with the structure that `--nns` names, or with the fastest: then it is prepared
/// as it stands and tried, and again with the choice among the `changes`, so that the records have
/// it as if the scene said so.
pub fn prepare(
    args: &RunArgs,
    console: Console,
    changes: &mut Vec<Override>,
    prepare: impl Fn(&[Override]) -> Result<Prepared, Vec<Diagnostic>>,
) -> Result<Prepared, Vec<Diagnostic>> {
    let set = |kind: &str| Override { key: "neighbors".to_owned(), value: kind.to_owned() };
    match args.nns.as_deref() {
        None => {}
        Some(AUTO) => {
            let scene = prepare(changes)?;
            changes.extend(choose(&scene, args.quiet, console).map(|kind| set(&kind)));
        }
        Some(kind) => changes.push(set(kind)),
    }
    prepare(changes)
}

/// What will run of a scene.
pub fn plan(args: &RunArgs, scene: &Prepared) -> Plan {
    let mut plan = Plan::from(scene);
    plan.structures.neighbors.is_verified = args.nns_verify;
    plan
}

/// The name of the fastest structure, which is told with the times of all that were not given up.
fn choose(scene: &Prepared, quiet: bool, console: Console) -> Option<String> {
    let tried = fastest::try_structures(&scene.world, &scene.structures.neighbors.settings);
    let times: Vec<String> = tried
        .iter()
        .map(|(kind, time)| {
            let milliseconds = units::three_figures(1e3 * time.as_secs_f64());
            format!("{kind:?} {milliseconds} ms")
        })
        .collect();
    let (fastest, _) = tried.first()?;
    if !quiet {
        console.talk(format_args!(
            "neighbors: {fastest:?} is the fastest of {}; the rest takes at least {} times as long",
            times.join(", "),
            fastest::PATIENCE
        ));
    }
    Some(format!("{fastest:?}"))
}
