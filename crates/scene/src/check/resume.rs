//! Settings that must not change when a run is resumed, because its particles and tables depend on
//! them.

use crate::model::{Domain, EmitterModel, Model};
use crate::problem::Problem;

/// The settings that differ though they must not.
pub fn forbidden_changes(before: &Model, after: &Model) -> Vec<Problem> {
    let shapes = |model: &Model| -> Vec<_> {
        model.fluids.iter().map(|fluid| (fluid.name.clone(), fluid.shapes.clone())).collect()
    };
    let periodic = |model: &Model| {
        let Domain::Box { periodic, .. } = model.domain;
        periodic
    };
    // Speeds and ends may be others from here on.
    let emitters = |model: &Model| -> Vec<_> {
        let what = |it: &EmitterModel| (it.from.clone(), it.direction, model.fluid_of(it));
        model.emitters.iter().map(|it| (what(it), it.start)).collect()
    };
    let motions = |model: &Model| -> Vec<_> {
        model.solids.iter().map(|solid| solid.motion().clone()).collect()
    };
    let bodies = |model: &Model| -> Vec<_> {
        model.elastic.iter().map(|it| (it.name.clone(), it.shape.clone())).collect()
    };
    let is_as_many = before.solids.len() == after.solids.len();
    [
        ("frames.rate", before.frames.rate == after.frames.rate),
        ("reference_frame", before.reference_frame == after.reference_frame),
        ("dimensions", before.dimensions == after.dimensions),
        ("domain.periodic", periodic(before) == periodic(after)),
        ("particle_radius", before.particle_radius == after.particle_radius),
        ("fluids", shapes(before) == shapes(after)),
        ("solids", is_as_many),
        ("solids.motion", !is_as_many || motions(before) == motions(after)),
        ("elastic", bodies(before) == bodies(after)),
        ("emitters", emitters(before) == emitters(after)),
        ("sinks", before.sinks.len() == after.sinks.len()),
        ("probes", before.probes == after.probes),
    ]
    .into_iter()
    .filter(|(_, stays)| !stays)
    .map(|(key, _)| Problem::error(key, message(key), "begin a new run with `sim SCENE`"))
    .collect()
}

fn message(key: &str) -> String {
    let what = match key {
        "fluids" => "the fluids' number, names and `shapes`".to_owned(),
        "solids" => "the number of `solids`".to_owned(),
        "solids.motion" => "how `solids` move".to_owned(),
        "elastic" => "the elastic bodies' number, names and `shape`s".to_owned(),
        "emitters" => "the emitters' number, fluids, openings, `direction` and `start`".to_owned(),
        "sinks" => "the number of `sinks`".to_owned(),
        _ => format!("`{}`", key.rsplit('.').next().unwrap_or(key)),
    };
    format!("{what} cannot change when a run is resumed")
}
