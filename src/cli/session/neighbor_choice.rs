//! `--nns` and `--nns-verify`: the neighbour structure of a run by a flag of its own.

use crate::cli::args::RunArgs;
use crate::cli::console::Console;
use crate::cli::session::disk_preflight;
use hashfall_core::units;
use hashfall_run::{Plan, autotune};
use hashfall_scene::{Diagnostic, Override, Prepared};
use hashfall_search::NeighborKind;
use hashfall_sph::world::Solver;
use std::time::Duration;

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
    let set = |kind: &str| Override::new("neighbors", kind);
    match args.nns.as_deref() {
        None => {}
        Some(AUTO) => {
            let scene = prepare(changes)?;
            // What does not fit is refused later, with what would help.
            let fits = args.allow_shortage || disk_preflight::fits(&Plan::from(&scene));
            let chosen = if fits { choose(&scene, args.is_quiet(), console) } else { None };
            changes.extend(chosen.map(set));
        }
        Some(kind) => changes.push(set(kind)),
    }
    prepare(changes)
}

/// What will run of a scene.
pub fn plan(args: &RunArgs, scene: &Prepared, console: Console) -> Plan {
    if args.nns_verify && !searches(scene) {
        console
            .warning("`--nns-verify` has nothing to look at: `Ballistic` asks for no neighbours");
    }
    let mut plan = Plan::from(scene);
    plan.structures.neighbors.is_verified = args.nns_verify;
    plan
}

/// Whether a step asks for neighbours.
fn searches(scene: &Prepared) -> bool {
    !matches!(scene.world.solver, Solver::Ballistic(_))
}

/// The name of the fastest structure, which is told with the times of all that were tried.
fn choose(scene: &Prepared, quiet: bool, console: Console) -> Option<&'static str> {
    if !searches(scene) {
        console.warning("`--nns auto` has nothing to try: `Ballistic` asks for no neighbours");
        return None;
    }
    let trials = autotune::try_structures(&scene.world, &scene.structures.neighbors.settings);
    let time = |(kind, time): &(NeighborKind, Duration)| {
        format!("{} {} ms", kind.name(), units::three_figures(1e3 * time.as_secs_f64()))
    };
    let (fastest, _) = trials.times.first()?;
    if !quiet {
        let times: Vec<String> = trials.times.iter().map(time).collect();
        let slow: Vec<&str> = trials.given_up.iter().map(|kind| kind.name()).collect();
        let rest = match &slow[..] {
            [] => String::new(),
            slow => format!("; given up at {} times that: {}", autotune::PATIENCE, slow.join(", ")),
        };
        let (name, times) = (fastest.name(), times.join(", "));
        console.talk(format_args!("neighbors: {name} is the fastest of {times}{rest}"));
    }
    Some(fastest.name())
}
