//! Clean-up of slivers and needles: short edges are collapsed, the shortest first. Most have gone
//! before ([`cluster`](crate::postprocess::simplify::cluster)); what is left is here and there.
//!
//! Idea: Moore & Warren, Compact isocontours from sampled data (1992): vertices that marching cubes
//! places near the same grid point are replaced by their mean. Deviations: vertices are merged if
//! an edge between them is shorter than [`SHORT`] cells, so the grid need not be known; each merge
//! is checked ([`collapse`](crate::postprocess::simplify::collapse)), so that the mesh stays closed
//! and 2-manifold, with the same topology; remaining slivers lose their shortest edge.
//!
//! A vertex that replaces n others lies at their mean; its normal and attributes are means too.
//! A vertex on a solid stays there: it merges only with others on the same solids.
//!
//! Triangles near short edges and slivers are cleaned in parallel by cubes, without the vertices
//! that cubes share; then the seams between them, by cubes elsewhere; then what both rounds left
//! out, a few places where their sides cross, as one part. Cubes do not depend on the number of
//! threads.

use crate::mesh::SurfaceMesh;
use crate::postprocess::contact::flat::Contact;
use crate::postprocess::simplify::collapse::Side;
use crate::postprocess::simplify::merged::MergeMap;
use crate::postprocess::simplify::parts::{
    CUBE, MeshPart, by_cubes, shared_vertices, side_by_side,
};
use crate::postprocess::smoothing::junction_curves::JunctionCurves;
use crate::postprocess::triangle::{TriangleShape, filtered};
use hashfall_core::{Real, Vec3, parallel};

/// Edges shorter than this are collapsed, in edges of a marching-cubes cell.
pub(crate) const SHORT: Real = 0.6;

/// Only around edges that are shorter than this, and around slivers, is anything collapsed.
const TOO_SHORT: Real = 0.4;

/// A triangle of lower quality is a sliver.
const SLIVER: Real = 0.25;

/// The worst triangle keeps this part of its quality: where several vertices lie close together,
/// the needles between them are no better until the last two have merged.
const MIN_KEPT_QUALITY: Real = 0.5;

/// Rounds by cubes.
const ROUNDS: u32 = 2;

/// Sweeps over a part; few are needed, as each starts from what the last one left.
const MAX_SWEEPS: usize = 4;

/// How far clean-up goes.
#[derive(Clone, Copy)]
pub(crate) struct Extent {
    /// Edge of the marching-cubes cells \[m\].
    pub cell: Real,
    /// Whether short edges go, and not just slivers.
    pub short_edges: bool,
}

/// Removes short edges and slivers from a mesh; `contacts` has the contact of each vertex. Vertices
/// on junction `curves` are fixed. Returns the old numbers of the vertices that are left.
pub(crate) fn clean(
    mesh: &mut SurfaceMesh,
    contacts: &mut Vec<Contact>,
    curves: Option<&JunctionCurves>,
    extent: Extent,
) -> Vec<u32> {
    let short = if extent.short_edges { SHORT * extent.cell } else { 0.0 };
    let mut merged = MergeMap::identity(mesh);
    merged.triangles = std::mem::take(&mut mesh.triangles);
    // What may change: what is near short edges and slivers, then near what cubes shared.
    let too_short = short * (TOO_SHORT / SHORT);
    let corners = corners_to_clean(mesh, &merged.triangles, too_short);
    let (mut seams, mut open) = take_seams(&mut merged.triangles, &corners);
    for round in 0..=ROUNDS {
        let triangles = std::mem::take(&mut seams);
        let cube = CUBE * extent.cell;
        let triangles = if round < ROUNDS {
            by_cubes(&triangles, &mesh.positions, cube, 0.5 * cube * round as Real)
        } else {
            vec![triangles]
        };
        let parts: Vec<_> = triangles.iter().map(Vec::as_slice).collect();
        let shared = shared_vertices(mesh.positions.len(), &parts);
        let is_fixed =
            |v: usize| shared[v] || !open[v] || curves.is_some_and(|curves| curves.has(v));
        let clean = |part| PartCleanup::new(part, &merged.counts, contacts).clean(short);
        let cleaned = side_by_side(mesh, &parts, is_fixed, clean);
        cleaned.iter().for_each(|part| part.write_back(mesh, contacts, &mut merged));
        if parts.len() < 2 {
            break;
        }
        (seams, open) = take_seams(&mut merged.triangles, &shared);
    }
    let kept = merged.apply(mesh);
    *contacts = kept.iter().map(|&v| contacts[v as usize]).collect();
    kept
}

/// Whether each vertex is a corner of a triangle that is to be cleaned.
fn corners_to_clean(mesh: &SurfaceMesh, triangles: &[[u32; 3]], short: Real) -> Vec<bool> {
    let is_rough = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|v| mesh.positions[v as usize]);
        let is_short = |side: Vec3| side.norm_squared() < short * short;
        is_short(b - a)
            || is_short(c - b)
            || is_short(a - c)
            || TriangleShape::is_worse([a, b, c], SLIVER)
    };
    let mut is_corner = vec![false; mesh.positions.len()];
    for triangle in filtered(triangles, is_rough) {
        triangle.iter().for_each(|&v| is_corner[v as usize] = true);
    }
    is_corner
}

/// Takes the triangles out of which a vertex that was shared can reach another; and which vertices
/// may change in them: those with all triangles there.
fn take_seams(triangles: &mut Vec<[u32; 3]>, shared: &[bool]) -> (Vec<[u32; 3]>, Vec<bool>) {
    let touches = |t: &[u32; 3], flags: &[bool]| t.iter().any(|&v| flags[v as usize]);
    let mut near = vec![false; shared.len()];
    for triangle in filtered(triangles, |t| touches(t, shared)) {
        triangle.iter().for_each(|&v| near[v as usize] = true);
    }
    if !near.contains(&true) {
        return (Vec::new(), near);
    }
    let (seams, rest) = parallel::join(
        || filtered(triangles, |t| touches(t, &near)),
        || filtered(triangles, |t| !touches(t, &near)),
    );
    *triangles = rest;
    (seams, near)
}

/// A part that is cleaned.
struct PartCleanup {
    part: MeshPart,
    /// How many vertices each one replaces.
    counts: Vec<Real>,
    /// What each vertex lies on.
    contacts: Vec<Contact>,
    /// Whether a triangle at each vertex has changed in this sweep.
    is_new: Vec<bool>,
    /// The vertices that were moved in this sweep, some of them repeatedly.
    moved: Vec<u32>,
    /// The edges that could not collapse in this sweep.
    refused: Vec<[u32; 2]>,
}

impl PartCleanup {
    /// A part of a mesh, with the number of vertices that each vertex replaces, and its contact.
    fn new(mut part: MeshPart, counts: &[Real], contacts: &[Contact]) -> Self {
        part.mesh.min_kept_quality = MIN_KEPT_QUALITY;
        let (counts, contacts) = (part.pick(counts), part.pick(contacts));
        let is_new = vec![false; counts.len()];
        let (moved, refused) = Default::default();
        PartCleanup { part, counts, contacts, is_new, moved, refused }
    }

    /// Collapses short edges and slivers.
    fn clean(mut self, short: Real) -> Self {
        let mut candidates = self.candidates(self.part.mesh.triangles(), &[], short);
        for _ in 0..MAX_SWEEPS {
            for (_, edge) in candidates {
                self.collapse(edge);
            }
            if self.moved.is_empty() {
                break;
            }
            let (changed, again) = self.changed();
            candidates = self.candidates(changed.into_iter(), &again, short);
        }
        self
    }

    /// The triangles that have changed in this sweep, and the edges that were refused beside
    /// them. The next sweep begins.
    fn changed(&mut self) -> (Vec<[u32; 3]>, Vec<[u32; 2]>) {
        let mut again = std::mem::take(&mut self.refused);
        again.retain(|edge| edge.iter().any(|&v| self.is_new[v as usize]));
        self.moved.sort_unstable();
        self.moved.dedup();
        self.is_new.fill(false);
        self.moved.iter().for_each(|&v| self.is_new[v as usize] = true);
        let mut changed = Vec::new();
        for &v in &self.moved {
            // Each triangle comes once, with the first of its moved corners.
            let is_first = |side: &&Side| side.iter().all(|&u| u > v || !self.is_new[u as usize]);
            let star = self.part.mesh.star(v);
            changed.extend(star.iter().filter(is_first).map(|&[a, b]| [v, a, b]));
        }
        self.is_new.fill(false);
        self.moved.clear();
        (changed, again)
    }

    /// Short edges of triangles, the shortest ones of slivers, and edges to try `again`, with their
    /// squared lengths, shortest first.
    fn candidates(
        &self,
        triangles: impl Iterator<Item = [u32; 3]>,
        again: &[[u32; 2]],
        short: Real,
    ) -> Vec<(Real, [u32; 2])> {
        let mesh = &self.part.mesh;
        let mut edges: Vec<(Real, [u32; 2])> =
            again.iter().map(|&edge| (mesh.length_squared(edge), edge)).collect();
        for triangle @ [a, b, c] in triangles {
            let sides = [[a, b], [b, c], [c, a]].map(|side| (mesh.length_squared(side), side));
            let shortest = sides.into_iter().fold(sides[0], |s, o| if o.0 < s.0 { o } else { s });
            // Each edge is the side of two triangles, once in either direction.
            let is_short = |(length, _): &(Real, [u32; 2])| *length < short * short;
            edges.extend(sides.into_iter().filter(|side| is_short(side) && side.1[0] < side.1[1]));
            if !is_short(&shortest) {
                let shape = TriangleShape::new(triangle.map(|v| mesh.positions[v as usize]));
                if shape.quality < SLIVER {
                    edges.push(shortest);
                }
            }
        }
        edges.retain(|(_, edge)| mesh.is_open(*edge));
        edges.sort_unstable_by(|(s, e), (t, f)| s.total_cmp(t).then(e.cmp(f)));
        edges.dedup();
        edges
    }

    /// Merges the vertices of an edge at the mean of all that they stand for.
    fn collapse(&mut self, edge: [u32; 2]) {
        let mesh = &self.part.mesh;
        if !mesh.is_open(edge) {
            return;
        }
        let edge = self.part.in_order(edge);
        let [kept, gone] = edge.map(|v| v as usize);
        let Some(firmer) = self.firmer([kept, gone]) else { return };
        let (m, n) = (self.counts[kept], self.counts[gone]);
        let mean = |of: &[Vec3]| (of[kept] * m + of[gone] * n) / (m + n);
        let is_alike = self.contacts[kept] == self.contacts[gone];
        let place = if is_alike { mean(&mesh.positions) } else { mesh.positions[firmer] };
        let normal = mean(&mesh.normals).try_normalize(0.0).unwrap_or(mesh.normals[kept]);
        if self.part.merge(edge, place, normal) {
            self.counts[kept] += n;
            self.contacts[kept] = self.contacts[firmer];
            self.moved.push(edge[0]);
            self.is_new[kept] = true;
            let around = self.part.mesh.stars().into_iter().flatten();
            around.for_each(|side| self.is_new[side[0] as usize] = true);
        } else {
            self.refused.push(edge);
        }
    }

    /// The one of two vertices that lies on all that the other lies on, if one does.
    fn firmer(&self, [v, w]: [usize; 2]) -> Option<usize> {
        let covers = |v: usize, w: usize| self.contacts[v].covers(&self.contacts[w]);
        if covers(v, w) { Some(v) } else { covers(w, v).then_some(w) }
    }

    /// Writes the part back to the mesh.
    fn write_back(&self, mesh: &mut SurfaceMesh, contacts: &mut [Contact], merged: &mut MergeMap) {
        self.part.write_back(mesh, merged);
        for (&v, &contact) in self.part.vertices.iter().zip(&self.contacts) {
            contacts[v as usize] = contact;
        }
    }
}
