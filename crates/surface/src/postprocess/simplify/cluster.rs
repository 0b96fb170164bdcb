//! Vertices that marching cubes places around the same grid point become one.
//!
//! Idea: Moore & Warren, Compact isocontours from sampled data (1992). A vertex belongs to the grid
//! point that it is nearest to. Vertices that lie close together belong to one grid point nearly
//! always, so that most slivers go at the price of a few passes over the triangles, without a queue
//! of edges. What is left is for [`cleanup`](crate::postprocess::simplify::cleanup).
//!
//! A *cluster* is a connected set of vertices with the same grid point; it becomes a vertex at
//! their mean. Triangles with two corners in a cluster vanish. The mesh stays a closed 2-manifold
//! of the same topology:
//!
//! 1. A cluster must be a disc: its vertices, edges and triangles add up to V − E + F = 1. A drop
//!    around one grid point is none, nor is a ring around a strand.
//! 2. Around each vertex of the new mesh the triangles must form one fan, of three or more.
//! 3. No new triangle may face away from the normals of its corners, or be degenerate.
//!
//! Where one of these fails, the clusters that take part fall apart into their vertices, until
//! none fails. That ends, at the latest with the old mesh, and depends on no order.
//!
//! With several fluids, vertices of a cluster part the same two of them. Vertices on junction
//! curves are clusters of their own; the triangles around such a vertex must form fans between two
//! fluids each, in which no vertex comes twice.
//!
//! Deviations from Moore & Warren: they leave open what to do where a cluster is no disc, and look
//! at no fans.

use crate::mesh::SurfaceMesh;
use crate::postprocess::contact::flat::Contact;
use crate::postprocess::rings::Rings;
use crate::postprocess::simplify::merged::MergeMap;
use crate::postprocess::triangle::{TriangleShape, filtered};
use hashfall_core::cell::{NO_KEY, cell_key, cell_of};
use hashfall_core::{Real, Vec3, parallel};
use std::sync::atomic::{AtomicI32, Ordering};

/// What a vertex parts if it is on a junction curve, where it stays as it is.
pub(crate) const ON_CURVE: u32 = u32::MAX;

/// A triangle of lower quality is degenerate.
const FLAT: Real = 0.1;

/// On walls vertices are this far apart, in edges of a marching-cubes cell: at the default
/// resolution as far as particles are.
const WALL_CELLS: Real = 4.0;

/// The rings of vertices within the rim of a contact that stay, so that its shading does.
const RIM_RINGS: usize = 3;

/// Merges the vertices around each grid point, on cells with an edge of `cell` \[m\]. `parts` tells
/// for each vertex what it parts, if there are several fluids. Returns the old numbers of the
/// vertices that are left.
pub(crate) fn merge_around_grid_points(
    mesh: &mut SurfaceMesh,
    parts: Option<&[u32]>,
    cell: Real,
) -> Vec<u32> {
    let keys = keys(&mesh.positions, cell, |_| true);
    merge(mesh, parts, &keys)
}

/// Merges vertices amid the contact with a wall, which is flat whatever they are: only what is on
/// it is sampled less often. Otherwise as [`merge_around_grid_points`].
pub(crate) fn merge_on_walls(
    mesh: &mut SurfaceMesh,
    contacts: &[Contact],
    parts: Option<&[u32]>,
    cell: Real,
) -> Vec<u32> {
    let unchanged = || (0..contacts.len() as u32).collect();
    let mut is_amid: Vec<bool> = contacts.iter().map(Contact::is_on_one_wall).collect();
    if !is_amid.contains(&true) {
        return unchanged();
    }
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|v| contacts[v as usize]);
        if a != b || b != c {
            triangle.iter().for_each(|&v| is_amid[v as usize] = false);
        }
    }
    for _ in 0..RIM_RINGS {
        let before = is_amid.clone();
        for triangle in &mesh.triangles {
            if triangle.iter().any(|&v| !before[v as usize]) {
                triangle.iter().for_each(|&v| is_amid[v as usize] = false);
            }
        }
    }
    if !is_amid.contains(&true) {
        return unchanged();
    }
    let keys = keys(&mesh.positions, WALL_CELLS * cell, |v| is_amid[v]);
    merge(mesh, parts, &keys)
}

/// The nearest grid point of each vertex that may merge, on cells with an edge of `cell` \[m\].
fn keys(positions: &[Vec3], cell: Real, may_merge: impl Fn(usize) -> bool + Sync) -> Vec<u64> {
    let mut keys = vec![NO_KEY; positions.len()];
    parallel::fill(&mut keys, |v, key| {
        if may_merge(v) {
            *key = cell_key(cell_of(&positions[v].add_scalar(0.5 * cell), cell));
        }
    });
    keys
}

/// Merges the vertices of each cluster, of neighbours with the same key; returns the old numbers of
/// those that are left.
fn merge(mesh: &mut SurfaceMesh, parts: Option<&[u32]>, keys: &[u64]) -> Vec<u32> {
    let part = |v: u32| parts.map_or(0, |parts| parts[v as usize]);
    let is_one = |[v, w]: [u32; 2]| {
        let key = keys[v as usize];
        key == keys[w as usize] && key != NO_KEY && part(v) == part(w) && part(v) != ON_CURVE
    };
    let mut clusters = Clusters::new(mesh, is_one);
    // The vertices around which something has changed.
    let is_merged = |&first: &u32| clusters.counts[first as usize] > 1;
    let mut suspects: Vec<bool> = clusters.into.iter().map(is_merged).collect();
    while suspects.contains(&true) {
        let around = clusters.triangles_around(&mesh.triangles, &suspects);
        let failed = clusters.failed(&around, parts);
        suspects = clusters.dissolve(mesh, &failed);
    }
    let Clusters { into, places, normals, .. } = clusters;
    let merged = |k: usize| Some(mesh.triangles[k].map(|v| into[v as usize])).filter(is_whole);
    let triangles = parallel::filter_map(mesh.triangles.len(), merged);
    (mesh.positions, mesh.normals) = (places, normals);
    MergeMap { into, counts: Vec::new(), triangles }.apply(mesh)
}

/// Whether the corners of a triangle are three.
fn is_whole([a, b, c]: &[u32; 3]) -> bool {
    a != b && b != c && c != a
}

/// Which vertices become one.
struct Clusters {
    /// The first vertex of each one's cluster.
    into: Vec<u32>,
    /// How many vertices the cluster of a first vertex has.
    counts: Vec<u32>,
    /// Where the cluster of a first vertex lies, and its unit normal.
    places: Vec<Vec3>,
    normals: Vec<Vec3>,
}

/// Part of the mesh that clusters make.
struct Around {
    /// The triangles, by the first vertices of clusters.
    triangles: Vec<[u32; 3]>,
    /// Whether all triangles of a vertex are there.
    is_whole: Vec<bool>,
}

impl Clusters {
    fn new(mesh: &SurfaceMesh, is_one: impl Fn([u32; 2]) -> bool + Sync) -> Self {
        let mut into = connected(&mesh.triangles, mesh.positions.len(), is_one);
        let mut counts = vec![0; into.len()];
        into.iter().for_each(|&first| counts[first as usize] += 1);
        let euler = euler_characteristics(&into, &counts, &mesh.triangles);
        let is_disc = |first: u32| euler[first as usize] == 1;
        (0..).zip(&mut into).filter(|(_, first)| !is_disc(**first)).for_each(|(v, first)| {
            counts[v as usize] = 1;
            *first = v;
        });
        let (mut places, mut normals) = (mesh.positions.clone(), mesh.normals.clone());
        // Relative to the first, so that nothing is lost far from the origin.
        for (v, &first) in into.iter().enumerate().filter(|(v, first)| *v != **first as usize) {
            let first = first as usize;
            let offset = mesh.positions[v] - mesh.positions[first];
            places[first] += offset * (1.0 / counts[first] as Real);
            normals[first] += mesh.normals[v];
        }
        parallel::fill(&mut normals, |v, normal| {
            if counts[v] > 1 {
                *normal = normal.try_normalize(0.0).unwrap_or(mesh.normals[v]);
            }
        });
        Clusters { into, counts, places, normals }
    }

    /// The triangles around suspects and their neighbours, given all old ones.
    fn triangles_around(&self, triangles: &[[u32; 3]], suspects: &[bool]) -> Around {
        let touches = |t: &[u32; 3], flags: &[bool]| t.iter().any(|&v| flags[v as usize]);
        let merged = |t: &[u32; 3]| t.map(|v| self.into[v as usize]);
        let mut is_near = vec![false; suspects.len()];
        for triangle in filtered(triangles, |t| touches(t, suspects)) {
            merged(&triangle).iter().for_each(|&v| is_near[v as usize] = true);
        }
        let is_needed = |t: &[u32; 3]| is_whole(t) && touches(t, &is_near);
        let needed = |k: usize| Some(merged(&triangles[k])).filter(is_needed);
        let triangles = parallel::filter_map(triangles.len(), needed);
        Around { triangles, is_whole: is_near }
    }

    /// The vertices of clusters that must not be; some come repeatedly.
    fn failed(&self, Around { triangles, is_whole }: &Around, parts: Option<&[u32]>) -> Vec<u32> {
        let rings = Rings::new(triangles, self.into.len());
        let mut is_failed = vec![false; self.into.len()];
        parallel::fill(&mut is_failed, |v, is_failed| {
            *is_failed = is_whole[v]
                && match parts {
                    Some(parts) if parts[v] == ON_CURVE => !has_fans(&rings, v, parts),
                    _ => !is_one_fan(&rings, v),
                };
        });
        let torn: Vec<u32> =
            (0..).zip(is_failed).filter(|(_, is_failed)| *is_failed).map(|(v, _)| v).collect();
        let mut failed = torn.clone();
        failed.extend(torn.iter().flat_map(|&v| rings.triangles(v as usize).flatten()));
        failed.extend(filtered(triangles, |t| self.is_folded(t)).into_iter().flatten());
        failed
    }

    /// Whether a triangle faces away from the normals of its corners, or is degenerate.
    fn is_folded(&self, triangle: &[u32; 3]) -> bool {
        let corners = triangle.map(|v| v as usize);
        if corners.iter().all(|&v| self.counts[v] == 1) {
            return false;
        }
        let places @ [a, b, c] = corners.map(|v| self.places[v]);
        let outwards: Vec3 = corners.iter().map(|&v| self.normals[v]).sum();
        let faces_out = (b - a).cross(&(c - a)).dot(&outwards) > 0.0;
        !faces_out || TriangleShape::is_worse(places, FLAT)
    }

    /// Dissolves the clusters of some vertices; returns whether each vertex was in one.
    fn dissolve(&mut self, mesh: &SurfaceMesh, failed: &[u32]) -> Vec<bool> {
        let mut is_open = vec![false; self.into.len()];
        failed.iter().for_each(|&v| is_open[v as usize] = self.counts[v as usize] > 1);
        let dissolved: Vec<bool> = self.into.iter().map(|&v| is_open[v as usize]).collect();
        for v in (0..dissolved.len()).filter(|&v| dissolved[v]) {
            self.into[v] = v as u32;
            self.counts[v] = 1;
            self.places[v] = mesh.positions[v];
            self.normals[v] = mesh.normals[v];
        }
        dissolved
    }
}

/// The first vertex of each vertex's cluster, given which neighbours are in one.
fn connected(
    triangles: &[[u32; 3]],
    vertices: usize,
    is_one: impl Fn([u32; 2]) -> bool + Sync,
) -> Vec<u32> {
    let within = |&[a, b, c]: &[u32; 3]| {
        // Each edge is the side of two triangles, once in either direction.
        let sides = [[a, b], [b, c], [c, a]].into_iter();
        sides.filter(|&[v, w]| v < w && is_one([v, w]))
    };
    let edges = parallel::flat_map(triangles.len(), |k| within(&triangles[k]));
    let mut into: Vec<u32> = (0..vertices as u32).collect();
    for edge in edges {
        let [v, w] = edge.map(|v| first(&into, v));
        into[v.max(w) as usize] = v.min(w);
    }
    (0..into.len()).for_each(|v| into[v] = into[into[v] as usize]);
    into
}

/// The first vertex that one is connected with. Clusters are small: chains are short.
fn first(into: &[u32], mut v: u32) -> u32 {
    while into[v as usize] != v {
        v = into[v as usize];
    }
    v
}

/// V − E + F of each cluster, by its first vertex.
fn euler_characteristics(into: &[u32], counts: &[u32], triangles: &[[u32; 3]]) -> Vec<i32> {
    // Threads may add in any order: these are integers.
    let euler: Vec<AtomicI32> = counts.iter().map(|&count| AtomicI32::new(count as i32)).collect();
    let of = |v: u32| into[v as usize];
    let count = |[a, b, c]: [u32; 3]| {
        let add = |v: u32, number| euler[of(v) as usize].fetch_add(number, Ordering::Relaxed);
        for [v, w] in [[a, b], [b, c], [c, a]] {
            if v < w && of(v) == of(w) {
                add(v, -1);
            }
        }
        if of(a) == of(b) && of(b) == of(c) {
            add(a, 1);
        }
    };
    parallel::for_ranges(triangles.len(), parallel::CHUNK, &|part| {
        triangles[part].iter().copied().for_each(count);
    });
    euler.into_iter().map(AtomicI32::into_inner).collect()
}

/// Whether the triangles around a vertex form one fan, of three or more.
fn is_one_fan(rings: &Rings, v: usize) -> bool {
    let (starts, ends) = rings.sides(v);
    let Some(&first) = starts.first() else { return false };
    let mut at = first;
    for step in 1..=starts.len() {
        // The only side that begins here: a second one leads back too early, or never is met.
        let Some(side) = starts.iter().position(|&start| start == at) else { return false };
        at = ends[side];
        if at == first {
            return step == starts.len() && step > 2;
        }
    }
    false
}

/// Whether no vertex comes twice in the fans around a vertex on a junction curve that part the same
/// fluids.
fn has_fans(rings: &Rings, v: usize, parts: &[u32]) -> bool {
    let (starts, ends) = rings.sides(v);
    let part = |side: usize| {
        let [a, b] = [starts[side], ends[side]].map(|u| parts[u as usize]);
        if a == ON_CURVE { b } else { a }
    };
    let alike = |i: usize, j: usize| starts[i] == starts[j] || ends[i] == ends[j];
    (0..starts.len()).all(|i| (0..i).all(|j| !(alike(i, j) && part(i) == part(j))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rings_around_0(sides: &[[u32; 2]]) -> Rings {
        let triangles: Vec<[u32; 3]> = sides.iter().map(|&[a, b]| [0, a, b]).collect();
        Rings::new(&triangles, 9)
    }

    #[test]
    fn a_fan_closes_once_and_has_three_triangles() {
        let is_one = |sides: &[[u32; 2]]| is_one_fan(&rings_around_0(sides), 0);
        assert!(is_one(&[[1, 2], [3, 1], [2, 3]]));
        assert!(!is_one(&[[1, 2], [2, 1]]), "two triangles back to back");
        assert!(!is_one(&[[1, 2], [2, 3], [3, 1], [4, 5], [5, 6], [6, 4]]), "two fans");
        assert!(!is_one(&[[1, 2], [2, 3], [3, 1], [1, 5], [5, 6], [6, 1]]), "pinched");
        assert!(!is_one(&[[1, 2], [2, 3]]), "open");
    }
}
