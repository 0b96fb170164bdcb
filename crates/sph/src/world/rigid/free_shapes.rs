//! Shapes for the contact of free bodies, from the solids of a world.
//!
//! Balls and solids of revolution are as they are, in the plane discs as balls: there nothing
//! leaves the plane. A mesh is cut into convex parts, which hold all of it and a little more.

use super::obstacles::{round_shape, shift};
use super::refusal;
use crate::world::{FreeBody, World, WorldError};
use hashfall_core::geometry::RoundSolid;
use hashfall_core::to_f64;
use hashfall_geometry::TriangleMesh;
use hashfall_rigid::{DecompositionSettings, Shape, ShapeError, decompose};
use nalgebra::Vector3;
use rayon::prelude::*;

/// The shape of a free body about its centre of mass, turned as the scene places it.
#[derive(Clone, Debug)]
pub struct FreeShape {
    /// What others touch.
    pub shape: Shape,
    /// The volume that it holds beyond the body, as a share of the body's \[–\].
    pub volume_error: f64,
}

/// The shape of each free body of a world, as its solids have them.
///
/// # Errors
/// If a body has no object, more than one, or one that encloses nothing.
pub fn free_shapes(world: &World) -> Result<Vec<FreeShape>, WorldError> {
    let objects = objects(world);
    let shape = |free: &FreeBody| {
        let own: Vec<&Object> =
            objects.iter().filter(|it| it.0 == free.body).map(|it| &it.1).collect();
        let [object] = own[..] else {
            let problem = format!("{} separate objects, where a free body has one", own.len());
            return Err(refusal(free.body, problem));
        };
        let found = object.shape().map_err(|error| refusal(free.body, error.to_string()))?;
        let center = world.solids.rest_position(free.body).copied().unwrap_or_default();
        Ok(FreeShape { shape: found.shape.placed(&shift(-center)), ..found })
    };
    world.free_bodies.par_iter().map(shape).collect()
}

/// An object of the solids, where the scene places it.
enum Object<'a> {
    Ball { center: Vector3<f64>, radius: f64 },
    Round(&'a RoundSolid),
    Mesh(&'a TriangleMesh),
}

impl Object<'_> {
    fn shape(&self) -> Result<FreeShape, ShapeError> {
        let exact = |shape| FreeShape { shape, volume_error: 0.0 };
        match self {
            Object::Ball { center, radius } => {
                Ok(exact(Shape::ball(*radius)?.placed(&shift(*center))))
            }
            Object::Round(round) => round_shape(round).map(exact),
            Object::Mesh(mesh) => {
                let parts = decompose(mesh, &DecompositionSettings::default())?;
                let volume_error = parts.volume_error();
                Ok(FreeShape { shape: parts.into_shape()?, volume_error })
            }
        }
    }
}

/// All objects, each with the body of which it is.
fn objects(world: &World) -> Vec<(usize, Object<'_>)> {
    let solids = &world.solids;
    let balls = solids.rest_spheres().iter().map(|ball| Object::Ball {
        center: Vector3::from(to_f64(&ball.centre)),
        radius: f64::from(ball.radius),
    });
    let rounds = solids.rest_rounds().iter().map(Object::Round);
    let first = solids.rest_spheres().len() + solids.rest_rounds().len();
    let mut objects: Vec<(usize, Object)> = balls.chain(rounds).enumerate().collect();
    let mut next = first;
    for mesh in solids.rest_meshes() {
        if !mesh.triangles.is_empty() {
            objects.push((next, Object::Mesh(mesh)));
        }
        next += mesh.triangles.len();
    }
    let owner = |object: usize| solids.surface_of(object as u32).body();
    objects.into_iter().map(|(object, it)| (owner(object), it)).collect()
}
