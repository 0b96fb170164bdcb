//! The rest shape of an elastic body: nodes, and the elements between them.

use hashfall_geometry::Point;
use std::collections::BTreeMap;
use thiserror::Error;

/// Nodes and elements of one body. Elements of more than one kind may share nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ElasticMesh {
    /// Where the nodes are at rest \[m\].
    pub nodes: Vec<Point>,
    /// Two nodes each: ropes and lines.
    pub segments: Vec<[u32; 2]>,
    /// Three nodes each: shells.
    pub triangles: Vec<[u32; 3]>,
    /// Four nodes each, the fourth on the side to which the normal of the first three points:
    /// solids.
    pub tetrahedra: Vec<[u32; 4]>,
    /// Eight nodes each, cells of spring lattices: corner k is that at (k & 1, k >> 1 & 1, k >> 2).
    /// Their springs are among the segments, and their outer faces among the triangles.
    pub cells: Vec<[u32; 8]>,
    /// Of each tetrahedron, the nodes in the middles of its edges, in the order of [`EDGES`]: those
    /// of quadratic elements. Empty if there are none.
    pub edge_nodes: Vec<[u32; 6]>,
}

/// The edges of a tetrahedron, in the order of VTK's quadratic one.
pub const EDGES: [[usize; 2]; 6] = [[0, 1], [1, 2], [0, 2], [0, 3], [1, 3], [2, 3]];

/// What is wrong with a mesh.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum MeshError {
    /// There is nothing.
    #[error("its mesh has no nodes")]
    Empty,
    /// There are nodes in the middles of edges, but not of all tetrahedra.
    #[error("its mesh has {found} lists of nodes on edges for {tetrahedra} tetrahedra")]
    EdgeNodes {
        /// How many lists there are.
        found: usize,
        /// How many there should be.
        tetrahedra: usize,
    },
    /// A node is at no place.
    #[error("node {node} of its mesh is at ({}, {}, {}): not finite", place[0], place[1], place[2])]
    NotFinite {
        /// From 0.
        node: usize,
        /// \[m\]
        place: [f64; 3],
    },
    /// An element names a node that is not there.
    #[error("{element} {index} of its mesh names node {node}, but there are {count}, from 0")]
    NoSuchNode {
        /// The kind of element.
        element: &'static str,
        /// Its number, from 0.
        index: usize,
        /// The node.
        node: u32,
        /// How many nodes there are.
        count: usize,
    },
    /// An element names a node twice.
    #[error("{element} {index} of its mesh names node {node} twice")]
    SameNode {
        /// The kind of element.
        element: &'static str,
        /// Its number, from 0.
        index: usize,
        /// The node.
        node: u32,
    },
}

/// The faces of a tetrahedron of positive volume, each counter-clockwise seen from outside.
const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

impl ElasticMesh {
    /// The triangles that others can touch: those of shells, then the faces that belong to one
    /// tetrahedron alone, counter-clockwise seen from outside, in the order of the tetrahedra.
    /// Where there are nodes on edges, a face is four triangles.
    pub fn surface(&self) -> Vec<[u32; 3]> {
        let face = |corners: &[u32; 4], k: usize| FACES[k].map(|at| corners[at]);
        let sorted = |mut corners: [u32; 3]| {
            corners.sort_unstable();
            corners
        };
        let mut count = BTreeMap::new();
        for corners in &self.tetrahedra {
            (0..4).for_each(|k| *count.entry(sorted(face(corners, k))).or_insert(0) += 1);
        }
        let mut surface = self.triangles.clone();
        for (index, corners) in self.tetrahedra.iter().enumerate() {
            let free = (0..4).filter(|&k| count[&sorted(face(corners, k))] == 1);
            match self.edge_nodes.get(index) {
                Some(middles) => surface.extend(free.flat_map(|k| quarters(corners, middles, k))),
                None => surface.extend(free.map(|k| face(corners, k))),
            }
        }
        surface
    }

    /// The edges at which two triangles or more meet, the lower node first, ascending, each with
    /// the two corners that face it; where more than two triangles meet, of each that follows
    /// another in the order of the triangles.
    pub fn inner_edges(&self) -> Vec<([u32; 2], [u32; 2])> {
        let mut facing: Vec<([u32; 2], u32)> = vec![];
        for &[a, b, c] in &self.triangles {
            let sides = [([a, b], c), ([b, c], a), ([c, a], b)];
            facing.extend(sides.map(|([a, b], c)| ([a.min(b), a.max(b)], c)));
        }
        facing.sort_by_key(|(edge, _)| *edge);
        let pairs = facing.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        pairs.map(|pair| (pair[0].0, [pair[0].1, pair[1].1])).collect()
    }

    /// Refuses nodes that are not finite, and elements of nodes that are not there.
    ///
    /// # Errors
    /// The first of these.
    pub fn check(&self) -> Result<(), MeshError> {
        if self.nodes.is_empty() {
            return Err(MeshError::Empty);
        }
        let is_finite = |x: &Point| x.iter().all(|x| x.is_finite());
        if let Some(node) = self.nodes.iter().position(|x| !is_finite(x)) {
            return Err(MeshError::NotFinite { node, place: self.nodes[node].into() });
        }
        check_elements("segment", &self.segments, self.nodes.len())?;
        check_elements("triangle", &self.triangles, self.nodes.len())?;
        check_elements("tetrahedron", &self.tetrahedra, self.nodes.len())?;
        check_elements("cell", &self.cells, self.nodes.len())?;
        let (found, tetrahedra) = (self.edge_nodes.len(), self.tetrahedra.len());
        if found != 0 && found != tetrahedra {
            return Err(MeshError::EdgeNodes { found, tetrahedra });
        }
        check_elements("list of nodes on edges", &self.edge_nodes, self.nodes.len())
    }

    /// The edges of the [surface](ElasticMesh::surface) and all segments, each once, the lower node
    /// first, ascending.
    pub fn edges(&self) -> Vec<[u32; 2]> {
        let of_triangles =
            self.surface().into_iter().flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]]);
        let both = of_triangles.chain(self.segments.iter().copied());
        let mut edges: Vec<_> = both.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }
}

/// The four triangles of a face with nodes in the middles of its edges.
fn quarters(corners: &[u32; 4], middles: &[u32; 6], k: usize) -> [[u32; 3]; 4] {
    let [a, b, c] = FACES[k];
    let middle = |i: usize, j: usize| {
        let at = EDGES.iter().position(|edge| *edge == [i.min(j), i.max(j)]);
        middles[at.unwrap_or(0)]
    };
    let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
    let [a, b, c] = [a, b, c].map(|at| corners[at]);
    [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
}

/// Refuses elements with a node that is not there, or there twice.
fn check_elements<const N: usize>(
    element: &'static str,
    elements: &[[u32; N]],
    count: usize,
) -> Result<(), MeshError> {
    for (index, corners) in elements.iter().enumerate() {
        for (k, &node) in corners.iter().enumerate() {
            if node as usize >= count {
                return Err(MeshError::NoSuchNode { element, index, node, count });
            }
            if corners[..k].contains(&node) {
                return Err(MeshError::SameNode { element, index, node });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two tetrahedra that share a face.
    fn pair() -> ElasticMesh {
        let nodes = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0; 3]];
        ElasticMesh {
            nodes: nodes.map(Point::from).to_vec(),
            tetrahedra: vec![[0, 1, 2, 3], [1, 2, 3, 4]],
            ..ElasticMesh::default()
        }
    }

    #[test]
    fn the_surface_of_tetrahedra_is_closed_and_faces_outwards() {
        let (mesh, six) = (pair(), 6);
        let surface = mesh.surface();
        assert_eq!((surface.len(), mesh.edges().len()), (six, 9));
        let volume = |[a, b, c]: &[u32; 3]| {
            let [a, b, c] = [a, b, c].map(|node| mesh.nodes[*node as usize]);
            a.dot(&b.cross(&c)) / 6.0
        };
        // 1/6 of the first, 1/3 of the second.
        assert!((surface.iter().map(volume).sum::<f64>() - 0.5).abs() < 1e-15);
        let (mesh, parents) = mesh.with_edge_nodes();
        let surface = mesh.surface();
        assert_eq!((surface.len(), mesh.edges().len()), (4 * six, 36));
        assert_eq!((mesh.nodes.len(), parents.len()), (5 + 9, 9));
        let volume = |[a, b, c]: &[u32; 3]| {
            let [a, b, c] = [a, b, c].map(|node| mesh.nodes[*node as usize]);
            a.dot(&b.cross(&c)) / 6.0
        };
        assert!((surface.iter().map(volume).sum::<f64>() - 0.5).abs() < 1e-15);
        let middle = |[a, b]: &[u32; 2]| (mesh.nodes[*a as usize] + mesh.nodes[*b as usize]) * 0.5;
        assert!(parents.iter().zip(&mesh.nodes[5..]).all(|(pair, x)| middle(pair) == *x));
        assert!(mesh.check().is_ok());
    }
}
