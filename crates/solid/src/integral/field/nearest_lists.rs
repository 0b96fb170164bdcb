//! Which triangle is the nearest, by lists of those that may be, kept by cell of a field.
//!
//! A distance to a triangle T is a convex function of the place. With c the middle of a cell and g
//! its gradient there, dist(T, x) ≥ dist(T, c) + g·(x − c), so that T is nowhere in the cell nearer
//! than another triangle N if that bound is above dist(N, x) in all eight corners: the bound less
//! dist(N, x) is concave, and least in one of them. Few triangles are left: those whose own region
//! meets the cell. What is found among them is what a look at all would find, to the bit.
//!
//! A list depends on the mesh and on where the cell is alone. Those of a brick are found at once.

use super::brick::{CellLists, EDGE};
use super::bricks::brick_of;
use super::mesh_field::{CellPlace, MeshField, Source};
use crate::mesh_tree::{NearTriangle, nearest_of};
use crate::precision::to_point;
use crate::surfaces::SurfaceId;
use hashfall_core::Real;
use hashfall_geometry::Point;
use hashfall_geometry::triangle::offset_to_triangle;

/// Of more triangles there is no list: the hierarchy finds the nearest as fast.
const MAX_LISTED: usize = 24;

/// Distances that differ by less count as equal, in edges of a cell.
const MARGIN: f64 = 1e-4;

/// More than rounding takes from a distance \[–\].
const SLACK: f64 = 1e-3;

impl MeshField {
    /// The triangle nearest to `x`, if one is nearer than `reach` \[m\].
    pub fn nearest(
        &self,
        source: &Source<'_>,
        x: &Point,
        reach: Real,
        surface: SurfaceId,
    ) -> Option<NearTriangle> {
        let by_tree = || source.tree.nearest(source.triangles, x, reach, surface);
        let is_counted = source.triangles.len() <= usize::from(u16::MAX);
        let place = self.cell_of(x).filter(|_| is_counted && self.is_kept());
        let Some(CellPlace { cell, number, .. }) = place else { return by_tree() };
        let brick = self.bricks.get(cell);
        match brick.nearest_list(number, || self.find_lists(source, cell)) {
            [] => by_tree(),
            list => {
                let list = list.iter().map(|&t| u32::from(t));
                nearest_of(list, source.triangles, x, reach, surface)
            }
        }
    }

    /// For each cell of a brick the triangles that may be the nearest, ascending; none if they are
    /// many.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn find_lists(&self, source: &Source<'_>, cell: [i32; 3]) -> CellLists {
        let (edge, all) = (self.edge(), f64::from(EDGE));
        let first = brick_of(cell).map(|k| k * EDGE);
        let low = self.place(first);
        let middle = low.add_scalar(0.5 * all * edge);
        let mut near = Vec::new();
        if let Some((_, distance)) = source.tree.nearest_number(source.triangles, &middle) {
            let far = distance + 3.0_f64.sqrt() * all * edge * (1.0 + SLACK) + SLACK * distance;
            source.tree.add_within(source.triangles, &middle, far as Real, 0, &mut near);
            near.sort_unstable();
        }
        let place = |number: usize| {
            let (edges, n) = (EDGE as usize, number);
            low + Point::from([n % edges, n / edges % edges, n / edges / edges].map(|k| k as f64))
                * edge
        };
        CellLists::new(|number, list| self.add_list(source, &place(number), &near, list))
    }

    /// Adds those of `near` that may be the nearest in the cell whose lowest corner is `low`.
    fn add_list(&self, source: &Source<'_>, low: &Point, near: &[u32], list: &mut Vec<u16>) {
        let edge = self.edge();
        let middle = low.add_scalar(0.5 * edge);
        let corner =
            |k: usize| low + Point::from_fn(|axis, _| if k >> axis & 1 == 1 { edge } else { 0.0 });
        let offset = |x: &Point, t: u32| {
            offset_to_triangle(x, &source.triangles[t as usize].map(|c| to_point(&c)))
        };
        let ways: Vec<Point> = near.iter().map(|t| offset(&middle, *t)).collect();
        let by_way =
            |a: &usize, b: &usize| ways[*a].norm_squared().total_cmp(&ways[*b].norm_squared());
        let Some(first) = (0..near.len()).min_by(by_way) else { return };
        let bounds: [f64; 8] = std::array::from_fn(|k| offset(&corner(k), near[first]).norm());
        let rounding = 8.0 * f64::from(Real::EPSILON) * bounds.into_iter().fold(0.0, f64::max);
        let may_be_nearest = |way: &Point| {
            let own = way.norm();
            let Some(away) = (-way).try_normalize(0.0) else { return true };
            (0..8).any(|k| {
                own + away.dot(&(corner(k) - middle)) <= bounds[k] + MARGIN * edge + rounding
            })
        };
        let before = list.len();
        let found = near.iter().zip(&ways).filter(|(_, way)| may_be_nearest(way));
        list.extend(found.map(|(t, _)| *t as u16));
        if list.len() > before + MAX_LISTED {
            list.truncate(before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integral::PlaneTable;
    use crate::mesh_tree::MeshTree;
    use hashfall_core::{Vec3, vec3};
    use hashfall_geometry::random::Random;
    use hashfall_geometry::shape::{box_mesh, sphere_mesh};
    use hashfall_geometry::{Aabb, TriangleMesh};

    const H: f64 = 0.04;

    /// A ball, a box with edges that many triangles share, and a sheet.
    fn meshes() -> Vec<TriangleMesh> {
        let ball = sphere_mesh(&Vec3::repeat(0.3), (1.3 * H) as Real, 3);
        let block = Aabb::new(vec3([-H, -1.2 * H, -0.4 * H]), vec3([H, 1.1 * H, 0.5 * H]));
        let mut open = sphere_mesh(&Vec3::zeros(), (1.3 * H) as Real, 2);
        open.triangles.truncate(150);
        vec![ball, box_mesh(&block), open]
    }

    #[test]
    fn a_list_finds_what_the_hierarchy_finds_to_the_bit() {
        let table = PlaneTable::with_cubic_spline(H as Real);
        for mesh in meshes() {
            let triangles: Vec<_> = (0..mesh.triangles.len()).map(|t| mesh.corners(t)).collect();
            let tree = MeshTree::new(&triangles);
            let source = Source { tree: &tree, triangles: &triangles, table: &table };
            let field = MeshField::new(&tree, H as Real);
            let middle = (to_point(&tree.bounds().min) + to_point(&tree.bounds().max)) * 0.5;
            let (mut random, mut listed, mut near) = (Random::new(14), 0, 0);
            for _ in 0..3000 {
                let x = middle + random.point(-2.5 * H, 2.5 * H);
                let reach = (random.number(0.1, 1.0) * H) as Real;
                let found = field.nearest(&source, &x, reach, SurfaceId::WALL);
                let expected = tree.nearest(&triangles, &x, reach, SurfaceId::WALL);
                assert_eq!(found.map(|it| it.near), expected.map(|it| it.near), "{x}");
                assert_eq!(found.map(|it| it.is_face), expected.map(|it| it.is_face), "{x}");
                near += usize::from(found.is_some());
                let CellPlace { cell, number, .. } = field.cell_of(&x).unwrap();
                let find = || field.find_lists(&source, cell);
                listed += field.bricks.get(cell).nearest_list(number, find).len();
            }
            println!("{} triangles: {} in a list", triangles.len(), listed as f64 / 3000.0);
            assert!(near > 300 && listed > 3000, "{near} {listed}");
        }
    }
}
