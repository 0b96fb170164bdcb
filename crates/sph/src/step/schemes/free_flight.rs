//! Fluid that no solid touches keeps its momentum and its angular momentum.
//!
//! What consistent gradients and displacements give to single particles, no pair takes. Its sum and
//! its moment are taken off again, by the field of a rigid motion,
//!
//! - fᵢ = wᵢ (m + ω × (yᵢ − c)), c = Σ w y/Σ w, with Σ f = Σ e and Σ (y − c) × f = Σ (y − c) × e
//!
//! where e are forces at the places y, or displacements times masses at the velocities y.

use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::tensor::Tensor;
use crate::world::World;
use hashfall_core::{Real, Vec3, parallel, to_f64};

/// Moments of inertia below this part of their sum belong to particles in a line \[–\].
const MIN_INERTIA: Real = 1e-4;

/// Whether no solid is near any particle.
pub fn is_free(world: &World, neighborhood: &Neighborhood) -> bool {
    let in_nozzle = &world.particles.in_nozzle;
    let is_held = |i: usize| neighborhood.boundary.fraction[i] > 0.0 || in_nozzle[i] > 0;
    !parallel::any(in_nozzle.len(), is_held)
}

/// A field m + ω × (y − c).
#[derive(Clone, Copy, Debug)]
pub struct RigidField {
    mean: Vec3,
    turn: Vec3,
    centre: Vec3,
}

impl RigidField {
    /// That which, by `weight`, has the sum and the moment of the `field` of `n` particles at the
    /// places `at`; `None` without weight.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn new(
        n: usize,
        weight: impl Fn(usize) -> Real + Sync,
        at: impl Fn(usize) -> Vec3 + Sync,
        field: impl Fn(usize) -> Vec3 + Sync,
    ) -> Option<Self> {
        let [x, y, z, u, v, w, all] = parallel::sum(n, |i| {
            let weight = f64::from(weight(i));
            let [x, y, z] = to_f64(&at(i)).map(|x| x * weight);
            let [u, v, w] = to_f64(&field(i));
            [x, y, z, u, v, w, weight]
        });
        if all <= 0.0 {
            return None;
        }
        let real = |v: [f64; 3]| Vec3::from(v.map(|x| x as Real));
        let centre = real([x, y, z].map(|x| x / all));
        let [xx, yy, zz, xy, xz, yz, a, b, c] = parallel::sum(n, |i| {
            let weight = f64::from(weight(i));
            let [x, y, z] = to_f64(&(at(i) - centre));
            let [u, v, w] = to_f64(&field(i));
            let products = [x * x, y * y, z * z, x * y, x * z, y * z].map(|x| x * weight);
            let [xx, yy, zz, xy, xz, yz] = products;
            [xx, yy, zz, xy, xz, yz, y * w - z * v, z * u - x * w, x * v - y * u]
        });
        let trace = xx + yy + zz;
        let mut turn = Vec3::zeros();
        if trace > 0.0 {
            let inertia = [yy + zz, xx + zz, xx + yy, -xy, -xz, -yz];
            let inertia = Tensor(inertia.map(|entry| (entry / trace) as Real));
            if (inertia + Tensor::diagonal(-MIN_INERTIA)).is_positive() {
                turn = inertia.inverse() * real([a, b, c].map(|x| x / trace));
            }
        }
        Some(RigidField { mean: real([u, v, w].map(|x| x / all)), turn, centre })
    }

    /// Its mean alone.
    pub fn without_turn(self) -> Self {
        RigidField { turn: Vec3::zeros(), ..self }
    }

    /// Its value at `y`, for a weight of 1.
    #[inline]
    pub fn at(&self, y: &Vec3) -> Vec3 {
        self.mean + self.turn.cross(&(y - self.centre))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_geometry::random::Random;

    #[test]
    fn what_is_left_has_neither_sum_nor_moment() {
        let mut random = Random::new(3);
        let mut draw = || random.point(-1.0, 2.0).map(|x| x as Real);
        let (places, field): (Vec<Vec3>, Vec<Vec3>) = (0..50).map(|_| (draw(), draw())).unzip();
        let weight = |i: usize| 1.0 + (i % 3) as Real;
        for in_plane in [false, true] {
            let flat = |v: &Vec3| if in_plane { Vec3::new(v.x, 0.0, v.z) } else { *v };
            let (places, field): (Vec<Vec3>, Vec<Vec3>) =
                (places.iter().map(flat).collect(), field.iter().map(flat).collect());
            let whole = RigidField::new(50, weight, |i| places[i], |i| field[i]).unwrap();
            let rest: Vec<Vec3> =
                (0..50).map(|i| field[i] - whole.at(&places[i]) * weight(i)).collect();
            let sum: Vec3 = rest.iter().sum();
            let moment: Vec3 = places.iter().zip(&rest).map(|(x, f)| x.cross(f)).sum();
            assert!(sum.norm() < 1e-4 && moment.norm() < 1e-4, "{sum} {moment}");
            assert!(!in_plane || rest.iter().all(|f| f.y == 0.0));
        }
    }

    #[test]
    fn particles_in_a_line_keep_their_sum_alone() {
        let at = |i: usize| Vec3::x() * i as Real;
        let whole = RigidField::new(4, |_| 1.0, at, |i| Vec3::z() * i as Real).unwrap();
        assert_eq!((whole.mean, whole.turn), (Vec3::z() * 1.5, Vec3::zeros()));
    }
}
