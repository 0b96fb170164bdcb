//! What can touch: points, edges and triangles of all elastic bodies, and of obstacles.
//!
//! The points are the nodes of the elastic bodies, then those of the obstacles. A surface is its
//! triangles, edges and points, each with a radius: that of a body is half its thickness, that of a
//! ball or a capsule its own, that of an obstacle's mesh zero. Two of them touch at the sum of
//! their radii.

use super::obstacles::{Obstacles, RigidPart};
use crate::contact::narrow::vertex_edge;
use crate::fixing::Fixing;
use crate::system::{ElasticBody, ElasticSystem};
use hashfall_core::vec3;
use hashfall_geometry::{Interior, Point, TriangleMesh};

/// A node that moves freely.
const FREE: RigidPart = u32::MAX;

/// What can touch, and how; never changes.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct Primitives {
    /// How many points are nodes of elastic bodies: the first.
    pub nodes: usize,
    /// Points with a triangle or an edge, or that are balls.
    pub vertices: Vec<u32>,
    /// Edges of triangles, and segments.
    pub edges: Vec<[u32; 2]>,
    pub triangles: Vec<[u32; 3]>,
    /// By point \[m\].
    pub radius: Vec<f64>,
    /// √μ by point.
    friction_root: Vec<f64>,
    /// By point.
    part: Vec<RigidPart>,
    /// The body of each node.
    body: Vec<u32>,
    /// Where each point is at rest \[m\].
    rest: Vec<Point>,
    /// Nodes that are fixed, or tied to a solid, in their order, and where they are in the frame in
    /// which the scene places solids \[m\].
    held: Vec<(u32, Point)>,
    /// How many edges and triangles are of elastic bodies: the first.
    pub elastic_edges: usize,
    pub elastic_triangles: usize,
}

impl Primitives {
    /// Those of elastic bodies and of obstacles.
    pub fn new(system: &ElasticSystem, obstacles: &Obstacles) -> Self {
        let mut primitives = Primitives::from_bodies(system);
        primitives.add_obstacles(obstacles);
        primitives.list_vertices();
        primitives
    }

    fn from_bodies(system: &ElasticSystem) -> Self {
        let mut primitives = Primitives {
            nodes: system.node_count(),
            rest: system.start().position.clone(),
            part: vec![FREE; system.node_count()],
            ..Primitives::default()
        };
        for &(node, fixing) in system.fixings() {
            let (part, place) = match fixing {
                Fixing::Fixed => (0, primitives.rest[node as usize]),
                Fixing::Tied { body, local } => (body + 1, local),
            };
            primitives.part[node as usize] = part;
            primitives.held.push((node, place));
        }
        primitives.held.sort_unstable_by_key(|(node, _)| *node);
        for (number, body) in (0..).zip(system.bodies()) {
            primitives.edges.extend(outer_edges(body, &primitives.rest));
            primitives.triangles.extend(&body.surface);
            primitives.radius.resize(body.nodes.end, 0.5 * body.thickness);
            primitives.friction_root.resize(body.nodes.end, body.friction.sqrt());
            primitives.body.resize(body.nodes.end, number);
        }
        primitives
    }

    /// Adds the points of obstacles behind the nodes.
    fn add_obstacles(&mut self, obstacles: &Obstacles) {
        (self.elastic_edges, self.elastic_triangles) = (self.edges.len(), self.triangles.len());
        let first = self.radius.len() as u32;
        self.edges.extend(obstacles.edges.iter().map(|edge| edge.map(|p| first + p)));
        self.triangles.extend(obstacles.triangles.iter().map(|corners| corners.map(|p| first + p)));
        for point in &obstacles.points {
            self.radius.push(point.radius);
            self.friction_root.push(point.friction.sqrt());
            self.part.push(point.part);
            self.rest.push(point.rest);
        }
    }

    /// Lists the points that are of an edge or a triangle.
    fn list_vertices(&mut self) {
        let of_edges = self.edges.iter().flatten();
        self.vertices = of_edges.chain(self.triangles.iter().flatten()).copied().collect();
        self.vertices.sort_unstable();
        self.vertices.dedup();
    }

    /// The number of points.
    pub fn points(&self) -> usize {
        self.radius.len()
    }

    /// The surface that a point is of, in the order of points: that of an elastic body, or those of
    /// obstacles with one radius that move together.
    pub fn surface(&self, point: u32) -> (u32, RigidPart, u64) {
        match self.body.get(point as usize) {
            Some(body) => (*body, 0, 0),
            None => (u32::MAX, self.part[point as usize], self.radius[point as usize].to_bits()),
        }
    }

    /// The moving body whose motion a point has: that of an obstacle, or that a node is tied to.
    pub fn moving_body(&self, point: u32) -> Option<usize> {
        let part = self.part[point as usize];
        (part != FREE && part > 0).then(|| part as usize - 1)
    }

    /// How much faster the surface of an obstacle's point goes than the point itself, where the
    /// direction from the point is `outward`: it spins about it at the angular velocity of its body
    /// \[m/s\].
    pub fn spin_velocity(&self, point: u32, outward: &Point, angular_velocity: &[Point]) -> Point {
        match self.moving_body(point) {
            Some(body) if (point as usize) >= self.nodes => {
                angular_velocity[body].cross(outward) * self.radius[point as usize]
            }
            _ => Point::zeros(),
        }
    }

    /// Whether the points of two primitives can meet: they share none, they are not both of
    /// obstacles, nor of one rigid part, and neither has a node that the other holds inside itself.
    pub fn can_meet(&self, a: &[u32], b: &[u32]) -> bool {
        let is_node = |point: &u32| (*point as usize) < self.nodes;
        let part = self.part[a[0] as usize];
        let is_rigid = part != FREE && a.iter().chain(b).all(|p| self.part[*p as usize] == part);
        (is_node(&a[0]) || is_node(&b[0]))
            && !is_rigid
            && !a.iter().any(|point| b.contains(point))
            && !self.holds_inside(a, b)
            && !self.holds_inside(b, a)
    }

    /// Whether a ball or a capsule holds a node inside itself, of a primitive that goes through its
    /// surface from there.
    fn holds_inside(&self, round: &[u32], other: &[u32]) -> bool {
        let (first, last) = (round[0] as usize, round[round.len() - 1] as usize);
        let (radius, part) = (self.radius[first], self.part[first]);
        if first < self.nodes || radius == 0.0 {
            return false;
        }
        other.iter().filter(|node| self.part[**node as usize] == part).any(|node| {
            let held = self.held.binary_search_by_key(node, |(node, _)| *node);
            held.is_ok_and(|k| {
                let ends = [self.held[k].1, self.rest[first], self.rest[last]];
                vertex_edge(&ends).distance() < radius
            })
        })
    }

    /// The sum of the radii of two primitives with these points \[m\].
    pub fn distance(&self, a: u32, b: u32) -> f64 {
        self.radius[a as usize] + self.radius[b as usize]
    }

    /// The points with a triangle or an edge that are nodes of elastic bodies.
    pub fn elastic_vertices(&self) -> &[u32] {
        &self.vertices[..self.vertices.partition_point(|v| (*v as usize) < self.nodes)]
    }

    /// μ between a point and a surface of this √μ.
    pub fn friction_with(&self, point: u32, root: f64) -> f64 {
        self.friction_root[point as usize] * root
    }

    /// μ between two points.
    pub fn friction(&self, a: u32, b: u32) -> f64 {
        self.friction_root[a as usize] * self.friction_root[b as usize]
    }

    /// Where the four points of two primitives of one body are at rest; none of two bodies.
    pub fn rest(&self, points: &[u32; 4]) -> Option<[Point; 4]> {
        let body = self.body.get(points[0] as usize)?;
        let is_one = points.iter().all(|point| self.body.get(*point as usize) == Some(body));
        is_one.then(|| points.map(|point| self.rest[point as usize]))
    }

    /// The mean length of the edges at rest of the elastic bodies \[m\].
    pub fn mean_edge(&self) -> f64 {
        let of_nodes = self.edges.iter().filter(|edge| (edge[0] as usize) < self.nodes);
        let lengths =
            of_nodes.map(|[a, b]| (self.rest[*a as usize] - self.rest[*b as usize]).norm());
        let (sum, count) = lengths.fold((0.0, 0), |(sum, count), length| (sum + length, count + 1));
        if count == 0 { 1.0 } else { sum / f64::from(count) }
    }
}

/// The edges of a body's triangles, and its segments; of segments those that a closed surface does
/// not hold, as the inner springs of a lattice are.
fn outer_edges(body: &ElasticBody, rest: &[Point]) -> Vec<[u32; 2]> {
    let corners = body.surface.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let mut of_surface: Vec<_> = corners.map(|[a, b]| [a.min(b), a.max(b)]).collect();
    of_surface.sort_unstable();
    of_surface.dedup();
    let is_of_surface = |edge: &[u32; 2]| of_surface.binary_search(edge).is_ok();
    if body.edges.iter().all(is_of_surface) {
        return of_surface;
    }
    let first = body.nodes.start as u32;
    let vertices = rest[body.nodes.clone()].iter().map(|x| vec3((*x).into())).collect();
    let triangles = body.surface.iter().map(|t| t.map(|node| node - first)).collect();
    let surface = TriangleMesh { vertices, triangles };
    if surface.triangles.is_empty() || surface.check_closed().is_err() {
        return body.edges.clone();
    }
    let interior = Interior::new(&surface);
    let mut on_surface = vec![false; body.nodes.len()];
    surface.triangles.iter().flatten().for_each(|node| on_surface[*node as usize] = true);
    let is_inside = |[a, b]: &[u32; 2]| {
        let middle = (rest[*a as usize] + rest[*b as usize]) * 0.5;
        let is_on = |node: &u32| on_surface[(node - first) as usize];
        (is_on(a) && is_on(b)) || interior.contains(&vec3(middle.into()))
    };
    let edges = body.edges.iter();
    edges.filter(|edge| is_of_surface(edge) || !is_inside(edge)).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{Material, SpringMass, SpringStiffness, Springs};
    use crate::meshing::{rope, spring_lattice};
    use crate::system::BodySpec;
    use hashfall_core::Vec3;
    use hashfall_geometry::Aabb;
    use hashfall_solid::Solids;

    #[test]
    fn inner_springs_of_a_lattice_touch_nothing_and_a_rope_on_it_does() {
        let edges = [Point::x(), Point::y(), Point::z()];
        let mut mesh = spring_lattice(Point::zeros(), edges, [3, 3, 3]).unwrap();
        let on_surface = mesh.surface().len() * 3 / 2;
        let rope = rope(Point::repeat(1.0), Point::new(1.0, 1.0, 2.0), 4).unwrap();
        let corner = mesh.nodes.iter().position(|x| *x == Point::repeat(1.0)).unwrap() as u32;
        let first = mesh.nodes.len() as u32 - 1;
        mesh.nodes.extend(&rope.nodes[1..]);
        let node = |node: u32| if node == 0 { corner } else { first + node };
        mesh.segments.extend(rope.segments.iter().map(|segment| segment.map(node)));
        let springs = Springs {
            stiffness: SpringStiffness::PerSpring(1.0),
            across: 0.0,
            mass: SpringMass::Density(1.0),
            thickness: 0.01,
            damping_time: 0.0,
        };
        let body = BodySpec::new("lattice", mesh, Material::Springs(springs));
        let system = ElasticSystem::new(vec![body]).unwrap();
        let domain = Aabb::new(Vec3::zeros(), Vec3::repeat(1.0));
        let solids = Solids::new(domain, vec![], vec![]);
        let primitives = Primitives::new(&system, &Obstacles::new(&solids));
        assert_eq!(primitives.edges.len(), on_surface + 4);
        assert_eq!(primitives.vertices.len(), 56 + 4);
    }
}
