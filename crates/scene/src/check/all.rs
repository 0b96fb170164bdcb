//! Runs all checks of a model, in the order of its keys.

use super::checks::Checks;
use crate::model::Model;
use crate::problem::Problem;

/// Every problem of the values, in the order of the keys.
pub fn check(model: &Model) -> Vec<Problem> {
    let mut checks = Checks { model, problems: Vec::new() };
    checks.frames();
    checks.vector("gravity", &model.gravity, 1e6, "m/s²");
    checks.forces();
    let domain_is_sound = checks.domain();
    checks.plane();
    let sizes_are_sound = checks.sizes(domain_is_sound);
    checks.fluids(domain_is_sound && sizes_are_sound);
    checks.interfaces();
    checks.solids();
    checks.motions();
    checks.exchange();
    checks.solver();
    checks.search();
    checks.surface();
    checks.probes(domain_is_sound);
    checks.checkpoints();
    checks.limits();
    checks.preview();
    checks.problems
}
