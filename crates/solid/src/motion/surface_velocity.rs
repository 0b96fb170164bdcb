//! How surfaces move where they are touched: as fields where bodies move as a whole, as their
//! nearest points where they deform.

use crate::precision::{to_point, to_vec3};
use crate::solids::Solids;
use crate::surfaces::SurfaceId;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Point;
use hashfall_geometry::triangle::{barycentric, offset_to_triangle};

impl Solids {
    /// The velocity of a surface at a place \[m/s\], along the step or at the instant, as was asked
    /// for last; zero of one that stands. A surface that deforms moves there as the nearest point
    /// of its triangles among `objects`, which ascend.
    pub fn surface_velocity(&self, objects: &[u32], surface: SurfaceId, x: &Point) -> Point {
        if self.has_deforming()
            && let Some(first) = self.first_of(surface)
        {
            return self.velocity_of_nearest(objects, first, x);
        }
        self.velocity(surface, x)
    }

    /// The same in the precision of the state.
    pub fn surface_velocity_at(&self, objects: &[u32], surface: SurfaceId, x: &Vec3) -> Vec3 {
        if self.has_deforming()
            && let Some(first) = self.first_of(surface)
        {
            return to_vec3(&self.velocity_of_nearest(objects, first, &to_point(x)));
        }
        self.velocity_at(surface, x)
    }

    /// The velocity of the point nearest to `x` on the deforming meshes from `first` on that are of
    /// one surface; of equals that of the first triangle.
    fn velocity_of_nearest(&self, objects: &[u32], first: usize, x: &Point) -> Point {
        let surface = self.shapes.deforming[first].surface;
        let mut nearest = (f64::INFINITY, None);
        let (first_triangle, mut objects) = (self.first_triangle(), objects);
        for at in first..self.shapes.deforming.len() {
            let it = &self.shapes.deforming[at];
            if it.surface != surface {
                break;
            }
            let bound = |end: usize| (first_triangle + end) as u32;
            let start = objects.partition_point(|id| *id < bound(it.triangles.start));
            let end = objects.partition_point(|id| *id < bound(it.triangles.end));
            for id in &objects[start..end] {
                let triangle = *id as usize - first_triangle;
                let corners = self.triangles[triangle].map(|corner| to_point(&corner));
                let offset = offset_to_triangle(x, &corners);
                let square = offset.norm_squared();
                if square < nearest.0 {
                    let number = triangle - it.triangles.start;
                    nearest = (square, Some((at, number, barycentric(&(x + offset), &corners))));
                }
            }
            objects = &objects[end..];
        }
        let Some((at, triangle, weights)) = nearest.1 else { return Point::zeros() };
        let (mesh, velocity) =
            (&self.meshes[self.shapes.deforming[at].mesh], &self.deformations[at].velocity);
        let corners = mesh.triangles[triangle];
        let parts = corners.iter().zip(weights).map(|(v, weight)| velocity[*v as usize] * weight);
        parts.sum()
    }

    /// Whether the triangle of an object is of a surface that deforms and farther than `reach`
    /// \[m\] from `x`.
    pub fn is_deforming_beyond(&self, object: u32, x: &Vec3, reach: Real) -> bool {
        self.is_deforming_object(object) && {
            let corners = self.triangles[object as usize - self.first_triangle()];
            let (corners, reach) = (corners.map(|corner| to_point(&corner)), f64::from(reach));
            offset_to_triangle(&to_point(x), &corners).norm_squared() > reach * reach
        }
    }

    /// Whether an object is a triangle of a surface that deforms.
    pub fn is_deforming_object(&self, object: u32) -> bool {
        let Some(triangle) = (object as usize).checked_sub(self.first_triangle()) else {
            return false;
        };
        let all = &self.shapes.deforming;
        let at = all.partition_point(|it| it.triangles.end <= triangle);
        all.get(at).is_some_and(|it| it.triangles.contains(&triangle))
    }

    /// The objects that are triangles of surfaces that deform, ascending.
    pub fn deforming_objects(&self) -> impl Iterator<Item = u32> {
        let first = self.first_triangle();
        let triangles = self.shapes.deforming.iter().flat_map(|it| it.triangles.clone());
        triangles.map(move |triangle| (first + triangle) as u32)
    }

    /// The corners of an object that is a triangle, where they are now \[m\].
    pub fn corners_of(&self, object: u32) -> Option<[Vec3; 3]> {
        let triangle = (object as usize).checked_sub(self.first_triangle())?;
        self.triangles.get(triangle).copied()
    }
}
