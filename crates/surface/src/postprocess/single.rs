//! Post-processing of the surface of one fluid.

use crate::mesh::{SurfaceMesh, Surfaces};
use crate::postprocess::components::Components;
use crate::postprocess::contact::flat::{Contact, ContactSolids};
use crate::postprocess::normals;
use crate::postprocess::rings::Rings;
use crate::postprocess::simplify::cleanup::Extent;
use crate::postprocess::simplify::{cleanup, cluster, decimate};
use crate::postprocess::smoothing::repair::repair_folds;
use crate::postprocess::smoothing::repair_folds::MovedMesh;
use crate::postprocess::smoothing::smooth::{self, VertexMotion};
use crate::postprocess::smoothing::volume::{self, SinkCompensation, VolumeRestoration};
use crate::postprocess::stencil::Stencil;
use crate::settings::{Clip, SurfaceSettings};
use hashfall_core::geometry::ContactGeometry;
use hashfall_core::{Real, Vec3, parallel, vec3};

/// The smoothing weights at some places, from 0 on spray to 1.
pub type WeightsAt<'a> = dyn Fn(&[Vec3]) -> Vec<Real> + Sync + 'a;

/// Post-processes a mesh that was extracted with the same settings; its normals may be left out.
/// Components below the minimum volume form a mesh of their own, or are removed.
///
/// `weights` gives the smoothing weights at some places, from 0 on spray to 1; `None` smooths all
/// vertices alike.
pub fn postprocess(
    mesh: SurfaceMesh,
    weights: Option<&WeightsAt>,
    solids: &dyn ContactGeometry,
    settings: &SurfaceSettings,
    particle_radius: Real,
) -> Surfaces {
    let settings = &settings.effective();
    let postprocess = |mesh| postprocess_mesh(mesh, weights, solids, settings, particle_radius);
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

/// Post-processes a mesh.
fn postprocess_mesh(
    mut mesh: SurfaceMesh,
    weights: Option<&WeightsAt>,
    solids: &dyn ContactGeometry,
    settings: &SurfaceSettings,
    particle_radius: Real,
) -> SurfaceMesh {
    let contact_solids =
        (settings.clip == Clip::Flat).then(|| ContactSolids::new(solids, particle_radius));
    let contact_solids = contact_solids.as_ref();
    let cell = vec3([settings.cell; 3]).x * particle_radius;
    // None if nothing is taken off.
    let mut volumes = Vec::new();
    if settings.cleanup {
        let SurfaceMesh { positions, normals, triangles, .. } = &mut mesh;
        let (positions, triangles) = (&*positions, &*triangles);
        let measure = || measured(positions, triangles);
        (volumes, _) = parallel::join(measure, || normals::begin(normals, positions, triangles));
        cluster::merge_around_grid_points(&mut mesh, None, cell);
    }
    let mut contacts = match contact_solids {
        Some(contact_solids) => {
            let SurfaceMesh { positions, triangles, .. } = &mut mesh;
            let free = settings.cleanup.then(|| measured(positions, triangles));
            let contacts = contact_solids.flatten(positions, triangles);
            let flat = measured(positions, triangles);
            volumes = match free {
                // What clean-up took off before is owed all the same.
                Some(free) => gained(volumes, &free, &flat),
                None if contacts.iter().any(Contact::is_any) => flat,
                None => volumes,
            };
            contacts
        }
        None => vec![Contact::default(); mesh.positions.len()],
    };
    if settings.cleanup {
        let kept = cluster::merge_on_walls(&mut mesh, &contacts, None, cell);
        contacts = kept.iter().map(|&v| contacts[v as usize]).collect();
    }
    // To be put on a wall leaves slivers, which go even where none are to go for their own sake.
    if settings.cleanup || contacts.iter().any(Contact::is_any) {
        let extent = Extent { cell, short_edges: settings.cleanup };
        normals::begin(&mut mesh.normals, &mesh.positions, &mesh.triangles);
        cleanup::clean(&mut mesh, &mut contacts, None, extent);
        if let Some(contact_solids) = contact_solids {
            contact_solids.project_all(&mut mesh.positions, &contacts);
        }
    }
    normals::begin(&mut mesh.normals, &mesh.positions, &mesh.triangles);
    let weights = weights.filter(|_| settings.smoothing > 0);
    let weights = weights.map(|at| at(&mesh.positions));
    let weights = weights.unwrap_or_else(|| vec![1.0; mesh.positions.len()]);
    let shape = Topology::new(&mesh);
    let stencil = Stencil::new(&shape.rings);
    let relaxation = smooth::relaxation(settings.cell);
    let motion = VertexMotion {
        weights: &weights,
        relaxation,
        contacts: &contacts,
        contact_solids,
        curves: None,
    };
    let areas = if settings.smoothing > 0 {
        smooth(&mut mesh, &shape, &stencil, &motion, settings, &volumes, particle_radius)
    } else {
        if !volumes.is_empty() {
            restore_volumes(&mut mesh.positions, &shape, &motion, &volumes, particle_radius);
        }
        shape.rings.area_vectors(&mesh.positions)
    };
    normals::compute(&mut mesh.normals, &areas);
    let iterations = settings.normals_iterations();
    normals::smooth(&mut mesh.normals, &stencil, None, iterations, relaxation);
    if settings.decimation > 0.0 {
        let bound = vec3([settings.decimation; 3]).x * particle_radius;
        decimate::decimate(&mut mesh, &motion, bound, cell);
    }
    mesh
}

/// The volumes of the components of a mesh \[m³\].
fn measured(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<f64> {
    volume::component_volumes(positions, triangles, &Components::new(triangles, positions.len()))
}

/// Volumes with what each gained from `before` to `after` \[m³\].
pub(crate) fn gained(mut volumes: Vec<f64>, before: &[f64], after: &[f64]) -> Vec<f64> {
    let gains = after.iter().zip(before).map(|(after, before)| after - before);
    volumes.iter_mut().zip(gains).for_each(|(volume, gain)| *volume += gain);
    volumes
}

/// Smooths the normals of a mesh as the settings want it.
pub fn smooth_normals(mesh: &mut SurfaceMesh, settings: &SurfaceSettings) {
    let iterations = settings.normals_iterations();
    if iterations > 0 {
        let rings = Rings::new(&mesh.triangles, mesh.positions.len());
        let (stencil, relaxation) = (Stencil::new(&rings), smooth::relaxation(settings.cell));
        normals::smooth(&mut mesh.normals, &stencil, None, iterations, relaxation);
    }
}

/// What does not change after clean-up.
struct Topology {
    rings: Rings,
    components: Components,
}

impl Topology {
    fn new(SurfaceMesh { positions, triangles, .. }: &SurfaceMesh) -> Self {
        let (rings, components) = parallel::join(
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

/// Smooths a mesh; components keep the volumes that they had before clean-up, if there was any, and
/// triangles their sides. Returns the area vectors of its vertices.
fn smooth(
    mesh: &mut SurfaceMesh,
    shape: &Topology,
    stencil: &Stencil,
    motion: &VertexMotion,
    settings: &SurfaceSettings,
    volumes: &[f64],
    particle_radius: Real,
) -> Vec<Vec3> {
    let SurfaceMesh { positions, triangles, .. } = mesh;
    let Topology { rings, components } = shape;
    let iterations = settings.smoothing;
    let old = positions.clone();
    let is_uncleaned = volumes.is_empty();
    let measure = || volume::component_volumes(positions, triangles, components);
    let present = is_uncleaned.then(measure);
    let volumes = present.as_deref().unwrap_or(volumes);
    motion.smooth(positions, stencil, iterations);
    let weights = motion.weights.iter().enumerate();
    let weights: Vec<Real> =
        weights.map(|(v, &weight)| if motion.is_in_contact(v) { 0.0 } else { weight }).collect();
    let (relaxation, curves) = (motion.relaxation, None);
    let sunk =
        SinkCompensation { rings, stencil, relaxation, weights: &weights, curves, particle_radius };
    sunk.compensate(positions, &old, iterations);
    let is_free = |v: usize| !motion.is_in_contact(v);
    let component = |v: usize| [components.at(v as u32) as u32; 2];
    let weights = volume::shares(motion.weights, components.count(), is_free, component);
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
