//! Fine meshes that meet nothing: of these no triangle has to be known on its own.
//!
//! A fine mesh is *quiet* if it is one shell, no two of its triangles meet, its box comes near that
//! of no other mesh, and no body moves. Then all of it is on the boundary, but for what walls take.
//! Whether triangles meet is asked of pairs of leaves of its hierarchy whose boxes overlap.

use super::arrangement::ShellSum;
use super::boundary::NumberedMesh;
use super::cutting::bounds;
use super::overlay::Facet;
use crate::mesh_tree::MeshTree;
use crate::precision::to_point;
use crate::solids::Solids;
use hashfall_core::Vec3;
use hashfall_geometry::{Aabb, DisjointSets, TriangleMesh};
use rayon::prelude::*;

/// A fine mesh that meets nothing.
#[derive(Clone, Debug)]
pub struct QuietMesh {
    /// Among those that have triangles.
    pub number: u32,
    /// The most that may count as rounding \[m\].
    pub limit: f64,
}

impl QuietMesh {
    /// One of the meshes that stand, if it meets none of the others nor itself. The bodies of the
    /// world do not move.
    pub fn find(
        solids: &Solids,
        mesh: &NumberedMesh,
        others: &[NumberedMesh],
    ) -> Option<QuietMesh> {
        let number = mesh.number as usize;
        let tree = solids.tree(number)?;
        let own = &solids.triangles[solids.triangles_of(number)];
        let around = |number: u32| {
            let bounds = &solids.mesh_ends[number as usize].1;
            let rounding = bounds.min.amax().max(bounds.max.amax());
            bounds.grown(rounding * MARGIN)
        };
        let meets = |other: &NumberedMesh| {
            other.number != mesh.number && around(other.number).overlaps(&around(mesh.number))
        };
        if others.iter().any(meets) || !is_one_shell(&solids.meshes[mesh.index]) {
            return None;
        }
        let mut sum: Option<ShellSum> = None;
        for corners in own {
            let facet = Facet::new(corners.map(|c| to_point(&c)), mesh.number);
            sum.get_or_insert(ShellSum::at(facet.corners[0])).add(&facet);
        }
        let limit = sum?.limit();
        let quiet = QuietMesh { number: mesh.number, limit };
        (!quiet.meets_itself(tree, own)).then_some(quiet)
    }

    /// A triangle of it.
    fn facet(&self, corners: &[Vec3; 3]) -> Facet {
        Facet::new(corners.map(|c| to_point(&c)), self.number).limited(self.limit)
    }

    /// Whether two triangles meet.
    fn meets_itself(&self, tree: &MeshTree, triangles: &[[Vec3; 3]]) -> bool {
        tree.leaves().into_par_iter().any(|leaf| {
            let own: Vec<(u32, Facet, Aabb)> = tree
                .leaf(leaf)
                .iter()
                .map(|&t| {
                    let facet = self.facet(&triangles[t as usize]);
                    (t, facet, bounds(&facet))
                })
                .collect();
            let around = own.iter().fold(Aabb::EMPTY, |all, (.., own)| all.union(own));
            let mut does_meet = false;
            tree.overlapping(&around, |other| {
                // Each pair of leaves once.
                if does_meet || other < leaf {
                    return;
                }
                for &t in tree.leaf(other) {
                    if does_meet || !Aabb::around(&triangles[t as usize]).overlaps(&around) {
                        continue;
                    }
                    let facet = self.facet(&triangles[t as usize]);
                    let its_box = bounds(&facet);
                    let near = own.iter().filter(|(known, _, own_box)| {
                        (other > leaf || *known < t) && own_box.overlaps(&its_box)
                    });
                    does_meet |= near.into_iter().any(|(_, own, _)| do_meet(own, &facet));
                }
            });
            does_meet
        })
    }
}

/// Part of the largest coordinate by which boxes are grown: more than all that counts as rounding.
const MARGIN: hashfall_core::Real = 64.0 * hashfall_core::Real::EPSILON;

/// Whether one of two triangles cuts or covers the other.
fn do_meet(a: &Facet, b: &Facet) -> bool {
    let meets = |a: &Facet, b: &Facet| {
        let meeting = a.meet(b);
        let covers = || b.covers(&super::polygon::centroid(&a.corners));
        !meeting.segments.is_empty() || (meeting.is_coplanar && covers())
    };
    a.has_area() && b.has_area() && (meets(a, b) || meets(b, a))
}

/// Whether all triangles are joined by corners.
fn is_one_shell(mesh: &TriangleMesh) -> bool {
    let mut sets = DisjointSets::new(mesh.vertices.len());
    for [a, b, c] in mesh.triangles.iter().map(|t| t.map(|v| v as usize)) {
        sets.union(a, b);
        sets.union(a, c);
    }
    let Some(first) = mesh.triangles.first().map(|t| sets.find(t[0] as usize)) else {
        return false;
    };
    mesh.triangles.iter().all(|t| sets.find(t[0] as usize) == first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_geometry::shape::{box_mesh, sphere_mesh};

    /// Whether the first of these meshes is quiet.
    fn is_quiet(meshes: Vec<TriangleMesh>) -> bool {
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
        QuietMesh::find(&solids, &numbered[0], &numbered).is_some()
    }

    #[test]
    fn one_shell_that_meets_neither_itself_nor_others_is() {
        let ball = || sphere_mesh(&Vec3::zeros(), 1.0, 4);
        assert!(is_quiet(vec![ball()]));
        let cube = |low, high| box_mesh(&Aabb::new(Vec3::repeat(low), Vec3::repeat(high)));
        assert!(is_quiet(vec![ball(), cube(1.1, 2.0)]));
        assert!(!is_quiet(vec![ball(), cube(0.9, 2.0)]), "their boxes overlap");
        let mut pierced = ball();
        let tip = pierced.vertices[100];
        pierced.vertices[100] = -tip * 1.5;
        assert!(!is_quiet(vec![pierced]), "a spike goes through the far side");
        let mut dented = ball();
        dented.vertices[100] = tip * 0.7;
        assert!(is_quiet(vec![dented]));
        let mut two = ball();
        let other = sphere_mesh(&Vec3::repeat(3.0), 1.0, 1);
        let first = two.vertices.len() as u32;
        two.vertices.extend(other.vertices);
        two.triangles.extend(other.triangles.iter().map(|t| t.map(|v| v + first)));
        assert!(!is_quiet(vec![two]), "two shells");
    }
}
