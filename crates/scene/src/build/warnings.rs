//! Warnings that need the built solids: fluids without particles, and solids outside the domain.

use crate::layout::body_motion;
use crate::lints;
use crate::model::{BodyMotion, Model, SolidModel};
use crate::problem::Problem;
use hashfall_solid::Solids;

/// What will run, though perhaps not as meant: fluids without particles and meshes out of reach.
pub fn solid_warnings(
    model: &Model,
    solids: &Solids,
    particles_per_fluid: &[usize],
) -> Vec<Problem> {
    let mut warnings = Vec::new();
    let has_none =
        |&(i, &count): &(usize, &usize)| count == 0 && !model.fluids[i].shapes.is_empty();
    for (i, _) in particles_per_fluid.iter().enumerate().filter(has_none) {
        let message = format!(
            "no particle of \"{}\" remains: all start inside solids, or nearer than their radius \
                 to one",
            model.fluids[i].name
        );
        warnings.push(Problem::warning(format!("fluids[{i}]"), message, "move it"));
    }
    let meshes = model.solids.iter().enumerate().filter(|(_, solid)| solid.has_mesh());
    for ((i, solid), mesh) in meshes.zip(solids.meshes()) {
        // What moves may come in later.
        let stands = *solid.motion() == BodyMotion::Still;
        let is_box = matches!(solid, SolidModel::Box(_));
        if is_box && stands && !mesh.bounds().overlaps(&solids.domain) {
            let message = "this box lies outside the domain: nothing can touch it";
            let help = "check `min` and `max`, or make `domain` larger";
            warnings.push(Problem::warning(format!("solids[{i}]"), message, help));
        }
    }
    let rounds = model.solids.iter().enumerate().filter(|(_, solid)| solid.is_round());
    for ((i, solid), round) in rounds.zip(solids.rounds()) {
        let stands = *solid.motion() == BodyMotion::Still;
        if stands && !round.aabb().overlaps(&solids.domain) {
            let message = "this solid lies outside the domain: nothing can touch it";
            let help = "check `from` and `to`, or make `domain` larger";
            warnings.push(Problem::warning(format!("solids[{i}]"), message, help));
        }
    }
    warnings.extend(lints::mesh_lints(model, solids));
    warnings
}

/// Warnings of solids that move, and never into the domain.
pub fn bodies_never_inside(model: &Model, solids: &Solids) -> Vec<Problem> {
    let times = body_motion::sample_times(model).count();
    let warning = |number: usize| {
        let message = format!("this solid never enters the domain (checked at {times} times)");
        let help = "check its placement and `motion`, or enlarge `domain`";
        Problem::warning(format!("solids[{number}]"), message, help)
            .also_at(format!("solids[{number}].motion"))
    };
    solids.always_outside(|| body_motion::sample_times(model)).into_iter().map(warning).collect()
}
