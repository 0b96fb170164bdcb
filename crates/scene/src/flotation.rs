//! What `sim check` tells of free bodies: what they weigh, and how they float as they are placed in
//! the densest fluid of the scene.

use hashfall_core::geometry::RoundSolid;
use hashfall_core::{Dimension, to_f64};
use hashfall_geometry::shape::sphere_mesh;
use hashfall_geometry::{Point, TriangleMesh, round_mesh};
use hashfall_rigid::{Immersion, floating_level, hull_volume};
use hashfall_sph::world::World;
use nalgebra::Vector3;
use std::borrow::Cow;

/// A ball's mesh is as fine as this: 20 · 4⁴ triangles.
const SUBDIVISIONS: u32 = 4;

/// A body that moves freely.
#[derive(Clone, Debug, PartialEq)]
pub struct FreeBodyReport {
    /// The name of its solid, or the solid's key path.
    pub solid: String,
    /// Of a field, its number among the balls.
    pub ball: Option<usize>,
    /// Its number among all bodies of the solids.
    pub body: usize,
    /// Mass, in the plane of a metre of depth \[kg\].
    pub mass: f64,
    /// Mean density \[kg/m³\].
    pub density: f64,
    /// Its centre of mass, as it is placed \[m\].
    pub center: Vector3<f64>,
    /// How many convex parts others touch.
    pub parts: usize,
    /// The volume that these hold beyond the body, as a share of the body's \[–\].
    pub volume_error: f64,
}

/// A body that floats as it is placed, without turning, in the densest fluid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Floating {
    /// From its lowest point to the level of the fluid \[m\].
    pub draught: f64,
    /// How far its metacentre is above its centre of mass, for tilts about its least stable axis
    /// \[m\]; below zero it tips over.
    pub metacentric_height: f64,
}

impl FreeBodyReport {
    /// What it is called: by its solid, and the number of the ball.
    pub fn name(&self) -> String {
        self.ball.map_or_else(|| self.solid.clone(), |ball| format!("{} ball {ball}", self.solid))
    }

    /// How it floats in a world at the start; `None` if it is not lighter than the densest fluid,
    /// or no weight acts downwards.
    pub fn floating(&self, world: &World) -> Option<Floating> {
        let [x, y, z] = to_f64(&world.gravity);
        let fraction = self.density / densest(world);
        if !(x == 0.0 && y == 0.0 && z < 0.0 && fraction < 1.0) {
            return None;
        }
        let surface = surface(world, self.body)?;
        let vertices: Vec<Vector3<f64>> = (surface.vertices.iter())
            .map(|vertex| Vector3::from(to_f64(vertex)) - self.center)
            .collect();
        let level = floating_level(&vertices, &surface.triangles, fraction).ok()?;
        let immersed = Immersion::below(&vertices, &surface.triangles, level);
        let low = vertices.iter().map(|vertex| vertex.z).fold(f64::INFINITY, f64::min);
        let metacentric_height = match world.dimension {
            Dimension::Two => immersed.metacentric_height_about_y(0.0),
            Dimension::Three => immersed.metacentric_height(0.0),
        };
        Some(Floating { draught: level - low, metacentric_height })
    }

    /// Whether it is concave, and its convex hull, as heavy as it, would be lighter than the
    /// densest fluid: a vessel may float while it keeps dry, of whatever it is made.
    pub fn may_float_dry(&self, world: &World) -> bool {
        let vessel = surface(world, self.body).filter(|_| self.parts > 1);
        let hull = vessel.map_or(0.0, |it| volume_of_hull(&it) / depth(world, &it));
        self.mass < densest(world) * hull
    }
}

/// The largest rest density of the fluids \[kg/m³\]; 0 without any.
pub fn densest(world: &World) -> f64 {
    world.fluids.iter().map(|fluid| f64::from(fluid.rest_density)).fold(0.0, f64::max)
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
fn surface(world: &World, body: usize) -> Option<Cow<'_, TriangleMesh>> {
    let solids = &world.solids;
    let is_own = |object: usize| solids.surface_of(object as u32).body() == body;
    let balls = solids.rest_spheres();
    if let Some(k) = (0..balls.len()).find(|&k| is_own(k)) {
        let (center, radius) = (&balls[k].centre, balls[k].radius);
        return Some(Cow::Owned(match world.dimension {
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
