//! parry3d 0.31, as well as it can be used: trees of boxes around the motion of a substep, built
//! anew or refitted in each; or boxes that are grown by a reach, whose pairs are listed and kept
//! until a node has used it up, and in each substep first tested by the boxes of its motion.

use super::{Closing, Cloth, Substep, THICKNESS};
use crate::cloths::forest::{Forest, Leaf, Update, VERTICES, visit_all};
use crate::measure::{Failure, Subject};
use hashfall_geometry::Point as Vector;
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::Vector as Corner;
use rayon::prelude::*;
use std::sync::Arc;

/// What is done with trees, and the reach of a list that is kept, in edges; 0 for none.
pub const METHODS: [(&str, Update, f64); 5] = [
    ("parry3d rebuilt, traversed", Update::Rebuild, 0.0),
    ("parry3d refitted, traversed", Update::Refit, 0.0),
    ("parry3d refitted, lists kept for 0.05", Update::Refit, 0.05),
    ("parry3d refitted, lists kept for 0.1", Update::Refit, 0.1),
    ("parry3d refitted, lists kept for 0.2", Update::Refit, 0.2),
];

/// Pairs of vertices and triangles, and of edges.
type Lists = [Vec<(u32, u32)>; 2];

/// A tree of each kind of primitives.
pub struct Trees {
    cloth: Arc<Cloth>,
    update: Update,
    reach: f64,
    forest: Forest,
    boxes: [Vec<Aabb>; 3],
    leaves: [Vec<Leaf>; 3],
    /// Where nodes were when pairs were listed.
    reference: Vec<Vector>,
    lists: Lists,
}

impl Trees {
    pub fn new(cloth: Arc<Cloth>, update: Update, reach: f64) -> Self {
        let (forest, boxes, leaves, reference, lists) = Default::default();
        Trees { cloth, update, reach, forest, boxes, leaves, reference, lists }
    }

    /// Sets the boxes around all primitives in a substep, grown.
    fn set_boxes(&mut self, substep: &Substep, grown: f64) {
        let topology = &self.cloth.topology;
        let [vertices, edges, triangles] = &mut self.boxes;
        let nodes = substep.start.par_iter().zip(&substep.motion);
        let of_node = nodes.map(|(x, u)| {
            let (y, pad) = (x + u, Vector::repeat(grown));
            let [low, high] = [x.inf(&y) - pad, x.sup(&y) + pad];
            let [low, high] = [low, high].map(|corner| corner.map(|x| x as f32));
            Aabb::new(
                Corner::new(low.x.next_down(), low.y.next_down(), low.z.next_down()),
                Corner::new(high.x.next_up(), high.y.next_up(), high.z.next_up()),
            )
        });
        of_node.collect_into_vec(vertices);
        let at = |node: u32| vertices[node as usize];
        topology.edges.par_iter().map(|&[a, b]| at(a).merged(&at(b))).collect_into_vec(edges);
        let around = |&[a, b, c]: &[u32; 3]| at(a).merged(&at(b)).merged(&at(c));
        topology.triangles.par_iter().map(around).collect_into_vec(triangles);
    }

    /// Whether the lists hold for a substep: no node uses up its reach.
    fn hold(&self, substep: &Substep) -> bool {
        let limit = self.reach * self.reach;
        let places = substep.start.par_iter().zip(&substep.motion).zip(&self.reference);
        let is_near = |((x, u), old): ((&Vector, &Vector), &Vector)| {
            (x - old).norm_squared() <= limit && (x + u - old).norm_squared() <= limit
        };
        !self.reference.is_empty() && places.all(is_near)
    }

    /// Lists the pairs whose boxes overlap.
    fn list(&mut self) {
        for (leaves, boxes) in self.leaves.iter_mut().zip(&self.boxes) {
            let numbered = boxes.par_iter().enumerate();
            numbered.map(|(k, b)| (*b, k as u32, 0.0)).collect_into_vec(leaves);
        }
        self.forest.update(VERTICES, self.update, &self.boxes, &self.leaves);
        let topology = &self.cloth.topology;
        self.lists.iter_mut().for_each(Vec::clear);
        let found: Vec<Lists> = self.forest.traverse(
            |lists: &mut Lists, vertex, triangle| {
                if topology.is_apart(vertex, triangle) {
                    lists[0].push((vertex, triangle));
                }
            },
            |lists: &mut Lists, one, other| {
                if topology.are_apart(one, other) {
                    lists[1].push((one, other));
                }
            },
        );
        for [vertices, edges] in found {
            self.lists[0].extend(vertices);
            self.lists[1].extend(edges);
        }
    }
}

impl Subject for Trees {
    type Side = Arc<Substep>;
    type Answer = Closing;

    fn build(&mut self, substep: &Arc<Substep>) -> Result<(), Failure> {
        if self.reach == 0.0 {
            self.set_boxes(substep, 0.5 * THICKNESS);
            self.list();
        } else if !self.hold(substep) {
            self.reference.clone_from(&substep.start);
            self.set_boxes(substep, 0.5 * THICKNESS + self.reach);
            self.list();
        }
        Ok(())
    }

    fn search(&mut self, substep: &Arc<Substep>) -> Closing {
        let is_kept = self.reach > 0.0;
        if is_kept {
            self.set_boxes(substep, 0.5 * THICKNESS);
        }
        let (cloth, [vertices, edges, triangles]) = (&self.cloth, &self.boxes);
        let of_vertices = |closing: &mut Closing, vertex: u32, triangle: u32| {
            if !is_kept || vertices[vertex as usize].intersects(&triangles[triangle as usize]) {
                cloth.add_vertex(substep, closing, vertex, triangle);
            }
        };
        let of_edges = |closing: &mut Closing, one: u32, other: u32| {
            if !is_kept || edges[one as usize].intersects(&edges[other as usize]) {
                cloth.add_edges(substep, closing, one, other);
            }
        };
        let vertices = visit_all(&self.lists[0], of_vertices).into_iter();
        vertices.chain(visit_all(&self.lists[1], of_edges)).fold(Closing::default(), Closing::plus)
    }
}
