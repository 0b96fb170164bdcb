//! Signed distances of shapes that are to be filled.

use super::error::{MeshingError, check_length, check_place};
use hashfall_core::{Real, vec3};
use hashfall_geometry::{
    Aabb, Interior, Point, RoundSolid, TriangleMesh, triangle::offset_to_triangle,
};
use hashfall_search::{BroadPhase, HierarchicalHash, for_each_overlap};

/// A shape by its signed distance.
pub trait SignedDistance: Sync {
    /// The lowest and the highest corner of a box that holds the shape \[m\].
    fn bounds(&self) -> [Point; 2];

    /// The distance of a place from the surface \[m\], negative inside. Where it is larger than
    /// `reach` \[m\], any number of the same sign that is not smaller than `reach` will do.
    fn signed_distance(&self, x: &Point, reach: f64) -> f64;
}

/// A ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// \[m\]
    pub centre: Point,
    /// \[m\]
    pub radius: f64,
}

impl SignedDistance for Ball {
    fn bounds(&self) -> [Point; 2] {
        let half = Point::repeat(self.radius);
        [self.centre - half, self.centre + half]
    }

    fn signed_distance(&self, x: &Point, _: f64) -> f64 {
        (x - self.centre).norm() - self.radius
    }
}

impl SignedDistance for RoundSolid {
    fn bounds(&self) -> [Point; 2] {
        RoundSolid::bounds(self)
    }

    fn signed_distance(&self, x: &Point, _: f64) -> f64 {
        RoundSolid::signed_distance(self, x)
    }
}

/// A shape by a function.
pub struct ImplicitShape<F> {
    bounds: [Point; 2],
    distance: F,
}

impl<F: Fn(&Point) -> f64 + Sync> ImplicitShape<F> {
    /// The shape where `distance` \[m\] is negative; it lies within these corners \[m\].
    ///
    /// # Errors
    /// If the corners are not finite, or the box between them is empty.
    pub fn new(bounds: [Point; 2], distance: F) -> Result<Self, MeshingError> {
        bounds.iter().try_for_each(|corner| check_place("a corner of the shape's box", corner))?;
        let extent = bounds[1] - bounds[0];
        extent.iter().try_for_each(|edge| check_length("an edge of the shape's box", *edge))?;
        Ok(ImplicitShape { bounds, distance })
    }
}

impl<F: Fn(&Point) -> f64 + Sync> SignedDistance for ImplicitShape<F> {
    fn bounds(&self) -> [Point; 2] {
        self.bounds
    }

    fn signed_distance(&self, x: &Point, _: f64) -> f64 {
        (self.distance)(x)
    }
}

/// The inside of a closed triangle mesh: all that its surface goes around.
pub struct MeshInterior {
    triangles: Vec<[Point; 3]>,
    boxes: Vec<Aabb>,
    broad_phase: HierarchicalHash,
    interior: Interior,
    bounds: [Point; 2],
}

impl MeshInterior {
    /// Prepares a mesh that is closed; of an open one the answers mean nothing.
    ///
    /// # Errors
    /// If it has no triangles.
    pub fn new(mesh: &TriangleMesh) -> Result<Self, MeshingError> {
        let exact = |v: hashfall_core::Vec3| Point::from(hashfall_core::to_f64(&v));
        let corners = (0..mesh.triangles.len()).map(|t| mesh.corners(t).map(exact));
        let triangles: Vec<[Point; 3]> = corners.collect();
        if triangles.is_empty() {
            return Err(MeshingError::Zero { what: "the number of triangles of the mesh" });
        }
        let boxes: Vec<Aabb> =
            (0..triangles.len()).map(|t| Aabb::around(&mesh.corners(t))).collect();
        let extents = boxes.iter().map(|b| b.extent().max()).filter(|extent| *extent > 0.0);
        let smallest = extents.fold(Real::INFINITY, Real::min);
        let mut broad_phase = HierarchicalHash::default();
        broad_phase.rebuild(&boxes, if smallest.is_finite() { smallest } else { 1.0 });
        let all = boxes.iter().fold(Aabb::EMPTY, |all, b| all.union(b));
        let interior = Interior::from_points(triangles.clone());
        Ok(MeshInterior {
            triangles,
            boxes,
            broad_phase,
            interior,
            bounds: [exact(all.min), exact(all.max)],
        })
    }

    /// The distance of the nearest triangle, or `reach` if none is as near.
    fn distance(&self, x: &Point, reach: f64) -> f64 {
        let mut radius = reach / 16.0;
        loop {
            radius = (2.0 * radius).min(reach);
            let mut nearest = f64::INFINITY;
            for_each_overlap(&self.broad_phase, &self.boxes, &cube(x, radius), |t| {
                let offset = offset_to_triangle(x, &self.triangles[t as usize]);
                nearest = nearest.min(offset.norm_squared());
            });
            let nearest = nearest.sqrt();
            if nearest <= radius {
                return nearest;
            }
            if radius >= reach {
                return reach;
            }
        }
    }
}

/// The cube of this half edge about a place, rounded outwards.
fn cube(x: &Point, half: f64) -> Aabb {
    let rounding = 4.0 * f64::from(f32::EPSILON) * (x.amax() + half);
    let half = Point::repeat(half + rounding);
    Aabb::new(vec3((x - half).into()), vec3((x + half).into()))
}

impl SignedDistance for MeshInterior {
    fn bounds(&self) -> [Point; 2] {
        self.bounds
    }

    fn signed_distance(&self, x: &Point, reach: f64) -> f64 {
        let winding: i32 = self.interior.crossings(x).map(|(_, sign)| sign).sum();
        let distance = self.distance(x, reach);
        if winding != 0 { -distance } else { distance }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::Vec3;
    use hashfall_core::geometry::random::Random;
    use hashfall_geometry::shape::{box_mesh, sphere_mesh};

    #[test]
    fn distances_to_meshes_are_those_of_all_triangles() {
        let mesh = sphere_mesh(&Vec3::new(0.5, 0.0, 0.0), 1.0, 2);
        let shape = MeshInterior::new(&mesh).unwrap();
        let mut random = Random::new(1);
        let mut inside = 0;
        for _ in 0..2000 {
            let x = random.point(-1.5, 2.0);
            let distances = shape.triangles.iter().map(|t| offset_to_triangle(&x, t).norm());
            let nearest = distances.fold(f64::INFINITY, f64::min);
            let found = shape.signed_distance(&x, 0.4);
            assert!((found.abs() - nearest.min(0.4)).abs() < 1e-12);
            inside += usize::from(found < 0.0);
            let from_centre = (x - Point::new(0.5, 0.0, 0.0)).norm();
            assert!(!(0.97..1.0).contains(&from_centre) || from_centre > 1.0 || nearest < 0.05);
            assert!(from_centre > 0.97 || found < 0.0);
            assert!(from_centre < 1.0 || found > 0.0);
        }
        assert!((100..1000).contains(&inside));
    }

    #[test]
    fn far_coordinates_lose_no_triangle() {
        let solid = Aabb::new(Vec3::new(1e4, 1e4, 1e4), Vec3::new(1e4 + 1.0, 1e4 + 1.0, 1e4 + 2.0));
        let shape = MeshInterior::new(&box_mesh(&solid)).unwrap();
        let mut random = Random::new(2);
        for _ in 0..200 {
            let x = Point::repeat(1e4) + random.point(0.0, 1.0);
            let inner =
                (x - Point::repeat(1e4)).iter().fold(1.0_f64, |d, c| d.min(*c).min(1.0 - c));
            let expected = inner.min(1e4 + 1.0 - x.x).min(x.z - 1e4);
            assert!(shape.signed_distance(&x, 1.0) < 0.0);
            let found = -shape.signed_distance(&x, 1.0);
            assert!((found - expected.min(x.z - 1e4)).abs() < 1e-9 || x.z - 1e4 > 1.0 - found);
        }
    }
}
