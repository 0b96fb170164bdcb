//! The interior of a closed mesh, in the plane that of its section: the prism over the section is
//! given, whose faces across the plane are no boundary.
//!
//! A place is inside by its winding number ([`Interior`]). Its distance to the boundary is that to
//! the nearest triangle, which a tree of their boxes finds (branch and bound: a node farther away
//! than the best so far is skipped). Where parts of a mesh overlap, faces inside the union count
//! as boundary; the distance is then the smaller one.

use super::region::Region;
use crate::rounded_box_tree::{RoundedBox, RoundedBoxTree};
use hashfall_core::{Dimension, to_f64, vec3};
use hashfall_geometry::triangle::offset_to_triangle;
use hashfall_geometry::{Interior, Point, TriangleMesh};
use std::sync::OnceLock;

/// The interior of a mesh.
pub struct MeshRegion<'a> {
    dimension: Dimension,
    mesh: &'a TriangleMesh,
    interior: OnceLock<Interior>,
    surface: OnceLock<Surface>,
}

/// The triangles of a boundary in a tree.
struct Surface {
    triangles: Vec<[Point; 3]>,
    tree: RoundedBoxTree<'static>,
}

impl<'a> MeshRegion<'a> {
    /// The interior of a placed mesh; in the plane, of the prism over its section.
    pub fn new(dimension: Dimension, mesh: &'a TriangleMesh) -> Self {
        MeshRegion { dimension, mesh, interior: OnceLock::new(), surface: OnceLock::new() }
    }

    fn interior(&self) -> &Interior {
        self.interior.get_or_init(|| Interior::new(self.mesh))
    }

    fn surface(&self) -> &Surface {
        self.surface.get_or_init(|| Surface::new(self.dimension, self.mesh))
    }
}

impl Surface {
    fn new(dimension: Dimension, mesh: &TriangleMesh) -> Self {
        let corners = |t: usize| mesh.corners(t).map(|v| Point::from(to_f64(&v)));
        let is_across = |[a, b, c]: &[Point; 3]| a.y == b.y && b.y == c.y;
        let is_boundary = |t: &[Point; 3]| dimension == Dimension::Three || !is_across(t);
        let triangles: Vec<_> =
            (0..mesh.triangles.len()).map(corners).filter(is_boundary).collect();
        let around = |[a, b, c]: &[Point; 3]| {
            RoundedBox::cuboid(a.inf(b).inf(c).into(), a.sup(b).sup(c).into())
        };
        let tree = RoundedBoxTree::new(triangles.iter().map(around).collect::<Vec<_>>());
        Surface { triangles, tree }
    }

    /// Distance of a place to the nearest triangle \[m\].
    fn distance(&self, x: &[f64; 3]) -> f64 {
        let point = Point::from(*x);
        self.tree.nearest(x, |t| offset_to_triangle(&point, &self.triangles[t]).norm())
    }
}

impl Region for MeshRegion<'_> {
    fn bounds(&self) -> [[f64; 3]; 2] {
        let bounds = self.mesh.bounds();
        [bounds.min, bounds.max].map(|corner| match self.dimension {
            Dimension::Two => [f64::from(corner.x), 0.0, f64::from(corner.z)],
            Dimension::Three => to_f64(&corner),
        })
    }

    fn contains(&self, x: &[f64; 3]) -> bool {
        self.interior().contains(&vec3(*x))
    }

    fn signed_distance(&self, x: &[f64; 3]) -> f64 {
        let distance = self.surface().distance(x);
        if self.contains(x) { -distance } else { distance }
    }

    fn volume(&self) -> f64 {
        let depth = match self.dimension {
            Dimension::Two => f64::from(self.mesh.bounds().extent().y),
            Dimension::Three => 1.0,
        };
        self.interior().volume() / depth
    }
}
