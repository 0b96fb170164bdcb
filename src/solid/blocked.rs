//! Which places are taken by solids: asked once, when a scene is filled with fluid.

use super::Solids;
use crate::base::parallel::fill;
use crate::base::{Real, Vec3};
use crate::geometry::{Aabb, Interior};
use crate::search::{BroadPhase, for_each_overlap};

/// A centre may lie this share of r too deep and still counts as free: a lattice flush with a wall
/// touches it but for rounding, and the first step frees it.
const NEGLIGIBLE: Real = 1e-3;

impl Solids {
    /// Whether a particle of radius `r` \[m\] at each point would lie in a solid, closer than `r`
    /// to one, or outside the domain.
    ///
    /// Meshes are closed; a mesh that `is_hollow` (by number) is a shell, whose inside is free but
    /// for the neighbourhood of the surface.
    pub fn blocked<B: BroadPhase>(
        &self,
        points: &[Vec3],
        r: Real,
        is_hollow: &[bool],
    ) -> Vec<bool> {
        debug_assert_eq!(is_hollow.len(), self.meshes.len(), "one for each mesh");
        let boxes = self.object_boxes();
        let mut broad_phase = B::default();
        broad_phase.rebuild(&boxes, 2.0 * r);
        let full = self.meshes.iter().zip(is_hollow).filter(|(_, is_hollow)| !**is_hollow);
        let interiors: Vec<_> =
            full.map(|(mesh, _)| (mesh.bounds(), Interior::new(mesh))).collect();
        let is_inside = |x: &Vec3| interiors.iter().any(|(b, i)| b.contains(x) && i.contains(x));
        let mut blocked = vec![false; points.len()];
        fill(&mut blocked, |i, blocked| {
            let x = &points[i];
            let mut objects = vec![];
            let ball = Aabb::of_ball(x, r);
            for_each_overlap(&broad_phase, &boxes, &ball, |id| objects.push(id));
            objects.sort_unstable();
            *blocked = self.penetration(&objects, x, r) > NEGLIGIBLE * r || is_inside(x);
        });
        blocked
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::Random;
    use crate::geometry::shape::sphere_mesh;
    use crate::search::BruteBoxes;
    use crate::solid::Sphere;
    use crate::solid::piece::rounded;

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
            .map(|k| rounded(&random.point(-0.1, 1.1)) + Vec3::x() * (k % 2) as Real)
            .collect();
        let blocked = solids.blocked::<BruteBoxes>(&points, R, &[false]);
        for (x, blocked) in points.iter().zip(blocked) {
            let to_ball = (x - a).norm().min((x - b).norm()) - 0.3;
            let to_wall = (x - domain.min).inf(&(domain.max - x)).min();
            let gap = to_ball.min(to_wall) - R;
            if gap.abs() > 0.001 {
                assert_eq!(blocked, gap < 0.0, "{x}, gap {gap}");
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
        let blocked = solids.blocked::<BruteBoxes>(&points, R, &[true]);
        for (x, blocked) in points.iter().zip(blocked) {
            let gap = ((x - centre).norm() - radius).abs() - R;
            if gap.abs() > 0.002 {
                assert_eq!(blocked, gap < 0.0, "{x}, gap {gap}");
            }
        }
    }

    #[test]
    fn a_lattice_flush_with_the_walls_is_free() {
        let domain = Aabb::new(Vec3::new(-0.7, 0.3, 1.1), Vec3::new(0.3, 1.3, 2.1));
        let place = |a: usize, k: usize| domain.min[a] + (2 * k + 1) as Real * R;
        let points: Vec<Vec3> = (0..25 * 25 * 25)
            .map(|k| Vec3::new(place(0, k % 25), place(1, k / 25 % 25), place(2, k / 625)))
            .collect();
        let blocked = Solids::new(domain, vec![], vec![]).blocked::<BruteBoxes>(&points, R, &[]);
        assert!(blocked.iter().all(|b| !b));
    }
}
