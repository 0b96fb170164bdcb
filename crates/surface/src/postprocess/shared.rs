//! Post-processing of the surfaces of several fluids, as one complex, so that they stay shared.
//!
//! Junction curves, where three or more of fluids and air meet, are kept: clean-up and decimation
//! do not touch their vertices, smoothing moves these along the curve
//! ([`junction_curves`](crate::postprocess::smoothing::junction_curves)). The components of all
//! fluids get their volumes back together ([`pressure`](crate::postprocess::smoothing::pressure)).
//! The outer surface makes flat contact; interfaces follow it, and so meet walls where fluid and
//! wall meet.
//!
//! A component that may be too small is a connected part of all surfaces, with the volume inside
//! its outer surface: a drop of two fluids is one component. A drop of one fluid that another
//! encloses is removed with it.

use crate::marching::complex::{Complex, VertexSides, fluid_mesh, triangle_sides};
use crate::mesh::{SurfaceMesh, Surfaces};
use crate::phases::label::{AIR, Label, Sides};
use crate::postprocess::components::Components;
use crate::postprocess::contact::flat::{Contact, ContactSolids};
use crate::postprocess::contact::flat_shared::flatten;
use crate::postprocess::normals;
use crate::postprocess::rings::Rings;
use crate::postprocess::simplify::cleanup::Extent;
use crate::postprocess::simplify::{cleanup, cluster, decimate};
use crate::postprocess::single::{WeightsAt, gained};
use crate::postprocess::smoothing::fluid_components::FluidComponents;
use crate::postprocess::smoothing::junction_curves::JunctionCurves;
use crate::postprocess::smoothing::pressure::PressureOffsets;
use crate::postprocess::smoothing::repair::{self, repair_folds};
use crate::postprocess::smoothing::repair_folds::MovedMesh;
use crate::postprocess::smoothing::smooth::{self, VertexMotion};
use crate::postprocess::smoothing::volume::{self, SinkCompensation};
use crate::postprocess::stencil::Stencil;
use crate::settings::{Clip, SurfaceSettings};
use hashfall_core::geometry::Aabb;
use hashfall_core::geometry::ContactGeometry;
use hashfall_core::{Attribute, Real, Values, Vec3, parallel, vec3};

/// Weight of interface normals beside those of the outer surface: they count where that has none.
const INNER_SHARE: Real = 1e-3;

/// Post-processed surfaces of several fluids.
pub(crate) struct SharedSurfaces {
    main: Shared,
    spray: Option<Shared>,
}

/// Surfaces with shared vertices, and the labels that each vertex separates.
struct Shared {
    mesh: SurfaceMesh,
    vertex_sides: Vec<VertexSides>,
}

/// Post-processes the surfaces of several fluids. `weights` gives the smoothing weights at some
/// places.
pub(crate) fn postprocess_shared(
    complex: Complex,
    weights: Option<&WeightsAt>,
    solids: &dyn ContactGeometry,
    settings: &SurfaceSettings,
    particle_radius: Real,
) -> SharedSurfaces {
    let vertex_sides = complex.vertex_sides();
    let Complex { positions, triangles, .. } = complex;
    let mut mesh = SurfaceMesh { positions, triangles, ..SurfaceMesh::default() };
    normals::begin(&mut mesh.normals, &mesh.positions, &mesh.triangles);
    if !settings.is_postprocessed() && settings.normals_iterations() == 0 {
        return SharedSurfaces { main: Shared { mesh, vertex_sides }, spray: None };
    }
    // They go through mergers as what they are: values of the vertices.
    let sides = Values::Labels(vertex_sides.iter().map(number).collect());
    mesh.attributes = vec![Attribute::new("on", sides)];
    let postprocess =
        |mesh| SharedPostprocess { weights, solids, settings, particle_radius }.postprocess(mesh);
    if settings.min_component_volume > 0.0 {
        let particle_volume = (2.0 * f64::from(particle_radius)).powi(3);
        let is_small =
            small_components(&mesh, &vertex_sides, settings.min_component_volume * particle_volume);
        let pick = |small: bool| mesh.pick(|v| is_small[v as usize] == small);
        let spray = settings.spray.then(|| postprocess(pick(true)));
        return SharedSurfaces { main: postprocess(pick(false)), spray };
    }
    SharedSurfaces { main: postprocess(mesh), spray: None }
}

/// The labels that a vertex separates, as a number.
fn number(vertex_sides: &VertexSides) -> u32 {
    vertex_sides
        .map_or(u32::MAX, |Sides { greater, lesser }| u32::from(greater) << 8 | u32::from(lesser))
}

/// The labels of a number made by [`number`].
fn sides_from_number(number: u32) -> VertexSides {
    let [_, _, greater, lesser] = number.to_be_bytes();
    (number != u32::MAX).then_some(Sides { greater, lesser })
}

impl SharedSurfaces {
    /// The surfaces of a fluid.
    pub fn surfaces(&self, label: Label) -> Surfaces {
        let mesh = |shared: &Shared| shared.mesh(label);
        Surfaces { main: mesh(&self.main), spray: self.spray.as_ref().map(mesh) }
    }
}

impl Shared {
    /// The mesh of a fluid. On junction curves its normals are the means of those around on its
    /// outer surface, so that this is shaded as one where another fluid joins on.
    fn mesh(&self, label: Label) -> SurfaceMesh {
        let SurfaceMesh { positions, triangles, normals, .. } = &self.mesh;
        let part = fluid_mesh(positions, triangles, &self.vertex_sides, label);
        let mut mesh = part.mesh;
        normals::begin(&mut mesh.normals, &mesh.positions, &mesh.triangles);
        for (normal, &v) in mesh.normals.iter_mut().zip(&part.vertices) {
            if let Some(sides) = self.vertex_sides[v as usize] {
                let outwards = normals[v as usize];
                *normal = if sides.greater == label { outwards } else { -outwards };
            }
        }
        let vertex_sides: Vec<VertexSides> =
            part.vertices.iter().map(|&v| self.vertex_sides[v as usize]).collect();
        let mut sums = vec![Vec3::zeros(); vertex_sides.len()];
        for triangle in &mesh.triangles {
            let is_outer = triangle_sides(triangle, &vertex_sides).lesser == AIR;
            let share = if is_outer { 1.0 } else { INNER_SHARE };
            let around = triangle.iter().filter(|&&v| vertex_sides[v as usize].is_some());
            let sum = around.fold(Vec3::zeros(), |sum, &v| sum + mesh.normals[v as usize]);
            triangle.iter().for_each(|&v| sums[v as usize] += sum * share);
        }
        for (v, sum) in sums.iter().enumerate().filter(|(v, _)| vertex_sides[*v].is_none()) {
            mesh.normals[v] = sum.try_normalize(0.0).unwrap_or(mesh.normals[v]);
        }
        mesh
    }
}

/// Whether each vertex belongs to a component below the minimum volume.
fn small_components(mesh: &SurfaceMesh, vertex_sides: &[VertexSides], least: f64) -> Vec<bool> {
    let SurfaceMesh { positions, triangles, .. } = mesh;
    let components = Components::new(triangles, positions.len());
    let is_outer = |t: &&[u32; 3]| triangle_sides(t, vertex_sides).lesser == AIR;
    let outer: Vec<[u32; 3]> = triangles.iter().filter(is_outer).copied().collect();
    let volumes = volume::component_volumes(positions, &outer, &components);
    let mut boxes = vec![Aabb::EMPTY; components.count()];
    let mut has_outer = vec![false; components.count()];
    let mut has_curves = has_outer.clone();
    for v in 0..positions.len() {
        let component = components.at(v as u32);
        let Aabb { min, max } = boxes[component];
        boxes[component] = Aabb::new(min.inf(&positions[v]), max.sup(&positions[v]));
        has_outer[component] |= vertex_sides[v].is_some_and(|sides| sides.lesser == AIR);
        has_curves[component] |= vertex_sides[v].is_none();
    }
    // A bubble between fluids is part of the line around it.
    let is_small = |component: usize| {
        let is_bubble = volumes[component] < 0.0;
        has_outer[component]
            && volumes[component].abs() < least
            && !(is_bubble && has_curves[component])
    };
    let small: Vec<bool> = (0..components.count()).map(is_small).collect();
    let encloses =
        |a: usize, b: usize| boxes[a].contains(&boxes[b].min) && boxes[a].contains(&boxes[b].max);
    let goes = |component: usize| {
        small[component]
            || (!has_outer[component]
                && (0..small.len()).any(|a| small[a] && encloses(a, component)))
    };
    let goes: Vec<bool> = (0..small.len()).map(goes).collect();
    (0..positions.len() as u32).map(|v| goes[components.at(v)]).collect()
}

/// Parameters of the post-processing.
struct SharedPostprocess<'a> {
    weights: Option<&'a WeightsAt<'a>>,
    solids: &'a dyn ContactGeometry,
    settings: &'a SurfaceSettings,
    particle_radius: Real,
}

impl SharedPostprocess<'_> {
    /// Post-processes surfaces with one attribute, the sides of their vertices, which is
    /// removed.
    fn postprocess(&self, mut mesh: SurfaceMesh) -> Shared {
        let SharedPostprocess { weights, solids, settings, particle_radius } = *self;
        let cell = vec3([settings.cell; 3]).x * particle_radius;
        let mut components = FluidComponents::new(&mesh, &sides_of_all(&mesh));
        let mut volumes = components.volumes(&mesh.positions, &mesh.triangles);
        if settings.cleanup {
            let numbers: Vec<u32> = sides_of_all(&mesh).iter().map(number).collect();
            components.keep(&cluster::merge_around_grid_points(&mut mesh, Some(&numbers), cell));
        }
        let vertex_sides = sides_of_all(&mesh);
        let contact_solids =
            (settings.clip == Clip::Flat).then(|| ContactSolids::new(solids, particle_radius));
        let contact_solids = contact_solids.as_ref();
        let mut contacts = match contact_solids {
            Some(contact_solids) => {
                let free = components.volumes(&mesh.positions, &mesh.triangles);
                let contacts = flatten(contact_solids, &mut mesh, &vertex_sides);
                // What clean-up took off before is owed all the same.
                let flat = components.volumes(&mesh.positions, &mesh.triangles);
                volumes = gained(volumes, &free, &flat);
                contacts
            }
            None => vec![Contact::default(); mesh.positions.len()],
        };
        if settings.cleanup {
            let numbers: Vec<u32> = vertex_sides.iter().map(number).collect();
            let kept = cluster::merge_on_walls(&mut mesh, &contacts, Some(&numbers), cell);
            components.keep(&kept);
            contacts = kept.iter().map(|&v| contacts[v as usize]).collect();
        }
        let vertex_sides = sides_of_all(&mesh);
        if let Some(kept) = self.clean(&mut mesh, &mut contacts, contact_solids, &vertex_sides) {
            components.keep(&kept);
        }
        let vertex_sides = sides_of_all(&mesh);
        let weights = weights.map(|at| at(&mesh.positions));
        let weights = weights.unwrap_or_else(|| vec![1.0; mesh.positions.len()]);
        mesh.attributes.clear();
        let curves = JunctionCurves::new(&mesh.triangles, &vertex_sides);
        let relaxation = smooth::relaxation(settings.cell);
        let curves = Some(&curves);
        let motion = VertexMotion {
            weights: &weights,
            relaxation,
            contacts: &contacts,
            contact_solids,
            curves,
        };
        let shape = Shape { rings: Rings::new(&mesh.triangles, mesh.positions.len()), components };
        let stencil = Stencil::new(&shape.rings);
        let areas = match settings.smoothing {
            0 => {
                let weights = self.free(&motion, |_| 1.0);
                self.pressures(&shape, &mesh.triangles, &weights)
                    .restore(&mut mesh.positions, |component, _| volumes[component]);
                self.separate(&mut mesh, &shape, &motion)
            }
            _ => self.smooth(&mut mesh, &shape, &stencil, &motion, &volumes),
        };
        normals::compute(&mut mesh.normals, &areas);
        curves.iter().for_each(|curves| clear_normals(&mut mesh.normals, curves));
        let iterations = settings.normals_iterations();
        normals::smooth(&mut mesh.normals, &stencil, curves, iterations, relaxation);
        if settings.decimation > 0.0 {
            mesh.attributes = vec![Attribute::new(
                "on",
                Values::Labels(vertex_sides.iter().map(number).collect()),
            )];
            let bound = vec3([settings.decimation; 3]).x * particle_radius;
            decimate::decimate(&mut mesh, &motion, bound, cell);
            let vertex_sides = sides_of_all(&mesh);
            return Shared { mesh, vertex_sides };
        }
        Shared { mesh, vertex_sides }
    }

    /// Cleans surfaces, or at least removes the slivers of flat contact. Returns the old numbers of
    /// the vertices that are left, if anything changed.
    fn clean(
        &self,
        mesh: &mut SurfaceMesh,
        contacts: &mut Vec<Contact>,
        contact_solids: Option<&ContactSolids>,
        vertex_sides: &[VertexSides],
    ) -> Option<Vec<u32>> {
        if !(self.settings.cleanup || contacts.iter().any(Contact::is_any)) {
            return None;
        }
        let curves = JunctionCurves::new(&mesh.triangles, vertex_sides);
        // On lines normals say nothing.
        clear_normals(&mut mesh.normals, &curves);
        let cell = vec3([self.settings.cell; 3]).x * self.particle_radius;
        let extent = Extent { cell, short_edges: self.settings.cleanup };
        let kept = cleanup::clean(mesh, contacts, Some(&curves), extent);
        if let Some(contact_solids) = contact_solids {
            contact_solids.project_all(&mut mesh.positions, contacts);
        }
        Some(kept)
    }

    /// Smooths surfaces; components get `volumes` less what stood out too far, and triangles keep
    /// their sides. Returns the area vectors of the vertices.
    fn smooth(
        &self,
        mesh: &mut SurfaceMesh,
        shape: &Shape,
        stencil: &Stencil,
        motion: &VertexMotion,
        volumes: &[f64],
    ) -> Vec<Vec3> {
        let iterations = self.settings.smoothing;
        let (particle_radius, curves) = (self.particle_radius, motion.curves);
        let SurfaceMesh { positions, triangles, .. } = mesh;
        let rings = &shape.rings;
        let old = positions.clone();
        motion.smooth(positions, stencil, iterations);
        let weights = self.free(motion, |v| motion.weights[v]);
        let relaxation = motion.relaxation;
        let sunk = SinkCompensation {
            rings,
            stencil,
            relaxation,
            weights: &weights,
            curves,
            particle_radius,
        };
        sunk.compensate(positions, &old, iterations);
        let is_free = |v: usize| !(motion.is_in_contact(v) || motion.is_on_curve(v));
        let FluidComponents { beside, .. } = &shape.components;
        let components = shape.components.count();
        let shares = volume::shares(motion.weights, components, is_free, |v| beside[v]);
        self.pressures(shape, triangles, &shares).restore(positions, |component, size| {
            // Only what is beside the air stands out too far.
            volume::after_smoothing(volumes[component], size, particle_radius)
        });
        if let Some(contact_solids) = motion.contact_solids {
            contact_solids.push_out(positions);
        }
        repair_folds(
            MovedMesh { positions, old: &old, triangles, rings, curves },
            motion,
            particle_radius,
        )
    }

    /// Separates vertices that coincide on a solid: those on junction curves did not merge. Returns
    /// the area vectors of the vertices.
    fn separate(&self, mesh: &mut SurfaceMesh, shape: &Shape, motion: &VertexMotion) -> Vec<Vec3> {
        let SurfaceMesh { positions, triangles, .. } = mesh;
        let mut areas = shape.rings.area_vectors(positions);
        let (rings, curves, old) = (&shape.rings, motion.curves, positions.clone());
        let mut moved = MovedMesh { positions, old: &old, triangles, rings, curves };
        repair::separate(&mut moved, &mut areas, motion, self.particle_radius);
        areas
    }

    /// The weights of vertices that are free to move; 0 for the others.
    fn free(&self, motion: &VertexMotion, weight: impl Fn(usize) -> Real) -> Vec<Real> {
        let is_free = |v: usize| !(motion.is_in_contact(v) || motion.is_on_curve(v));
        let weight = |v: usize| if is_free(v) { weight(v) } else { 0.0 };
        (0..motion.weights.len()).map(weight).collect()
    }

    fn pressures<'s>(
        &self,
        shape: &'s Shape,
        triangles: &'s [[u32; 3]],
        weights: &'s [Real],
    ) -> PressureOffsets<'s> {
        let Shape { rings, components } = shape;
        let particle_radius = self.particle_radius;
        PressureOffsets { rings, triangles, components, weights, particle_radius }
    }
}

/// What does not change after clean-up.
struct Shape {
    rings: Rings,
    components: FluidComponents,
}

/// The sides of the vertices of a mesh that has them as its first attribute.
fn sides_of_all(mesh: &SurfaceMesh) -> Vec<VertexSides> {
    match mesh.attributes.first().map(|attribute| &attribute.values) {
        Some(Values::Labels(numbers)) => {
            numbers.iter().map(|&number| sides_from_number(number)).collect()
        }
        _ => unreachable!("the first attribute holds the sides of vertices"),
    }
}

fn clear_normals(normals: &mut [Vec3], curves: &JunctionCurves) {
    parallel::fill(normals, |v, normal| {
        if curves.has(v) {
            *normal = Vec3::zeros();
        }
    });
}
