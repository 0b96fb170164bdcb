//! Memory that elastic bodies take, told without any work.
//!
//! Fitted to runs of ropes, sheets and boxes of up to 60 000 nodes, with contact and without. What
//! contact holds goes with how much of a body is near something: fitted to sheets that drape over
//! balls and boxes that stand on the floor. What is in folds takes more: a whole run of
//! `scenes/flag.ron` half as much again, and water on a sheet (`scenes/water_on_sheet.ron`) more
//! than twice.

use hashfall_elastic::ElasticBody;
use hashfall_sph::world::{Elastic, ElasticSolver};

// [bytes]
/// A node: its state and what it was, masses, and places and velocities in files.
const PER_NODE: f64 = 600.0;
/// A corner of an element, with its part of the element.
const PER_CORNER: f64 = 200.0;
/// A segment of a body without triangles, whose files hold tubes.
const PER_TUBE: f64 = 5400.0;
/// A node, an edge or a triangle of a surface, with the pairs that it may be part of.
const PER_PRIMITIVE: f64 = 600.0;
/// A node in implicit substeps, a corner of an element there, and a block of its matrices.
const PER_IMPLICIT_NODE: f64 = 800.0;
const PER_IMPLICIT_CORNER: f64 = 100.0;
const PER_BLOCK: f64 = 144.0;

/// Memory at work of all elastic bodies \[bytes\].
pub fn elastic_memory(elastic: &Elastic) -> f64 {
    let Elastic { system, solver, contact, .. } = elastic;
    let (energies, bodies) = (system.energies(), system.bodies());
    let nodes = system.node_count() as f64;
    let corners = energies.iter().map(|energy| energy.nodes().len()).sum::<usize>() as f64;
    let lines = bodies.iter().filter(|body| body.surface.is_empty());
    let tubes = lines.map(|body| body.edges.len()).sum::<usize>() as f64;
    let matrix = match solver {
        ElasticSolver::Symplectic(_) => 0.0,
        ElasticSolver::Implicit(_) => {
            PER_IMPLICIT_NODE * nodes
                + PER_IMPLICIT_CORNER * corners
                + PER_BLOCK * energies.block_count() as f64
        }
    };
    let touching = match contact {
        Some(_) => PER_PRIMITIVE * bodies.iter().map(primitives).sum::<f64>(),
        None => 0.0,
    };
    let at_work = PER_NODE * nodes + PER_CORNER * corners + PER_TUBE * tubes;
    at_work + touching + matrix
}

/// How many nodes, edges and triangles of a body others can touch.
fn primitives(body: &ElasticBody) -> f64 {
    // A closed surface has as many nodes as half its triangles, and two; a sheet has more.
    let nodes = match body.surface.len() {
        0 => body.nodes.len(),
        triangles => (triangles / 2 + 2).min(body.nodes.len()),
    };
    (nodes + body.edges.len() + body.surface.len()) as f64
}
