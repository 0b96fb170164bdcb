//! What a scene holds: particles, emitters, solids and their meshes.

use super::line::{Line, Subject};
use hashfall_core::units;
use hashfall_geometry::{Meridian, RoundSolid};
use hashfall_scene::{ElementSummary, MeshSummary};

pub fn description(subject: &Subject) -> Vec<Line> {
    let description = subject.scene.description.iter();
    description.map(|text| Line::new("description", text)).collect()
}

pub fn particles(subject: &Subject) -> Vec<Line> {
    let scene = subject.scene;
    let mut lines = vec![Line::new("particles", scene.world.particles.len().to_string())];
    for (fluid, particles) in scene.world.fluids.iter().zip(&scene.particles_per_fluid) {
        // The lattice may fill less than the volume of its shapes.
        let volume = *particles as f64 * f64::from(scene.world.particle_volume());
        let volume = units::three_figures(volume);
        lines.push(Line::more(format!("{particles} of \"{}\", {volume} m³", fluid.name)));
    }
    if scene.removed_in_solids > 0 {
        let removed =
            format!("{} inside a solid, or nearer than r to one", scene.removed_in_solids);
        lines.push(Line::new("removed", removed));
    }
    lines
}

pub fn emitters(subject: &Subject) -> Vec<Line> {
    let world = &subject.scene.world;
    let emitters = &world.open_boundaries.emitters;
    let d = f64::from(world.spacing());
    let mut lines = Line::list(
        "emitters",
        emitters.iter().map(|emitter| {
            let (count, volume) = (emitter.places.len(), f64::from(world.particle_volume()));
            let rate = units::three_figures(count as f64 * volume * emitter.speed_across() / d);
            let fluid = &world.fluids[usize::from(emitter.phase)].name;
            format!("{count} particles per layer of \"{fluid}\", {rate} m³/s")
        }),
    );
    if !emitters.is_empty() {
        let most = subject.estimate.most_particles;
        lines.push(Line::more(format!("at most {most:.0} particles by the last frame")));
    }
    lines
}

pub fn solids(subject: &Subject) -> Vec<Line> {
    let solids = &subject.scene.world.solids;
    // Elastic surfaces are listed with their bodies.
    let triangles: usize = solids.rigid_meshes().iter().map(|mesh| mesh.triangles.len()).sum();
    let spheres = units::count(solids.spheres().len() as u64, "sphere");
    let triangles = units::count(triangles as u64, "triangle");
    let mut lines = vec![Line::new("solids", format!("{spheres}, {triangles}"))];
    let moving = solids.moving_obstacles().count();
    if moving > 0 {
        let all = solids.body_count() - 1 - solids.deforming_meshes().count();
        lines.push(Line::more(format!("{moving} of {all} move")));
    }
    lines.extend(Line::list("round solids", solids.rounds().iter().map(round)));
    lines.extend(Line::list("meshes", subject.scene.mesh_summaries.iter().map(measures)));
    lines
}

/// The size of a cylinder, a capsule or a cone.
fn round(solid: &RoundSolid) -> String {
    let figures = units::three_figures;
    let measures = match solid.meridian() {
        Meridian::Capsule { length, radius } => {
            format!("capsule of radius {} m around {} m", figures(radius), figures(length))
        }
        Meridian::Frustum { length, radius, tip_radius } if radius == tip_radius => {
            format!("cylinder of radius {} m, {} m long", figures(radius), figures(length))
        }
        Meridian::Frustum { length, radius, tip_radius: 0.0 } => {
            format!("cone of radius {} m, {} m high", figures(radius), figures(length))
        }
        Meridian::Frustum { length, radius, tip_radius } => {
            let radii = [radius, tip_radius].map(figures);
            format!("cone of radii {} and {} m, {} m high", radii[0], radii[1], figures(length))
        }
    };
    format!("{measures}: {} m³", figures(solid.volume()))
}

/// The size of a mesh, and what it holds.
fn measures(mesh: &MeshSummary) -> String {
    let [x, y, z] = mesh.extent.map(units::three_figures);
    let triangles = units::count(mesh.triangles as u64, "triangle");
    let content = match &mesh.elements {
        Some(elements) => describe_elements(elements, triangles),
        None => {
            let volume = match mesh.volume {
                Some(volume) => format!("{} m³", units::three_figures(volume)),
                None => "open".to_owned(),
            };
            let shells = units::count(mesh.shells as u64, "shell");
            format!("{volume}, {shells}, {triangles}")
        }
    };
    let (key, path, format) = (&mesh.key, &mesh.path, mesh.format);
    format!("{key} \"{path}\" ({format}): {x} × {y} × {z} m, {content}")
}

/// The elements of a mesh, and its groups of nodes.
fn describe_elements(elements: &ElementSummary, triangles: String) -> String {
    let ElementSummary { nodes, segments, tetrahedra, groups } = elements;
    let mut parts = vec![units::count(*nodes as u64, "node")];
    if *segments > 0 {
        parts.push(units::count(*segments as u64, "line"));
    }
    parts.push(triangles);
    if *tetrahedra > 0 {
        parts.push(units::count(*tetrahedra as u64, "tetrahedron"));
    }
    if !groups.is_empty() {
        let names = groups.iter().map(|name| format!("\"{name}\""));
        parts.push(format!("groups {}", names.collect::<Vec<_>>().join(", ")));
    }
    parts.join(", ")
}
