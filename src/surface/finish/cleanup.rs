//! Slivers and needles out of marching cubes: short edges are collapsed, the shortest first.
//!
//! Idea: Moore & Warren, Compact isocontours from sampled data (1992): vertices that marching cubes
//! puts near the same grid point are replaced by their mean. Deviations: vertices belong together
//! if an edge between them is shorter than [`SHORT`] cells, so the grid need not be known; each
//! merger is checked ([`super::collapse`]), so that the mesh stays closed and 2-manifold, with the
//! same topology; and triangles that are slivers all the same lose their shortest edge.
//!
//! A vertex that stands for n others lies at their mean; its normal and attributes are means too.
//!
//! Parts of [`PART`] triangles in a row are cleaned side by side, without the vertices that parts
//! share; then the whole is gone over once more. Parts do not depend on the number of threads.

use super::collapse::Collapser;
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

/// Removes short edges and slivers from a mesh cut from cells of this edge \[m\].
pub(super) fn clean(mesh: &mut SurfaceMesh, cell: Real) {
    let short = SHORT * cell;
    if mesh.triangles.len() > PART {
        clean_parts(mesh, PART, short);
    }
    clean_parts(mesh, mesh.triangles.len().max(1), short);
}

/// Cleans parts of so many triangles, each by itself.
fn clean_parts(mesh: &mut SurfaceMesh, length: usize, short: Real) {
    let shared = shared_vertices(mesh, length);
    let new_places = || vec![u32::MAX; mesh.positions.len()];
    let clean = |places: &mut Vec<u32>, triangles: &[[u32; 3]]| {
        let mut part = Part::cut(mesh, triangles, &shared, places);
        part.clean(short);
        part
    };
    let parts: Vec<Part> = mesh.triangles.par_chunks(length).map_init(new_places, clean).collect();
    let mut merged = Merged::nothing_of(mesh);
    parts.iter().for_each(|part| part.hand_over(mesh, &mut merged));
    merged.apply(mesh);
}

/// Which vertices have triangles in more than one part.
fn shared_vertices(mesh: &SurfaceMesh, length: usize) -> Vec<bool> {
    const NO_PART: u32 = u32::MAX;
    let mut part_of = vec![NO_PART; mesh.positions.len()];
    let mut shared = vec![false; mesh.positions.len()];
    for (part, triangles) in mesh.triangles.chunks(length).enumerate() {
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
    /// How many vertices each one stands for.
    counts: Vec<Real>,
    /// Pairs (kept, gone) in the order in which they were merged.
    mergers: Vec<[u32; 2]>,
}

impl Part {
    /// Cuts triangles out of a mesh. `places` is filled with `u32::MAX`, and is left so.
    fn cut(
        mesh: &SurfaceMesh,
        triangles: &[[u32; 3]],
        shared: &[bool],
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
            all().map(|v| shared[v]).collect(),
            triangles,
        );
        let counts = vec![1.0; vertices.len()];
        Part { mesh, vertices, counts, mergers: Vec::new() }
    }

    /// Collapses short edges and slivers.
    fn clean(&mut self, short: Real) {
        for _ in 0..MAX_SWEEPS {
            let before = self.mergers.len();
            for (_, edge) in self.candidates(short) {
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
        for triangle @ [a, b, c] in mesh.triangles() {
            let sides = [[a, b], [b, c], [c, a]].map(|side| (mesh.length_squared(side), side));
            let shortest = sides.into_iter().fold(sides[0], |s, o| if o.0 < s.0 { o } else { s });
            // Each edge is the side of two triangles, once in either direction.
            let is_short = |(length, [v, w]): &(Real, [u32; 2])| v < w && *length < short * short;
            edges.extend(sides.into_iter().filter(is_short));
            let shape = Shape::of(triangle.map(|v| mesh.positions[v as usize]));
            if shape.quality < SLIVER && !is_short(&shortest) {
                edges.push(shortest);
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
        let (m, n) = (self.counts[kept], self.counts[gone]);
        let mean = |of: &[Vec3]| (of[kept] * m + of[gone] * n) / (m + n);
        let place = mean(&self.mesh.positions);
        let normal = mean(&self.mesh.normals);
        let normal = normal.try_normalize(0.0).unwrap_or(self.mesh.normals[kept]);
        if self.mesh.merge(edge[0], edge[1], place, normal) {
            self.counts[kept] += n;
            self.mergers.push(edge);
        }
    }

    /// Writes what has become of the part.
    fn hand_over(&self, mesh: &mut SurfaceMesh, merged: &mut Merged) {
        let whole = |v: u32| self.vertices[v as usize];
        for (i, &v) in self.vertices.iter().enumerate() {
            mesh.positions[v as usize] = self.mesh.positions[i];
            mesh.normals[v as usize] = self.mesh.normals[i];
        }
        self.mergers.iter().for_each(|pair| merged.merge(pair.map(whole)));
        merged.triangles.extend(self.mesh.triangles().map(|t| t.map(whole)));
    }
}
