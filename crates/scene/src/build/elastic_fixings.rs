//! Nodes of elastic bodies that are fixed, or tied to solids.

use super::elastic_places::{mean_edge, place};
use crate::model::{FixingModel, NodeSelection, SolidModel};
use crate::problem::Problem;
use crate::text::suggest::hint;
use hashfall_elastic::{ElasticMesh, Fixing, RigidMotion};
use hashfall_geometry::Point;
use hashfall_input::mesh::NodeGroup;
use hashfall_solid::Solids;

/// Rounding of places, in mean edges.
const SLACK: f64 = 1e-6;

/// The nodes that are held, and by what.
pub fn fixings(
    path: &str,
    fixings: &[FixingModel],
    mesh: &ElasticMesh,
    groups: &[NodeGroup],
    models: &[SolidModel],
    solids: &Solids,
) -> Result<Vec<(u32, Fixing)>, Vec<Problem>> {
    let moving: Vec<usize> = solids.moving_obstacles().collect();
    let poses: Vec<_> = solids.step_poses().map(|(start, _)| RigidMotion::at_rest(start)).collect();
    let mut held: Vec<Option<usize>> = vec![None; mesh.nodes.len()];
    let (mut all, mut problems) = (Vec::new(), Vec::new());
    for (k, fixing) in fixings.iter().enumerate() {
        let path = format!("{path}.fixings[{k}]");
        let nodes = match selected(&format!("{path}.nodes"), fixing.nodes(), mesh, groups) {
            Ok(nodes) => nodes,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        let body = match fixing {
            FixingModel::Fixed { .. } => None,
            FixingModel::Tied { to, .. } => to
                .index(models.iter().map(SolidModel::name))
                .and_then(|index| moving.iter().position(|&it| it == index)),
        };
        for node in nodes {
            if let Some(other) = held[node as usize].replace(k) {
                let message = format!("node {node} is held by `fixings[{other}]` already");
                let help = "each node in one fixing";
                problems.push(Problem::error(format!("{path}.nodes"), message, help));
                break;
            }
            let x = &mesh.nodes[node as usize];
            // A solid that stands holds a node where it is.
            let fixing = body.map(|body| Fixing::tied(body as u32, x, &poses[body]));
            all.push((node, fixing.unwrap_or(Fixing::Fixed)));
        }
    }
    if problems.is_empty() { Ok(all) } else { Err(problems) }
}

/// The nodes of a selection, ascending.
fn selected(
    path: &str,
    selection: &NodeSelection,
    mesh: &ElasticMesh,
    groups: &[NodeGroup],
) -> Result<Vec<u32>, Problem> {
    let count = mesh.nodes.len();
    let is_within: Box<dyn Fn(&Point) -> bool> = match selection {
        NodeSelection::Box { min, max } => {
            // Nodes on a face are rounded places.
            let slack = SLACK * mean_edge(mesh);
            let (min, max) = (min.map(|x| x - slack), max.map(|x| x + slack));
            Box::new(move |x| (0..3).all(|a| (min[a]..=max[a]).contains(&x[a])))
        }
        NodeSelection::Ball { centre, radius } => {
            let (centre, radius) = (Point::from(*centre), radius + SLACK * mean_edge(mesh));
            Box::new(move |x| (x - centre).norm() <= radius)
        }
        NodeSelection::Indices(indices) => {
            if let Some(&node) = indices.iter().find(|&&node| node as usize >= count) {
                let message = format!("there is no node {node}");
                let help = format!("this body has {count} nodes, from 0 to {}", count - 1);
                return Err(Problem::error(path, message, &help));
            }
            let mut nodes = indices.clone();
            nodes.sort_unstable();
            nodes.dedup();
            return Ok(nodes);
        }
        NodeSelection::Group(name) => return of_group(path, name, groups),
    };
    let all = (0_u32..).zip(&mesh.nodes);
    let nodes: Vec<u32> = all.filter(|(_, x)| is_within(x)).map(|(node, _)| node).collect();
    if nodes.is_empty() {
        let (low, high) = bounds(mesh);
        let message = "no node of this body lies there";
        let help = format!("its nodes lie from {} to {} m", place(&low), place(&high));
        return Err(Problem::error(path, message, &help));
    }
    Ok(nodes)
}

fn bounds(mesh: &ElasticMesh) -> (Point, Point) {
    let start = (Point::repeat(f64::INFINITY), Point::repeat(f64::NEG_INFINITY));
    mesh.nodes.iter().fold(start, |(low, high), x| (low.inf(x), high.sup(x)))
}

/// The nodes of a group of the mesh file.
fn of_group(path: &str, name: &str, groups: &[NodeGroup]) -> Result<Vec<u32>, Problem> {
    let Some(group) = groups.iter().find(|group| group.name == name) else {
        let names: Vec<&str> = groups.iter().map(|group| &*group.name).collect();
        let message = format!("the mesh file has no group `{name}`");
        let help = match names.is_empty() {
            true => "it has none: give the nodes by their places, Box(…) or Ball(…)".to_owned(),
            false => hint(name, &names),
        };
        return Err(Problem::error(path, message, &help));
    };
    if group.nodes.is_empty() {
        let message = format!("the group `{name}` has no nodes of any element");
        let help = "save the elements of the group with the mesh";
        return Err(Problem::error(path, message, help));
    }
    Ok(group.nodes.clone())
}
