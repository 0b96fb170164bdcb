//! The elastic bodies of a checked model: their meshes, materials and fixings, and their state at
//! the start.

use super::elastic_start::refused_places;
use crate::layout::velocity_field::Field;
use crate::model::{
    ElasticModel, ElasticShape, ElasticSolverModel, ElementModel, FixingModel, MaterialModel,
    Model, NodeSelection, SolidShape,
};
use crate::problem::Problem;
use hashfall_core::to_f64;
use hashfall_elastic::{
    Ball, BodySpec, BoxPattern, BuildError, ElasticMesh, ElasticSystem, ElementOrder, Fixing,
    ImplicitShape, Material, MeshInterior, MeshingError, RigidMotion, Rope, Shell, SignedDistance,
    Solid, SpringMass, SpringStiffness, Springs, ball_surface, box_tetrahedra, rope, rope_ladder,
    sheet, spring_lattice, stuff,
};
use hashfall_geometry::{Point, TriangleMesh};
use hashfall_solid::{RoundSolid, Solids};
use hashfall_sph::world::{Elastic, ElasticSolver};
use std::sync::Arc;

/// Contact thickness of what has no other, in mean edges.
const THICKNESS: f64 = 0.01;

/// The elastic bodies of a model, if it has any, with their meshes from files.
///
/// # Errors
/// What only building can tell: meshes without what the material is for, fixings of no node, and
/// bodies that begin in a solid or outside the domain.
pub fn elastic(
    model: &Model,
    solids: &Solids,
    from_files: &[TriangleMesh],
) -> Result<Option<Elastic>, Vec<Problem>> {
    if model.elastic.is_empty() {
        return Ok(None);
    }
    let mut files = from_files.iter();
    let mut problems = Vec::new();
    let mut specs = Vec::new();
    for (i, body) in model.elastic.iter().enumerate() {
        match spec(&format!("elastic[{i}]"), body, solids, &mut files) {
            Ok(spec) => specs.push(spec),
            Err(of_body) => problems.extend(of_body),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let system = ElasticSystem::new(specs).map_err(|error| vec![refused(model, &error)])?;
    let mut elastic = Elastic::new(Arc::new(system));
    set_velocities(model, &mut elastic);
    let ElasticSolverModel::Symplectic(symplectic) = model.elastic_solver;
    elastic.solver = ElasticSolver::Symplectic { courant: symplectic.courant };
    elastic.contact = model.elastic_contact.map(|contact| contact.mode());
    let problems = refused_places(model, solids, &elastic);
    if problems.is_empty() { Ok(Some(elastic)) } else { Err(problems) }
}

/// What a body is to be.
fn spec<'a>(
    path: &str,
    body: &ElasticModel,
    solids: &Solids,
    files: &mut impl Iterator<Item = &'a TriangleMesh>,
) -> Result<BodySpec, Vec<Problem>> {
    let mesh = mesh(&body.shape, files)
        .map_err(|error| vec![Problem::error(format!("{path}.shape"), error.to_string(), "")])?;
    let fixings = fixings(path, body, &mesh, solids)?;
    let edge = mean_edge(&mesh);
    let material = material(body, THICKNESS * edge);
    let usual = if material.thickness() > 0.0 { material.thickness() } else { THICKNESS * edge };
    Ok(BodySpec {
        thickness: Some(body.contact.thickness.unwrap_or(usual)),
        friction: body.contact.friction,
        damping_rate: body.damping.rate,
        fixings,
        ..BodySpec::new(&body.name, mesh, material)
    })
}

/// The rest shape of a body, where it stands at the start.
fn mesh<'a>(
    shape: &ElasticShape,
    files: &mut impl Iterator<Item = &'a TriangleMesh>,
) -> Result<ElasticMesh, MeshingError> {
    let point = |x: [f64; 3]| Point::from(x);
    let edges = |min: [f64; 3], max: [f64; 3]| {
        let size = point(max) - point(min);
        [0, 1, 2].map(|a| Point::ith(a, size[a]))
    };
    match shape {
        ElasticShape::Sheet(it) => sheet(point(it.origin), point(it.u), point(it.v), it.cells),
        ElasticShape::Line(it) => rope(point(it.from), point(it.to), it.segments),
        ElasticShape::Ladder(it) => rope_ladder(
            [point(it.from), point(it.to)],
            point(it.across),
            it.rungs,
            it.segments,
            it.rung_segments,
        ),
        ElasticShape::Box(it) => {
            box_tetrahedra(point(it.min), edges(it.min, it.max), it.cells, BoxPattern::Five)
        }
        ElasticShape::Lattice(it) => spring_lattice(point(it.min), edges(it.min, it.max), it.cells),
        ElasticShape::BallShell(it) => ball_surface(point(it.centre), it.radius, it.subdivisions),
        ElasticShape::Tetrahedra(it) => stuff(&*interior(&it.of, files)?, it.cell),
        ElasticShape::Mesh(_) => {
            let mesh = files.next().cloned().unwrap_or_default();
            let nodes = mesh.vertices.iter().map(|x| point(to_f64(x))).collect();
            Ok(ElasticMesh { nodes, triangles: mesh.triangles, ..ElasticMesh::default() })
        }
    }
}

/// What is filled with tetrahedra.
fn interior<'a>(
    shape: &SolidShape,
    files: &mut impl Iterator<Item = &'a TriangleMesh>,
) -> Result<Box<dyn SignedDistance>, MeshingError> {
    Ok(match shape {
        SolidShape::Ball { centre, radius } => {
            Box::new(Ball { centre: Point::from(*centre), radius: *radius })
        }
        SolidShape::Cylinder { from, to, radius } => {
            Box::new(RoundSolid::cylinder(Point::from(*from), Point::from(*to), *radius))
        }
        SolidShape::Capsule { from, to, radius } => {
            Box::new(RoundSolid::capsule(Point::from(*from), Point::from(*to), *radius))
        }
        SolidShape::Box { min, max } => {
            let (low, high) = (Point::from(*min), Point::from(*max));
            let (centre, half) = ((low + high) * 0.5, (high - low) * 0.5);
            Box::new(ImplicitShape::new([low, high], move |x: &Point| {
                // How far it is beyond each pair of faces; negative between them.
                let beyond = (x - centre).abs() - half;
                beyond.sup(&Point::zeros()).norm() + beyond.max().min(0.0)
            })?)
        }
        SolidShape::Mesh(_) => {
            Box::new(MeshInterior::new(&files.next().cloned().unwrap_or_default())?)
        }
    })
}

/// The material of a body, of which springs are so thick unless they say so \[m\].
fn material(body: &ElasticModel, thickness_of_springs: f64) -> Material {
    let damping_time = body.damping.time;
    match body.material {
        MaterialModel::Shell {
            density,
            thickness,
            young_modulus,
            poisson_ratio,
            bending_rigidity,
        } => Material::Shell(Shell {
            bending_rigidity,
            damping_time,
            ..Shell::new(young_modulus, poisson_ratio, density, thickness)
        }),
        MaterialModel::Solid { density, young_modulus, poisson_ratio, elements } => {
            let order = match elements {
                ElementModel::Quadratic => ElementOrder::Quadratic,
                ElementModel::Linear => ElementOrder::Linear,
            };
            let solid = Solid::new(young_modulus, poisson_ratio, density);
            Material::Solid(Solid { damping_time, order, ..solid })
        }
        MaterialModel::Rope { density, diameter, young_modulus, bending_stiffness } => {
            let rod = Rope::rod(young_modulus, density, diameter);
            let bending_stiffness = bending_stiffness.unwrap_or(rod.bending_stiffness);
            Material::Rope(Rope { bending_stiffness, damping_time, ..rod })
        }
        MaterialModel::Springs {
            node_mass,
            density,
            thickness,
            stiffness,
            young_modulus,
            bending,
        } => Material::Springs(Springs {
            // The check has left one of each pair.
            stiffness: stiffness.map_or_else(
                || SpringStiffness::Modulus(young_modulus.unwrap_or_default()),
                SpringStiffness::PerSpring,
            ),
            mass: node_mass.map_or_else(
                || SpringMass::Density(density.unwrap_or_default()),
                SpringMass::PerNode,
            ),
            across: bending,
            thickness: thickness.unwrap_or(thickness_of_springs),
            damping_time,
        }),
    }
}

/// The nodes that are held, and by what.
fn fixings(
    path: &str,
    body: &ElasticModel,
    mesh: &ElasticMesh,
    solids: &Solids,
) -> Result<Vec<(u32, Fixing)>, Vec<Problem>> {
    let moving: Vec<usize> = solids.moving_obstacles().collect();
    let poses: Vec<_> = solids.step_poses().map(|(start, _)| RigidMotion::at_rest(start)).collect();
    let mut held: Vec<Option<usize>> = vec![None; mesh.nodes.len()];
    let (mut fixings, mut problems) = (Vec::new(), Vec::new());
    for (k, fixing) in body.fixings.iter().enumerate() {
        let path = format!("{path}.fixings[{k}]");
        let nodes = match selected(&format!("{path}.nodes"), fixing.nodes(), mesh) {
            Ok(nodes) => nodes,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        let body = match fixing {
            FixingModel::Fixed { .. } => None,
            FixingModel::Tied { to, .. } => moving.iter().position(|solid| solid == to),
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
            fixings.push((node, fixing.unwrap_or(Fixing::Fixed)));
        }
    }
    if problems.is_empty() { Ok(fixings) } else { Err(problems) }
}

/// The nodes of a selection, ascending.
fn selected(
    path: &str,
    selection: &NodeSelection,
    mesh: &ElasticMesh,
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

/// Rounding of places, in mean edges.
const SLACK: f64 = 1e-6;

/// A place for a message.
pub fn place(x: &Point) -> String {
    let [x, y, z] = <[f64; 3]>::from(*x).map(|c| hashfall_core::format_significant(c, 5));
    format!("({x}, {y}, {z})")
}

fn bounds(mesh: &ElasticMesh) -> (Point, Point) {
    let start = (Point::repeat(f64::INFINITY), Point::repeat(f64::NEG_INFINITY));
    mesh.nodes.iter().fold(start, |(low, high), x| (low.inf(x), high.sup(x)))
}

/// The mean length of the edges of all elements \[m\].
fn mean_edge(mesh: &ElasticMesh) -> f64 {
    let edges = mesh.edges();
    let length = |[a, b]: &[u32; 2]| (mesh.nodes[*b as usize] - mesh.nodes[*a as usize]).norm();
    edges.iter().map(length).sum::<f64>() / edges.len().max(1) as f64
}

/// Gives free nodes their velocities at the start.
fn set_velocities(model: &Model, elastic: &mut Elastic) {
    let g = -model.gravity[2];
    let Elastic { system, state, .. } = elastic;
    for (body, said) in system.bodies().iter().zip(&model.elastic) {
        let field = Field::new(&said.initial_velocity);
        for node in body.nodes.clone().filter(|&node| system.inverse_mass()[node] > 0.0) {
            let x = state.position[node].into();
            let velocity = field.velocity(&x, g);
            state.velocity[node] = Point::from(said.velocity) + Point::from(velocity);
        }
    }
}

/// The problem of bodies that cannot be built, at the body that it names.
fn refused(model: &Model, error: &BuildError) -> Problem {
    let (body, key) = match error {
        BuildError::Material { body, .. } => (Some(body), ".material"),
        BuildError::Mesh { body, .. } | BuildError::NoMass { body, .. } => (Some(body), ".shape"),
        BuildError::FixedNode { body, .. } | BuildError::FixedTwice { body, .. } => {
            (Some(body), ".fixings")
        }
        BuildError::TooMany => (None, ""),
    };
    let number = body.and_then(|name| model.elastic.iter().position(|it| it.name == *name));
    let path = number.map_or_else(|| "elastic".to_owned(), |i| format!("elastic[{i}]{key}"));
    Problem::error(path, error.to_string(), "")
}
