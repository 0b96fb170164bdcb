//! Fine meshes that meet nothing: of these no triangle has to be known on its own.
//!
//! A fine mesh is *isolated* if it is one shell, no two of its triangles meet, its box comes near
//! that of no other mesh, and no body moves. Then all of it is on the boundary, but for what walls
//! take.
//! Whether triangles meet is asked of pairs of leaves of its hierarchy whose boxes overlap.

use super::arrangement::{ShellSum, joined_by_corners};
use super::cutting::bounds;
use super::overlay::Facet;
use crate::mesh_tree::MeshTree;
use crate::precision::to_point;
use crate::solids::Solids;
use hashfall_core::{Real, Vec3, parallel};
use hashfall_geometry::{Aabb, TriangleMesh};

/// A mesh that has triangles and encloses a volume.
pub(super) struct NumberedMesh {
    /// Its number among those that have triangles.
    pub number: u32,
    /// Its number among all.
    pub index: usize,
    /// Its first triangle among all.
    pub first: u32,
}

/// A fine mesh that meets nothing.
#[derive(Clone, Debug)]
pub struct IsolatedMesh {
    /// Among those that have triangles.
    pub number: u32,
    /// The most that may count as rounding \[m\].
    pub limit: f64,
}

impl IsolatedMesh {
    /// One of the meshes that stand, if it meets none of the others nor itself. The bodies of the
    /// world do not move.
    pub fn find(
        solids: &Solids,
        mesh: &NumberedMesh,
        others: &[NumberedMesh],
    ) -> Option<IsolatedMesh> {
        let number = mesh.number as usize;
        let fine = solids.fine_mesh(number)?;
        let own = &solids.triangles[solids.triangles_of(number)];
        let around = |number: u32| {
            let bounds = &solids.mesh_ends[number as usize].1;
            bounds.grown(margin_of(bounds))
        };
        let meets = |other: &NumberedMesh| {
            other.number != mesh.number && around(other.number).overlaps(&around(mesh.number))
        };
        if others.iter().any(meets) {
            return None;
        }
        let limit = fine.rounding_limit(|| {
            let limit = limit_of_one_shell(&solids.meshes[mesh.index], own)?;
            let isolated = IsolatedMesh { number: mesh.number, limit };
            (!isolated.meets_itself(&fine.tree, own)).then_some(limit)
        })?;
        Some(IsolatedMesh { number: mesh.number, limit })
    }

    /// A triangle of it.
    fn facet(&self, corners: &[Vec3; 3]) -> Facet {
        Facet::new(corners.map(|c| to_point(&c)), self.number).limited(self.limit)
    }

    /// Whether two triangles meet.
    fn meets_itself(&self, tree: &MeshTree, triangles: &[[Vec3; 3]]) -> bool {
        // What rounding takes from others, whose boxes are as in the tree.
        let margin = margin_of(tree.bounds());
        let leaves = tree.leaves();
        parallel::any(leaves.len(), |k| {
            let leaf = leaves.start + k;
            let own: Vec<(u32, Facet, Aabb)> = tree
                .leaf(leaf)
                .iter()
                .map(|&t| {
                    let facet = self.facet(&triangles[t as usize]);
                    (t, facet, bounds(&facet.corners))
                })
                .collect();
            let around = own.iter().fold(Aabb::EMPTY, |all, (.., own)| all.union(own));
            let around = around.grown(margin);
            let mut does_meet = false;
            tree.overlapping(&around, |other| {
                // Each pair of leaves once.
                if does_meet || other < leaf {
                    return;
                }
                for &t in tree.leaf(other) {
                    let corners = &triangles[t as usize];
                    if does_meet || !Aabb::around(corners).overlaps(&around) {
                        continue;
                    }
                    let its_box = bounds(&corners.map(|c| to_point(&c)));
                    let is_near = |known: u32, own_box: &Aabb| {
                        (other > leaf || known < t) && own_box.overlaps(&its_box)
                    };
                    let mut near = own
                        .iter()
                        .filter(|(known, _, own_box)| is_near(*known, own_box))
                        .peekable();
                    if near.peek().is_some() {
                        let facet = self.facet(corners);
                        does_meet |= near.any(|(_, own, _)| {
                            own.has_area() && facet.has_area() && own.cuts_or_covers(&facet)
                        });
                    }
                }
            });
            does_meet
        })
    }
}

/// Part of the largest coordinate by which boxes are grown: more than all that counts as rounding.
const MARGIN: Real = 64.0 * Real::EPSILON;

/// More than all that counts as rounding in a box \[m\].
fn margin_of(bounds: &Aabb) -> Real {
    bounds.min.amax().max(bounds.max.amax()) * MARGIN
}

/// The most that may count as rounding \[m\] of the triangles `own` of a mesh, if all of them are
/// joined by corners.
fn limit_of_one_shell(mesh: &TriangleMesh, own: &[[Vec3; 3]]) -> Option<f64> {
    let mut sets = joined_by_corners(mesh.vertices.len(), &mesh.triangles);
    let first = sets.find(mesh.triangles.first()?[0] as usize);
    if mesh.triangles.iter().any(|t| sets.find(t[0] as usize) != first) {
        return None;
    }
    let mut sum: Option<ShellSum> = None;
    for corners in own {
        let corners = corners.map(|c| to_point(&c));
        sum.get_or_insert(ShellSum::at(corners[0])).add(&corners);
    }
    sum.map(|sum| sum.limit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_geometry::shape::{box_mesh, sphere_mesh};

    /// Whether the first of these meshes is isolated.
    fn is_isolated(meshes: Vec<TriangleMesh>) -> bool {
        let far = Aabb::new(Vec3::repeat(-9.0), Vec3::repeat(9.0));
        let mut first = 0;
        let numbered: Vec<NumberedMesh> = meshes
            .iter()
            .enumerate()
            .map(|(index, mesh)| {
                let own = NumberedMesh { number: index as u32, index, first };
                first += mesh.triangles.len() as u32;
                own
            })
            .collect();
        let solids = Solids::new(far, vec![], meshes);
        solids.make_trees();
        IsolatedMesh::find(&solids, &numbered[0], &numbered).is_some()
    }

    #[test]
    fn one_shell_that_meets_neither_itself_nor_others_is() {
        let ball = || sphere_mesh(&Vec3::zeros(), 1.0, 4);
        assert!(is_isolated(vec![ball()]));
        let cube = |low, high| box_mesh(&Aabb::new(Vec3::repeat(low), Vec3::repeat(high)));
        assert!(is_isolated(vec![ball(), cube(1.1, 2.0)]));
        assert!(!is_isolated(vec![ball(), cube(0.9, 2.0)]), "their boxes overlap");
        let mut pierced = ball();
        let tip = pierced.vertices[100];
        pierced.vertices[100] = -tip * 1.5;
        assert!(!is_isolated(vec![pierced]), "a spike goes through the far side");
        let mut dented = ball();
        dented.vertices[100] = tip * 0.7;
        assert!(is_isolated(vec![dented]));
        let mut two = ball();
        two.append(&sphere_mesh(&Vec3::repeat(3.0), 1.0, 1));
        assert!(!is_isolated(vec![two]), "two shells");
    }

    /// A blade, whose coordinates are large, nearly touches small triangles at the origin, whose
    /// boxes have no thickness: nearer than rounding takes from the large ones.
    #[test]
    fn triangles_of_different_sizes_meet_by_the_rounding_of_the_larger() {
        for (side, gap, expected) in [(1.0, 1e-6, false), (-1.0, 1e-6, false), (1.0, 1e-3, true)] {
            let mut mesh = hook(gap);
            mesh.vertices.iter_mut().for_each(|v| v.x *= side);
            assert_eq!(is_isolated(vec![mesh]), expected, "{side} {gap}");
        }
    }

    /// A plate of small triangles at the origin, from whose rim a tube goes out at high x, turns
    /// up, and comes back to an edge at a gap \[m\] above the plate.
    fn hook(gap: Real) -> TriangleMesh {
        let mut mesh = TriangleMesh::default();
        let node = |layer: u32, i: u32, j: u32| layer * 81 + j * 9 + i;
        for z in [-0.01, 0.0] {
            for (i, j) in (0..81).map(|k| (k % 9, k / 9)) {
                mesh.vertices.push(Vec3::new(i as Real - 4.0, j as Real - 4.0, 0.0) * 0.003);
                mesh.vertices.last_mut().unwrap().z = z;
            }
        }
        let mut quads = Vec::new();
        for (i, j) in (0..64).map(|k| (k % 8, k / 8)) {
            let around = [[0, 0], [1, 0], [1, 1], [0, 1]];
            quads.extend([1, 0].map(|layer| around.map(|[a, b]| node(layer, i + a, j + b))));
        }
        for k in 0..8 {
            let sides = [[[k, 0], [k + 1, 0]], [[k, 8], [k + 1, 8]], [[0, k], [0, k + 1]]];
            let open = [[8, k], [8, k + 1]];
            for [a, b] in sides.into_iter().chain((k != 4).then_some(open)) {
                let [a, b] = [a, b].map(|[i, j]| node(0, i, j));
                quads.push([a, b, b + 81, a + 81]);
            }
        }
        let mut ring = [node(0, 8, 4), node(0, 8, 5), node(1, 8, 5), node(1, 8, 4)];
        let out = [[3.0, -1.0], [3.0, -1.0], [2.0, -0.5], [2.0, -0.5]];
        let up = [[3.0, 1.0], [3.0, 1.0], [2.0, 0.5], [2.0, 0.5]];
        for places in [out, up] {
            let first = mesh.vertices.len() as u32;
            for ([x, z], y) in places.into_iter().zip([0.0, 0.5, 0.5, 0.0]) {
                mesh.vertices.push(Vec3::new(x, y, z));
            }
            let next = [0, 1, 2, 3].map(|k| first + k);
            quads.extend(
                [0, 1, 2, 3].map(|k| [ring[k], ring[(k + 1) % 4], next[(k + 1) % 4], next[k]]),
            );
            ring = next;
        }
        let tip = mesh.vertices.len() as u32;
        mesh.vertices.extend([-0.0047, 0.0053].map(|y| Vec3::new(0.001, y, gap)));
        mesh.triangles.extend(quads.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]));
        let [a, b, c, d] = ring;
        mesh.triangles.extend([[a, b, tip], [b, tip + 1, tip], [c, d, tip], [c, tip, tip + 1]]);
        mesh.triangles.extend([[b, c, tip + 1], [d, a, tip]]);
        mesh
    }
}
