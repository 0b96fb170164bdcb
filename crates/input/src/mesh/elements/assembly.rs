//! From the cells of a file to elements.
//!
//! - Quadrilaterals are cut along their shorter diagonal (the reader does so).
//! - Inverted tetrahedra are turned.
//! - Triangles that are sides of tetrahedra, and lines that are edges of triangles or tetrahedra,
//!   are how programs such as Gmsh name parts of a boundary: they are no elements of their own, but
//!   their nodes are in the groups.
//! - Elements that are there twice, and nodes of no element, are left out.
//! - Elements without volume, area or length are refused.

use super::super::error::{MeshError, MeshProblem};
use super::super::format::UpAxis;
use super::super::warning::MeshWarning;
use hashfall_geometry::Point;

/// Below this part of what its longest edge allows, an extent is rounding noise.
const FLAT: f64 = 1e-12;

/// Nodes, and elements between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ElementMesh {
    /// The name of the file's format.
    pub format: &'static str,
    /// The axis that points up in it, where its format says so.
    pub up: Option<UpAxis>,
    /// Where the nodes are, in the units of the file; finite, and each of an element.
    pub nodes: Vec<Point>,
    /// Two nodes each.
    pub segments: Vec<[u32; 2]>,
    /// Three nodes each.
    pub triangles: Vec<[u32; 3]>,
    /// Four nodes each, the fourth on the side to which the normal of the first three points.
    pub tetrahedra: Vec<[u32; 4]>,
    /// Named sets of nodes, in the order of the file.
    pub groups: Vec<NodeGroup>,
    /// What was put right, what is not read, and what can hardly be meant.
    pub warnings: Vec<MeshWarning>,
}

/// A named set of nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeGroup {
    /// Its name in the file, or its number if it has none.
    pub name: String,
    /// Its nodes, ascending.
    pub nodes: Vec<u32>,
}

impl ElementMesh {
    /// The nodes of a group.
    pub fn group(&self, name: &str) -> Option<&[u32]> {
        self.groups.iter().find(|group| group.name == name).map(|group| &group.nodes[..])
    }
}

/// What a cell of a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Vertex,
    Segment,
    Triangle,
    Tetrahedron,
}

impl Shape {
    /// Its dimension.
    pub(super) fn dimension(self) -> i64 {
        match self {
            Shape::Vertex => 0,
            Shape::Segment => 1,
            Shape::Triangle => 2,
            Shape::Tetrahedron => 3,
        }
    }
}

/// A cell of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileCell {
    pub(super) shape: Shape,
    /// As many nodes as the shape has, then copies of the first.
    pub(super) corners: [u32; 4],
    /// Its number in the file, for messages.
    pub(super) number: u64,
    /// The byte of the file at which it begins.
    pub(super) at: usize,
    /// The number of the set of groups that it belongs to.
    pub(super) set: usize,
}

/// What a file holds.
#[derive(Debug, Default)]
pub(super) struct FileElements {
    pub(super) nodes: Vec<Point>,
    pub(super) cells: Vec<FileCell>,
    /// Names of groups; different ones.
    pub(super) groups: Vec<String>,
    /// Sets of groups, by their numbers; the first is of none.
    pub(super) sets: Vec<Vec<usize>>,
    pub(super) warnings: Vec<MeshWarning>,
}

impl FileElements {
    /// Adds a quadrilateral as two triangles.
    pub(super) fn add_quad(&mut self, [a, b, c, d]: [u32; 4], cell: FileCell) {
        let length =
            |p: u32, q: u32| (self.nodes[p as usize] - self.nodes[q as usize]).norm_squared();
        let (first, second) = (length(a, c), length(b, d));
        let halves = match first < second || (first == second && a.min(c) < b.min(d)) {
            true => [[a, b, c], [a, c, d]],
            false => [[a, b, d], [b, c, d]],
        };
        for [a, b, c] in halves {
            let corners = [a, b, c, a];
            self.cells.push(FileCell { shape: Shape::Triangle, corners, ..cell });
        }
    }

    /// The elements; `fault` gives a problem its place in the file, by a byte.
    pub(super) fn assemble(
        mut self,
        format: &'static str,
        fault: &dyn Fn(usize, MeshProblem) -> MeshError,
    ) -> Result<ElementMesh, MeshError> {
        self.check(fault)?;
        let mut mesh = ElementMesh { format, ..ElementMesh::default() };
        mesh.tetrahedra = self.take(Shape::Tetrahedron, |_| true);
        let faces = sorted(mesh.tetrahedra.iter().flat_map(|t| {
            [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]].map(|face| face.map(|k: usize| t[k]))
        }));
        mesh.triangles = self.take(Shape::Triangle, |t| faces.binary_search(t).is_err());
        let edges = |corners: &[u32]| pairs(corners).collect::<Vec<_>>();
        let of_faces = mesh.triangles.iter().flat_map(|t| edges(t));
        let edges = sorted(of_faces.chain(mesh.tetrahedra.iter().flat_map(|t| edges(t))));
        mesh.segments = self.take(Shape::Segment, |s| edges.binary_search(s).is_err());
        if mesh.segments.len() + mesh.triangles.len() + mesh.tetrahedra.len() == 0 {
            return Err(MeshProblem::NoElements.into());
        }
        self.turn_inverted(&mut mesh.tetrahedra);
        let groups = self.groups.iter().map(|name| NodeGroup { name: name.clone(), nodes: vec![] });
        mesh.groups = groups.collect();
        for cell in &self.cells {
            for &group in &self.sets[cell.set] {
                mesh.groups[group].nodes.extend_from_slice(&cell.corners);
            }
        }
        self.leave_out_unused(&mut mesh);
        self.warn_of_coincident(&mesh.nodes);
        mesh.warnings = self.warnings;
        Ok(mesh)
    }

    /// Refuses elements without extent.
    fn check(&self, fault: &dyn Fn(usize, MeshProblem) -> MeshError) -> Result<(), MeshError> {
        for cell in &self.cells {
            let [a, b, c, d] = cell.corners.map(|node| self.nodes[node as usize]);
            // Scaled to the longest edge, so that tiny elements do not underflow.
            let edges = [b - a, c - a, d - a];
            let longest = edges.iter().map(|edge| edge.amax()).fold(0.0, f64::max);
            let [u, v, w] = edges.map(|edge| edge / longest);
            let (element, extent, size) = match cell.shape {
                Shape::Vertex => continue,
                Shape::Segment => ("line", "length", longest),
                Shape::Triangle => ("triangle", "area", u.cross(&v).norm()),
                Shape::Tetrahedron => ("tetrahedron", "volume", u.cross(&v).dot(&w).abs()),
            };
            let least = if cell.shape == Shape::Segment { 0.0 } else { FLAT };
            // NaN where all corners are in one place.
            if size.is_nan() || size <= least {
                let problem = MeshProblem::NoExtent { element, number: cell.number, extent };
                return Err(fault(cell.at, problem));
            }
        }
        Ok(())
    }

    /// The cells of a shape, each once, that are elements by their sorted corners; in the order of
    /// the file.
    fn take<const N: usize>(
        &mut self,
        shape: Shape,
        is_element: impl Fn(&[u32; N]) -> bool,
    ) -> Vec<[u32; N]> {
        let of_shape = self.cells.iter().filter(|cell| cell.shape == shape);
        let all: Vec<[u32; N]> =
            of_shape.map(|cell| std::array::from_fn(|k| cell.corners[k])).collect();
        let mut order: Vec<([u32; N], usize)> =
            all.iter().enumerate().map(|(k, corners)| (in_order(*corners), k)).collect();
        order.sort_unstable();
        let before = order.len();
        order.dedup_by_key(|(corners, _)| *corners);
        let repeated = before - order.len();
        order.retain(|(corners, _)| is_element(corners));
        if repeated > 0 && !order.is_empty() {
            let what = format!("elements that are there twice, and are read once: {repeated}");
            self.warn(what, "save each element once");
        }
        let mut kept: Vec<usize> = order.into_iter().map(|(_, k)| k).collect();
        kept.sort_unstable();
        kept.into_iter().map(|k| all[k]).collect()
    }

    fn turn_inverted(&mut self, tetrahedra: &mut [[u32; 4]]) {
        let mut count = 0;
        for corners in tetrahedra.iter_mut() {
            let [a, b, c, d] = corners.map(|node| self.nodes[node as usize]);
            let scale = (b - a).amax().max((c - a).amax()).max((d - a).amax());
            let [u, v, w] = [b, c, d].map(|x| (x - a) / scale);
            if u.cross(&v).dot(&w) < 0.0 {
                corners.swap(2, 3);
                count += 1;
            }
        }
        if count > 0 {
            let all = tetrahedra.len();
            let what = format!("inverted tetrahedra, which are turned: {count} of {all}");
            self.warn(what, "save the nodes of each in the format's order");
        }
    }

    /// Moves the nodes that elements use to the mesh, and numbers everything by these.
    fn leave_out_unused(&mut self, mesh: &mut ElementMesh) {
        let mut number = vec![u32::MAX; self.nodes.len()];
        let in_elements = mesh.segments.iter().flatten().chain(mesh.triangles.iter().flatten());
        in_elements.chain(mesh.tetrahedra.iter().flatten()).for_each(|n| number[*n as usize] = 0);
        for (node, number) in number.iter_mut().enumerate().filter(|(_, number)| **number == 0) {
            *number = mesh.nodes.len() as u32;
            mesh.nodes.push(self.nodes[node]);
        }
        let renumber = |node: &mut u32| *node = number[*node as usize];
        mesh.segments.iter_mut().flatten().for_each(renumber);
        mesh.triangles.iter_mut().flatten().for_each(renumber);
        mesh.tetrahedra.iter_mut().flatten().for_each(renumber);
        for group in &mut mesh.groups {
            group.nodes.iter_mut().for_each(renumber);
            group.nodes.retain(|node| *node != u32::MAX);
            group.nodes.sort_unstable();
            group.nodes.dedup();
        }
        let unused = self.nodes.len() - mesh.nodes.len();
        if unused > 0 {
            let what = format!("nodes of no element, which are left out: {unused}");
            self.warn(what, "save elements of all groups, or remove these nodes");
        }
        for group in mesh.groups.iter().filter(|group| group.nodes.is_empty()) {
            let what = format!("the group `{}` has no nodes of any element", group.name);
            self.warn(what, "save the elements of the group, or remove it");
        }
    }

    /// Warns of nodes that lie in one place: what meets there is not joined.
    fn warn_of_coincident(&mut self, nodes: &[Point]) {
        // Adding zero makes −0 a 0.
        let mut keys: Vec<[u64; 3]> =
            nodes.iter().map(|x| x.map(|c| (c + 0.0).to_bits()).into()).collect();
        keys.sort_unstable();
        keys.dedup();
        let count = nodes.len() - keys.len();
        if count > 0 {
            let what =
                format!("nodes in the place of another one, to which they are not joined: {count}");
            self.warn(what, "remove duplicate nodes (in Gmsh: Coherence Mesh) if they should be");
        }
    }

    fn warn(&mut self, what: String, help: &'static str) {
        self.warnings.push(MeshWarning::Ignored { what, help });
    }
}

fn in_order<const N: usize>(mut corners: [u32; N]) -> [u32; N] {
    corners.sort_unstable();
    corners
}

/// All of them with ascending corners, ascending.
fn sorted<const N: usize>(all: impl Iterator<Item = [u32; N]>) -> Vec<[u32; N]> {
    let mut all: Vec<_> = all.map(in_order).collect();
    all.sort_unstable();
    all
}

/// All pairs of corners.
fn pairs(corners: &[u32]) -> impl Iterator<Item = [u32; 2]> {
    let second = move |k: usize| (0..k).map(move |l| [corners[l], corners[k]]);
    (1..corners.len()).flat_map(second)
}
