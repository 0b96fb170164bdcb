//! The inverse mass matrix of a body in the world's axes, with its locks inside.
//!
//! For a free body it is diag(1/m, I⁻¹). A locked axis has a zero row and column, and the others
//! move as if the lock took up whatever acts along it: with P the projection on the free axes, I⁻¹
//! becomes Pᵀ (P I Pᵀ)⁻¹ P. So neither contacts nor a fluid need to know of locks, and whatever is
//! symmetric and positive semidefinite stays so. A body that does not move by forces has zero.
//!
//! Symbols: m mass \[kg\], I inertia about the centre in the world's axes \[kg m²\].

use super::locks::Locks;
use hashfall_bodies::{Twist, Wrench};
use nalgebra::{Matrix3, Vector3};

/// The map from a wrench to the rate of change of the twist.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InverseMass {
    /// 1/m along each axis, zero along locked ones \[1/kg\].
    pub linear: Vector3<f64>,
    /// I⁻¹, zero about locked axes \[1/(kg m²)\].
    pub angular: Matrix3<f64>,
}

impl InverseMass {
    /// Of a mass \[kg\] and an inertia in the world's axes \[kg m²\].
    pub fn new(mass: f64, inertia: &Matrix3<f64>, locks: Locks) -> Self {
        let free = locks.free_spins();
        InverseMass { linear: locks.free_axes() / mass, angular: inverse_on(inertia, &free) }
    }

    /// The change of the twist per time that a wrench makes; of an impulse, the change.
    #[inline]
    pub fn apply(&self, wrench: &Wrench) -> Twist {
        Twist {
            velocity: self.linear.component_mul(&wrench.force),
            spin: self.angular * wrench.torque,
        }
    }

    /// Whether no wrench moves it.
    pub fn is_zero(&self) -> bool {
        *self == InverseMass::default()
    }

    /// The change of a point's velocity \[m/s\] by an impulse of 1 N s there: K = 1/m − r× I⁻¹ r×,
    /// with r the arm from the centre \[m\].
    pub fn at(&self, arm: &Vector3<f64>) -> Matrix3<f64> {
        let cross = arm.cross_matrix();
        Matrix3::from_diagonal(&self.linear) - cross * self.angular * cross
    }
}

/// Pᵀ (P I Pᵀ)⁻¹ P, with P the projection on the axes where `free` is not zero.
fn inverse_on(inertia: &Matrix3<f64>, free: &Vector3<f64>) -> Matrix3<f64> {
    // With the rest of I cut off and a diagonal that keeps its scale in place of it, the inverse
    // falls apart into that of the free axes and a diagonal, which is cut off again.
    let scale = inertia.diagonal().amax();
    let cut = Matrix3::from_fn(|i, j| match (free[i] * free[j] > 0.0, i == j) {
        (true, _) => inertia[(i, j)],
        (false, true) => scale,
        (false, false) => 0.0,
    });
    let adjugate = Matrix3::from_rows(&[
        cut.column(1).cross(&cut.column(2)).transpose(),
        cut.column(2).cross(&cut.column(0)).transpose(),
        cut.column(0).cross(&cut.column(1)).transpose(),
    ]);
    let determinant = cut.column(0).dot(&adjugate.row(0).transpose());
    Matrix3::from_fn(|i, j| {
        let is_free = free[i] * free[j] > 0.0;
        // The mean of both sides, so that it is symmetric to the last bit.
        if is_free { 0.5 * (adjugate[(i, j)] + adjugate[(j, i)]) / determinant } else { 0.0 }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;

    fn random_inertia(random: &mut Random) -> Matrix3<f64> {
        let rows = [(); 3].map(|()| random.point(-1.0, 1.0));
        let a = Matrix3::from_columns(&rows);
        a * a.transpose() + Matrix3::identity() * 0.1
    }

    #[test]
    fn without_locks_it_is_the_inverse_and_with_locks_the_motion_under_constraint_forces() {
        let mut random = Random::new(2);
        for case in 0..200u32 {
            let inertia = random_inertia(&mut random);
            let all = [Locks::X, Locks::Y, Locks::Z, Locks::SPIN_X, Locks::SPIN_Y, Locks::SPIN_Z];
            let locked = |k: usize| case >> k & 1 == 1;
            let locks = (0..6).filter(|&k| locked(k)).fold(Locks::NONE, |set, k| set | all[k]);
            let inverse = InverseMass::new(2.0, &inertia, locks);
            let [force, torque] = [(); 2].map(|()| random.point(-1.0, 1.0));
            let twist = inverse.apply(&Wrench { force, torque });
            assert_eq!(twist, locks.restrict(&twist), "locked axes do not move");
            let rest = Wrench { force: twist.velocity * 2.0, torque: inertia * twist.spin };
            for k in (0..3).filter(|&k| !locked(k)) {
                assert!((rest.force[k] - force[k]).abs() < 1e-13, "case {case}, axis {k}");
            }
            for k in (0..3).filter(|&k| !locked(k + 3)) {
                assert!((rest.torque[k] - torque[k]).abs() < 1e-11, "case {case}, spin {k}");
            }
            assert_eq!(inverse.angular, inverse.angular.transpose());
        }
    }

    #[test]
    fn a_point_answers_an_impulse_with_the_velocity_of_the_twist() {
        let mut random = Random::new(3);
        let inverse = InverseMass::new(3.0, &random_inertia(&mut random), Locks::SPIN_X);
        let [arm, impulse] = [(); 2].map(|()| random.point(-1.0, 1.0));
        let twist = inverse.apply(&Wrench::from_force_at(impulse, &arm));
        assert!((inverse.at(&arm) * impulse - twist.velocity_at(&arm)).norm() < 1e-14);
    }

    #[test]
    fn its_digits_do_not_depend_on_the_scale_of_the_inertia() {
        let inertia = random_inertia(&mut Random::new(4));
        let unit = InverseMass::new(1.0, &inertia, Locks::SPIN_Z).angular;
        for scale in [2.0_f64.powi(-60), 2.0_f64.powi(60)] {
            let scaled = InverseMass::new(1.0, &(inertia * scale), Locks::SPIN_Z).angular;
            assert_eq!(scaled * scale, unit);
        }
    }
}
