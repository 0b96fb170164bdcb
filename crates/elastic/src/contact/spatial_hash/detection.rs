//! All contacts of a substep, in an order that does not depend on threads.
//!
//! Triangles look up the vertices near them ("polygons checking"); a vertex of the triangle itself
//! is skipped, and two of obstacles. Balls and capsules look up the vertices in their boxes, and
//! every vertex is tested against the walls; of both those are listed, too, that the response to
//! others may move there. Pieces of each work run side by side, and their contacts are visited in
//! the order of the pieces.

use super::contact::Contact;
use super::vertex_table::VertexTable;
use super::vertex_test::Ways;
use crate::contact::full::obstacles::Wall;
use crate::contact::full::primitives::Primitives;
use crate::contact::narrow::{vertex_edge, vertex_triangle};
use hashfall_core::parallel::{CHUNK, fill_pieces};
use hashfall_geometry::Point;

/// The contacts of a substep.
#[derive(Clone, Debug, Default)]
pub(super) struct Detection {
    pieces: Vec<Piece>,
}

/// What a piece of the work finds; keeps its memory.
#[derive(Clone, Debug, Default)]
struct Piece {
    contacts: Vec<Contact>,
    /// Vertices near one primitive.
    near: Vec<u32>,
    tested: u64,
}

/// What contacts are found among.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub primitives: &'a Primitives,
    pub walls: &'a [Wall],
    /// Edges of obstacles that have a radius: capsules, and balls, whose ends are one.
    pub rounds: &'a [[u32; 2]],
    /// The largest radius of a vertex in the table \[m\].
    pub vertex_radius: f64,
    pub ways: Ways<'a>,
    /// ω of moving bodies \[rad/s\].
    pub angular_velocity: &'a [Point],
    pub table: &'a VertexTable,
    /// How far behind a triangle what passed it is found, and how far from balls, capsules and
    /// walls what may yet meet them \[m\].
    pub depth: f64,
}

impl Detection {
    /// Finds all contacts; returns how many pairs were tested.
    pub fn find(&mut self, scene: &Scene<'_>) -> u64 {
        let triangles = scene.primitives.triangles.len().div_ceil(CHUNK);
        let rounds = scene.rounds.len();
        let walls = match scene.walls {
            [] => 0,
            _ => scene.primitives.elastic_vertices().len().div_ceil(CHUNK),
        };
        self.pieces.resize_with(triangles + rounds + walls, Piece::default);
        fill_pieces(&mut self.pieces, &|k, piece| {
            piece.contacts.clear();
            piece.tested = 0;
            if k < triangles {
                piece.test_triangles(scene, k * CHUNK);
            } else if k < triangles + rounds {
                piece.test_round(scene, &scene.rounds[k - triangles]);
            } else {
                piece.test_walls(scene, (k - triangles - rounds) * CHUNK);
            }
        });
        self.pieces.iter().map(|piece| piece.tested).sum()
    }

    /// The contacts: of triangles, in their order, then of balls and capsules, then of walls, those
    /// of each by vertex.
    pub fn contacts(&self) -> impl Iterator<Item = &Contact> {
        self.pieces.iter().flat_map(|piece| &piece.contacts)
    }
}

impl Piece {
    fn test_triangles(&mut self, scene: &Scene<'_>, first: usize) {
        let primitives = scene.primitives;
        let last = primitives.triangles.len().min(first + CHUNK);
        for triangle in &primitives.triangles[first..last] {
            let corners = triangle.map(|corner| scene.ways.end[corner as usize]);
            let own_radius = primitives.radius[triangle[0] as usize];
            let reach = (own_radius + scene.vertex_radius).max(scene.depth);
            list(&mut self.near, |near| {
                scene.table.near(&corners, reach, |vertex| near.push(vertex))
            });
            for k in 0..self.near.len() {
                let vertex = self.near[k];
                if !primitives.can_meet(&[vertex], triangle) {
                    continue;
                }
                self.tested += 1;
                let distance = primitives.distance(vertex, triangle[0]);
                let [a, b, c] = *triangle;
                let at_rest = || match primitives.rest(&[vertex, a, b, c]) {
                    Some(rest) => vertex_triangle(&rest).distance(),
                    None => f64::INFINITY,
                };
                if let Some(contact) =
                    scene.ways.test(vertex, triangle, distance, scene.depth, at_rest)
                {
                    let friction = primitives.friction(vertex, a);
                    self.contacts.push(Contact { friction, ..contact });
                }
            }
        }
    }

    fn test_round(&mut self, scene: &Scene<'_>, ends: &[u32; 2]) {
        let primitives = scene.primitives;
        let [a, b] = ends.map(|end| scene.ways.end[end as usize]);
        let spins = scene.angular_velocity;
        let reach = primitives.radius[ends[0] as usize] + scene.vertex_radius + scene.depth;
        list(&mut self.near, |near| {
            scene.table.near_segment(&[a, b], reach, |vertex| near.push(vertex));
        });
        for k in 0..self.near.len() {
            let vertex = self.near[k];
            if !primitives.can_meet(&[vertex], ends) {
                continue;
            }
            self.tested += 1;
            let nearest = vertex_edge(&[scene.ways.end[vertex as usize], a, b]);
            let distance = primitives.distance(vertex, ends[0]);
            // One on the axis has no side: it stays until it has.
            let Some(normal) = nearest.offset.try_normalize(0.0) else { continue };
            if nearest.distance() < distance + scene.depth {
                let [p, a, b] = nearest.weights;
                self.contacts.push(Contact {
                    points: [vertex, ends[0], ends[1], vertex],
                    weights: [p, a, b, 0.0],
                    normal,
                    distance,
                    friction: primitives.friction(vertex, ends[0]),
                    spin_velocity: -primitives.spin_velocity(ends[0], &normal, spins),
                });
            }
        }
    }

    fn test_walls(&mut self, scene: &Scene<'_>, first: usize) {
        let primitives = scene.primitives;
        let vertices = primitives.elastic_vertices();
        for &vertex in &vertices[first..vertices.len().min(first + CHUNK)] {
            for wall in scene.walls {
                let distance = wall.offset + primitives.radius[vertex as usize];
                if wall.normal.dot(&scene.ways.end[vertex as usize]) < distance + scene.depth {
                    let friction = primitives.friction_with(vertex, wall.friction_root);
                    let contact = Contact::with_wall(vertex, wall.normal, distance, friction);
                    self.contacts.push(contact);
                }
            }
        }
    }
}

/// Lists the vertices that a search visits, ascending, each once.
fn list(near: &mut Vec<u32>, search: impl FnOnce(&mut Vec<u32>)) {
    near.clear();
    search(near);
    near.sort_unstable();
    near.dedup();
}
