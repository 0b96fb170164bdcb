//! A shape as parry holds it, in units near its own size.
//!
//! Parry compares lengths with fixed numbers (10⁻¹⁴ and the like), which mean one thing for a ship
//! and another for a grain. So a pair of shapes is asked in units of 2ᵏ m, the size of the smaller:
//! scaling by powers of two is exact, and a scene that is twice as large has the same bits. Copies
//! of a shape for each k are made when they are first asked for; a body mostly meets bodies of a
//! few sizes.

use super::convex_hull::ConvexHull;
use super::geometry::Geometry;
use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use parry3d_f64::math::{Pose, Rot3, Vec3};
use parry3d_f64::shape::{ConvexPolyhedron, HalfSpace, SharedShape, TriMesh, TriMeshFlags};

/// A vector as parry's.
pub(crate) fn vector(v: &Vector3<f64>) -> Vec3 {
    Vec3::new(v.x, v.y, v.z)
}

/// One of parry's vectors.
pub(crate) fn vector3(v: Vec3) -> Vector3<f64> {
    Vector3::new(v.x, v.y, v.z)
}

/// A pose as parry's, with lengths times `factor`.
pub(crate) fn parry_pose(pose: &Isometry3<f64>, factor: f64) -> Pose {
    let q = pose.rotation.coords;
    let rotation = Rot3::from_xyzw(q.x, q.y, q.z, q.w);
    Pose { rotation, translation: vector(&(pose.translation.vector * factor)) }
}

/// The k of the greatest 2ᵏ that is not above a positive number.
pub(crate) fn exponent_of(length: f64) -> i32 {
    libm::ilogb(length)
}

/// The turn that takes parry's frame to that of a geometry: parry's axis is y.
pub(crate) fn parry_frame(geometry: &Geometry) -> UnitQuaternion<f64> {
    match geometry {
        Geometry::Cylinder { .. } | Geometry::Cone { .. } => {
            let half = std::f64::consts::FRAC_1_SQRT_2;
            UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(half, half, 0.0, 0.0))
        }
        _ => UnitQuaternion::identity(),
    }
}

/// A shape with lengths times `factor`, in parry's frame; none if parry finds it degenerate.
pub(crate) fn parry_shape(geometry: &Geometry, factor: f64) -> Option<SharedShape> {
    Some(match geometry {
        Geometry::Ball { radius } => SharedShape::ball(radius * factor),
        Geometry::Cuboid { half } => {
            SharedShape::cuboid(half.x * factor, half.y * factor, half.z * factor)
        }
        Geometry::Cylinder { half_height, radius } => {
            SharedShape::cylinder(half_height * factor, radius * factor)
        }
        Geometry::Capsule { half_height, radius } => {
            SharedShape::capsule_z(half_height * factor, radius * factor)
        }
        Geometry::Cone { half_height, radius } => {
            SharedShape::cone(half_height * factor, radius * factor)
        }
        Geometry::Hull(hull) => polyhedron(hull, factor)?,
        Geometry::HalfSpace { normal } => SharedShape::new(HalfSpace::new(vector(normal))),
        Geometry::Surface(surface) => {
            let vertices = surface.vertices.iter().map(|p| vector(&(p * factor))).collect();
            // Without these, a body that slides over a flat wall is caught at inner edges.
            let flags = if surface.is_two_sided {
                TriMeshFlags::FIX_INTERNAL_EDGES_TWO_SIDED
            } else {
                TriMeshFlags::FIX_INTERNAL_EDGES
            };
            SharedShape::new(TriMesh::with_flags(vertices, surface.triangles.clone(), flags).ok()?)
        }
        Geometry::Decomposed { parts } => {
            let hulls = parts.iter().map(|part| Some((Pose::IDENTITY, polyhedron(part, factor)?)));
            SharedShape::compound(hulls.collect::<Option<Vec<_>>>()?)
        }
    })
}

/// A hull as parry's, its faces merged where they lie in a plane.
fn polyhedron(hull: &ConvexHull, factor: f64) -> Option<SharedShape> {
    let points = hull.vertices.iter().map(|p| vector(&(p * factor))).collect();
    ConvexPolyhedron::from_convex_mesh(points, &hull.triangles).map(SharedShape::new)
}
