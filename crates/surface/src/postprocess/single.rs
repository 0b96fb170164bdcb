//! Post-processing of the surface of one fluid.

use crate::mesh::{SurfaceMesh, Surfaces};
use crate::postprocess::components::Components;
use crate::postprocess::contact::flat::{Contact, ContactSolids};
use crate::postprocess::normals;
use crate::postprocess::rings::Rings;
use crate::postprocess::simplify::{cleanup, decimate};
use crate::postprocess::smoothing::repair::repair_folds;
use crate::postprocess::smoothing::repair_folds::MovedMesh;
use crate::postprocess::smoothing::smooth::{self, VertexMotion};
use crate::postprocess::smoothing::volume::{self, SinkCompensation, VolumeRestoration};
use crate::settings::{Clip, SurfaceSettings};
use hashfall_core::geometry::ContactGeometry;
use hashfall_core::{Attribute, Real, Values, Vec3, vec3};

/// Post-processes a mesh that was extracted with the same settings; its normals may be left out.
/// Components below the minimum volume form a mesh of their own, or are removed.
///
/// `weights` are the smoothing weights of its vertices, from 0 on spray to 1; `None` smooths all
/// vertices alike.
pub fn postprocess(
    mut mesh: SurfaceMesh,
    weights: Option<Vec<Real>>,
    solids: &dyn ContactGeometry,
    settings: &SurfaceSettings,
    particle_radius: Real,
) -> Surfaces {
    let settings = &settings.effective();
    let weights = weights.unwrap_or_else(|| vec![1.0; mesh.positions.len()]);
    if mesh.normals.is_empty() {
        normals::begin(&mut mesh);
    }
    // The weights go through merges and splits as what they are: values of the vertices.
    mesh.attributes.push(Attribute::new("smoothing weight", Values::Scalars(weights.into())));
    let postprocess = |mesh| postprocess_mesh(mesh, solids, settings, particle_radius);
    if settings.min_component_volume > 0.0 {
        let particle_volume = (2.0 * f64::from(particle_radius)).powi(3);
        let (large, small) = mesh.split_by_volume(settings.min_component_volume * particle_volume);
        drop(mesh);
        return Surfaces {
            main: postprocess(large),
            spray: settings.spray.then(|| postprocess(small)),
        };
    }
    postprocess(mesh).into()
}

/// Post-processes a mesh whose last attribute, which is removed, are its smoothing weights.
fn postprocess_mesh(
    mut mesh: SurfaceMesh,
    solids: &dyn ContactGeometry,
    settings: &SurfaceSettings,
    particle_radius: Real,
) -> SurfaceMesh {
    let contact_solids =
        (settings.clip == Clip::Flat).then(|| ContactSolids::new(solids, particle_radius));
    let contact_solids = contact_solids.as_ref();
    // None if nothing was taken off.
    let mut volumes = Vec::new();
    let mut contacts = match contact_solids {
        Some(contact_solids) => contact_solids.flatten(&mut mesh.positions, &mesh.triangles),
        None => vec![Contact::default(); mesh.positions.len()],
    };
    // To be put on a wall leaves slivers, which go even where none are to go for their own sake.
    if settings.cleanup || contacts.iter().any(Contact::is_any) {
        let cell = if settings.cleanup { settings.cell } else { 0.0 };
        let components = Components::new(&mesh.triangles, mesh.positions.len());
        volumes = volume::component_volumes(&mesh.positions, &mesh.triangles, &components);
        cleanup::clean(&mut mesh, &mut contacts, None, vec3([cell; 3]).x * particle_radius);
        if let Some(contact_solids) = contact_solids {
            contact_solids.project_all(&mut mesh.positions, &contacts);
        }
    }
    let weights = match mesh.attributes.pop().map(|attribute| attribute.values) {
        Some(Values::Scalars(weights)) => weights.into_owned(),
        _ => unreachable!("the weights are the last attribute"),
    };
    let shape = Topology::new(&mesh);
    let relaxation = smooth::relaxation(settings.cell);
    let motion = VertexMotion {
        weights: &weights,
        relaxation,
        contacts: &contacts,
        contact_solids,
        curves: None,
    };
    if !volumes.is_empty() {
        restore_volumes(&mut mesh.positions, &shape, &motion, &volumes, particle_radius);
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

/// Smooths the normals of a mesh `iterations` times.
pub fn smooth_normals(mesh: &mut SurfaceMesh, iterations: u32) {
    if iterations > 0 {
        let rings = Rings::new(&mesh.triangles, mesh.positions.len());
        normals::smooth(&mut mesh.normals, &rings, None, iterations);
    }
}

/// What does not change after clean-up.
struct Topology {
    rings: Rings,
    components: Components,
}

impl Topology {
    fn new(SurfaceMesh { positions, triangles, .. }: &SurfaceMesh) -> Self {
        let (rings, components) = rayon::join(
            || Rings::new(triangles, positions.len()),
            || Components::new(triangles, positions.len()),
        );
        Topology { rings, components }
    }
}

/// Restores the `volumes` of the components of a cleaned mesh, where vertices are free to move.
fn restore_volumes(
    positions: &mut [Vec3],
    shape: &Topology,
    motion: &VertexMotion,
    volumes: &[f64],
    particle_radius: Real,
) {
    let Topology { rings, components } = shape;
    let weight = |v: usize| if motion.is_in_contact(v) { 0.0 } else { 1.0 };
    let weights: Vec<Real> = (0..positions.len()).map(weight).collect();
    VolumeRestoration { rings, components, weights: &weights, particle_radius }
        .restore(positions, |component, _| volumes[component]);
}

/// Smooths a mesh; components keep their volumes, and triangles their sides. Returns the area
/// vectors of its vertices.
fn smooth(
    mesh: &mut SurfaceMesh,
    shape: &Topology,
    motion: &VertexMotion,
    iterations: u32,
    particle_radius: Real,
) -> Vec<Vec3> {
    let SurfaceMesh { positions, triangles, .. } = mesh;
    let Topology { rings, components } = shape;
    let old = positions.clone();
    let volumes = volume::component_volumes(positions, triangles, components);
    motion.smooth(positions, rings, iterations);
    let weights = motion.weights.iter().enumerate();
    let weights: Vec<Real> =
        weights.map(|(v, &weight)| if motion.is_in_contact(v) { 0.0 } else { weight }).collect();
    let sunk = SinkCompensation { rings, weights: &weights, curves: None, particle_radius };
    sunk.compensate(positions, &old, iterations);
    let restored = VolumeRestoration { rings, components, weights: &weights, particle_radius };
    restored.restore(positions, |component, size| {
        volume::after_smoothing(volumes[component], size, particle_radius)
    });
    if let Some(contact_solids) = motion.contact_solids {
        contact_solids.push_out(positions);
    }
    repair_folds(
        MovedMesh { positions, old: &old, triangles, rings, curves: None },
        motion,
        particle_radius,
    )
}
