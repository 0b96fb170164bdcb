//! Builds the [`World`] of a checked model: particles, solids and the numbers that the scene leaves
//! to default.
//!
//! Shapes are filled in [`super::filled_shapes`] and cleared of solids in
//! [`super::initial_particles`]; the default speed of sound is that of [`super::expected_speed`].

use super::balls::balls;
use super::blocked::with_space;
use super::body_contact::set_contact;
use super::body_speed::{fastest, frame_speed};
use super::elastic::{ElasticFiles, elastic};
use super::elastic_size::thickness_lints;
use super::emitters::open_boundaries;
use super::expected_speed::largest_speed;
use super::filled_shapes::{filled_shapes, replacement_lints};
use super::free_bodies::{FreeMass, free_bodies, masses, set_velocities};
use super::free_body_reports::free_body_reports;
use super::initial_particles::particles;
use super::shape_reports::{level_lints, shape_reports, volume_lints};
use super::solids::{bounds, solids};
use super::solver::{solver, stiffness, viscosity_solver, viscosity_solver_with_bodies};
use super::warnings::{bodies_never_inside, solid_warnings};
use crate::flotation::FreeBodyReport;
use crate::layout::body_entries::{BodyEntry, body_entries};
use crate::layout::body_motion;
use crate::layout::filled_shape::FilledShape;
use crate::lints;
use crate::model::{Domain, FluidModel, InterfaceModel, Model};
use crate::prepared::ShapeReport;
use crate::problem::Problem;
use hashfall_core::{to_real, vec3};
use hashfall_elastic::MeshQuality;
use hashfall_fill::sphere_field::Ball;
use hashfall_geometry::TriangleMesh;
use hashfall_solid::{ContactLaw, Solids};
use hashfall_sph::world::{Elastic, Fluid, Interface, OpenBoundaries, Particles, Solver, World};
use std::sync::Arc;

/// What came of a model.
pub struct Built {
    /// The world at the start.
    pub world: World,
    /// Particles left out because of solids.
    pub removed_in_solids: usize,
    /// Particles of each fluid.
    pub particles_per_fluid: Vec<usize>,
    /// How its shapes were filled.
    pub shapes: Vec<ShapeReport>,
    /// The bodies that move freely.
    pub free_bodies: Vec<FreeBodyReport>,
    /// How good the mesh of each elastic body is.
    pub elastic_qualities: Vec<MeshQuality>,
    /// What does not stop the scene from running.
    pub warnings: Vec<Problem>,
}

/// The solids of a scene, and what was found out on the way to them.
struct Bodies {
    /// The balls of each solid.
    balls: Vec<Vec<Ball>>,
    entries: Vec<BodyEntry>,
    /// Of each body that moves freely.
    masses: Vec<Option<FreeMass>>,
    solids: Solids,
}

/// The fluid of a scene at its start.
struct FluidStart<'a> {
    shapes: Vec<FilledShape<'a>>,
    /// The largest speed of a body or of the frame \[m/s\].
    fastest: f64,
    solver: Solver,
    particles: Particles,
    /// Particles of each shape that were left out because of solids.
    removed: Vec<usize>,
}

/// What a world is made of.
struct Parts<'a> {
    bodies: Bodies,
    fluid: FluidStart<'a>,
    open_boundaries: OpenBoundaries,
    elastic: Option<Elastic>,
}

/// Builds the world of a checked model, with the meshes of its solids, its fluids, its openings and
/// its elastic bodies in place; `others` are solids that may have the same meshes.
///
/// # Errors
/// What only building can tell: spheres that do not fit, shapes that overlap, no particle left, no
/// speed to go by.
pub fn build(
    model: &Model,
    meshes: Vec<Arc<TriangleMesh>>,
    others: Option<&Solids>,
    fluid_meshes: &[TriangleMesh],
    openings: &[TriangleMesh],
    elastic_files: ElasticFiles,
) -> Result<Built, Vec<Problem>> {
    let mut warnings = Vec::new();
    let bodies = bodies(model, meshes, others, &mut warnings)?;
    let fluid = fluid_start(model, fluid_meshes, &bodies)?;
    let at_start = fluid.particles.len();
    let (open_boundaries, odd) = open_boundaries(model, &bodies.solids, openings, at_start)?;
    warnings.extend(odd);
    let (elastic, elastic_qualities) = elastic(model, &bodies.solids, elastic_files)?;
    let removed_in_solids = fluid.removed.iter().sum();
    let particles_per_fluid = count_per_fluid(&fluid.particles, model.fluids.len());
    let shapes = shape_reports(model, &fluid.shapes, &fluid.removed);
    let parts = Parts { bodies, fluid, open_boundaries, elastic };
    warnings.extend(parts.lints(model, &particles_per_fluid));
    warnings.extend(parts.shape_lints(model, &shapes));
    let (world, free_bodies) = parts.into_world(model)?;
    Ok(Built {
        world,
        removed_in_solids,
        particles_per_fluid,
        shapes,
        free_bodies,
        elastic_qualities,
        warnings,
    })
}

/// The solids of a model, with the meshes of their files.
fn bodies(
    model: &Model,
    meshes: Vec<Arc<TriangleMesh>>,
    others: Option<&Solids>,
    warnings: &mut Vec<Problem>,
) -> Result<Bodies, Vec<Problem>> {
    let mut problems = Vec::new();
    let balls = balls(model, &mut problems, warnings);
    let entries = body_entries(model, &balls);
    let masses = masses(model, &balls, &meshes).unwrap_or_else(|refused| {
        problems.extend(refused);
        Vec::new()
    });
    if !problems.is_empty() {
        return Err(problems);
    }
    let solids = solids(model, &balls, meshes, others, &entries, &masses);
    Ok(Bodies { balls, entries, masses, solids })
}

/// The particles that the solids leave room for, and the solver that is to move them.
fn fluid_start<'a>(
    model: &'a Model,
    meshes: &'a [TriangleMesh],
    Bodies { entries, solids, .. }: &Bodies,
) -> Result<FluidStart<'a>, Vec<Problem>> {
    let shapes = with_space(model, solids, |space| filled_shapes(model, meshes, space))?;
    let mut problems = Vec::new();
    let fastest = fastest(model, entries, solids).unwrap_or_else(|too_fast| {
        problems.extend(too_fast);
        0.0
    });
    let fastest = frame_speed(model).map(|frame| fastest.max(frame)).unwrap_or_else(|too_fast| {
        problems.push(too_fast);
        fastest
    });
    let solver = solver(model, &shapes, fastest).map_err(|it| problems.insert(0, it)).ok();
    let (Some(solver), true) = (solver, problems.is_empty()) else {
        return Err(problems);
    };
    let (particles, removed) =
        with_space(model, solids, |space| particles(model, &solver, space, &shapes))?;
    if particles.is_empty() && model.emitters.is_empty() && !model.fluids.is_empty() {
        let removed_in_solids: usize = removed.iter().sum();
        let message = format!(
            "no particle remains: all {removed_in_solids} start inside solids, or nearer than \
             their radius to one"
        );
        let (place, help) = lints::swallowing_mesh(model, solids)
            .unwrap_or_else(|| ("solids".to_owned(), "move the fluid or the solids".to_owned()));
        return Err(vec![Problem::error("fluids", message, &help).also_at(place)]);
    }
    Ok(FluidStart { shapes, fastest, solver, particles, removed })
}

impl Parts<'_> {
    /// Warnings of what may not be meant.
    fn lints(&self, model: &Model, particles_per_fluid: &[usize]) -> Vec<Problem> {
        let Parts { bodies, fluid, open_boundaries, elastic } = self;
        let solids = &bodies.solids;
        let mut warnings =
            lints::emitter_lints(model, solids, open_boundaries, fluid.particles.len());
        warnings.extend(lints::fluid_lints(model));
        warnings.extend(solid_warnings(model, solids, particles_per_fluid));
        warnings.extend(bodies_never_inside(model, solids));
        warnings.extend(lints::buried_probes(model, solids));
        let system = elastic.as_ref().map(|elastic| &*elastic.system);
        warnings.extend(lints::unused_key_lints(model, system));
        warnings.extend(lints::body_lints(model, system));
        warnings.extend(system.into_iter().flat_map(|system| thickness_lints(model, system)));
        warnings.extend(lints::gaps(model, &bodies.balls, &bounds(model, solids)));
        warnings
    }

    /// Warnings of shapes of fluid.
    fn shape_lints(&self, model: &Model, reports: &[ShapeReport]) -> Vec<Problem> {
        let shapes = &self.fluid.shapes;
        let mut warnings = replacement_lints(model, shapes);
        warnings.extend(volume_lints(model, reports));
        warnings.extend(level_lints(model, shapes));
        warnings.extend(lints::frame_rate_lint(model, shapes));
        warnings
    }

    /// The world, and its bodies that move freely.
    fn into_world(self, model: &Model) -> Result<(World, Vec<FreeBodyReport>), Vec<Problem>> {
        let Parts { bodies, fluid, open_boundaries, elastic } = self;
        let Bodies { entries, masses, solids, .. } = bodies;
        let Domain::Box { periodic, .. } = model.domain;
        let speed = largest_speed(model, &fluid.shapes, fluid.fastest);
        let mut world = World {
            dimension: model.dimensions,
            kernel: model.kernel,
            particles: fluid.particles,
            fluids: fluids(model),
            interfaces: interfaces(model),
            solids,
            free_bodies: free_bodies(model, &entries, &masses),
            rigid: None,
            elastic,
            periodic,
            gravity: vec3(model.gravity),
            frame: body_motion::to_motion(&model.reference_frame),
            forces: model.forces.clone(),
            particle_radius: to_real(model.particle_radius()),
            support_radius: to_real(model.support_radius()),
            viscosity: viscosity_solver(model, &fluid.solver, speed),
            solver: fluid.solver,
            open_boundaries,
            time: 0.0,
            steps: 0,
        };
        set_velocities(&mut world);
        let contact_shapes = set_contact(model, &entries, &mut world)?;
        world.viscosity = viscosity_solver_with_bodies(model, &world, speed);
        let reports = free_body_reports(model, &entries, &masses, &contact_shapes, &world);
        if !world.fluids.is_empty() {
            // Fluid meets elastic bodies as it meets solids.
            let contacts: Vec<ContactLaw> =
                model.elastic.iter().map(|it| it.fluid_contact).collect();
            world.add_elastic_surfaces(&contacts);
        }
        Ok((world, reports))
    }
}

/// The fluids, without their particles.
fn fluids(model: &Model) -> Vec<Fluid> {
    let fluid = |fluid: &FluidModel| Fluid {
        name: fluid.name.clone(),
        rest_density: to_real(fluid.rest_density),
        viscosity: to_real(fluid.viscosity),
        surface_tension: to_real(fluid.surface_tension),
        stiffness: to_real(stiffness(model, fluid)),
    };
    model.fluids.iter().map(fluid).collect()
}

/// Tensions between fluids, whose names are known.
fn interfaces(model: &Model) -> Vec<Interface> {
    let number = |name: &str| model.fluids.iter().position(|f| f.name == name).unwrap_or(0) as u8;
    let interface = |said: &InterfaceModel| Interface {
        fluids: [number(&said.between.0), number(&said.between.1)],
        tension: to_real(said.tension),
    };
    model.interfaces.iter().map(interface).collect()
}

fn count_per_fluid(particles: &Particles, fluids: usize) -> Vec<usize> {
    let mut count = vec![0; fluids];
    particles.phase.iter().for_each(|&phase| count[phase as usize] += 1);
    count
}
