//! The elastic bodies of a checked model: their meshes, materials and fixings, and their state at
//! the start.

use super::elastic_fixings::fixings;
use super::elastic_places::mean_edge;
use super::elastic_size::too_many_substeps;
use super::elastic_start::refused_places;
use crate::check::unsupported_by_order;
use crate::layout::body_motion::to_motion;
use crate::layout::velocity_field::Field;
use crate::model::{
    ElasticModel, ElasticShape, ElasticSolverModel, ElementModel, MaterialModel, Model, OrderModel,
    SolidModel, SolidShape,
};
use crate::problem::Problem;
use hashfall_core::units;
use hashfall_elastic::{
    Ball, BodySpec, BoxPattern, BuildError, ElasticMesh, ElasticSystem, ElementOrder,
    ImplicitShape, Material, MeshInterior, MeshQuality, MeshingError, Rope, Shell, SignedDistance,
    Solid, SpringMass, SpringStiffness, Springs, ball_surface, box_tetrahedra, rope, rope_ladder,
    sheet, spring_lattice, stuff,
};
use hashfall_geometry::{Point, TriangleMesh};
use hashfall_input::mesh::{ElementMesh, NodeGroup};
use hashfall_solid::{RoundSolid, Solids};
use hashfall_sph::world::Elastic;
use std::sync::Arc;
use std::vec::IntoIter;

/// Contact thickness of what has no other, in mean edges.
const THICKNESS: f64 = 0.01;

/// Meshes from files, in the order of the bodies that are made of them.
pub struct ElasticFiles {
    /// Those of bodies of elements.
    pub elements: IntoIter<ElementMesh>,
    /// What is filled with tetrahedra.
    pub interiors: IntoIter<TriangleMesh>,
}

/// A rest shape where it stands at the start, and the groups of nodes of its file.
type RestShape = (ElasticMesh, Vec<NodeGroup>);

/// The elastic bodies of a model, if it has any, with their meshes from files, and how good the
/// mesh of each is.
///
/// # Errors
/// What only building can tell: meshes without what the material is for, fixings of no node, and
/// bodies that begin in a solid or outside the domain.
pub fn elastic(
    model: &Model,
    solids: &Solids,
    mut files: ElasticFiles,
) -> Result<(Option<Elastic>, Vec<MeshQuality>), Vec<Problem>> {
    if model.elastic.is_empty() {
        return Ok((None, Vec::new()));
    }
    let mut problems: Vec<Problem> = order_in_turning_frame(model).into_iter().collect();
    let mut specs = Vec::new();
    for (i, body) in model.elastic.iter().enumerate() {
        match spec(&format!("elastic[{i}]"), body, &model.solids, solids, &mut files) {
            Ok(spec) => specs.push(spec),
            Err(of_body) => problems.extend(of_body),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let qualities = specs.iter().map(|spec| MeshQuality::new(&spec.mesh)).collect();
    let system = ElasticSystem::new(specs).map_err(|error| vec![refused(model, &error)])?;
    let mut elastic = Elastic::new(Arc::new(system));
    set_velocities(model, &mut elastic);
    elastic.solver = model.elastic_solver.solver();
    elastic.contact = model.elastic_contact.map(|contact| contact.mode());
    let mut problems = refused_places(model, solids, &elastic);
    problems.extend(too_many_substeps(model, solids, &elastic));
    if problems.is_empty() { Ok((Some(elastic), qualities)) } else { Err(problems) }
}

/// Fixed orders above two in a reference frame that turns, whose Coriolis forces depend on the
/// velocity.
fn order_in_turning_frame(model: &Model) -> Option<Problem> {
    let ElasticSolverModel::Symplectic(symplectic) = model.elastic_solver else { return None };
    if matches!(symplectic.order, OrderModel::Auto | OrderModel::Second) {
        return None;
    }
    let turns = to_motion(&model.reference_frame).is_some_and(|law| law.turns());
    turns.then(|| {
        let problem = unsupported_by_order(symplectic.order, "a reference frame that turns");
        problem.also_at("reference_frame")
    })
}

/// What a body is to be among the solids of these models.
fn spec(
    path: &str,
    body: &ElasticModel,
    models: &[SolidModel],
    solids: &Solids,
    files: &mut ElasticFiles,
) -> Result<BodySpec, Vec<Problem>> {
    let (mesh, groups) = rest_shape(path, body, files)?;
    let fixings = fixings(path, &body.fixings, &mesh, &groups, models, solids)?;
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

/// The elements of a file, all of which must be of the body's material.
fn elements(path: &str, body: &ElasticModel, file: ElementMesh) -> Result<RestShape, Vec<Problem>> {
    let of_material: &[&str] = match body.material {
        MaterialModel::Rope { .. } => &["line"],
        MaterialModel::Shell { .. } => &["triangle"],
        MaterialModel::Solid { .. } => &["tetrahedron"],
        MaterialModel::Springs { .. } => &["line", "triangle", "tetrahedron"],
    };
    let counts = [
        ("line", file.segments.len()),
        ("triangle", file.triangles.len()),
        ("tetrahedron", file.tetrahedra.len()),
    ];
    let others = counts.iter().filter(|(kind, count)| *count > 0 && !of_material.contains(kind));
    let others: Vec<String> = others.map(|(kind, n)| units::count(*n as u64, kind)).collect();
    if others.is_empty() {
        let ElementMesh { nodes, segments, triangles, tetrahedra, groups, .. } = file;
        let mesh = ElasticMesh { nodes, segments, triangles, tetrahedra, ..ElasticMesh::default() };
        return Ok((mesh, groups));
    }
    let (others, material) = (others.join(" and "), body.material.name());
    let message = format!("the file has {others}, of which `{material}` makes nothing");
    let kinds: Vec<&str> = counts.iter().filter(|(_, n)| *n > 0).map(|(kind, _)| *kind).collect();
    let help = match (&kinds[..], body.material) {
        (["triangle"], MaterialModel::Solid { .. }) => {
            "Shell(…) or Springs(…); or fill the surface: shape: Tetrahedra(of: Mesh(…), cell: …)"
        }
        (["line"], _) => "Rope(…) or Springs(…)",
        (["triangle"], _) => "Shell(…) or Springs(…)",
        (["tetrahedron"], _) => "Solid(…) or Springs(…)",
        _ => "a file for each kind of elements, or Springs(…), which takes all",
    };
    let problem = Problem::error(format!("{path}.material"), message, help);
    Err(vec![problem.also_at(format!("{path}.shape"))])
}

/// The rest shape of a body.
fn rest_shape(
    path: &str,
    body: &ElasticModel,
    files: &mut ElasticFiles,
) -> Result<RestShape, Vec<Problem>> {
    let point = |x: [f64; 3]| Point::from(x);
    let edges = |min: [f64; 3], max: [f64; 3]| {
        let size = point(max) - point(min);
        [0, 1, 2].map(|a| Point::ith(a, size[a]))
    };
    let mesh = match &body.shape {
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
        ElasticShape::Tetrahedra(it) => {
            interior(&it.of, files).and_then(|interior| stuff(&*interior, it.cell))
        }
        // A file that cannot be read was refused.
        ElasticShape::Mesh(_) => {
            return elements(path, body, files.elements.next().unwrap_or_default());
        }
    };
    let refused =
        |error: MeshingError| vec![Problem::error(format!("{path}.shape"), error.to_string(), "")];
    Ok((mesh.map_err(refused)?, Vec::new()))
}

/// What is filled with tetrahedra.
fn interior(
    shape: &SolidShape,
    files: &mut ElasticFiles,
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
        SolidShape::Cone { from, to, radius, tip_radius } => {
            Box::new(RoundSolid::cone(Point::from(*from), Point::from(*to), *radius, *tip_radius))
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
            Box::new(MeshInterior::new(&files.interiors.next().unwrap_or_default())?)
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
