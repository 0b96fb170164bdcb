//! Where elastic bodies may not begin: outside the domain, inside solids, and through each other,
//! themselves or meshes of solids.

use super::elastic_places::place;
use crate::layout::solid_parts::solid_parts;
use crate::model::{Model, SolidModel};
use crate::problem::Problem;
use hashfall_core::{Vec3, to_f64, to_real};
use hashfall_elastic::{ElasticBody, intersections};
use hashfall_geometry::Point;
use hashfall_search::HierarchicalHash;
use hashfall_solid::Solids;
use hashfall_sph::world::Elastic;

/// The first node of each body that is where it may not be. Nodes that are fixed or tied may be in
/// a solid.
pub fn refused_places(model: &Model, solids: &Solids, elastic: &Elastic) -> Vec<Problem> {
    let Elastic { system, state, .. } = elastic;
    let (low, high) = (to_f64(&solids.domain.min), to_f64(&solids.domain.max));
    let points: Vec<Vec3> = state.position.iter().map(rounded).collect();
    // In the order of the meshes.
    let is_hollow: Vec<bool> = model.solids.iter().filter_map(SolidModel::is_hollow).collect();
    let is_inside = solids.occluded::<HierarchicalHash>(&points, 0.0, &is_hollow);
    let is_free = |node: usize| system.inverse_mass()[node] > 0.0;
    let is_outside = |x: &Point| (0..3).any(|a| x[a] < low[a] || x[a] > high[a]);
    let mut problems = Vec::new();
    for (i, body) in system.bodies().iter().enumerate() {
        let path = format!("elastic[{i}].shape");
        let x = |node: usize| &state.position[node];
        let mut nodes = body.nodes.clone().filter(|&node| is_free(node));
        if let Some(node) = nodes.clone().find(|&node| is_outside(x(node))) {
            let (number, at) = (node - body.nodes.start, place(x(node)));
            let message =
                format!("node {number} of \"{}\" begins outside the domain, at {at}", body.name);
            let help = "move the body, or make `domain` larger";
            problems.push(Problem::error(path, message, help).also_at("domain"));
        } else if let Some(node) = nodes.find(|&node| is_inside[node]) {
            let (number, at) = (node - body.nodes.start, place(x(node)));
            let parts = solid_parts(model, solids);
            let solid = parts.iter().position(|parts| parts.contains(x(node)));
            let (whom, place) = match solid {
                Some(solid) => (model.solid_label(solid), format!("solids[{solid}]")),
                // Within a rounding of its surface.
                None => ("a solid".to_owned(), "solids".to_owned()),
            };
            let message =
                format!("node {number} of \"{}\" begins inside {whom}, at {at}", body.name);
            let help = "move the body or the solid, or tie the node to it: \
                        fixings: [Tied(nodes: …, to: …)]";
            problems.push(Problem::error(path, message, help).also_at(place));
        }
    }
    if problems.is_empty() && elastic.contact.is_some() {
        problems.extend(first_intersection(model, solids, elastic));
    }
    problems
}

/// The first place where surfaces and edges go through each other, decided exactly.
fn first_intersection(model: &Model, solids: &Solids, elastic: &Elastic) -> Option<Problem> {
    let Elastic { system, state, .. } = elastic;
    let mut points = state.position.clone();
    let all = |list: fn(&ElasticBody) -> usize| system.bodies().iter().map(list).sum::<usize>();
    let mut edges = Vec::with_capacity(all(|body| body.edges.len()));
    let mut triangles = Vec::with_capacity(all(|body| body.surface.len()));
    for body in system.bodies() {
        edges.extend_from_slice(&body.edges);
        triangles.extend_from_slice(&body.surface);
    }
    let found = intersections(&points, &edges, &triangles, model.broad_phase);
    let body = |node: u32| system.body_of(node as usize);
    if let Some(first) = found.first() {
        let a = body(edges[first.edge as usize][0]);
        let b = body(triangles[first.triangle as usize][0]);
        let at = place(&first.place);
        let name = |body: usize| format!("\"{}\"", system.bodies()[body].name);
        let whom = if a == b { "itself".to_owned() } else { name(b) };
        let message = format!("{} begins through {whom}, at {at}", name(a));
        let help = "bodies that begin apart, or elastic_contact: None";
        let path = |body: usize| format!("elastic[{body}].shape");
        return Some(Problem::error(path(a), message, help).also_at(path(b)));
    }
    // Meshes of solids may go through each other, so each is asked with elastic edges alone.
    let is_free = |edge: &[u32; 2]| edge.iter().any(|&n| system.inverse_mass()[n as usize] > 0.0);
    edges.retain(is_free);
    let (mut faces, mut starts) = (Vec::new(), Vec::new());
    for mesh in solids.meshes() {
        let first = points.len() as u32;
        starts.push(first);
        points.extend(mesh.vertices.iter().map(|x| Point::from(to_f64(x))));
        faces.extend(mesh.triangles.iter().map(|corners| corners.map(|v| first + v)));
    }
    let corners = faces.iter().flat_map(|[a, b, c]: &[u32; 3]| [[*a, *b], [*b, *c], [*c, *a]]);
    let mut sides: Vec<[u32; 2]> = corners.map(|[a, b]| [a.min(b), a.max(b)]).collect();
    sides.sort_unstable();
    sides.dedup();
    triangles.retain(|[a, b, c]| is_free(&[*a, *b]) || is_free(&[*b, *c]));
    let into_solids = intersections(&points, &edges, &faces, model.broad_phase);
    let by_solids = intersections(&points, &sides, &triangles, model.broad_phase);
    // Of the elastic body and of the solid one node each.
    let first = match (into_solids.first(), by_solids.first()) {
        (Some(it), _) => (edges[it.edge as usize][0], faces[it.triangle as usize][0], it.place),
        (None, Some(it)) => {
            (triangles[it.triangle as usize][0], sides[it.edge as usize][0], it.place)
        }
        (None, None) => return None,
    };
    let (node, vertex, at) = first;
    let mesh = starts.partition_point(|start| *start <= vertex).checked_sub(1)?;
    let mut with_mesh = model.solids.iter().enumerate().filter(|(_, solid)| solid.has_mesh());
    let (solid, _) = with_mesh.nth(mesh)?;
    let name = &system.bodies()[body(node)].name;
    let whom = model.solid_label(solid);
    let message = format!("\"{name}\" begins through {whom}, at {}", place(&at));
    let help = "move the body or the solid";
    let path = format!("elastic[{}].shape", body(node));
    Some(Problem::error(path, message, help).also_at(format!("solids[{solid}]")))
}

fn rounded(x: &Point) -> Vec3 {
    Vec3::new(to_real(x.x), to_real(x.y), to_real(x.z))
}
