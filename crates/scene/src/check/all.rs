//! Runs all checks of a model, in the order of its keys.

use super::bounds::numbers_out_of_bounds;
use super::checks::Checks;
use crate::model::Model;
use crate::problem::Problem;
use crate::schema::cached;
use std::collections::HashMap;

/// Every problem of the values, in the order of the keys.
pub fn check(model: &Model) -> Vec<Problem> {
    let mut checks = Checks::new(model, numbers_out_of_bounds(model));
    checks.vector("gravity", &model.gravity, 1e6, "m/s²");
    checks.forces();
    let domain_is_sound = checks.domain();
    checks.plane();
    let sizes_are_sound = checks.sizes(domain_is_sound);
    checks.fluids(domain_is_sound && sizes_are_sound);
    checks.interfaces();
    checks.solids();
    checks.elastic();
    checks.motions();
    checks.frame();
    checks.exchange();
    checks.solver();
    checks.search();
    checks.surface();
    checks.probes(domain_is_sound);
    checks.foam();
    in_order_of_keys(checks.problems)
}

/// Sorts problems by the key of the scene that they concern first, and else leaves their order.
fn in_order_of_keys(mut problems: Vec<Problem>) -> Vec<Problem> {
    let keys = cached()["properties"].as_object();
    let rank: HashMap<&str, usize> =
        keys.into_iter().flatten().map(|(key, _)| key.as_str()).zip(0..).collect();
    problems.sort_by_key(|problem| {
        let first = problem.paths[0].split(['.', '[']).next().unwrap_or_default();
        rank.get(first).copied().unwrap_or(usize::MAX)
    });
    problems
}
