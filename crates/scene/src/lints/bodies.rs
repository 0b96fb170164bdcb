//! Warnings of what bodies do not feel.

use crate::model::{BodyMotion, Domain, Model};
use crate::problem::Problem;
use hashfall_elastic::ElasticSystem;
use hashfall_solid::ContactLaw;

/// Warnings of surfaces that move in themselves beside free bodies, and of elastic bodies in fluid.
pub fn body_lints(model: &Model, elastic: Option<&ElasticSystem>) -> Vec<Problem> {
    let mut warnings = Vec::new();
    let is_free = |motion: &BodyMotion| matches!(motion, BodyMotion::Free(_));
    if model.solids.iter().any(|solid| is_free(solid.motion())) {
        warnings.extend(belts(model).into_iter().map(belt_lint));
    }
    let has_surface =
        elastic.is_some_and(|system| system.bodies().iter().any(|body| !body.surface.is_empty()));
    if has_surface && !(model.fluids.is_empty() && model.emitters.is_empty()) {
        let message = "fluid meets elastic bodies as walls that move, and does not move them";
        let help = "where it should, let a solid move by `Free(…)` in its place";
        warnings.push(Problem::warning("elastic".to_owned(), message.to_owned(), help));
    }
    warnings
}

/// The places of velocities that surfaces have in themselves.
fn belts(model: &Model) -> Vec<String> {
    let Domain::Box { contact, sides, .. } = &model.domain;
    let moves = |law: &ContactLaw| law.velocity != [0.0; 3];
    let sides = sides.all().into_iter().filter_map(|(key, side)| {
        side.filter(moves).map(|_| format!("domain.sides.{key}.velocity"))
    });
    let solids = model.solids.iter().enumerate().filter(|(_, solid)| moves(&solid.contact()));
    let walls = moves(contact).then(|| "domain.contact.velocity".to_owned());
    let solids = solids.map(|(k, _)| format!("solids[{k}].contact.velocity"));
    walls.into_iter().chain(sides).chain(solids).collect()
}

fn belt_lint(place: String) -> Problem {
    let message = "this velocity moves fluid alone: bodies that move freely are not carried by it";
    let help = "move the solid itself by a `motion` to carry them";
    Problem::warning(place, message.to_owned(), help)
}
