//! Edge collapses that keep the mesh a closed 2-manifold of the same topology.
//!
//! Collapsing an edge merges its two vertices; the two triangles along it vanish. The mesh
//! stays a closed 2-manifold of the same topology if and only if the links of the two vertices meet
//! in the link of the edge (Dey, Edelsbrunner, Guha & Nekhayev 1999): they have exactly two common
//! neighbours, and these are not joined by a triangle on both sides.
//!
//! A collapse is also refused where it would leave a triangle that is worse than the worst before,
//! or one that faces away from the normals of its corners.
//!
//! Each vertex has its triangles in a linked list of corners (3t + k is corner k of triangle t), so
//! that merged vertices splice their lists. Removed triangles leave a list when it is next read.

use crate::postprocess::triangle::TriangleShape;
use hashfall_core::{Real, Vec3};

/// No corner; also what a removed triangle has for vertices.
const NONE: u32 = u32::MAX;

/// A triangle of this quality is good enough whatever it replaces.
const GOOD: Real = 0.3;

/// A mesh under change.
pub(crate) struct Collapser {
    /// Vertex positions \[m\].
    pub positions: Vec<Vec3>,
    /// Unit normals: the side that triangles must face.
    pub normals: Vec<Vec3>,
    /// The least relative quality that the worst triangle of a neighbourhood must keep.
    pub min_kept_quality: Real,
    /// Whether each vertex is fixed: it neither moves nor merges.
    is_fixed: Vec<bool>,
    triangles: Vec<[u32; 3]>,
    /// The first corner at each vertex; `NONE` if the vertex was merged.
    first: Vec<u32>,
    /// The next corner at the same vertex.
    next: Vec<u32>,
    stars: [Vec<Side>; 2],
}

/// The triangle at a vertex, by the side opposite to it.
pub(crate) type Side = [u32; 2];

impl Collapser {
    /// A mesh, or a part of one; the vertices that are fixed are those that other parts share.
    pub fn new(
        positions: Vec<Vec3>,
        normals: Vec<Vec3>,
        is_fixed: Vec<bool>,
        triangles: Vec<[u32; 3]>,
    ) -> Self {
        let mut first = vec![NONE; positions.len()];
        let mut next = vec![NONE; 3 * triangles.len()];
        for (corner, &v) in triangles.iter().flatten().enumerate() {
            next[corner] = std::mem::replace(&mut first[v as usize], corner as u32);
        }
        let stars = Default::default();
        let min_kept_quality = 1.0;
        Collapser { positions, normals, min_kept_quality, is_fixed, triangles, first, next, stars }
    }

    /// The triangles that are left.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.triangles.iter().copied().filter(|t| t[0] != NONE)
    }

    /// Whether an edge may collapse: both its vertices exist and can move.
    pub fn is_open(&self, [v, w]: [u32; 2]) -> bool {
        let is_open = |v: u32| !self.is_fixed[v as usize] && self.first[v as usize] != NONE;
        is_open(v) && is_open(w)
    }

    /// Length of the segment between two vertices, squared \[m²\].
    pub fn length_squared(&self, [v, w]: [u32; 2]) -> Real {
        (self.positions[v as usize] - self.positions[w as usize]).norm_squared()
    }

    /// Merges `gone` into `kept` at a new place with a new normal, if topology and shape allow it.
    pub fn merge(&mut self, [kept, gone]: [u32; 2], place: Vec3, normal: Vec3) -> bool {
        self.list_stars([kept, gone]);
        let allowed = keeps_topology(self.stars(), gone)
            && self.keeps_shape(self.stars(), [kept, gone], &place, &normal);
        if allowed {
            self.splice(kept, gone);
            self.positions[kept as usize] = place;
            self.normals[kept as usize] = normal;
        }
        allowed
    }

    /// The triangles around each of the two vertices that [`Self::list_stars`] was last given.
    pub fn stars(&self) -> [&[Side]; 2] {
        self.stars.each_ref().map(Vec::as_slice)
    }

    /// The neighbours of a vertex.
    pub fn neighbors(&mut self, v: u32) -> Vec<u32> {
        self.star(v).iter().map(|side| side[0]).collect()
    }

    /// The triangles around a vertex.
    pub fn star(&mut self, v: u32) -> &[Side] {
        let mut star = std::mem::take(&mut self.stars[0]);
        self.list_star(v, &mut star);
        self.stars[0] = star;
        &self.stars[0]
    }

    /// Lists the triangles around two vertices.
    pub fn list_stars(&mut self, vertices: [u32; 2]) {
        let mut stars = std::mem::take(&mut self.stars);
        stars.iter_mut().zip(vertices).for_each(|(star, v)| self.list_star(v, star));
        self.stars = stars;
    }

    /// Lists the triangles around a vertex.
    fn list_star(&mut self, v: u32, star: &mut Vec<Side>) {
        star.clear();
        let (mut index, mut last) = (self.first[v as usize], NONE);
        while index != NONE {
            let following = self.next[index as usize];
            let triangle = self.triangles[index as usize / 3];
            if triangle[0] != NONE {
                let k = index as usize % 3;
                star.push([triangle[(k + 1) % 3], triangle[(k + 2) % 3]]);
                last = index;
            } else if last == NONE {
                self.first[v as usize] = following;
            } else {
                self.next[last as usize] = following;
            }
            index = following;
        }
    }

    /// Whether no triangle that is left turns away from its corners' normals that did not before,
    /// and none is much worse than the worst before.
    fn keeps_shape(
        &self,
        stars: [&[Side]; 2],
        edge: [u32; 2],
        place: &Vec3,
        normal: &Vec3,
    ) -> bool {
        let at = |v: u32| self.positions[v as usize];
        let turns_away = |shape: &TriangleShape, normal: &Vec3, [a, b]: [u32; 2]| {
            let outwards = normal + self.normals[a as usize] + self.normals[b as usize];
            shape.normal.dot(&outwards) < 0.0
        };
        let mut worst = GOOD;
        for (v, star) in edge.into_iter().zip(stars) {
            let left = star.iter().filter(|side| !side.iter().any(|v| edge.contains(v)));
            for &side in left {
                let [a, b] = side.map(at);
                let shape = TriangleShape::new([*place, a, b]);
                if turns_away(&shape, normal, side)
                    && !turns_away(
                        &TriangleShape::new([at(v), a, b]),
                        &self.normals[v as usize],
                        side,
                    )
                {
                    return false;
                }
                worst = worst.min(shape.quality);
            }
        }
        let quality =
            |v: u32, side: &Side| TriangleShape::new([at(v), at(side[0]), at(side[1])]).quality;
        let is_worse = |v: u32, star: &[Side]| {
            star.iter().any(|side| self.min_kept_quality * quality(v, side) <= worst)
        };
        worst >= GOOD || (0..2).any(|k| is_worse(edge[k], stars[k]))
    }

    /// Moves the triangles of `gone` to `kept`, and removes those along their edge.
    fn splice(&mut self, kept: u32, gone: u32) {
        let mut index = self.first[gone as usize];
        while index != NONE {
            let following = self.next[index as usize];
            let triangle = &mut self.triangles[index as usize / 3];
            if triangle.contains(&kept) {
                *triangle = [NONE; 3];
            } else if triangle[0] != NONE {
                triangle[index as usize % 3] = kept;
                self.next[index as usize] = self.first[kept as usize];
                self.first[kept as usize] = index;
            }
            index = following;
        }
        self.first[gone as usize] = NONE;
    }
}

/// The link condition.
fn keeps_topology([around_kept, around_gone]: [&[Side]; 2], gone: u32) -> bool {
    let is_neighbor = |v: u32| around_kept.iter().any(|side| side[0] == v);
    if !is_neighbor(gone) {
        return false;
    }
    let mut common = around_gone.iter().map(|side| side[0]).filter(|&v| is_neighbor(v));
    let (Some(a), Some(b), None) = (common.next(), common.next(), common.next()) else {
        return false;
    };
    let joins = |side: &Side| *side == [a, b] || *side == [b, a];
    !(around_kept.iter().any(joins) && around_gone.iter().any(joins))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collapser(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Collapser {
        let normals = positions.iter().map(|p| p.normalize()).collect();
        let is_fixed = vec![false; positions.len()];
        Collapser::new(positions, normals, is_fixed, triangles)
    }

    fn sides(mesh: &Collapser) -> Vec<[u32; 2]> {
        mesh.triangles().flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]]).collect()
    }

    /// Merges the second vertex into the first, which stays where it is.
    fn merge(mesh: &mut Collapser, [kept, gone]: [u32; 2]) -> bool {
        let (place, normal) = (mesh.positions[kept as usize], mesh.normals[kept as usize]);
        mesh.merge([kept, gone], place, normal)
    }

    #[test]
    fn an_octahedron_loses_edges_down_to_a_tetrahedron_and_no_farther() {
        let x = [Vec3::x(), Vec3::y(), Vec3::z()];
        let corners = vec![x[0], x[1], x[2], -x[0], -x[1], -x[2]];
        let above = [[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2]];
        let below = above.map(|[a, b, _]| [b, a, 5]);
        let mut mesh = collapser(corners, [above, below].concat());
        assert!(!merge(&mut mesh, [0, 3]), "no edge");
        for left in [6, 4] {
            assert!(sides(&mesh).into_iter().any(|edge| merge(&mut mesh, edge)));
            assert_eq!(mesh.triangles().count(), left);
        }
        assert!(!sides(&mesh).into_iter().any(|edge| merge(&mut mesh, edge)));
    }
}
