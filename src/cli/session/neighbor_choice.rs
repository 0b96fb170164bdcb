//! `--nns` and `--nns-verify`: the neighbour structure of a run.

use crate::cli::args::RunArgs;
use crate::cli::console::Console;
use crate::cli::session::disk_preflight;
use hashfall_core::units;
use hashfall_run::{Plan, autotune};
use hashfall_scene::{Diagnostic, Override, Prepared};
use hashfall_search::NeighborKind;
use std::time::Duration;

/// The value of `--nns` that selects the fastest structure.
const AUTO: &str = "auto";

/// Prepares a scene with the structure that `--nns` names. For the fastest, it prepares the scene,
/// times the structures, and prepares the scene again with the choice added to `changes`, so that
/// the records show it as a setting of the scene.
pub fn prepare(
    args: &RunArgs,
    console: Console,
    changes: &mut Vec<Override>,
    prepare: impl Fn(&[Override]) -> Result<Prepared, Vec<Diagnostic>>,
) -> Result<Prepared, Vec<Diagnostic>> {
    let set = |kind: &str| Override::new("neighbors", kind);
    match args.nns.as_deref() {
        None => {}
        Some(AUTO) => {
            let scene = prepare(changes)?;
            // A scene that does not fit is rejected later, with a hint.
            let fits = args.allow_shortage || disk_preflight::fits(&Plan::from(&scene));
            let chosen = if fits { choose(&scene, args.is_quiet(), console) } else { None };
            changes.extend(chosen.map(set));
        }
        Some(kind) => changes.push(set(kind)),
    }
    prepare(changes)
}

/// The plan of a scene, with the verification that the arguments request.
pub fn plan(args: &RunArgs, scene: &Prepared, console: Console) -> Plan {
    if args.nns_verify && !searches(scene) {
        console.warning(without_neighbors("--nns-verify", scene));
    }
    let mut plan = Plan::from(scene);
    plan.structures.neighbors.is_verified = args.nns_verify;
    plan
}

/// Why an option does nothing to a scene that is stepped without neighbours.
fn without_neighbors(option: &str, scene: &Prepared) -> String {
    let solver = scene.world.solver.settings().name();
    format!("`{option}` has no effect: `{solver}` needs no neighbours")
}

/// Whether a step needs neighbours.
fn searches(scene: &Prepared) -> bool {
    scene.world.solver.settings().has_interactions()
}

/// The name of the fastest structure; prints the times of all structures.
fn choose(scene: &Prepared, quiet: bool, console: Console) -> Option<&'static str> {
    if !searches(scene) {
        console.warning(without_neighbors("--nns auto", scene));
        return None;
    }
    let trials = autotune::try_structures(&scene.world, &scene.structures.neighbors.settings);
    let time = |(kind, time): &(NeighborKind, Duration)| {
        format!("{} {} ms", kind.name(), units::three_figures(1e3 * time.as_secs_f64()))
    };
    let (fastest, _) = trials.times.first()?;
    if !quiet {
        let times: Vec<String> = trials.times.iter().map(time).collect();
        let slow: Vec<&str> = trials.dropped.iter().map(|kind| kind.name()).collect();
        let rest = match &slow[..] {
            [] => String::new(),
            slow => {
                format!("; more than {} times slower: {}", autotune::CUTOFF_RATIO, slow.join(", "))
            }
        };
        let (name, times) = (fastest.name(), times.join(", "));
        console.message(format_args!("neighbors: {name} is the fastest; {times}{rest}"));
    }
    Some(fastest.name())
}
