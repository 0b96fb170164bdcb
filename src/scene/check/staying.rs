//! What must stay as it was when a run goes on: whatever its particles and tables were made by.

use super::Problem;
use crate::scene::model::{Domain, Model, SolidModel};

/// The settings that differ though they must not.
pub fn what_must_stay(before: &Model, after: &Model) -> Vec<Problem> {
    let shapes = |model: &Model| -> Vec<_> {
        model.fluids.iter().map(|fluid| (fluid.name.clone(), fluid.shapes.clone())).collect()
    };
    let periodic = |model: &Model| {
        let Domain::Box { periodic, .. } = model.domain;
        periodic
    };
    let bodies = |model: &Model| model.solids.iter().map(SolidModel::contact).count();
    [
        ("frames.rate", before.frames.rate == after.frames.rate),
        ("dimensions", before.dimensions == after.dimensions),
        ("domain.periodic", periodic(before) == periodic(after)),
        ("particle_radius", before.particle_radius == after.particle_radius),
        ("fluids", shapes(before) == shapes(after)),
        ("solids", bodies(before) == bodies(after)),
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
        _ => format!("`{}`", key.rsplit('.').next().unwrap_or(key)),
    };
    format!("{what} cannot change when a run goes on")
}
