//! What is known of free bodies before they move: mass, density, and how they float upright as they
//! are placed in the densest fluid of the scene.

use super::free_bodies::FreeMass;
use crate::layout::body_entries::BodyEntry;
use crate::model::Model;
use crate::prepared::{Floating, FreeBodyReport};
use hashfall_core::geometry::RoundSolid;
use hashfall_core::{Dimension, to_f64};
use hashfall_geometry::shape::sphere_mesh;
use hashfall_geometry::{Point, TriangleMesh, round_mesh};
use hashfall_rigid::{Immersion, floating_level, hull_volume};
use hashfall_sph::world::{FreeBody, FreeShape, World};
use nalgebra::Vector3;
use std::borrow::Cow;

/// A ball's mesh is as fine as this: 20 · 4⁴ triangles.
const SUBDIVISIONS: u32 = 4;

/// That of each free body, with its shape.
pub fn free_body_reports(
    model: &Model,
    (entries, masses): (&[BodyEntry], &[Option<FreeMass>]),
    shapes: &[FreeShape],
    world: &World,
) -> Vec<FreeBodyReport> {
    let densest =
        world.fluids.iter().map(|fluid| f64::from(fluid.rest_density)).fold(0.0, f64::max);
    let report = |(free, shape): (&FreeBody, &FreeShape)| {
        let (at, entry) = (free.body - 1, &entries[free.body - 1]);
        let center = masses[at].map_or_else(Vector3::zeros, |mass| mass.properties.center);
        let density = masses[at].map_or(f64::NAN, |mass| free.mass / mass.volume);
        let surface = surface(model.dimensions, world, free.body);
        let parts = shape.shape.part_count();
        let vessel = surface.as_ref().filter(|_| parts > 1);
        let hull = vessel.map_or(0.0, |it| volume_of_hull(it) / depth(world, it));
        FreeBodyReport {
            solid: entry.solid_name(model),
            ball: entry.ball,
            mass: free.mass,
            density,
            may_float_dry: free.mass < densest * hull,
            parts,
            volume_error: shape.volume_error,
            floating: surface.and_then(|it| floating(world, &it, &center, density / densest)),
        }
    };
    world.free_bodies.iter().zip(shapes).map(report).collect()
}

/// How a body floats that is lighter than the densest fluid, under a weight that acts downwards.
fn floating(
    world: &World,
    surface: &TriangleMesh,
    center: &Vector3<f64>,
    fraction: f64,
) -> Option<Floating> {
    let [x, y, z] = to_f64(&world.gravity);
    if !(x == 0.0 && y == 0.0 && z < 0.0 && fraction < 1.0) {
        return None;
    }
    let vertices: Vec<Vector3<f64>> =
        (surface.vertices.iter()).map(|vertex| Vector3::from(to_f64(vertex)) - center).collect();
    let level = floating_level(&vertices, &surface.triangles, fraction).ok()?;
    let immersed = Immersion::below(&vertices, &surface.triangles, level);
    let low = vertices.iter().map(|vertex| vertex.z).fold(f64::INFINITY, f64::min);
    let metacentric_height = match world.dimension {
        Dimension::Two => immersed.metacentric_height_about_y(0.0),
        Dimension::Three => immersed.metacentric_height(0.0),
    };
    Some(Floating { draught: level - low, metacentric_height })
}

/// How far a surface of the plane goes along y \[m\]; 1 in space.
fn depth(world: &World, surface: &TriangleMesh) -> f64 {
    match world.dimension {
        Dimension::Two => {
            let bounds = surface.bounds();
            f64::from(bounds.max.y) - f64::from(bounds.min.y)
        }
        Dimension::Three => 1.0,
    }
}

/// Of the convex hull of a surface \[m³\]; zero if it has none.
fn volume_of_hull(surface: &TriangleMesh) -> f64 {
    let points: Vec<Vector3<f64>> =
        surface.vertices.iter().map(|vertex| Vector3::from(to_f64(vertex))).collect();
    hull_volume(&points).unwrap_or(0.0)
}

/// The surface of a body as it is placed; `None` if it has none.
fn surface(dimension: Dimension, world: &World, body: usize) -> Option<Cow<'_, TriangleMesh>> {
    let solids = &world.solids;
    let is_own = |object: usize| solids.surface_of(object as u32).body() == body;
    let balls = solids.rest_spheres();
    if let Some(k) = (0..balls.len()).find(|&k| is_own(k)) {
        let (center, radius) = (&balls[k].centre, balls[k].radius);
        return Some(Cow::Owned(match dimension {
            Dimension::Two => {
                let [x, _, z] = to_f64(center);
                let radius = f64::from(radius);
                let end = |y: f64| Point::new(x, y * radius, z);
                round_mesh(&RoundSolid::cylinder(end(-1.0), end(1.0), radius)).0
            }
            Dimension::Three => sphere_mesh(center, radius, SUBDIVISIONS),
        }));
    }
    let rounds = solids.rest_rounds();
    if let Some(k) = (0..rounds.len()).find(|&k| is_own(balls.len() + k)) {
        return Some(Cow::Owned(round_mesh(&rounds[k]).0));
    }
    let mut next = balls.len() + rounds.len();
    for mesh in solids.rest_meshes() {
        if !mesh.triangles.is_empty() && is_own(next) {
            return Some(Cow::Borrowed(mesh));
        }
        next += mesh.triangles.len();
    }
    None
}
