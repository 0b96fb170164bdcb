//! Intersections of a mesh with itself: the edges that go through triangles.
//!
//! Two triangles that share no corner intersect if and only if an edge of one meets the other, so
//! this finds all intersections of surfaces, but for triangles that share a corner and are folded
//! into each other within their planes. Touching counts. Each edge asks a broad phase for the
//! triangles whose boxes its own overlaps; what it finds is decided exactly.

use super::full::boxes::Bounds;
use super::narrow::{edge_edge, edge_meets_triangle};
use hashfall_core::Real;
use hashfall_geometry::Point;
use hashfall_search::BroadPhaseKind;
use rayon::prelude::*;

/// An edge that meets a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Intersection {
    /// Which edge.
    pub edge: u32,
    /// Which triangle.
    pub triangle: u32,
    /// A point of the edge, near where it meets the triangle \[m\].
    pub place: Point,
}

/// All pairs of an edge and a triangle that share a point but no node, ascending by edge, then by
/// triangle; the same for any broad phase.
///
/// # Panics
/// If a position is not finite, or a number of a node is too high.
pub fn intersections(
    position: &[Point],
    edges: &[[u32; 2]],
    triangles: &[[u32; 3]],
    broad_phase: BroadPhaseKind,
) -> Vec<Intersection> {
    if triangles.is_empty() {
        return vec![];
    }
    let at = |node: &u32| &position[*node as usize];
    let boxes: Vec<_> =
        triangles.iter().map(|corners| Bounds::around(corners.iter().map(at)).outwards()).collect();
    let extents = boxes.iter().map(|b| b.extent().max()).filter(|extent| *extent > 0.0);
    let smallest = extents.fold(Real::INFINITY, Real::min);
    let smallest = if smallest.is_finite() { smallest } else { 1.0 };
    let index = broad_phase.index(boxes, smallest);
    let of_edge = |(number, ends): (usize, &[u32; 2])| {
        let edge = ends.each_ref().map(|node| *at(node));
        let mut near = vec![];
        index.overlapping(&Bounds::around(&edge).outwards(), &mut near);
        let meets = move |triangle: u32| {
            let nodes = &triangles[triangle as usize];
            let corners = nodes.each_ref().map(|node| *at(node));
            let is_apart = ends.iter().all(|end| !nodes.contains(end));
            let is_met = is_apart && edge_meets_triangle(&edge, &corners);
            let place = || place(&edge, &corners);
            is_met.then(|| Intersection { edge: number as u32, triangle, place: place() })
        };
        near.into_iter().filter_map(meets).collect::<Vec<_>>()
    };
    edges.par_iter().enumerate().flat_map_iter(of_edge).collect()
}

/// Where an edge goes through the plane of a triangle that it meets; if it is in the plane, a point
/// of the edge that is nearest to a side.
fn place([p, q]: &[Point; 2], [a, b, c]: &[Point; 3]) -> Point {
    let normal = (b - a).cross(&(c - a));
    let [from, to] = [p, q].map(|end| normal.dot(&(end - a)));
    let share = (from / (from - to)).clamp(0.0, 1.0);
    if share.is_finite() && from * to <= 0.0 {
        return p + (q - p) * share;
    }
    let sides = [[a, b], [b, c], [c, a]].map(|[from, to]| edge_edge(&[*p, *q, *from, *to]));
    let nearest = sides.iter().min_by(|one, other| one.distance2().total_cmp(&other.distance2()));
    nearest.map_or(*p, |nearest| p * nearest.weights[0] + q * nearest.weights[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ElasticMesh;
    use hashfall_core::geometry::random::Random;
    use hashfall_geometry::triangle::offset_to_triangle;

    /// Every edge with every triangle.
    fn brute_force(mesh: &ElasticMesh) -> Vec<[u32; 2]> {
        let at = |node: &u32| mesh.nodes[*node as usize];
        let mut found = vec![];
        for (e, ends) in mesh.edges().iter().enumerate() {
            for (t, corners) in mesh.triangles.iter().enumerate() {
                let is_apart = ends.iter().all(|end| !corners.contains(end));
                let (edge, triangle) = (ends.each_ref().map(at), corners.each_ref().map(at));
                if is_apart && edge_meets_triangle(&edge, &triangle) {
                    found.push([e as u32, t as u32]);
                }
            }
        }
        found
    }

    /// Triangles anywhere, far from the origin, each with corners of its own.
    fn soup(count: u32, size: f64) -> ElasticMesh {
        let mut random = Random::new(8);
        let centres = (0..count).map(|_| random.point(99.0, 101.0)).collect::<Vec<_>>();
        let corners = centres.iter().flat_map(|c| [c; 3]).map(|c| c + random.point(-size, size));
        let nodes = corners.collect();
        let triangles = (0..count).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        ElasticMesh { nodes, triangles, ..ElasticMesh::default() }
    }

    #[test]
    fn every_broad_phase_finds_the_intersections_of_brute_force() {
        let mesh = soup(300, 0.3);
        let expected = brute_force(&mesh);
        assert!(expected.len() > 100, "{}", expected.len());
        let edges = mesh.edges();
        for kind in BroadPhaseKind::ALL {
            let found = intersections(&mesh.nodes, &edges, &mesh.triangles, kind);
            let pairs: Vec<_> = found.iter().map(|i| [i.edge, i.triangle]).collect();
            assert_eq!(pairs, expected, "{kind:?}");
            for Intersection { triangle, place, .. } in found {
                let corners = mesh.triangles[triangle as usize].map(|n| mesh.nodes[n as usize]);
                assert!(offset_to_triangle(&place, &corners).norm() < 1e-11, "{place}");
            }
        }
    }

    #[test]
    fn neighbours_do_not_count_and_touching_does() {
        let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
        let mut mesh = ElasticMesh {
            nodes: corners.map(Point::from).to_vec(),
            triangles: vec![[0, 1, 2], [1, 3, 2]],
            ..ElasticMesh::default()
        };
        let find = |mesh: &ElasticMesh| {
            let (edges, kind) = (mesh.edges(), BroadPhaseKind::default());
            intersections(&mesh.nodes, &edges, &mesh.triangles, kind)
        };
        assert_eq!(find(&mesh), []);
        // A rope that ends on the second triangle, or next to it.
        mesh.nodes.extend([[0.75, 0.75, 0.0], [0.75, 0.75, 1.0]].map(Point::from));
        mesh.segments.push([4, 5]);
        let place = Point::new(0.75, 0.75, 0.0);
        assert_eq!(find(&mesh), [Intersection { edge: 5, triangle: 1, place }]);
        mesh.nodes[4].z = 1e-300;
        assert_eq!(find(&mesh), [], "by one part in 10³⁰⁰");
        assert_eq!(find(&ElasticMesh::default()), []);
    }
}
