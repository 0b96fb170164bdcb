//! The nearest point of each surface, without the integrals over solids.

use crate::near_solid::NearSolid;
use crate::precision::{to_point, to_vec3};
use crate::solids::Solids;
use hashfall_core::{Real, Vec3};

impl Solids {
    /// Visits the walls and, of these `objects`, each that is closer than `reach` \[m\] to `x`,
    /// with its nearest point. All are taken for flat: the curvature is 0.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn for_each_near(
        &self,
        objects: &[u32],
        x: &Vec3,
        reach: Real,
        mut visit: impl FnMut(NearSolid),
    ) {
        let at = to_point(x);
        for (surface, feature) in self.features(objects) {
            let nearest = feature.nearest(&at);
            let distance = nearest.distance as Real;
            if distance < reach {
                let normal = to_vec3(&nearest.normal);
                visit(NearSolid { normal, distance, curvature: 0.0, surface });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sphere;
    use hashfall_geometry::Aabb;

    #[test]
    fn walls_and_objects_within_reach_are_visited() {
        let domain = Aabb::new(Vec3::zeros(), Vec3::repeat(1.0));
        let ball = Sphere { centre: Vec3::repeat(0.5), radius: 0.2 };
        let solids = Solids::new(domain, vec![ball], vec![]);
        let mut near = Vec::new();
        let x = Vec3::new(0.1, 0.5, 0.5);
        solids.for_each_near(&[0], &x, 0.15, |solid| near.push(solid));
        assert_eq!(near.len(), 1, "{near:?}");
        assert!(near[0].surface.is_wall() && (near[0].distance - 0.1).abs() < 1e-6);
        near.clear();
        solids.for_each_near(&[0], &x, 0.25, |solid| near.push(solid));
        let [_, ball] = near[..] else { panic!("{near:?}") };
        assert!((ball.normal + Vec3::x()).norm() < 1e-6 && (ball.distance - 0.2).abs() < 1e-6);
        assert_eq!(ball.surface, solids.surface_of(0));
    }
}
