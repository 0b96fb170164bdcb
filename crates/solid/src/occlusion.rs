//! Occlusion: which places solids occupy, so that a scene is filled with fluid beside them.

use crate::solids::Solids;
use hashfall_core::parallel::fill;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::{Aabb, Interior};
use hashfall_search::{BroadPhase, for_each_overlap};
use std::ops::Range;

/// A centre may lie this share of r too deep and still counts as free: a lattice flush with a wall
/// touches it but for rounding, and the first step frees it.
const NEGLIGIBLE: Real = 1e-3;
/// Distances are first looked for in this part of the reach.
const FIRST_LOOK: Real = 0.25;

/// Solids that are asked which places they take: made once for many questions.
pub struct Occlusion<'a, B> {
    solids: &'a Solids,
    /// What the broad phase has: objects, ascending, and the box of each. Fine meshes are asked
    /// themselves.
    indexed: Vec<u32>,
    boxes: Vec<Aabb>,
    broad_phase: B,
    /// Meshes that are full, and the boxes around these.
    full: Vec<FullMesh>,
    bounds: Vec<Aabb>,
    of_bounds: B,
}

/// A mesh that is full.
struct FullMesh {
    /// Among those that have triangles.
    number: usize,
    objects: Range<u32>,
    /// What is inside; of a fine one its hierarchy tells.
    interior: Option<Interior>,
}

impl<'a, B: BroadPhase> Occlusion<'a, B> {
    /// What `solids` take of space, for particles of about the radius `r` \[m\].
    ///
    /// Meshes are closed; a mesh that `is_hollow` (by number) is a shell, whose inside is free but
    /// for the neighbourhood of the surface.
    pub fn new(solids: &'a Solids, r: Real, is_hollow: &[bool]) -> Self {
        debug_assert_eq!(is_hollow.len(), solids.meshes.len(), "one for each mesh");
        solids.make_trees();
        let indexed = solids.indexed_objects();
        let boxes: Vec<Aabb> = indexed.iter().map(|&object| solids.object_box(object)).collect();
        let mut broad_phase = B::default();
        broad_phase.rebuild(&boxes, 2.0 * r);
        let with_triangles = solids.meshes.iter().zip(is_hollow);
        let with_triangles = with_triangles.filter(|(mesh, _)| !mesh.triangles.is_empty());
        let full: Vec<FullMesh> = with_triangles
            .enumerate()
            .filter(|(_, (_, is_hollow))| !**is_hollow)
            .map(|(number, (mesh, _))| {
                let first = solids.first_triangle();
                let own = solids.triangles_of(number);
                let objects = (first + own.start) as u32..(first + own.end) as u32;
                let interior = solids.tree(number).is_none().then(|| Interior::new(mesh));
                FullMesh { number, objects, interior }
            })
            .collect();
        let bounds: Vec<Aabb> = full.iter().map(|it| solids.mesh_ends[it.number].1).collect();
        let mut of_bounds = B::default();
        of_bounds.rebuild(&bounds, 2.0 * r);
        Occlusion { solids, indexed, boxes, broad_phase, full, bounds, of_bounds }
    }

    /// Whether a particle of radius `r` \[m\] at each point would lie in a solid, closer than `r`
    /// to one, or outside the domain.
    pub fn occludes(&self, points: &[Vec3], r: Real) -> Vec<bool> {
        let mut occluded = vec![false; points.len()];
        fill(&mut occluded, |i, occluded| {
            let x = &points[i];
            let mut objects = vec![];
            self.add_objects(&Aabb::of_ball(x, r), &mut objects);
            self.solids.add_fine_triangles(x, r, &mut objects);
            let depth = self.solids.penetration(&objects, x, r);
            *occluded = depth > NEGLIGIBLE * r || self.is_inside(x);
        });
        occluded
    }

    /// The distance from a point to the nearest surface \[m\], or `reach` if there is none so
    /// near; negative in solids and outside the domain: how far it is from there to what is free
    /// of each solid, if all of them stood alone.
    pub fn signed_distance(&self, x: &Vec3, reach: Real) -> Real {
        let mut inside: Vec<u32> = vec![];
        for_each_overlap(&self.of_bounds, &self.bounds, &Aabb::new(*x, *x), |mesh| {
            if self.is_in(mesh, x) {
                inside.push(mesh);
            }
        });
        // Most places have something near; only where they have not, all within reach is looked
        // at.
        let (mut objects, mut near) = (vec![], reach * FIRST_LOOK);
        loop {
            let distance = self.distance_within(x, near, &inside, &mut objects);
            if distance.abs() <= near || near >= reach {
                return distance.clamp(-reach, reach);
            }
            near = (2.0 * near).min(reach);
        }
    }

    /// The same, if it is no farther than `near`, else any that is.
    fn distance_within(
        &self,
        x: &Vec3,
        near: Real,
        inside: &[u32],
        objects: &mut Vec<u32>,
    ) -> Real {
        objects.clear();
        self.add_objects(&Aabb::of_ball(x, near), objects);
        let solids = self.solids;
        let distance = solids.distance(objects, x).min(solids.distance_to_fine(x, near));
        // Triangles tell no side: of the meshes around it, the deepest counts.
        let depth = inside.iter().map(|mesh| {
            let FullMesh { number, objects: own, interior } = &self.full[*mesh as usize];
            if interior.is_none() {
                return solids.distance_to_mesh(*number, x, near).unwrap_or(Real::INFINITY);
            }
            let from = objects.partition_point(|id| *id < own.start);
            let to = objects.partition_point(|id| *id < own.end);
            solids.distance_to_objects(&objects[from..to], x)
        });
        let deepest = depth.fold(Real::NEG_INFINITY, Real::max);
        if deepest > 0.0 { (-deepest).min(distance) } else { distance }
    }

    /// Whether a place lies in a full mesh.
    fn is_inside(&self, x: &Vec3) -> bool {
        let mut is_inside = false;
        for_each_overlap(&self.of_bounds, &self.bounds, &Aabb::new(*x, *x), |mesh| {
            is_inside = is_inside || self.is_in(mesh, x);
        });
        is_inside
    }

    /// Whether a place lies in one of the full meshes.
    fn is_in(&self, mesh: u32, x: &Vec3) -> bool {
        let FullMesh { number, interior, .. } = &self.full[mesh as usize];
        match interior {
            Some(interior) => interior.contains(x),
            None => self.solids.is_in_fine(*number, x),
        }
    }

    /// Adds the objects that the broad phase finds in a box, ascending.
    fn add_objects(&self, query: &Aabb, objects: &mut Vec<u32>) {
        for_each_overlap(&self.broad_phase, &self.boxes, query, |k| {
            objects.push(self.indexed[k as usize]);
        });
        objects.sort_unstable();
    }
}

impl Solids {
    /// As [`Occlusion::occludes`], of solids that are asked once.
    pub fn occluded<B: BroadPhase>(
        &self,
        points: &[Vec3],
        r: Real,
        is_hollow: &[bool],
    ) -> Vec<bool> {
        Occlusion::<B>::new(self, r, is_hollow).occludes(points, r)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sphere;
    use crate::precision::to_vec3;
    use hashfall_geometry::random::Random;
    use hashfall_geometry::shape::sphere_mesh;
    use hashfall_search::BruteBoxes;

    const R: Real = 0.02;

    #[test]
    fn balls_meshes_and_walls_block_what_they_fill() {
        let domain = Aabb::new(Vec3::zeros(), Vec3::new(2.0, 1.0, 1.0));
        let (a, b) = (Vec3::new(0.5, 0.5, 0.5), Vec3::new(1.5, 0.5, 0.5));
        let ball = Sphere { centre: a, radius: 0.3 };
        // Fine enough to lie within 0.001 of the sphere.
        let mesh = sphere_mesh(&b, 0.3, 4);
        let solids = Solids::new(domain, vec![ball], vec![mesh]);
        let mut random = Random::new(12);
        let points: Vec<Vec3> = (0..4000)
            .map(|k| to_vec3(&random.point(-0.1, 1.1)) + Vec3::x() * (k % 2) as Real)
            .collect();
        let occluded = solids.occluded::<BruteBoxes>(&points, R, &[false]);
        for (x, occluded) in points.iter().zip(occluded) {
            let to_ball = (x - a).norm().min((x - b).norm()) - 0.3;
            let to_wall = (x - domain.min).inf(&(domain.max - x)).min();
            let gap = to_ball.min(to_wall) - R;
            if gap.abs() > 0.001 {
                assert_eq!(occluded, gap < 0.0, "{x}, gap {gap}");
            }
        }
    }

    #[test]
    fn a_hollow_mesh_blocks_near_its_surface_only() {
        let domain = Aabb::new(Vec3::zeros(), Vec3::repeat(1.0));
        let (centre, radius) = (Vec3::repeat(0.5), 0.4);
        let solids = Solids::new(domain, vec![], vec![sphere_mesh(&centre, radius, 4)]);
        let mut random = Random::new(4);
        let points: Vec<Vec3> = (0..4000).map(|_| random.vec3(0.1, 0.9)).collect();
        let occluded = solids.occluded::<BruteBoxes>(&points, R, &[true]);
        for (x, occluded) in points.iter().zip(occluded) {
            let gap = ((x - centre).norm() - radius).abs() - R;
            if gap.abs() > 0.002 {
                assert_eq!(occluded, gap < 0.0, "{x}, gap {gap}");
            }
        }
    }

    #[test]
    fn distances_are_those_of_brute_force_and_negative_in_solids() {
        let domain = Aabb::new(Vec3::zeros(), Vec3::new(2.0, 1.0, 1.0));
        let (a, b, c) =
            (Vec3::new(0.5, 0.5, 0.5), Vec3::new(1.4, 0.5, 0.5), Vec3::new(1.5, 0.45, 0.55));
        let ball = Sphere { centre: a, radius: 0.3 };
        // Two meshes that overlap, and a shell.
        let meshes = [(b, 0.3), (c, 0.25), (a, 0.4)].map(|(x, r)| sphere_mesh(&x, r, 4));
        let solids = Solids::new(domain, vec![ball], meshes.to_vec());
        let occlusion = Occlusion::<BruteBoxes>::new(&solids, R, &[false, false, true]);
        let mut random = Random::new(12);
        let (mut in_both, reach) = (0, 0.2);
        for k in 0..4000 {
            let x = to_vec3(&random.point(-0.1, 1.1)) + Vec3::x() * (k % 2) as Real;
            let to_shell = ((x - a).norm() - 0.4).abs();
            let to_wall = (x - domain.min).inf(&(domain.max - x)).min();
            let [to_ball, to_b, to_c] =
                [(a, 0.3), (b, 0.3), (c, 0.25)].map(|(y, r)| (x - y).norm() - r);
            in_both += usize::from(to_b < 0.0 && to_c < 0.0);
            let expected = to_ball.min(to_b).min(to_c).min(to_wall).min(to_shell);
            let found = occlusion.signed_distance(&x, reach);
            let error = (found - expected.clamp(-reach, reach)).abs();
            assert!(error < 0.002, "{x}: {found}, not {expected}");
        }
        assert!(in_both > 30, "{in_both}");
    }

    #[test]
    fn a_lattice_flush_with_the_walls_is_free() {
        let domain = Aabb::new(Vec3::new(-0.7, 0.3, 1.1), Vec3::new(0.3, 1.3, 2.1));
        let place = |a: usize, k: usize| domain.min[a] + (2 * k + 1) as Real * R;
        let points: Vec<Vec3> = (0..25 * 25 * 25)
            .map(|k| Vec3::new(place(0, k % 25), place(1, k / 25 % 25), place(2, k / 625)))
            .collect();
        let occluded = Solids::new(domain, vec![], vec![]).occluded::<BruteBoxes>(&points, R, &[]);
        assert!(occluded.iter().all(|b| !b));
    }
}
