//! What free bodies touch beside each other: walls, solids that stand, and solids that move by a
//! law.

use super::objects::{Object, objects};
use crate::world::{World, WorldError};
use hashfall_bodies::BodyState;
use hashfall_core::geometry::{Meridian, RoundSolid};
use hashfall_core::to_f64;
use hashfall_rigid::{Shape, ShapeError};
use nalgebra::{Isometry3, Matrix3, Quaternion, Translation3, UnitQuaternion, Vector3};

/// A wall, or a part of a solid that is not free.
pub(super) struct Obstacle {
    /// The body of the solids.
    pub owner: usize,
    /// In the frame of the scene; of what moves, about the pivot of its motion.
    pub shape: Shape,
    /// Where it is; none if it moves by a law.
    pub fixed: Option<BodyState>,
}

/// Those of a world.
pub(super) fn obstacles(world: &World) -> Result<Vec<Obstacle>, WorldError> {
    let solids = &world.solids;
    let mut found = walls(world)?;
    for (owner, object) in objects(world) {
        let shape = || match object {
            Object::Ball { center, radius } => {
                Shape::ball(radius).map(|shape| shape.placed(&shift(center)))
            }
            Object::Round(round) => round_shape(round),
            Object::Mesh { mesh, .. } => Shape::surface(mesh),
        };
        let deforms =
            matches!(object, Object::Mesh { number, .. } if solids.is_deforming_mesh(number));
        if !deforms {
            add(world, owner, shape, &mut found)?;
        }
    }
    Ok(found)
}

/// Adds an object of the solids, unless it is part of a free body.
fn add(
    world: &World,
    owner: usize,
    shape: impl FnOnce() -> Result<Shape, ShapeError>,
    found: &mut Vec<Obstacle>,
) -> Result<(), WorldError> {
    if world.free_bodies.binary_search_by_key(&owner, |free| free.body).is_ok() {
        return Ok(());
    }
    let shape = shape().map_err(|error| WorldError::body_contact(owner, error.to_string()))?;
    let solids = &world.solids;
    found.push(match solids.rest_position(owner) {
        Some(pivot) => Obstacle { owner, shape: shape.placed(&shift(-*pivot)), fixed: None },
        None => Obstacle { owner, shape, fixed: Some(BodyState::at_rest(Vector3::zeros())) },
    });
    Ok(())
}

/// The walls of the domain, each the half space behind it.
fn walls(world: &World) -> Result<Vec<Obstacle>, WorldError> {
    let solids = &world.solids;
    let [low, high] = [solids.domain.min, solids.domain.max].map(|x| Vector3::from(to_f64(&x)));
    let mut walls = Vec::new();
    for axis in (0..3).filter(|axis| !solids.open[*axis]) {
        for (corner, sign) in [(low, 1.0), (high, -1.0)] {
            let normal = Vector3::from_fn(|k, _| if k == axis { sign } else { 0.0 });
            let shape = Shape::half_space(normal)
                .map_err(|e| WorldError::body_contact(0, e.to_string()))?;
            walls.push(Obstacle { owner: 0, shape, fixed: Some(BodyState::at_rest(corner)) });
        }
    }
    Ok(walls)
}

/// A solid of revolution where the scene places it.
pub(super) fn round_shape(round: &RoundSolid) -> Result<Shape, ShapeError> {
    let [start, end] = round.axis_ends();
    let middle = (start + end) * 0.5;
    let (shape, direction) = match round.meridian() {
        Meridian::Capsule { length, radius } => {
            (Shape::capsule(0.5 * length, radius)?, *round.direction())
        }
        Meridian::Frustum { length, radius, tip_radius } if radius == tip_radius => {
            (Shape::cylinder(0.5 * length, radius)?, *round.direction())
        }
        Meridian::Frustum { length, radius, tip_radius: 0.0 } => {
            (Shape::cone(0.5 * length, radius)?, *round.direction())
        }
        Meridian::Frustum { length, radius: 0.0, tip_radius } => {
            (Shape::cone(0.5 * length, tip_radius)?, -*round.direction())
        }
        Meridian::Frustum { length, radius, tip_radius } => {
            (frustum(length, [radius, tip_radius])?, *round.direction())
        }
    };
    let turn = from_z(&direction);
    Ok(shape.placed(&Isometry3::from_parts(Translation3::from(middle), turn)))
}

/// The hull of a cone's part that has two radii \[m\], along z about its middle.
fn frustum(length: f64, radii: [f64; 2]) -> Result<Shape, ShapeError> {
    let mut corners = Vec::new();
    for (radius, z) in radii.into_iter().zip([-0.5 * length, 0.5 * length]) {
        // A 32nd of a turn, as often as it goes.
        let [sin, cos] = [0.195_090_322_016_128_27, 0.980_785_280_403_230_4];
        let turn = Matrix3::new(cos, -sin, 0.0, sin, cos, 0.0, 0.0, 0.0, 1.0);
        let mut corner = Vector3::new(radius, 0.0, z);
        for _ in 0..32 {
            corners.push(corner);
            corner = turn * corner;
        }
    }
    Shape::convex_hull(&corners)
}

/// The turn from z to a direction, by roots alone.
pub(crate) fn from_z(direction: &Vector3<f64>) -> UnitQuaternion<f64> {
    if direction.z < -0.5 {
        // By way of the opposite direction: a half turn about x takes z there.
        let half_turn = UnitQuaternion::new_unchecked(Quaternion::new(0.0, 1.0, 0.0, 0.0));
        return half_turn * from_z(&Vector3::new(direction.x, -direction.y, -direction.z));
    }
    let axis = Vector3::z().cross(direction);
    UnitQuaternion::new_normalize(Quaternion::from_parts(1.0 + direction.z, axis))
}

/// A pose that only shifts.
pub(super) fn shift(by: Vector3<f64>) -> Isometry3<f64> {
    Isometry3::from_parts(Translation3::from(by), UnitQuaternion::identity())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn z_is_turned_to_any_direction() {
        for direction in [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [0.6, 0.0, -0.8], [0.48, 0.6, 0.64]] {
            let direction = Vector3::from(direction);
            assert!((from_z(&direction) * Vector3::z() - direction).norm() < 1e-15);
        }
    }
}
