//! Whether a mesh encloses a volume, and where it does not.
//!
//! A mesh is the boundary of a volume if each edge is used as often in one direction as in the
//! other. So two boxes may share an edge, and a sheet may be doubled. An edge that is not used so
//! is called open here.

use super::runs::Runs;
use super::{Point, TriangleMesh};
use hashfall_core::{Real, to_f64};
use thiserror::Error;

/// A corner on an edge may miss it by this share of the edge's length \[–\].
const ON_EDGE: f64 = 1e-6;
/// As many open edges and corners are compared in search of a corner on an edge.
const MAX_COMPARED: usize = 500;

/// Why a mesh does not enclose a volume.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("the mesh is not closed: {edges} edges {flaw}, for example from {start:?} to {end:?}")]
pub struct OpenMesh {
    /// Number of open edges.
    pub edges: usize,
    /// One end of one of them \[m\].
    pub start: [f64; 3],
    /// Its other end \[m\].
    pub end: [f64; 3],
    /// What is wrong with that edge.
    pub flaw: EdgeFlaw,
    /// The triangles at that edge, once the mesh is welded; the first is the most likely culprit:
    /// the one with the most open edges.
    pub triangles: Vec<usize>,
}

impl OpenMesh {
    /// Moves the places that it tells.
    pub(super) fn shift(&mut self, by: &[f64; 3]) {
        let shift = |place: &mut [f64; 3]| (0..3).for_each(|a| place[a] += by[a]);
        [&mut self.start, &mut self.end].into_iter().for_each(shift);
        if let EdgeFlaw::Split { corner } = &mut self.flaw {
            shift(corner);
        }
    }
}

/// Why an edge does not close a surface.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum EdgeFlaw {
    /// It has one triangle.
    #[error("lack a second triangle")]
    Hole,
    /// Its two triangles are not turned the same way.
    #[error("join triangles of opposite orientation")]
    Turned,
    /// It has more triangles than pair up.
    #[error("join three triangles or more, which do not pair up (non-manifold)")]
    Crowded,
    /// A corner of other triangles lies on it (a T-junction).
    #[error(
        "do not pair up: a vertex at {corner:?} lies on an edge of one face alone (T-junction)"
    )]
    Split {
        /// Where that corner is \[m\].
        corner: [f64; 3],
    },
}

/// An open edge of a mesh.
pub(super) struct OpenEdge {
    /// Its ends, the lower number first.
    pub ends: [u32; 2],
    /// The triangles that use it.
    pub triangles: Vec<usize>,
}

/// A use of an edge by a triangle, which is known with the lower end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct EdgeUse {
    /// The higher of its ends.
    end: u32,
    /// The triangle; the highest bit tells whether the lower end comes first. No mesh has so many
    /// triangles, as [`Runs`] hold less than three times as many uses.
    code: u32,
}

/// Marks uses that go from the lower end to the higher one.
const FORWARD: u32 = 1 << 31;

impl EdgeUse {
    /// The lower end of an edge of a triangle, and its use.
    fn new(from: u32, to: u32, triangle: usize) -> (u32, EdgeUse) {
        let forward = if from < to { FORWARD } else { 0 };
        (from.min(to), EdgeUse { end: from.max(to), code: triangle as u32 | forward })
    }

    /// The triangle.
    pub fn triangle(self) -> usize {
        (self.code & !FORWARD) as usize
    }

    /// Whether the lower end comes first.
    pub fn is_forward(self) -> bool {
        self.code & FORWARD != 0
    }
}

/// An edge of a mesh.
#[derive(Clone, Copy)]
pub(super) struct Edge<'a> {
    /// Its ends, the lower number first.
    pub ends: [u32; 2],
    /// Its uses: those backwards first, then by triangle.
    pub uses: &'a [EdgeUse],
}

impl Edge<'_> {
    /// Whether it is used as often in one direction as in the other.
    fn is_closed(&self) -> bool {
        2 * self.uses.iter().filter(|it| it.is_forward()).count() == self.uses.len()
    }
}

/// The edges of a mesh with their uses.
pub(super) struct Edges {
    /// By lower end.
    uses: Runs<EdgeUse>,
}

impl Edges {
    /// Of a mesh.
    pub fn new(mesh: &TriangleMesh) -> Self {
        let all = mesh.triangles.iter().enumerate().flat_map(|(t, &[a, b, c])| {
            [EdgeUse::new(a, b, t), EdgeUse::new(b, c, t), EdgeUse::new(c, a, t)]
        });
        let mut uses = Runs::new(mesh.vertices.len(), all);
        (0..uses.len()).for_each(|vertex| uses.row_mut(vertex).sort_unstable());
        Edges { uses }
    }

    /// The edges, by their ends.
    pub fn iter(&self) -> impl Iterator<Item = Edge<'_>> {
        (0..self.uses.len()).flat_map(|low| {
            let by_edge = self.uses.row(low).chunk_by(|a, b| a.end == b.end);
            by_edge.map(move |uses| Edge { ends: [low as u32, uses[0].end], uses })
        })
    }

    /// Those that are open.
    fn open(&self) -> Vec<OpenEdge> {
        let open = self.iter().filter(|edge| !edge.is_closed()).map(|edge| OpenEdge {
            ends: edge.ends,
            triangles: edge.uses.iter().map(|it| it.triangle()).collect(),
        });
        open.collect()
    }

    /// Why the welded mesh that has them is not closed, if it is not.
    pub fn explain(&self, mesh: &TriangleMesh) -> Option<OpenMesh> {
        explain(mesh, &self.open())
    }
}

/// The open edges of a welded mesh.
pub(super) fn open_edges(mesh: &TriangleMesh) -> Vec<OpenEdge> {
    Edges::new(mesh).open()
}

impl TriangleMesh {
    /// Checks that the mesh, once welded, is the boundary of a volume.
    ///
    /// # Errors
    /// Holes, triangles that face the wrong way, inner walls and corners on edges.
    pub fn check_closed(&self) -> Result<(), OpenMesh> {
        let mesh = self.welded();
        Edges::new(&mesh).explain(&mesh).map_or(Ok(()), Err)
    }
}

/// What the open edges of a mesh tell; `None` if there are none.
fn explain(mesh: &TriangleMesh, open: &[OpenEdge]) -> Option<OpenMesh> {
    if open.is_empty() {
        return None;
    }
    let mut open_edges_of = vec![0_u32; mesh.triangles.len()];
    open.iter().flat_map(|edge| &edge.triangles).for_each(|&t| open_edges_of[t] += 1);
    let most = |edge: &OpenEdge| edge.triangles.iter().map(|&t| open_edges_of[t]).max();
    // Of a face that is turned, or an inner wall, all edges are open, of its neighbours one.
    let worst = open.iter().rev().max_by_key(|edge| most(edge))?;
    let (edge, flaw) = match split_edge(mesh, open) {
        Some((edge, corner)) => (edge, EdgeFlaw::Split { corner: position(mesh, corner) }),
        None if worst.triangles.len() == 1 => (worst, EdgeFlaw::Hole),
        None if worst.triangles.len() == 2 => (worst, EdgeFlaw::Turned),
        None => (worst, EdgeFlaw::Crowded),
    };
    let mut triangles = edge.triangles.clone();
    triangles.sort_by_key(|&t| u32::MAX - open_edges_of[t]);
    if matches!(flaw, EdgeFlaw::Split { .. }) {
        triangles.retain(|&t| has_area(mesh, t));
    }
    let [start, end] = edge.ends.map(|v| position(mesh, v));
    Some(OpenMesh { edges: open.len(), start, end, flaw, triangles })
}

/// An open edge with the end of another strictly on it.
fn split_edge<'a>(mesh: &TriangleMesh, open: &'a [OpenEdge]) -> Option<(&'a OpenEdge, u32)> {
    let point = |v: u32| Point::from(to_f64(&mesh.vertices[v as usize]));
    let mut corners: Vec<u32> = open.iter().take(MAX_COMPARED).flat_map(|edge| edge.ends).collect();
    corners.sort_unstable();
    corners.dedup();
    open.iter().take(MAX_COMPARED).find_map(|edge| {
        let [a, b] = edge.ends.map(point);
        let along = b - a;
        let is_on = |&&c: &&u32| {
            let from_a = point(c) - a;
            let share = from_a.dot(&along) / along.norm_squared();
            let off = (from_a - along * share).norm();
            !edge.ends.contains(&c)
                && (ON_EDGE..1.0 - ON_EDGE).contains(&share)
                && off <= ON_EDGE * along.norm()
        };
        let has_face = edge.triangles.iter().any(|&t| has_area(mesh, t));
        corners.iter().find(is_on).filter(|_| has_face).map(|&c| (edge, c))
    })
}

fn has_area(mesh: &TriangleMesh, triangle: usize) -> bool {
    let [a, b, c] = mesh.corners(triangle).map(|v| Point::from(to_f64(&v)));
    (b - a).cross(&(c - a)).norm() > ON_EDGE * (b - a).norm() * (c - a).norm()
}

/// Where a vertex is, in as few digits as tell its coordinates.
fn position(mesh: &TriangleMesh, vertex: u32) -> [f64; 3] {
    let decimal = |c: Real| c.to_string().parse().unwrap_or(f64::from(c));
    let v = mesh.vertices[vertex as usize];
    [decimal(v.x), decimal(v.y), decimal(v.z)]
}
