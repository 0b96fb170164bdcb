//! The steps for the surface of one fluid.

use crate::mesh::{SurfaceMesh, Surfaces};
use crate::postprocess::components::Bodies;
use crate::postprocess::contact::flat::{Contact, Obstacles};
use crate::postprocess::normals;
use crate::postprocess::rings::Rings;
use crate::postprocess::simplify::{cleanup, decimate};
use crate::postprocess::smoothing::repair::mend;
use crate::postprocess::smoothing::repair_folds::Moved;
use crate::postprocess::smoothing::smooth::{self, Motion};
use crate::postprocess::smoothing::volume::{self, Restored, Sunk};
use crate::settings::{Clip, SurfaceSettings};
use hashfall_core::geometry::ContactGeometry;
use hashfall_core::{Attribute, Real, Values, Vec3, vec3};

/// Finishes a mesh that was extracted with the same settings; its normals may be left out. Bodies
/// that are too small make a mesh of their own, or none.
///
/// `weights` are the smoothing weights of its vertices, from 0 on spray to 1; `None`
/// smooths all alike.
pub fn finish(
    mut mesh: SurfaceMesh,
    weights: Option<Vec<Real>>,
    solids: &dyn ContactGeometry,
    settings: &SurfaceSettings,
    particle_radius: Real,
) -> Surfaces {
    let weights = weights.unwrap_or_else(|| vec![1.0; mesh.positions.len()]);
    if mesh.normals.is_empty() {
        normals::begin(&mut mesh);
    }
    // The weights go through merges and splits as what they are: values of the vertices.
    mesh.attributes.push(Attribute::new("smoothing weight", Values::Scalars(weights.into())));
    let finish = |mesh| finish_bodies(mesh, solids, settings, particle_radius);
    if settings.min_component_volume > 0.0 {
        let particle_volume = (2.0 * f64::from(particle_radius)).powi(3);
        let (large, small) = mesh.split_by_volume(settings.min_component_volume * particle_volume);
        drop(mesh);
        return Surfaces { main: finish(large), spray: settings.spray.then(|| finish(small)) };
    }
    finish(mesh).into()
}

/// Finishes a mesh whose last attribute, which goes, are its smoothing weights.
fn finish_bodies(
    mut mesh: SurfaceMesh,
    solids: &dyn ContactGeometry,
    settings: &SurfaceSettings,
    particle_radius: Real,
) -> SurfaceMesh {
    let obstacles = (settings.clip == Clip::Flat).then(|| Obstacles::new(solids, particle_radius));
    let obstacles = obstacles.as_ref();
    // None if nothing was taken off.
    let mut volumes = Vec::new();
    let mut contacts = match obstacles {
        Some(obstacles) => obstacles.flatten(&mut mesh.positions, &mesh.triangles),
        None => vec![Contact::default(); mesh.positions.len()],
    };
    // To be put on a wall leaves slivers, which go even where none are to go for their own sake.
    if settings.cleanup || contacts.iter().any(Contact::is_any) {
        let cell = if settings.cleanup { settings.cell } else { 0.0 };
        let bodies = Bodies::of(&mesh.triangles, mesh.positions.len());
        volumes = volume::of_bodies(&mesh.positions, &mesh.triangles, &bodies);
        cleanup::clean(&mut mesh, &mut contacts, None, vec3([cell; 3]).x * particle_radius);
        if let Some(obstacles) = obstacles {
            obstacles.settle_all(&mut mesh.positions, &contacts);
        }
    }
    let weights = match mesh.attributes.pop().map(|attribute| attribute.values) {
        Some(Values::Scalars(weights)) => weights.into_owned(),
        _ => unreachable!("the weights are the last attribute"),
    };
    let shape = Topology::of(&mesh);
    let pace = smooth::pace(settings.cell);
    let motion = Motion { weights: &weights, pace, contacts: &contacts, obstacles, lines: None };
    if !volumes.is_empty() {
        give_back(&mut mesh.positions, &shape, &motion, &volumes, particle_radius);
    }
    let areas = if settings.smoothing > 0 {
        smooth(&mut mesh, &shape, &motion, settings.smoothing, particle_radius)
    } else {
        shape.rings.area_vectors(&mesh.positions)
    };
    normals::compute(&mut mesh.normals, &areas);
    normals::smooth(&mut mesh.normals, &shape.rings, None, settings.normals_iterations());
    if settings.decimation > 0.0 {
        let length = |radii: f64| vec3([radii; 3]).x * particle_radius;
        let (bound, cell) = (length(settings.decimation), length(settings.cell));
        decimate::decimate(&mut mesh, &motion, bound, cell);
    }
    mesh
}

/// Smooths the normals of a mesh that has some so many times.
pub fn smooth_normals(mesh: &mut SurfaceMesh, iterations: u32) {
    if iterations > 0 {
        let rings = Rings::of(&mesh.triangles, mesh.positions.len());
        normals::smooth(&mut mesh.normals, &rings, None, iterations);
    }
}

/// What stays as it is once a mesh is clean.
struct Topology {
    rings: Rings,
    bodies: Bodies,
}

impl Topology {
    fn of(SurfaceMesh { positions, triangles, .. }: &SurfaceMesh) -> Self {
        let (rings, bodies) = rayon::join(
            || Rings::of(triangles, positions.len()),
            || Bodies::of(triangles, positions.len()),
        );
        Topology { rings, bodies }
    }
}

/// Gives the bodies of a mesh that was cleaned their `volumes` back, where they are free to move.
fn give_back(
    positions: &mut [Vec3],
    shape: &Topology,
    motion: &Motion,
    volumes: &[f64],
    particle_radius: Real,
) {
    let Topology { rings, bodies } = shape;
    let weight = |v: usize| if motion.is_held(v) { 0.0 } else { 1.0 };
    let weights: Vec<Real> = (0..positions.len()).map(weight).collect();
    Restored { rings, bodies, weights: &weights, particle_radius }
        .restore(positions, |body, _| volumes[body]);
}

/// Smooths a mesh; bodies keep their volumes, and triangles their sides. Returns the area vectors
/// of its vertices.
fn smooth(
    mesh: &mut SurfaceMesh,
    shape: &Topology,
    motion: &Motion,
    iterations: u32,
    particle_radius: Real,
) -> Vec<Vec3> {
    let SurfaceMesh { positions, triangles, .. } = mesh;
    let Topology { rings, bodies } = shape;
    let old = positions.clone();
    let volumes = volume::of_bodies(positions, triangles, bodies);
    motion.smooth(positions, rings, iterations);
    let weights = motion.weights.iter().enumerate();
    let weights: Vec<Real> =
        weights.map(|(v, &weight)| if motion.is_held(v) { 0.0 } else { weight }).collect();
    let sunk = Sunk { rings, weights: &weights, lines: None, particle_radius };
    sunk.raise(positions, &old, iterations);
    let restored = Restored { rings, bodies, weights: &weights, particle_radius };
    restored.restore(positions, |body, size| {
        volume::after_smoothing(volumes[body], size, particle_radius)
    });
    if let Some(obstacles) = motion.obstacles {
        obstacles.keep_out(positions);
    }
    mend(Moved { positions, old: &old, triangles, rings, lines: None }, motion, particle_radius)
}
