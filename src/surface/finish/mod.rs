//! What is done to the surface after marching cubes: from a bumpy mesh with slivers to one to look
//! at, closed and 2-manifold all the way.
//!
//! | file | step |
//! |---|---|
//! | `bodies` | the connected parts; those that are too small go |
//! | `flat` | vertices that face a wall or solid are put on it |
//! | `cleanup` | short edges and slivers are collapsed |
//! | `weights` | how much each vertex is smoothed |
//! | `smooth` | weighted Laplacian smoothing, along solids where it lies on them |
//! | `volume` | what smoothing took off a body is given back |
//! | `mend` | triangles that were folded go back |
//! | `normals` | normals of the mesh as it is now |
//!
//! Beside them, `rings` tells what is around a vertex, `triangle` how good a triangle is,
//! `collapse` merges vertices and `merged` numbers anew what is left.
//!
//! The result is the same bytes for any number of threads.

mod bodies;
mod cleanup;
mod collapse;
mod flat;
mod mend;
mod merged;
mod normals;
mod rings;
mod smooth;
mod triangle;
mod volume;
mod weights;

pub use weights::smoothing_weights;

use super::SurfaceMesh;
use crate::base::{Attribute, Real, Values, vec3};
use crate::solid::Solids;
use crate::world::{Clip, Surface};
use bodies::Bodies;
use flat::{Contact, Obstacles};
use rings::Rings;
use smooth::Motion;
use volume::Restored;

/// Finishes a mesh that was extracted with the same settings; its normals may be left out.
///
/// `weights` are the smoothing weights of its vertices, from 0 on spray to 1; `None`
/// smooths all alike.
pub fn finish(
    mut mesh: SurfaceMesh,
    weights: Option<Vec<Real>>,
    solids: &Solids,
    settings: &Surface,
    particle_radius: Real,
) -> SurfaceMesh {
    let weights = weights.unwrap_or_else(|| vec![1.0; mesh.positions.len()]);
    if mesh.normals.is_empty() {
        normals::begin(&mut mesh);
    }
    // The weights go through merges and splits as what they are: values of the vertices.
    mesh.attributes.push(Attribute::new("smoothing weight", Values::Scalars(weights.into())));
    if settings.smallest_body > 0.0 {
        let particle_volume = (2.0 * f64::from(particle_radius)).powi(3);
        (mesh, _) = mesh.split_by_volume(settings.smallest_body * particle_volume);
    }
    let obstacles = (settings.clip == Clip::Flat).then(|| Obstacles::new(solids, particle_radius));
    let obstacles = obstacles.as_ref();
    let mut contacts = flatten(&mut mesh, obstacles);
    // To be put on a wall leaves slivers, which go even where none are to go for their own sake.
    if settings.cleanup || contacts.iter().any(Contact::is_any) {
        let cell = if settings.cleanup { settings.cell } else { 0.0 };
        let volumes = volumes(&mesh);
        cleanup::clean(&mut mesh, vec3([cell; 3]).x * particle_radius);
        contacts = flatten(&mut mesh, obstacles);
        give_back(&mut mesh, &contacts, &volumes);
    }
    let weights = match mesh.attributes.pop().map(|attribute| attribute.values) {
        Some(Values::Scalars(weights)) => weights.into_owned(),
        _ => unreachable!("the weights are the last attribute"),
    };
    let rings = Rings::of(&mesh.triangles, mesh.positions.len());
    let motion = Motion { weights: &weights, contacts: &contacts, obstacles };
    if settings.smoothing > 0 {
        smooth(&mut mesh, &rings, &motion, settings.smoothing, particle_radius);
    }
    normals::compute(&mut mesh, &rings, settings.normals_smoothing);
    mesh
}

/// Puts vertices on the solids that they face; returns what each lies on.
fn flatten(mesh: &mut SurfaceMesh, obstacles: Option<&Obstacles>) -> Vec<Contact> {
    let flatten = |o: &Obstacles| o.flatten(&mut mesh.positions, &mesh.normals);
    obstacles.map(flatten).unwrap_or_default()
}

/// The volumes of a mesh's bodies \[m³\].
fn volumes(mesh: &SurfaceMesh) -> Vec<f64> {
    let bodies = Bodies::of(&mesh.triangles, mesh.positions.len());
    volume::of_bodies(&mesh.positions, &mesh.triangles, &bodies)
}

/// Gives the bodies of a mesh that was cleaned their `volumes` back, where they are free to move.
fn give_back(mesh: &mut SurfaceMesh, contacts: &[Contact], volumes: &[f64]) {
    let SurfaceMesh { positions, triangles, .. } = mesh;
    let is_held = |v: usize| contacts.get(v).is_some_and(Contact::is_any);
    let weights: Vec<Real> =
        (0..positions.len()).map(|v| if is_held(v) { 0.0 } else { 1.0 }).collect();
    let bodies = Bodies::of(triangles, positions.len());
    let rings = Rings::of(triangles, positions.len());
    let restored = Restored { triangles, rings: &rings, bodies: &bodies, weights: &weights };
    restored.restore(positions, volumes);
}

/// Smooths a mesh; bodies keep their volumes, and triangles their sides.
fn smooth(
    mesh: &mut SurfaceMesh,
    rings: &Rings,
    motion: &Motion,
    iterations: u32,
    particle_radius: Real,
) {
    let SurfaceMesh { positions, triangles, .. } = mesh;
    let old = positions.clone();
    let bodies = Bodies::of(triangles, positions.len());
    let volumes = volume::of_bodies(positions, triangles, &bodies);
    motion.smooth(positions, rings, iterations);
    let weights = motion.weights.iter().enumerate();
    let weights: Vec<Real> =
        weights.map(|(v, &weight)| if motion.is_held(v) { 0.0 } else { weight }).collect();
    let restored = Restored { triangles, rings, bodies: &bodies, weights: &weights };
    let wanted = restored.after_smoothing(positions, &volumes, particle_radius);
    restored.restore(positions, &wanted);
    if let Some(obstacles) = motion.obstacles {
        obstacles.keep_out(positions);
    }
    mend::undo_folds(positions, &old, triangles, rings);
}
