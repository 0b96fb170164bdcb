//! The elastic bodies of a scene: nodes, elements, mass, the fastest vibration and substeps.

use super::line::{Line, Subject};
use hashfall_core::units;
use hashfall_elastic::{
    ElasticBody, ElasticSystem, MeshQuality, StableSubstep, SubstepBuffer, SymplecticOrder,
    SymplecticSettings,
};
use hashfall_solid::KinematicLaw;
use hashfall_sph::world::{ContactMode, Elastic, ElasticSolver};

pub fn elastic(subject: &Subject) -> Vec<Line> {
    let Some(elastic) = &subject.scene.world.elastic else { return Vec::new() };
    let Elastic { system, solver, .. } = elastic;
    let bodies = system.bodies().iter().zip(&subject.scene.elastic_qualities);
    let parts =
        bodies.flat_map(|(body, quality)| [describe_body(system, body), describe_quality(quality)]);
    let mut lines = Line::list("elastic bodies", parts);
    match *solver {
        ElasticSolver::Symplectic(settings) => {
            lines.extend(symplectic(subject, elastic, &settings))
        }
        ElasticSolver::Implicit(settings) => lines.extend(implicit(subject, settings.substeps)),
    }
    lines
}

/// How long substeps may be, and which node bounds them.
fn symplectic(subject: &Subject, elastic: &Elastic, settings: &SymplecticSettings) -> Vec<Line> {
    let Elastic { system, state, .. } = elastic;
    let buffer = &mut SubstepBuffer::default();
    let stable = StableSubstep::new(system, state, buffer);
    let substep = settings.substep(stable.dt);
    if !substep.is_finite() {
        return Vec::new();
    }
    let figures = units::three_figures;
    let (body, node) = system.locate(stable.node);
    let name = &body.name;
    let frame = 1.0 / subject.scene.frames.rate;
    let count = |substep: f64| {
        let (per_frame, per_second) = ((frame / substep).ceil(), figures(1.0 / substep));
        format!("about {per_frame:.0} a frame, {per_second} per second of simulated time")
    };
    let mut lines = vec![
        Line::new("substeps", format!("{} s, by node {node} of \"{name}\"", figures(substep))),
        Line::more(count(substep)),
    ];
    if settings.order == SymplecticOrder::Automatic && may_be_high_order(subject, elastic) {
        let (longer, evaluations) = settings.substep_without_contact(stable.dt);
        lines.push(Line::more(format!(
            "{} s while nothing can touch, of sixth order ({evaluations} evaluations of forces)",
            figures(longer)
        )));
        lines.push(Line::more(count(longer)));
    }
    let undamped = StableSubstep::undamped(system, state, buffer).dt;
    let part = stable.dt / undamped;
    if undamped.is_finite() && part < 0.995 {
        let without = figures(settings.substep(undamped));
        let part = figures(part);
        lines.push(Line::more(format!("damping shortens them to {part} of {without} s")));
    }
    if undamped.is_finite() {
        let hertz = figures(1.0 / (std::f64::consts::PI * undamped));
        lines.push(Line::more(format!("no vibration is faster than {hertz} Hz")));
    }
    lines
}

/// Whether no more than contact keeps the automatic order from being high.
fn may_be_high_order(subject: &Subject, elastic: &Elastic) -> bool {
    let is_hashed = matches!(elastic.contact, Some(ContactMode::SpatialHash(_)));
    let turns = subject.scene.world.frame.as_ref().is_some_and(KinematicLaw::turns);
    !turns && !elastic.system.is_damped() && !is_hashed
}

/// How many substeps a step has, whatever the stiffness.
fn implicit(subject: &Subject, substeps: u32) -> Vec<Line> {
    let count = units::count(u64::from(substeps), "implicit substep");
    let longest = subject.estimate.first_time_step / f64::from(substeps);
    let longest = units::three_figures(longest);
    vec![Line::new("substeps", format!("{count} a step, of {longest} s in the first"))]
}

/// What a body is made of.
fn describe_body(system: &ElasticSystem, body: &ElasticBody) -> String {
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

/// How long edges are, and the angles of triangles and between faces of tetrahedra: bad ones make a
/// body stiff, and its substeps short.
fn describe_quality(quality: &MeshQuality) -> String {
    let range = |[low, high]: [f64; 2], unit: &str| {
        let [low, high] = [low, high].map(units::three_figures);
        if low == high { format!("{low}{unit}") } else { format!("{low} to {high}{unit}") }
    };
    let MeshQuality { edges, angles, dihedral_angles, .. } = *quality;
    let parts = [
        edges.map(|edges| format!("edges {}", range(edges, " m"))),
        angles.map(|angles| format!("angles {}", range(angles, "°"))),
        dihedral_angles.map(|angles| format!("dihedral angles {}", range(angles, "°"))),
    ];
    format!("  {}", parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}
