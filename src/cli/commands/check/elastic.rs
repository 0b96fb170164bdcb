//! The elastic bodies of a scene: nodes, elements, mass, the fastest vibration and substeps.

use super::report::{Line, Subject};
use hashfall_core::units;
use hashfall_elastic::{ElasticBody, ElasticSystem, StableSubstep, SubstepBuffer};
use hashfall_sph::world::{Elastic, ElasticSolver};

pub fn elastic(subject: &Subject) -> Vec<Line> {
    let Some(elastic) = &subject.scene.world.elastic else { return Vec::new() };
    let Elastic { system, state, solver, .. } = elastic;
    let bodies = system.bodies().iter();
    let mut lines = Line::list("elastic bodies", bodies.map(|body| described(system, body)));
    let stable = StableSubstep::new(system, state, &mut SubstepBuffer::default());
    let ElasticSolver::Symplectic { courant } = *solver;
    let substep = courant * stable.dt;
    let (body, node) = system.locate(stable.node);
    let figures = units::three_figures;
    if substep.is_finite() {
        let (per_frame, per_second) =
            ((1.0 / subject.scene.frames.rate / substep).ceil(), 1.0 / substep);
        let (name, hertz) = (&body.name, figures(1.0 / (std::f64::consts::PI * stable.dt)));
        lines.push(Line::new(
            "substeps",
            format!("{} s, by node {node} of \"{name}\"", figures(substep)),
        ));
        lines.push(Line::more(format!(
            "about {per_frame:.0} a frame, {} per second of simulated time",
            figures(per_second)
        )));
        lines.push(Line::more(format!("no vibration is faster than {hertz} Hz")));
    }
    lines
}

/// What a body is made of.
fn described(system: &ElasticSystem, body: &ElasticBody) -> String {
    let figures = units::three_figures;
    let mass: f64 = system.mass()[body.nodes.clone()].iter().sum();
    let nodes = units::count(body.nodes.len() as u64, "node");
    let energies = system.energies().iter().skip(body.energies.start).take(body.energies.len());
    let elements: Vec<String> = energies
        .map(|energy| units::count(energy.element_count() as u64, energy.element_name()))
        .collect();
    let held = system.inverse_mass()[body.nodes.clone()].iter().filter(|m| **m == 0.0).count();
    let held = if held > 0 { format!(", {held} held") } else { String::new() };
    let (name, elements) = (&body.name, elements.join(", "));
    format!("\"{name}\": {nodes}{held}, {elements}, {} kg", figures(mass))
}
