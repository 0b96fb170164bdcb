//! Slivers and needles out of marching cubes: short edges are collapsed, the shortest first.
//!
//! Idea: Moore & Warren, Compact isocontours from sampled data (1992): vertices that marching cubes
//! puts near the same grid point are replaced by their mean. Deviations: vertices belong together
//! if an edge between them is shorter than [`SHORT`] cells, so the grid need not be known; each
//! merger is checked ([`super::collapse`]), so that the mesh stays closed and 2-manifold, with the
//! same topology; and triangles that are slivers all the same lose their shortest edge.
//!
//! A vertex that stands for n others lies at their mean; its normal and attributes are means too.
//! One that lies on a solid stays there: it moves only to others on the same ones.
//!
//! Parts of [`PART`] triangles in a row are cleaned side by side, without the vertices that parts
//! share; then the seams between them, as one more part. Parts do not depend on the number of
//! threads.

use super::collapse::Collapser;
use super::flat::Contact;
use super::merged::Merged;
use super::triangle::Shape;
use crate::base::{Real, Vec3};
use crate::surface::SurfaceMesh;
use rayon::prelude::*;

/// Edges shorter than this are collapsed, in edges of a marching-cubes cell.
const SHORT: Real = 0.6;

/// A triangle of lower quality is a sliver.
const SLIVER: Real = 0.25;

/// Triangles of a part.
const PART: usize = 1 << 14;

/// Sweeps over a part; few are needed, as each starts from what the last one left.
const MAX_SWEEPS: usize = 4;

/// Removes short edges and slivers from a mesh cut from cells of this edge \[m\], the vertices of
/// which lie on what `contacts` tell.
pub(super) fn clean(mesh: &mut SurfaceMesh, contacts: &mut Vec<Contact>, cell: Real) {
    let short = SHORT * cell;
    let shared = shared_vertices(mesh);
    let mut merged = Merged::nothing_of(mesh);
    let new_places = || vec![u32::MAX; mesh.positions.len()];
    let clean = |places: &mut Vec<u32>, triangles: &[[u32; 3]]| {
        let mut part = Part::cut(mesh, contacts, &merged.counts, triangles, |v| shared[v], places);
        part.clean(short);
        part
    };
    let parts: Vec<Part> = mesh.triangles.par_chunks(PART).map_init(new_places, clean).collect();
    parts.iter().for_each(|part| part.hand_over(mesh, contacts, &mut merged));
    if parts.len() > 1 {
        clean_seams(mesh, contacts, &mut merged, &shared, short);
    }
    merged.apply(mesh, contacts);
}

/// Cleans what is left around vertices that were shared.
fn clean_seams(
    mesh: &mut SurfaceMesh,
    contacts: &mut [Contact],
    merged: &mut Merged,
    shared: &[bool],
    short: Real,
) {
    let touches = |t: &[u32; 3], flags: &[bool]| t.iter().any(|&v| flags[v as usize]);
    // Vertices may merge with those that were shared, if all their triangles are in the part.
    let mut near = vec![false; shared.len()];
    for triangle in merged.triangles.iter().filter(|t| touches(t, shared)) {
        triangle.iter().for_each(|&v| near[v as usize] = true);
    }
    let (seams, rest): (Vec<_>, Vec<_>) =
        std::mem::take(&mut merged.triangles).into_iter().partition(|t| touches(t, &near));
    merged.triangles = rest;
    let mut places = vec![u32::MAX; shared.len()];
    let mut part = Part::cut(mesh, contacts, &merged.counts, &seams, |v| !near[v], &mut places);
    part.clean(short);
    part.hand_over(mesh, contacts, merged);
}

/// Which vertices have triangles in more than one part.
fn shared_vertices(mesh: &SurfaceMesh) -> Vec<bool> {
    const NO_PART: u32 = u32::MAX;
    let mut part_of = vec![NO_PART; mesh.positions.len()];
    let mut shared = vec![false; mesh.positions.len()];
    for (part, triangles) in mesh.triangles.chunks(PART).enumerate() {
        for &v in triangles.iter().flatten() {
            let first = &mut part_of[v as usize];
            if *first == NO_PART {
                *first = part as u32;
            }
            shared[v as usize] |= *first != part as u32;
        }
    }
    shared
}

/// Some triangles of a mesh, with vertices numbered anew.
struct Part {
    mesh: Collapser,
    /// The vertices' numbers in the whole mesh.
    vertices: Vec<u32>,
    /// What each vertex lies on.
    contacts: Vec<Contact>,
    /// How many vertices each one stands for.
    counts: Vec<Real>,
    /// Pairs (kept, gone) in the order in which they were merged.
    mergers: Vec<[u32; 2]>,
    /// Vertices around which something has changed since the last sweep.
    is_new: Vec<bool>,
}

impl Part {
    /// Cuts triangles out of a mesh. `places` is filled with `u32::MAX`, and is left so.
    fn cut(
        mesh: &SurfaceMesh,
        contacts: &[Contact],
        counts: &[Real],
        triangles: &[[u32; 3]],
        is_fixed: impl Fn(usize) -> bool,
        places: &mut [u32],
    ) -> Self {
        let mut vertices = Vec::with_capacity(triangles.len() / 2 + 64);
        let mut place = |v: u32| {
            let place = &mut places[v as usize];
            if *place == u32::MAX {
                *place = vertices.len() as u32;
                vertices.push(v);
            }
            *place
        };
        let triangles = triangles.iter().map(|t| t.map(&mut place)).collect();
        vertices.iter().for_each(|&v| places[v as usize] = u32::MAX);
        let all = || vertices.iter().map(|&v| v as usize);
        let mesh = Collapser::new(
            all().map(|v| mesh.positions[v]).collect(),
            all().map(|v| mesh.normals[v]).collect(),
            all().map(is_fixed).collect(),
            triangles,
        );
        let counts = all().map(|v| counts[v]).collect();
        let contacts = all().map(|v| contacts[v]).collect();
        let is_new = vec![true; vertices.len()];
        Part { mesh, vertices, contacts, counts, mergers: Vec::new(), is_new }
    }

    /// Collapses short edges and slivers.
    fn clean(&mut self, short: Real) {
        for _ in 0..MAX_SWEEPS {
            let before = self.mergers.len();
            let candidates = self.candidates(short);
            self.is_new.fill(false);
            for (_, edge) in candidates {
                self.collapse(edge);
            }
            if self.mergers.len() == before {
                break;
            }
        }
    }

    /// Short edges and the shortest ones of slivers, with their squared lengths, shortest first.
    fn candidates(&self, short: Real) -> Vec<(Real, [u32; 2])> {
        let mesh = &self.mesh;
        let mut edges = Vec::new();
        let is_new = |t: &[u32; 3]| t.iter().any(|&v| self.is_new[v as usize]);
        for triangle @ [a, b, c] in mesh.triangles().filter(is_new) {
            let sides = [[a, b], [b, c], [c, a]].map(|side| (mesh.length_squared(side), side));
            let shortest = sides.into_iter().fold(sides[0], |s, o| if o.0 < s.0 { o } else { s });
            // Each edge is the side of two triangles, once in either direction.
            let is_short = |(length, _): &(Real, [u32; 2])| *length < short * short;
            edges.extend(sides.into_iter().filter(|side| is_short(side) && side.1[0] < side.1[1]));
            if !is_short(&shortest) {
                let shape = Shape::of(triangle.map(|v| mesh.positions[v as usize]));
                if shape.quality < SLIVER {
                    edges.push(shortest);
                }
            }
        }
        edges.retain(|(_, edge)| mesh.is_open(*edge));
        edges.sort_unstable_by(|(s, e), (t, f)| s.total_cmp(t).then(e.cmp(f)));
        edges
    }

    /// Merges the vertices of an edge at the mean of all that they stand for. The one with the
    /// lower number in the whole mesh is kept, so that the order of bodies stays what it is.
    fn collapse(&mut self, mut edge: [u32; 2]) {
        if !self.mesh.is_open(edge) {
            return;
        }
        edge.sort_unstable_by_key(|&v| self.vertices[v as usize]);
        let [kept, gone] = edge.map(|v| v as usize);
        let Some(firmer) = self.firmer([kept, gone]) else {
            return;
        };
        let (m, n) = (self.counts[kept], self.counts[gone]);
        let mean = |of: &[Vec3]| (of[kept] * m + of[gone] * n) / (m + n);
        let is_alike = self.contacts[kept] == self.contacts[gone];
        let positions = &self.mesh.positions;
        let place = if is_alike { mean(positions) } else { positions[firmer] };
        let normal = mean(&self.mesh.normals);
        let normal = normal.try_normalize(0.0).unwrap_or(self.mesh.normals[kept]);
        if self.mesh.merge(edge[0], edge[1], place, normal) {
            self.counts[kept] += n;
            self.contacts[kept] = self.contacts[firmer];
            self.is_new[kept] = true;
            self.mesh.last_neighbors().for_each(|v| self.is_new[v as usize] = true);
            self.mergers.push(edge);
        }
    }

    /// The one of two vertices that lies on all that the other lies on, if one does.
    fn firmer(&self, [v, w]: [usize; 2]) -> Option<usize> {
        let covers = |v: usize, w: usize| self.contacts[v].covers(&self.contacts[w]);
        if covers(v, w) { Some(v) } else { covers(w, v).then_some(w) }
    }

    /// Writes what has become of the part.
    fn hand_over(&self, mesh: &mut SurfaceMesh, contacts: &mut [Contact], merged: &mut Merged) {
        let whole = |v: u32| self.vertices[v as usize];
        for (i, &v) in self.vertices.iter().enumerate() {
            mesh.positions[v as usize] = self.mesh.positions[i];
            mesh.normals[v as usize] = self.mesh.normals[i];
            contacts[v as usize] = self.contacts[i];
        }
        self.mergers.iter().for_each(|pair| merged.merge(pair.map(whole)));
        merged.triangles.extend(self.mesh.triangles().map(|t| t.map(whole)));
    }
}
