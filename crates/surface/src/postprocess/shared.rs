//! The same steps for the surfaces of several fluids, which are finished as one and so stay shared.
//!
//! Lines where three or more of fluids and air meet are kept: clean-up and decimation leave their
//! vertices, smoothing moves these along ([`super::lines`]). All fluids' bodies get their volumes
//! back together ([`super::pressure`]). Flat contact is that of the outer surface; interfaces
//! follow it, and so meet walls where fluid and wall meet.
//!
//! A body, to be small or not, is a connected part of all surfaces, with the volume inside its
//! outer surface: a drop of two fluids is one body. A drop of one fluid that another encloses goes
//! where that goes.

use crate::marching::complex::{Complex, On, part, sides_of};
use crate::mesh::{SurfaceMesh, Surfaces};
use crate::phases::label::{AIR, Label, Sides};
use crate::postprocess::components::Bodies;
use crate::postprocess::contact::flat::{Contact, Obstacles};
use crate::postprocess::contact::flat_shared::flatten;
use crate::postprocess::normals;
use crate::postprocess::rings::Rings;
use crate::postprocess::simplify::{cleanup, decimate};
use crate::postprocess::smoothing::junction_curves::Lines;
use crate::postprocess::smoothing::pressure::{FluidBodies, Pressures};
use crate::postprocess::smoothing::repair::{PARTED, mend};
use crate::postprocess::smoothing::repair_folds::Moved;
use crate::postprocess::smoothing::smooth::{self, Motion};
use crate::postprocess::smoothing::volume::{self, Sunk};
use crate::settings::{Clip, SurfaceSettings};
use hashfall_core::geometry::Aabb;
use hashfall_core::geometry::ContactGeometry;
use hashfall_core::{Attribute, Real, Values, Vec3, parallel, vec3};

/// What normals of interfaces count beside those of the outer surface: enough where there is none.
const INNER_SHARE: Real = 1e-3;

/// Finished surfaces of several fluids.
pub(crate) struct Finished {
    main: Shared,
    spray: Option<Shared>,
}

/// Surfaces with shared vertices, and what each of these is on.
struct Shared {
    mesh: SurfaceMesh,
    on: Vec<On>,
}

/// Finishes the surfaces of several fluids. `weights` are the smoothing weights of their vertices.
pub(crate) fn finish_shared(
    complex: Complex,
    weights: Option<Vec<Real>>,
    solids: &dyn ContactGeometry,
    settings: &SurfaceSettings,
    particle_radius: Real,
) -> Finished {
    let on = complex.on();
    let Complex { positions, triangles, .. } = complex;
    let weights = weights.unwrap_or_else(|| vec![1.0; positions.len()]);
    let mut mesh = SurfaceMesh { positions, triangles, ..SurfaceMesh::default() };
    normals::begin(&mut mesh);
    if !settings.is_finished() && settings.normals_iterations() == 0 {
        return Finished { main: Shared { mesh, on }, spray: None };
    }
    // Both go through mergers as what they are: values of the vertices.
    mesh.attributes = vec![
        Attribute::new("on", Values::Labels(on.iter().map(number).collect())),
        Attribute::new("smoothing weight", Values::Scalars(weights.into())),
    ];
    let finish = |mesh| Finishing { solids, settings, particle_radius }.finish(mesh);
    if settings.min_component_volume > 0.0 {
        let particle_volume = (2.0 * f64::from(particle_radius)).powi(3);
        let is_small = small_bodies(&mesh, &on, settings.min_component_volume * particle_volume);
        let pick = |small: bool| mesh.pick(|v| is_small[v as usize] == small);
        let spray = settings.spray.then(|| finish(pick(true)));
        return Finished { main: finish(pick(false)), spray };
    }
    Finished { main: finish(mesh), spray: None }
}

/// What a vertex is on, as a number.
fn number(on: &On) -> u32 {
    on.map_or(u32::MAX, |Sides { greater, lesser }| u32::from(greater) << 8 | u32::from(lesser))
}

/// What a number of [`number`] says.
fn on_of(number: u32) -> On {
    let [_, _, greater, lesser] = number.to_be_bytes();
    (number != u32::MAX).then_some(Sides { greater, lesser })
}

impl Finished {
    /// The surfaces of a fluid.
    pub fn of(&self, label: Label) -> Surfaces {
        let of = |shared: &Shared| shared.of(label);
        Surfaces { main: of(&self.main), spray: self.spray.as_ref().map(of) }
    }
}

impl Shared {
    /// The mesh of a fluid. On lines its normals are the means of those around on its outer
    /// surface, so that this is shaded as one where another fluid joins on.
    fn of(&self, label: Label) -> SurfaceMesh {
        let SurfaceMesh { positions, triangles, normals, .. } = &self.mesh;
        let part = part(positions, triangles, &self.on, label);
        let mut mesh = part.mesh;
        normals::begin(&mut mesh);
        for (normal, &v) in mesh.normals.iter_mut().zip(&part.vertices) {
            if let Some(sides) = self.on[v as usize] {
                let outwards = normals[v as usize];
                *normal = if sides.greater == label { outwards } else { -outwards };
            }
        }
        let on: Vec<On> = part.vertices.iter().map(|&v| self.on[v as usize]).collect();
        let mut sums = vec![Vec3::zeros(); on.len()];
        for triangle in &mesh.triangles {
            let is_outer = sides_of(triangle, &on).lesser == AIR;
            let share = if is_outer { 1.0 } else { INNER_SHARE };
            let around = triangle.iter().filter(|&&v| on[v as usize].is_some());
            let sum = around.fold(Vec3::zeros(), |sum, &v| sum + mesh.normals[v as usize]);
            triangle.iter().for_each(|&v| sums[v as usize] += sum * share);
        }
        for (v, sum) in sums.iter().enumerate().filter(|(v, _)| on[*v].is_none()) {
            mesh.normals[v] = sum.try_normalize(0.0).unwrap_or(mesh.normals[v]);
        }
        mesh
    }
}

/// Whether each vertex belongs to a body that is too small.
fn small_bodies(mesh: &SurfaceMesh, on: &[On], least: f64) -> Vec<bool> {
    let SurfaceMesh { positions, triangles, .. } = mesh;
    let bodies = Bodies::of(triangles, positions.len());
    let is_outer = |t: &&[u32; 3]| sides_of(t, on).lesser == AIR;
    let outer: Vec<[u32; 3]> = triangles.iter().filter(is_outer).copied().collect();
    let volumes = volume::of_bodies(positions, &outer, &bodies);
    let mut boxes = vec![Aabb::EMPTY; bodies.count()];
    let mut has_outer = vec![false; bodies.count()];
    let mut has_lines = has_outer.clone();
    for v in 0..positions.len() {
        let body = bodies.at(v as u32);
        let Aabb { min, max } = boxes[body];
        boxes[body] = Aabb::new(min.inf(&positions[v]), max.sup(&positions[v]));
        has_outer[body] |= on[v].is_some_and(|sides| sides.lesser == AIR);
        has_lines[body] |= on[v].is_none();
    }
    // A bubble between fluids is part of the line around it.
    let is_small = |body: usize| {
        let is_bubble = volumes[body] < 0.0;
        has_outer[body] && volumes[body].abs() < least && !(is_bubble && has_lines[body])
    };
    let small: Vec<bool> = (0..bodies.count()).map(is_small).collect();
    let encloses =
        |a: usize, b: usize| boxes[a].contains(&boxes[b].min) && boxes[a].contains(&boxes[b].max);
    let goes = |body: usize| {
        small[body] || (!has_outer[body] && (0..small.len()).any(|a| small[a] && encloses(a, body)))
    };
    let goes: Vec<bool> = (0..small.len()).map(goes).collect();
    (0..positions.len() as u32).map(|v| goes[bodies.at(v)]).collect()
}

/// How surfaces are finished.
struct Finishing<'a> {
    solids: &'a dyn ContactGeometry,
    settings: &'a SurfaceSettings,
    particle_radius: Real,
}

impl Finishing<'_> {
    /// Finishes surfaces whose last attributes, which go, are what vertices are on and their
    /// smoothing weights.
    fn finish(&self, mut mesh: SurfaceMesh) -> Shared {
        let Finishing { solids, settings, particle_radius } = *self;
        let on = on_of_all(&mesh);
        let obstacles =
            (settings.clip == Clip::Flat).then(|| Obstacles::new(solids, particle_radius));
        let obstacles = obstacles.as_ref();
        let mut contacts = match obstacles {
            Some(obstacles) => flatten(obstacles, &mut mesh, &on),
            None => vec![Contact::default(); mesh.positions.len()],
        };
        let volumes = self.clean(&mut mesh, &mut contacts, obstacles, &on);
        let on = on_of_all(&mesh);
        let weights = match mesh.attributes.pop().map(|attribute| attribute.values) {
            Some(Values::Scalars(weights)) => weights.into_owned(),
            _ => unreachable!("the weights are the last attribute"),
        };
        mesh.attributes.clear();
        let lines = Lines::of(&mesh.triangles, &on);
        let pace = smooth::pace(settings.cell);
        let lines = Some(&lines);
        let motion = Motion { weights: &weights, pace, contacts: &contacts, obstacles, lines };
        let shape = Shape {
            rings: Rings::of(&mesh.triangles, mesh.positions.len()),
            bodies: FluidBodies::of(&mesh.positions, &mesh.triangles, &on),
        };
        if let Some(volumes) = volumes {
            let weights = self.free(&motion, |_| 1.0);
            self.pressures(&shape, &weights).restore(&mut mesh.positions, |body, _| volumes[body]);
        }
        let areas = match settings.smoothing {
            0 => self.part(&mut mesh, &shape, obstacles),
            iterations => self.smooth(&mut mesh, &shape, &motion, iterations),
        };
        normals::compute(&mut mesh.normals, &areas);
        lines.iter().for_each(|lines| clear_normals(&mut mesh.normals, lines));
        normals::smooth(&mut mesh.normals, &shape.rings, lines, settings.normals_iterations());
        if settings.decimation > 0.0 {
            mesh.attributes =
                vec![Attribute::new("on", Values::Labels(on.iter().map(number).collect()))];
            let length = |radii: f64| vec3([radii; 3]).x * particle_radius;
            let (bound, cell) = (length(settings.decimation), length(settings.cell));
            decimate::decimate(&mut mesh, &motion, bound, cell);
            let on = on_of_all(&mesh);
            return Shared { mesh, on };
        }
        Shared { mesh, on }
    }

    /// Cleans surfaces, or at least takes the slivers off that flat contact has left. Returns the
    /// volumes that their bodies had, if anything was done.
    fn clean(
        &self,
        mesh: &mut SurfaceMesh,
        contacts: &mut Vec<Contact>,
        obstacles: Option<&Obstacles>,
        on: &[On],
    ) -> Option<Vec<f64>> {
        if !(self.settings.cleanup || contacts.iter().any(Contact::is_any)) {
            return None;
        }
        let cell = if self.settings.cleanup { self.settings.cell } else { 0.0 };
        let bodies = FluidBodies::of(&mesh.positions, &mesh.triangles, on);
        let volumes = bodies.volumes(&mesh.positions);
        let lines = Lines::of(&mesh.triangles, on);
        // On lines normals say nothing.
        clear_normals(&mut mesh.normals, &lines);
        let cell = vec3([cell; 3]).x * self.particle_radius;
        cleanup::clean(mesh, contacts, Some(&lines), cell);
        if let Some(obstacles) = obstacles {
            obstacles.settle_all(&mut mesh.positions, contacts);
        }
        Some(volumes)
    }

    /// Smooths surfaces; bodies keep their volumes, and triangles their sides. Returns the area
    /// vectors of the vertices.
    fn smooth(
        &self,
        mesh: &mut SurfaceMesh,
        shape: &Shape,
        motion: &Motion,
        iterations: u32,
    ) -> Vec<Vec3> {
        let (particle_radius, lines) = (self.particle_radius, motion.lines);
        let SurfaceMesh { positions, triangles, .. } = mesh;
        let rings = &shape.rings;
        let old = positions.clone();
        let volumes = shape.bodies.volumes(positions);
        motion.smooth(positions, rings, iterations);
        let weights = self.free(motion, |v| motion.weights[v]);
        let sunk = Sunk { rings, weights: &weights, lines, particle_radius };
        sunk.raise(positions, &old, iterations);
        self.pressures(shape, &weights).restore(positions, |body, size| {
            // Only what is beside the air stands out too far.
            volume::after_smoothing(volumes[body], size, particle_radius)
        });
        if let Some(obstacles) = motion.obstacles {
            obstacles.keep_out(positions);
        }
        mend(Moved { positions, old: &old, triangles, rings, lines }, motion, particle_radius)
    }

    /// Parts vertices that were put on one place of a solid: those on lines did not merge. Returns
    /// the area vectors of the vertices.
    fn part(
        &self,
        mesh: &mut SurfaceMesh,
        shape: &Shape,
        obstacles: Option<&Obstacles>,
    ) -> Vec<Vec3> {
        let SurfaceMesh { positions, triangles, .. } = mesh;
        let mut areas = shape.rings.area_vectors(positions);
        if let Some(obstacles) = obstacles {
            let (rings, old) = (&shape.rings, positions.clone());
            let mut moved = Moved { positions, old: &old, triangles, rings, lines: None };
            let far = vec3([PARTED; 3]).x * self.particle_radius;
            moved.part(&mut areas, far, |place| obstacles.keep_one_out(place));
        }
        areas
    }

    /// The weights of vertices that are free to move, and of others none.
    fn free(&self, motion: &Motion, weight: impl Fn(usize) -> Real) -> Vec<Real> {
        let is_free = |v: usize| !(motion.is_held(v) || motion.is_on_line(v));
        let weight = |v: usize| if is_free(v) { weight(v) } else { 0.0 };
        (0..motion.weights.len()).map(weight).collect()
    }

    fn pressures<'s>(&self, shape: &'s Shape, weights: &'s [Real]) -> Pressures<'s> {
        let Shape { rings, bodies } = shape;
        Pressures { rings, bodies, weights, particle_radius: self.particle_radius }
    }
}

/// What stays as it is once surfaces are clean.
struct Shape {
    rings: Rings,
    bodies: FluidBodies,
}

/// What the vertices of a mesh with that as an attribute are on.
fn on_of_all(mesh: &SurfaceMesh) -> Vec<On> {
    match mesh.attributes.first().map(|attribute| &attribute.values) {
        Some(Values::Labels(numbers)) => numbers.iter().map(|&number| on_of(number)).collect(),
        _ => unreachable!("what vertices are on is the first attribute"),
    }
}

fn clear_normals(normals: &mut [Vec3], lines: &Lines) {
    parallel::fill(normals, |v, normal| {
        if lines.has(v) {
            *normal = Vec3::zeros();
        }
    });
}
