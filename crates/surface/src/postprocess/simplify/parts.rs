//! Parts of a mesh in which edges are collapsed in parallel.
//!
//! A part is some of the triangles, with vertices renumbered, so that it fits into a cache and
//! needs no other part: those in a cube. Vertices that parts share stay as they are, and are left
//! for another round with cubes elsewhere. The result depends on the parts, not on the threads.

use crate::mesh::SurfaceMesh;
use crate::postprocess::simplify::collapse::Collapser;
use crate::postprocess::simplify::merged::MergeMap;
use hashfall_core::cell::{cell_key, cell_of};
use hashfall_core::parallel::{self, Buffers};
use hashfall_core::{Real, Vec3};
use std::ops::Range;

/// Edge of the first round's cubes, in edges of a marching-cubes cell.
pub(crate) const CUBE: Real = 64.0;

/// Some triangles of a mesh, with vertices renumbered.
pub(crate) struct MeshPart {
    /// The triangles, under change.
    pub mesh: Collapser,
    /// The vertices' numbers in the whole mesh.
    pub vertices: Vec<u32>,
    /// Pairs (kept, gone) in the order in which they were merged.
    mergers: Vec<[u32; 2]>,
}

impl MeshPart {
    /// Extracts triangles of a mesh. `places` is filled with `u32::MAX` before and after.
    pub fn extract(
        mesh: &SurfaceMesh,
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
        MeshPart { mesh, vertices, mergers: Vec::new() }
    }

    /// The values of the whole mesh at the vertices of the part.
    pub fn pick<T: Copy>(&self, values: &[T]) -> Vec<T> {
        self.vertices.iter().map(|&v| values[v as usize]).collect()
    }

    /// The vertices of an edge, the one with the lower number in the whole mesh first: it is kept,
    /// so that the order of components does not change.
    pub fn in_order(&self, mut edge: [u32; 2]) -> [u32; 2] {
        edge.sort_unstable_by_key(|&v| self.vertices[v as usize]);
        edge
    }

    /// Merges the vertices of an edge in order, if topology and shape allow it.
    pub fn merge(&mut self, edge: [u32; 2], place: Vec3, normal: Vec3) -> bool {
        let is_merged = self.mesh.merge(edge, place, normal);
        if is_merged {
            self.mergers.push(edge);
        }
        is_merged
    }

    /// Writes the part back to the mesh.
    pub fn write_back(&self, mesh: &mut SurfaceMesh, merged: &mut MergeMap) {
        let whole = |v: u32| self.vertices[v as usize];
        for (i, &v) in self.vertices.iter().enumerate() {
            mesh.positions[v as usize] = self.mesh.positions[i];
            mesh.normals[v as usize] = self.mesh.normals[i];
        }
        self.mergers.iter().for_each(|pair| merged.merge(pair.map(whole)));
        merged.triangles.extend(self.mesh.triangles().map(|t| t.map(whole)));
    }
}

/// Triangles by the cubes in which their first corners lie, those of a cube in the order in which
/// they were. A cube's edge is `cube` \[m\]; all are moved by −`shift` \[m\] along each axis.
pub(crate) fn by_cubes(
    triangles: &[[u32; 3]],
    positions: &[Vec3],
    cube: Real,
    shift: Real,
) -> Vec<Vec<[u32; 3]>> {
    let mut keys = vec![0; triangles.len()];
    parallel::fill(&mut keys, |t, key| {
        let corner = positions[triangles[t][0] as usize];
        *key = cell_key(cell_of(&corner.add_scalar(shift), cube));
    });
    // They come mostly in runs of one cube.
    let mut start = 0;
    let mut runs: Vec<(u64, Range<usize>)> = Vec::new();
    for run in keys.chunk_by(|a, b| a == b) {
        runs.push((run[0], start..start + run.len()));
        start += run.len();
    }
    runs.sort_by_key(|(key, _)| *key);
    let cubes: Vec<_> = runs.chunk_by(|a, b| a.0 == b.0).collect();
    let of_cube = |cube: usize| {
        cubes[cube].iter().flat_map(|(_, run)| &triangles[run.clone()]).copied().collect()
    };
    parallel::map(cubes.len(), of_cube)
}

/// Extracts the parts and processes them in parallel.
pub(crate) fn side_by_side<T: Send>(
    mesh: &SurfaceMesh,
    parts: &[&[[u32; 3]]],
    is_fixed: impl Fn(usize) -> bool + Sync,
    work: impl Fn(MeshPart) -> T + Sync,
) -> Vec<T> {
    let places = Buffers::new(|| vec![u32::MAX; mesh.positions.len()]);
    parallel::map_pieces(parts.len(), &|k| {
        work(places.with(|places| MeshPart::extract(mesh, parts[k], &is_fixed, places)))
    })
}

/// Whether each of the vertices has triangles in more than one part.
pub(crate) fn shared_vertices(vertices: usize, parts: &[&[[u32; 3]]]) -> Vec<bool> {
    const NO_PART: u32 = u32::MAX;
    let mut part_of = vec![NO_PART; vertices];
    let mut shared = vec![false; vertices];
    for (part, triangles) in parts.iter().enumerate() {
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
