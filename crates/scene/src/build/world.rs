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
use super::free_bodies::{free_bodies, masses, set_velocities};
use super::free_body_reports::free_body_reports;
use super::initial_particles::particles;
use super::shape_reports::{shape_reports, volume_lints};
use super::solids::{bounds, solids};
use super::solver::{solver, stiffness, viscosity_solver};
use super::warnings::{bodies_never_inside, solid_warnings};
use crate::flotation::FreeBodyReport;
use crate::layout::body_entries::body_entries;
use crate::layout::body_motion;
use crate::lints;
use crate::model::{Domain, InterfaceModel, Model};
use crate::prepared::ShapeReport;
use crate::problem::Problem;
use hashfall_core::{to_real, vec3};
use hashfall_elastic::MeshQuality;
use hashfall_geometry::TriangleMesh;
use hashfall_solid::{ContactLaw, Solids};
use hashfall_sph::world::{Fluid, Interface, Particles, World};
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

/// Builds the world of a checked model, with the meshes of its solids, its fluids, its openings and
/// its elastic bodies in place; `others` are solids that may have the same meshes.
///
/// # Errors
/// What only building can tell: spheres that do not fit, shapes that overlap, no particle left, no
/// speed to go by.
pub fn build(
    model: &Model,
    (meshes, others): (Vec<Arc<TriangleMesh>>, Option<&Solids>),
    [fluid_meshes, openings]: [&[TriangleMesh]; 2],
    elastic_files: ElasticFiles,
) -> Result<Built, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut warnings = Vec::new();
    let balls = balls(model, &mut problems, &mut warnings);
    let entries = body_entries(model, &balls);
    let masses = masses(model, &balls, &meshes).unwrap_or_else(|refused| {
        problems.extend(refused);
        Vec::new()
    });
    if !problems.is_empty() {
        return Err(problems);
    }
    let solids = solids(model, &balls, meshes, others, (&entries, &masses));
    let filled_shapes =
        with_space(model, &solids, |space| filled_shapes(model, fluid_meshes, space))?;
    let fastest = fastest(model, &entries, &solids).unwrap_or_else(|too_fast| {
        problems.extend(too_fast);
        0.0
    });
    let fastest = frame_speed(model).map(|frame| fastest.max(frame)).unwrap_or_else(|too_fast| {
        problems.push(too_fast);
        fastest
    });
    let solver = solver(model, &filled_shapes, fastest).map_err(|it| problems.insert(0, it)).ok();
    let (Some(solver), true) = (solver, problems.is_empty()) else {
        return Err(problems);
    };
    let Domain::Box { periodic, .. } = model.domain;
    let (particles, removed_per_shape) =
        with_space(model, &solids, |space| particles(model, &solver, space, &filled_shapes))?;
    let removed_in_solids = removed_per_shape.iter().sum();
    if particles.is_empty() && model.emitters.is_empty() && !model.fluids.is_empty() {
        let message = format!(
            "no particle remains: all {removed_in_solids} start inside solids, or nearer than \
             their radius to one"
        );
        let help = "move the fluid or the solids";
        return Err(vec![Problem::error("fluids", message, help).also_at("solids")]);
    }
    let particles_per_fluid = count_per_fluid(&particles, model.fluids.len());
    let (open_boundaries, odd) = open_boundaries(model, &solids, openings, particles.len())?;
    warnings.extend(odd);
    let (elastic, elastic_qualities) = elastic(model, &solids, elastic_files)?;
    warnings.extend(lints::emitter_lints(model, &solids, &open_boundaries, particles.len()));
    warnings.extend(solid_warnings(model, &solids, &particles_per_fluid));
    warnings.extend(bodies_never_inside(model, &solids));
    warnings.extend(lints::buried_probes(model, &solids));
    let system = elastic.as_ref().map(|elastic| &*elastic.system);
    warnings.extend(lints::unused_key_lints(model, system));
    warnings.extend(system.into_iter().flat_map(|system| thickness_lints(model, system)));
    warnings.extend(lints::gaps(model, &balls, &bounds(model, &solids)));
    warnings.extend(replacement_lints(model, &filled_shapes));
    let shapes = shape_reports(model, &filled_shapes, &removed_per_shape);
    warnings.extend(volume_lints(model, &shapes));
    warnings.extend(lints::frame_rate_lint(model, &filled_shapes));
    let mut world = World {
        dimension: model.dimensions,
        kernel: model.kernel,
        particles,
        fluids: model
            .fluids
            .iter()
            .map(|f| Fluid {
                name: f.name.clone(),
                rest_density: to_real(f.rest_density),
                viscosity: to_real(f.viscosity),
                surface_tension: to_real(f.surface_tension),
                stiffness: to_real(stiffness(model, f)),
            })
            .collect(),
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
        viscosity: viscosity_solver(model, &solver, largest_speed(model, &filled_shapes, fastest)),
        solver,
        open_boundaries,
        time: 0.0,
        steps: 0,
    };
    set_velocities(&mut world);
    let contact_shapes = set_contact(model, &entries, &mut world)?;
    let free_bodies = free_body_reports(model, (&entries, &masses), &contact_shapes, &world);
    if !world.fluids.is_empty() {
        // Fluid meets elastic bodies as it meets solids.
        let contacts: Vec<ContactLaw> = model.elastic.iter().map(|it| it.fluid_contact).collect();
        world.add_elastic_surfaces(&contacts);
    }
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
