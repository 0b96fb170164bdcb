//! The model with every default written out, as a run keeps it.

use crate::model::{BodyMotion, FluidShape, Model, Opening, SolidModel, ViscosityModel};
use crate::output::Output;
use hashfall_core::Dimension;
use hashfall_sph::world::{ViscositySolver, World};
use hashfall_surface::SurfaceSettings;

/// The model with its defaults resolved as in `world`, its meshes at `mesh_paths`, its
/// particle files at `particle_paths` and its recorded motions at `recording_paths`.
pub fn resolved(
    model: &Model,
    world: &World,
    mesh_paths: &[String],
    particle_paths: &[String],
    recording_paths: &[String],
) -> Model {
    let mut resolved = model.clone();
    // Without a radius there is no fluid, and nothing that has a support.
    resolved.support_radius = model.particle_radius.map(|_| model.support_radius());
    resolved.surface = surface(model);
    resolved.output = output(model);
    resolved.viscosity_solver = match world.viscosity {
        ViscositySolver::Explicit => ViscosityModel::Explicit,
        ViscositySolver::Implicit => ViscosityModel::Implicit,
    };
    for emitter in &mut resolved.emitters {
        let fluid = model.fluid_of(emitter).map(|i| model.fluids[i].name.clone());
        emitter.fluid = fluid;
    }
    resolved.solver = world.solver;
    let solids = resolved.solids.iter_mut().filter_map(|solid| match solid {
        SolidModel::Mesh(mesh) => Some(&mut mesh.path),
        _ => None,
    });
    let openings = resolved.emitters.iter_mut().filter_map(|emitter| match &mut emitter.from {
        Opening::Mesh { path, .. } => Some(path),
        Opening::Disc { .. } | Opening::Rectangle { .. } => None,
    });
    let mut copies = mesh_paths.iter();
    let mut keep = |path: &mut String| {
        if let Some(copy) = copies.next() {
            path.clone_from(copy);
        }
    };
    solids.for_each(&mut keep);
    for shape in resolved.fluids.iter_mut().flat_map(|fluid| &mut fluid.shapes) {
        shape.for_each_mut(&mut |part| {
            if let FluidShape::Mesh(mesh) = part {
                keep(&mut mesh.path);
            }
        });
    }
    openings.for_each(&mut keep);
    for body in &mut resolved.elastic {
        if let Some(mesh) = body.shape.file_mut() {
            keep(&mut mesh.path);
        }
    }
    let shapes = resolved.fluids.iter_mut().flat_map(|fluid| &mut fluid.shapes);
    let clouds = shapes.filter_map(|shape| match shape {
        FluidShape::Particles(shape) => Some(&mut shape.path),
        _ => None,
    });
    for (path, copy) in clouds.zip(particle_paths) {
        path.clone_from(copy);
    }
    let files = resolved.motions_mut().filter_map(|(_, motion)| match motion {
        BodyMotion::Table { path, .. } => Some(path),
        _ => None,
    });
    for (path, copy) in files.zip(recording_paths) {
        path.clone_from(copy);
    }
    resolved
}

/// How the surface is extracted; a plane has none, and no fluid.
pub fn surface(model: &Model) -> Option<SurfaceSettings> {
    let has_surface = model.dimensions == Dimension::Three && !model.fluids.is_empty();
    model.surface.filter(|_| has_surface)
}

/// The files of each frame; those of particles only where there is fluid.
pub fn output(model: &Model) -> Output {
    let mut output = model.output.clone();
    if model.fluids.is_empty() {
        output.particles.clear();
    }
    output
}
