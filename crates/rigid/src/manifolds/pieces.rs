//! The convex pieces of a shape that are near another shape.

use parry3d_f64::bounding_volume::{Aabb, BoundingVolume};
use parry3d_f64::math::Pose;
use parry3d_f64::query::details::NormalConstraints;
use parry3d_f64::shape::{SharedShape, TrianglePseudoNormals};

/// A convex piece, in the frame of its shape.
pub(super) struct NearPiece {
    /// Its number within the shape.
    pub(super) number: u32,
    pub(super) shape: SharedShape,
    /// Directions that a triangle of a surface may be touched from, so that edges between its
    /// neighbours are not met as if they stood alone.
    normals: Option<TrianglePseudoNormals>,
}

impl NearPiece {
    pub(super) fn constraints(&self) -> Option<&dyn NormalConstraints> {
        self.normals.as_ref().map(|normals| normals as &dyn NormalConstraints)
    }

    /// The box of the piece, moved by a pose.
    pub(super) fn bounds(&self, pose: &Pose) -> Aabb {
        self.shape.compute_aabb(pose)
    }
}

/// The pieces of a shape whose boxes come within `margin` of another's, whose frame `pose` takes to
/// the shape's; in order of their numbers.
pub(super) fn pieces_near(
    shape: &SharedShape,
    other: &SharedShape,
    pose: &Pose,
    margin: f64,
) -> Vec<NearPiece> {
    let around = || other.compute_aabb(pose).loosened(margin);
    let sorted = |hits: &mut dyn Iterator<Item = u32>| {
        let mut hits: Vec<u32> = hits.collect();
        hits.sort_unstable();
        hits
    };
    if let Some(mesh) = shape.as_trimesh() {
        let piece = |number: u32| {
            let shape = SharedShape::new(mesh.triangle(number));
            NearPiece { number, shape, normals: mesh.triangle_normal_constraints(number) }
        };
        let hits = sorted(&mut mesh.bvh().intersect_aabb(&around()));
        return hits.into_iter().map(piece).collect();
    }
    if let Some(compound) = shape.as_compound() {
        let parts = compound.shapes();
        let piece = |number: u32| {
            let shape = parts[number as usize].1.clone();
            NearPiece { number, shape, normals: None }
        };
        let hits = sorted(&mut compound.bvh().intersect_aabb(&around()));
        return hits.into_iter().map(piece).collect();
    }
    vec![NearPiece { number: 0, shape: shape.clone(), normals: None }]
}
