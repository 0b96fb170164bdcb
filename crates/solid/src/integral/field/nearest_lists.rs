//! Which triangle is the nearest, by lists of those that may be, kept by cell of a field.
//!
//! A distance to a triangle T is a convex function of the place. With c the middle of a cell and g
//! its gradient there, dist(T, x) ≥ dist(T, c) + g·(x − c), so that T is nowhere in the cell nearer
//! than another triangle N if that bound is above dist(N, x) in all eight corners: the bound less
//! dist(N, x) is concave, and least in one of them. Few triangles are left: those whose own region
//! meets the cell. What is found among them is what a look at all would find, to the bit.
//!
//! A list depends on the mesh and on where the cell is alone.

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
        let Some(CellPlace { cell, number, .. }) = self.cell_of(x) else { return by_tree() };
        let brick = self.bricks.get(cell);
        match brick.nearest_list(number, || self.find_list(source, cell)) {
            [] => by_tree(),
            list => nearest_of(list, source.triangles, x, reach, surface),
        }
    }

    /// The triangles that may be the nearest in a cell, ascending; none if they are many.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn find_list(&self, source: &Source<'_>, cell: [i32; 3]) -> Box<[u32]> {
        let Source { tree, triangles, .. } = source;
        let (low, edge) = (self.place(cell), self.edge());
        let middle = low.add_scalar(0.5 * edge);
        let corner =
            |k: usize| low + Point::from_fn(|axis, _| if k >> axis & 1 == 1 { edge } else { 0.0 });
        let offset =
            |x: &Point, t: u32| offset_to_triangle(x, &triangles[t as usize].map(|c| to_point(&c)));
        let Some((first, distance)) = tree.nearest_number(triangles, &middle) else {
            return Box::default();
        };
        let far = distance + 3.0_f64.sqrt() * edge * (1.0 + SLACK) + SLACK * distance;
        let mut near = Vec::new();
        tree.add_within(triangles, &middle, far as Real, 0, &mut near);
        near.sort_unstable();
        let bounds: [f64; 8] = std::array::from_fn(|k| offset(&corner(k), first).norm());
        let rounding = 8.0 * f64::from(Real::EPSILON) * far;
        let may_be_nearest = |t: &u32| {
            let way = offset(&middle, *t);
            let own = way.norm();
            let Some(away) = (-way).try_normalize(0.0) else { return true };
            (0..8).any(|k| {
                own + away.dot(&(corner(k) - middle)) <= bounds[k] + MARGIN * edge + rounding
            })
        };
        near.retain(may_be_nearest);
        if near.len() > MAX_LISTED { Box::default() } else { near.into() }
    }
}
