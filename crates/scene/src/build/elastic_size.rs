//! Whether elastic bodies are of sizes that can be meant: thicknesses against their extents, and
//! substeps that a run can take.

use crate::model::{ElasticModel, MaterialModel, Model};
use crate::problem::Problem;
use hashfall_core::units::three_figures;
use hashfall_elastic::{ElasticBody, ElasticSystem, StableSubstep, SubstepBuffer};
use hashfall_geometry::Point;
use hashfall_solid::Solids;
use hashfall_sph::world::{Elastic, ElasticSolver};

/// The thickness over the extent from which on a body may be in other units \[–\].
const THICK: f64 = 0.25;
/// A step that fails is tried with parts of it, the smallest so small \[–\].
const SMALLEST_PART: f64 = 1.0 / 32.0;

/// Warnings of bodies that are thick beside their extent.
pub fn thickness_lints(model: &Model, system: &ElasticSystem) -> Vec<Problem> {
    let bodies = model.elastic.iter().zip(system.bodies()).enumerate();
    bodies
        .filter_map(|(i, (said, body))| thick(&format!("elastic[{i}]"), said, body, system))
        .collect()
}

fn thick(
    path: &str,
    said: &ElasticModel,
    body: &ElasticBody,
    system: &ElasticSystem,
) -> Option<Problem> {
    let start = (Point::repeat(f64::INFINITY), Point::repeat(f64::NEG_INFINITY));
    let nodes = &system.start().position[body.nodes.clone()];
    let (low, high) = nodes.iter().fold(start, |(low, high), x| (low.inf(x), high.sup(x)));
    let (extent, thickness) = ((high - low).norm(), body.thickness);
    let key = match (said.contact.thickness, said.material) {
        (Some(_), _) => "contact.thickness",
        (None, MaterialModel::Rope { .. }) => "material.diameter",
        (None, _) => "material.thickness",
    };
    (thickness > THICK * extent).then(|| {
        let [thickness, extent] = [thickness, extent].map(three_figures);
        let name = &body.name;
        let message = format!("\"{name}\" is {thickness} m thick, and {extent} m across");
        let help = "check the unit, m: what is thin is a small part of its extent";
        Problem::warning(format!("{path}.{key}"), message, help)
    })
}

/// Bodies so stiff that even the shortest step of the start has more substeps than are allowed.
/// Steps that solids bound are not known here.
pub fn too_many_substeps(model: &Model, solids: &Solids, elastic: &Elastic) -> Option<Problem> {
    let ElasticSolver::Symplectic(settings) = elastic.solver else { return None };
    if !model.fluids.is_empty() || solids.has_moving_bodies() {
        return None;
    }
    let system = &elastic.system;
    let stable = StableSubstep::new(system, &elastic.state, &mut SubstepBuffer::default());
    let count = 1.0 / (model.frames.rate * settings.substep(stable.dt));
    if count * SMALLEST_PART <= f64::from(settings.max_substeps) {
        return None;
    }
    let (body, node) = system.locate(stable.node);
    let number = system.body_of(stable.node);
    let message = format!(
        "{} substeps a frame, by node {node} of \"{}\": too many for any run",
        three_figures(count),
        body.name
    );
    let help = "a softer or heavier material, less damping, larger elements, more frames a second, \
                or elastic_solver: Implicit()";
    let problem = Problem::error(format!("elastic[{number}].material"), message, help);
    Some(problem.also_at(format!("elastic[{number}].damping")))
}
