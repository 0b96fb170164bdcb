//! The objects of the solids as shapes: balls, solids of revolution and meshes, where the scene
//! places them, each with the body of which it is.

use crate::world::World;
use hashfall_core::geometry::RoundSolid;
use hashfall_core::to_f64;
use hashfall_geometry::TriangleMesh;
use nalgebra::Vector3;

/// A ball, a solid of revolution, or a mesh with its number among all.
pub(super) enum Object<'a> {
    Ball { center: Vector3<f64>, radius: f64 },
    Round(&'a RoundSolid),
    Mesh { number: usize, mesh: &'a TriangleMesh },
}

/// All objects, each with the body of which it is.
pub(super) fn objects(world: &World) -> Vec<(usize, Object<'_>)> {
    let solids = &world.solids;
    let balls = solids.rest_spheres().iter().map(|ball| Object::Ball {
        center: Vector3::from(to_f64(&ball.centre)),
        radius: f64::from(ball.radius),
    });
    let rounds = solids.rest_rounds().iter().map(Object::Round);
    let first = solids.rest_spheres().len() + solids.rest_rounds().len();
    let mut objects: Vec<(usize, Object)> = balls.chain(rounds).enumerate().collect();
    let mut next = first;
    for (number, mesh) in solids.rest_meshes().iter().enumerate() {
        if !mesh.triangles.is_empty() {
            objects.push((next, Object::Mesh { number, mesh }));
        }
        next += mesh.triangles.len();
    }
    let owner = |object: usize| solids.surface_of(object as u32).body();
    objects.into_iter().map(|(object, it)| (owner(object), it)).collect()
}
