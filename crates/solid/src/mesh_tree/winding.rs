//! How often a mesh goes around a place, by its hierarchy; and whether it is thin.

use super::tree::MeshTree;
use crate::precision::{to_point, to_vec3};
use crate::surfaces::SurfaceId;
use hashfall_core::{Real, Vec3, parallel};
use hashfall_geometry::triangle::offset_to_triangle;
use hashfall_geometry::{Aabb, Point, ray_crossing};

/// Triangles that are told together have at most this number.
const GROUP: usize = 64;

/// More than rounding takes from a distance \[–\].
const ROUNDING: f64 = 1e-5;

impl MeshTree {
    /// Whether a place lies inside, as an [`Interior`](hashfall_geometry::Interior) tells it.
    pub fn contains(&self, triangles: &[[Vec3; 3]], x: &Vec3) -> bool {
        let at = to_point(x);
        let mut winding = 0;
        self.depth_first(
            |bounds| ray_may_hit(bounds, x),
            |leaf| {
                for &t in self.leaf(leaf) {
                    let corners = triangles[t as usize].map(|c| to_point(&c));
                    winding += ray_crossing(&at, &corners);
                }
            },
        );
        winding != 0
    }

    /// Whether one of these depths \[m\] below the middle of a triangle is outside. `below` tells
    /// the places below a triangle, if it has an area.
    ///
    /// A place has the same side as another that is nearer to it than the surface is: one of many
    /// triangles is asked for its sides, and its distances tell those of most others.
    pub fn has_outside<const N: usize>(
        &self,
        triangles: &[[Vec3; 3]],
        below: &(dyn Fn(&[Vec3; 3]) -> Option<[Point; N]> + Sync),
    ) -> bool {
        let level = (0..=self.depth).find(|level| self.order.len() >> level <= GROUP);
        let level = level.unwrap_or(self.depth);
        let first = (1_usize << level) - 1;
        parallel::any(1 << level, |k| {
            let own = &self.order[self.run(first + k)];
            let mut known: [Option<(Point, f64, bool)>; N] = [None; N];
            let is_inside = |x: &Point, known: &mut Option<(Point, f64, bool)>, t: u32| {
                if let Some((other, clear, side)) = known
                    && (x - *other).norm() < *clear
                {
                    return *side;
                }
                let side = self.contains(triangles, &to_vec3(x));
                if known.is_none() {
                    *known = Some((*x, self.clearance(triangles, x, t), side));
                }
                side
            };
            let places = own.iter().filter_map(|&t| Some((t, below(&triangles[t as usize])?)));
            places.into_iter().any(|(t, places)| {
                places.iter().zip(&mut known).any(|(x, known)| !is_inside(x, known, t))
            })
        })
    }

    /// Less than the distance of a place from the surface \[m\], of which a triangle is near.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn clearance(&self, triangles: &[[Vec3; 3]], x: &Point, near: u32) -> f64 {
        let corners = triangles[near as usize].map(|c| to_point(&c));
        let known = offset_to_triangle(x, &corners).norm();
        let nearest = self.nearest(triangles, x, known as Real, SurfaceId::WALL);
        nearest.map_or(known, |it| f64::from(it.near.distance)) * (1.0 - ROUNDING)
    }
}

/// Whether a ray from a place along +x may meet what is in a box.
#[inline]
fn ray_may_hit(bounds: &Aabb, x: &Vec3) -> bool {
    let Aabb { min, max } = bounds;
    x.x <= max.x && (min.y..=max.y).contains(&x.y) && (min.z..=max.z).contains(&x.z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::vec3;
    use hashfall_geometry::random::Random;
    use hashfall_geometry::shape::sphere_mesh;
    use hashfall_geometry::{Interior, TriangleMesh};

    /// Two balls that overlap, and a bubble in one.
    fn foam() -> TriangleMesh {
        let mut foam = sphere_mesh(&Vec3::zeros(), 0.5, 4);
        foam.append(&sphere_mesh(&Vec3::new(0.6, 0.1, 0.0), 0.4, 2));
        foam.append(&sphere_mesh(&Vec3::new(-0.1, 0.0, 0.0), 0.2, 3).flipped());
        foam
    }

    /// At places anywhere, and level with corners, so that rays hit corners and edges.
    #[test]
    fn it_is_what_buckets_tell() {
        let mesh = foam();
        let triangles: Vec<_> = (0..mesh.triangles.len()).map(|t| mesh.corners(t)).collect();
        let (tree, interior) = (MeshTree::new(&triangles), Interior::new(&mesh));
        let mut random = Random::new(8);
        let anywhere = (0..3000).map(|_| vec3(random.point(-0.7, 1.1).into()));
        let level = mesh.vertices.iter().flat_map(|v| {
            [-0.66, -0.05, 0.27, 0.72].map(|x: f64| vec3([x, f64::from(v.y), f64::from(v.z)]))
        });
        let mut inside = 0;
        for x in anywhere.chain(level).collect::<Vec<_>>() {
            let expected = interior.contains(&x);
            assert_eq!(tree.contains(&triangles, &x), expected, "{x}");
            inside += usize::from(expected);
        }
        assert!(inside > 500, "{inside}");
    }
}
