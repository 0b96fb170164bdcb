//! Intersections of a mesh with itself: the edges that go through triangles.
//!
//! Two triangles that share no corner intersect if and only if an edge of one meets the other, so
//! this finds all intersections of surfaces, but for triangles that share a corner and are folded
//! into each other within their planes. Touching counts. Blocks of edges that lie together ask a
//! broad phase for blocks of triangles; edges and triangles there whose boxes overlap are decided
//! exactly.

use super::full::boxes::Bounds;
use super::full::obstacles::Obstacles;
use super::full::primitives::Primitives;
use super::narrow::{edge_edge, edge_meets_triangle};
use crate::system::ElasticSystem;
use hashfall_core::{Real, parallel, to_f64};
use hashfall_geometry::{Aabb, Point};
use hashfall_search::{BlockIndex, BlockQuery, BoxBlocks, BroadPhaseKind, hilbert_key};
use rayon::slice::ParallelSliceMut;

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
    let at = |node: &u32| &position[*node as usize];
    let [of_edges, of_triangles] = [Sorted::new(edges, position), Sorted::new(triangles, position)];
    let mut asking = BoxBlocks::default();
    asking.rebuild(&of_edges.boxes, &of_edges.numbers);
    let mut index = BlockIndex::new(broad_phase, BLOCK * of_triangles.mean_extent());
    index.rebuild(&of_triangles.boxes, &of_triangles.numbers);
    let of_block = |block: usize| {
        let mut found = vec![];
        index.for_each_overlap(&asking, block, &mut BlockQuery::default(), |number, near| {
            let ends = &edges[number as usize];
            let edge = ends.each_ref().map(|node| *at(node));
            found.extend(near.iter().filter_map(|&triangle| {
                let nodes = &triangles[triangle as usize];
                let corners = nodes.each_ref().map(|node| *at(node));
                let is_apart = ends.iter().all(|end| !nodes.contains(end));
                let is_met = is_apart && edge_meets_triangle(&edge, &corners);
                let place = || place(&edge, &corners);
                is_met.then(|| Intersection { edge: number, triangle, place: place() })
            }));
        });
        found
    };
    let mut all = parallel::flat_map(asking.len(), of_block);
    all.sort_unstable_by_key(|it| (it.edge, it.triangle));
    all
}

/// The edges of elastic bodies that go through triangles of these, of all that contact keeps apart,
/// where nodes are at `position` \[m\]: none after a step with
/// [`FullContact`](crate::FullContact). Solids do not count.
///
/// # Panics
/// If a position is not finite.
pub fn body_intersections(system: &ElasticSystem, position: &[Point]) -> Vec<Intersection> {
    let Primitives { edges, triangles, .. } = Primitives::new(system, &Obstacles::default());
    intersections(position, &edges, &triangles, BroadPhaseKind::default())
}

/// How many times as large as a triangle a block of them is, about.
const BLOCK: Real = 2.0;

/// Boxes of primitives along Hilbert's curve, so that those that follow each other lie together.
struct Sorted {
    boxes: Vec<Aabb>,
    numbers: Vec<u32>,
}

impl Sorted {
    fn new<const N: usize>(primitives: &[[u32; N]], position: &[Point]) -> Self {
        let at = |node: &u32| &position[*node as usize];
        let around = |corners: &[u32; N]| Bounds::around(corners.iter().map(at)).outwards();
        let boxes: Vec<Aabb> = primitives.iter().map(around).collect();
        let all = boxes.iter().fold(Aabb::EMPTY, |all, b| all.union(b));
        let corner = |x| Point::from(to_f64(x));
        let (low, edge) = (corner(&all.min), (corner(&all.max) - corner(&all.min)).max());
        let mut keyed = vec![(0, 0); boxes.len()];
        parallel::fill(&mut keyed, |k, keyed| {
            let middle = (corner(&boxes[k].min) + corner(&boxes[k].max)) * 0.5;
            *keyed = (hilbert_key(&middle, &low, edge), k as u32);
        });
        keyed.par_sort_unstable();
        let numbers: Vec<u32> = keyed.iter().map(|(_, number)| *number).collect();
        Sorted { boxes: numbers.iter().map(|k| boxes[*k as usize]).collect(), numbers }
    }

    /// The mean of the longest edges of the boxes \[m\]; 1 if that is 0.
    fn mean_extent(&self) -> Real {
        let sum: Real = self.boxes.iter().map(|b| b.extent().max()).sum();
        let mean = sum / self.boxes.len().max(1) as Real;
        if mean > 0.0 && mean.is_finite() { mean } else { 1.0 }
    }
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
    use crate::material::{Material, SpringMass, SpringStiffness, Springs};
    use crate::meshing::sheet;
    use crate::system::BodySpec;
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
        mesh.nodes[4].z = 1e-50;
        assert_eq!(find(&mesh), [], "by one part in 10⁵⁰");
        assert_eq!(find(&ElasticMesh::default()), []);
    }

    #[test]
    fn bodies_are_through_each_other_where_their_edges_are() {
        let body = |name: &str, frame: [Point; 3]| {
            let mesh = sheet(frame[0], frame[1], frame[2], [4, 3]).unwrap();
            let springs = Springs {
                stiffness: SpringStiffness::PerSpring(1.0),
                across: 0.0,
                mass: SpringMass::Density(1.0),
                thickness: 0.01,
                damping_time: 0.0,
            };
            BodySpec::new(name, mesh, Material::Springs(springs))
        };
        let flat = body("flat", [Point::zeros(), Point::x(), Point::y()]);
        let upright = [Point::new(0.11, 0.27, -0.4), Point::new(0.7, 0.13, 0.0), Point::z()];
        let system = ElasticSystem::new(vec![flat, body("upright", upright)]).unwrap();
        let mut state = system.start().clone();
        let all = ElasticMesh {
            nodes: state.position.clone(),
            triangles: system.bodies().iter().flat_map(|body| body.surface.clone()).collect(),
            ..ElasticMesh::default()
        };
        let found = body_intersections(&system, &state.position);
        assert_eq!(found.len(), brute_force(&all).len());
        assert!(found.len() > 5, "{found:?}");
        let upright = system.bodies()[1].nodes.clone();
        state.position[upright].iter_mut().for_each(|x| x.z += 0.5);
        assert_eq!(body_intersections(&system, &state.position), []);
    }
}
