//! Shapes for the contact of free bodies, from the solids of a world.
//!
//! Balls and solids of revolution are as they are, in the plane discs as balls: there nothing
//! leaves the plane. A mesh is cut into convex parts, which hold all of it and a little more.

use super::objects::{Object, objects};
use super::obstacles::{round_shape, shift};
use crate::world::{FreeBody, World, WorldError};
use hashfall_core::parallel;
use hashfall_rigid::{DecompositionSettings, Shape, ShapeError, decompose};
use std::collections::BTreeMap;

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
    let mut by_body = BTreeMap::<usize, Vec<Object>>::new();
    for (body, object) in objects(world) {
        by_body.entry(body).or_default().push(object);
    }
    let shape = |free: &FreeBody| {
        let objects = by_body.get(&free.body).map_or(&[][..], Vec::as_slice);
        let [object] = objects else {
            let problem = format!("{} separate objects, where a free body has one", objects.len());
            return Err(WorldError::body_contact(free.body, problem));
        };
        let found = free_shape(object)
            .map_err(|error| WorldError::body_contact(free.body, error.to_string()))?;
        let center = world.solids.rest_position(free.body).copied().unwrap_or_default();
        Ok(FreeShape { shape: found.shape.placed(&shift(-center)), ..found })
    };
    let bodies = &world.free_bodies;
    parallel::map_pieces(bodies.len(), &|k| shape(&bodies[k])).into_iter().collect()
}

/// That of an object, where the scene places it.
fn free_shape(object: &Object) -> Result<FreeShape, ShapeError> {
    let exact = |shape| FreeShape { shape, volume_error: 0.0 };
    match object {
        Object::Ball { center, radius } => Ok(exact(Shape::ball(*radius)?.placed(&shift(*center)))),
        Object::Round(round) => round_shape(round).map(exact),
        Object::Mesh { mesh, .. } => {
            let parts = decompose(mesh, &DecompositionSettings::default())?;
            let volume_error = parts.volume_error();
            Ok(FreeShape { shape: parts.into_shape()?, volume_error })
        }
    }
}
