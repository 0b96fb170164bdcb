//! The rotation of a body that nothing turns, over any length of time, and with locked axes.
//!
//! Free: kinetic energy in the principal frame is H = π₁²/2I₁ + π₂²/2I₂ + π₃²/2I₃ with the body's
//! angular momentum π. It is split into that of a symmetric top with the moments I₁, I₁, I₃, whose
//! motion is known in closed form, and the rest ½ (1/I₂ − 1/I₁) π₂², which turns the body about its
//! second axis at a constant rate; half a step of the rest goes before and after (Strang). See
//! Dullweber, Leimkuhler & McLachlan 1997, *Symplectic splitting methods for rigid body molecular
//! dynamics*, §III, for splittings of this kind. The top moves by
//!
//!   R(t) = exp(t L/I₁) R(0) exp(t π₃ (1/I₃ − 1/I₁) e₃).
//!
//! The angular momentum L of the world is no part of the motion at all: it is kept, and the spin
//! found from it. So L holds to rounding, tops with an axis of symmetry and balls move exactly
//! whatever the step, and the energy of others oscillates by second order and does not drift. The
//! axes are numbered such that 1/I₁ and 1/I₂ are nearest to each other.
//!
//! Locked: with one free axis the body turns about it at a constant rate. With two, the angular
//! momentum about both is kept, and the spin of the midpoint turns the body: implicit midpoint.
//!
//! Symbols: I moments of inertia \[kg m²\], L, π angular momentum in the world and in the principal
//! frame \[kg m²/s\], ω spin \[rad/s\], R rotation, e₁ e₂ e₃ principal axes.

use super::inverse_mass::InverseMass;
use super::locks::Locks;
use hashfall_bodies::rotation_from_vector;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

/// The most rounds of the implicit midpoint; each gains about a factor of the angle turned.
const MAX_ROUNDS: usize = 50;

/// How a body turns between torques.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rotation {
    /// I₁, I₂, I₃ \[kg m²\].
    moments: Vector3<f64>,
    /// From the principal frame to the body's.
    axes: UnitQuaternion<f64>,
    /// I in the body's frame \[kg m²\].
    inertia: Matrix3<f64>,
    locks: Locks,
}

impl Rotation {
    /// Of the principal moments of inertia \[kg m²\], and the rotation from the principal frame to
    /// the body's, whose images of x, y and z are the principal axes.
    pub(crate) fn new(moments: Vector3<f64>, axes: UnitQuaternion<f64>, locks: Locks) -> Self {
        let turn = axes.to_rotation_matrix().into_inner();
        let inertia = turn * Matrix3::from_diagonal(&moments) * turn.transpose();
        let inverse = moments.map(f64::recip);
        let gap = |k: usize| (inverse[(k + 1) % 3] - inverse[(k + 2) % 3]).abs();
        // The axis of the top is across the two that are most alike.
        let third = (1..3).fold(0, |best, k| if gap(k) < gap(best) { k } else { best });
        let order = [third + 1, third + 2, third].map(|k| k % 3);
        let columns = order.map(|k| turn.column(k).into_owned());
        let frame = nalgebra::Rotation3::from_matrix_unchecked(Matrix3::from_columns(&columns));
        let axes = normalized(UnitQuaternion::from_rotation_matrix(&frame));
        Rotation { moments: Vector3::from(order.map(|k| moments[k])), axes, inertia, locks }
    }

    /// The same with other axes locked.
    pub(crate) fn with_locks(self, locks: Locks) -> Self {
        Rotation { locks, ..self }
    }

    /// The inertia in the world's axes \[kg m²\].
    pub(crate) fn inertia(&self, orientation: &UnitQuaternion<f64>) -> Matrix3<f64> {
        let turn = orientation.to_rotation_matrix().into_inner();
        let inertia = turn * self.inertia * turn.transpose();
        (inertia + inertia.transpose()) * 0.5
    }

    /// The angular momentum of a spin \[rad/s\] in the world's axes \[kg m²/s\].
    pub(crate) fn angular_momentum(
        &self,
        orientation: &UnitQuaternion<f64>,
        spin: &Vector3<f64>,
    ) -> Vector3<f64> {
        let frame = matrix(&(orientation * self.axes));
        frame * self.moments.component_mul(&frame.tr_mul(spin))
    }

    /// Orientation and spin \[rad/s\] after `dt` \[s\].
    pub(crate) fn advance(
        &self,
        orientation: UnitQuaternion<f64>,
        spin: Vector3<f64>,
        dt: f64,
    ) -> (UnitQuaternion<f64>, Vector3<f64>) {
        if dt == 0.0 || spin == Vector3::zeros() {
            return (orientation, spin);
        }
        match self.locks.free_spins().sum() as u32 {
            3 => self.advance_free(orientation, spin, dt),
            2 => self.advance_between_two(orientation, spin, dt),
            _ => (turned(&orientation, &(spin * dt)), spin),
        }
    }

    /// The splitting of a body without locks.
    fn advance_free(
        &self,
        orientation: UnitQuaternion<f64>,
        spin: Vector3<f64>,
        dt: f64,
    ) -> (UnitQuaternion<f64>, Vector3<f64>) {
        let inverse = self.moments.map(f64::recip);
        let momentum = self.angular_momentum(&orientation, &spin);
        let frame = self.turn_by_rest(orientation * self.axes, &momentum, 0.5 * dt);
        let third = frame.inverse_transform_vector(&momentum).z;
        let own_turn =
            rotation_from_vector(&(Vector3::z() * (third * (inverse.z - inverse.x) * dt)));
        let frame = rotation_from_vector(&(momentum * (inverse.x * dt))) * frame * own_turn;
        let frame = self.turn_by_rest(frame, &momentum, 0.5 * dt);
        let orientation = normalized(frame * self.axes.inverse());
        // By the frame in which the next step finds the angular momentum, to the same bits.
        let frame = matrix(&(orientation * self.axes));
        let spin = frame * inverse.component_mul(&frame.tr_mul(&momentum));
        (orientation, spin)
    }

    /// The turn about the second axis by what a symmetric top lacks.
    fn turn_by_rest(
        &self,
        frame: UnitQuaternion<f64>,
        momentum: &Vector3<f64>,
        dt: f64,
    ) -> UnitQuaternion<f64> {
        let excess = self.moments.y.recip() - self.moments.x.recip();
        if excess == 0.0 {
            return frame;
        }
        let second = frame.inverse_transform_vector(momentum).y;
        frame * rotation_from_vector(&(Vector3::y() * (second * excess * dt)))
    }

    /// The implicit midpoint of a body whose spin has two free axes.
    fn advance_between_two(
        &self,
        orientation: UnitQuaternion<f64>,
        spin: Vector3<f64>,
        dt: f64,
    ) -> (UnitQuaternion<f64>, Vector3<f64>) {
        let momentum = self.inertia(&orientation) * spin;
        let spin_at = |orientation: &UnitQuaternion<f64>| {
            let inertia = self.inertia(orientation);
            InverseMass::new(1.0, &inertia, self.locks).angular * momentum
        };
        let mut middle = spin;
        for _ in 0..MAX_ROUNDS {
            let next = spin_at(&turned(&orientation, &(middle * (0.5 * dt))));
            if next == middle {
                break;
            }
            middle = next;
        }
        let end = turned(&orientation, &(middle * dt));
        (end, spin_at(&end))
    }
}

/// An orientation turned by a rotation vector in the world's axes \[rad\].
pub(crate) fn turned(
    orientation: &UnitQuaternion<f64>,
    turn: &Vector3<f64>,
) -> UnitQuaternion<f64> {
    normalized(rotation_from_vector(turn) * orientation)
}

/// The rotation matrix of a quaternion that may be off the unit sphere by rounding: this is divided
/// out, as it is no random error, and spoils the angular momentum of long runs.
fn matrix(q: &UnitQuaternion<f64>) -> Matrix3<f64> {
    let cross = q.imag().cross_matrix();
    let factor = 2.0 / q.as_ref().norm_squared();
    Matrix3::identity() + (cross * q.scalar() + cross * cross) * factor
}

/// Rounding takes a product of unit quaternions a little off the unit sphere.
fn normalized(q: UnitQuaternion<f64>) -> UnitQuaternion<f64> {
    UnitQuaternion::new_normalize(q.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_bodies::Twist;

    fn asymmetric() -> Rotation {
        let axes = UnitQuaternion::from_euler_angles(0.3, -0.5, 1.1);
        Rotation::new(Vector3::new(1.0, 2.0, 3.0), axes, Locks::NONE)
    }

    fn energy(r: &Rotation, q: &UnitQuaternion<f64>, spin: &Vector3<f64>) -> f64 {
        0.5 * r.angular_momentum(q, spin).dot(spin)
    }

    #[test]
    fn angular_momentum_holds_to_rounding_and_energy_does_not_drift() {
        let rotation = asymmetric();
        let (mut q, mut spin) = (UnitQuaternion::identity(), Vector3::new(0.1, 2.0, 0.3));
        let (momentum, start) =
            (rotation.angular_momentum(&q, &spin), energy(&rotation, &q, &spin));
        let mut largest: [f64; 2] = [0.0; 2];
        for step in 0..20_000 {
            (q, spin) = rotation.advance(q, spin, 0.02);
            let error = (energy(&rotation, &q, &spin) / start - 1.0).abs();
            let half = usize::from(step >= 10_000);
            largest[half] = largest[half].max(error);
        }
        let drift = (rotation.angular_momentum(&q, &spin) - momentum).norm() / momentum.norm();
        assert!(drift < 20_000.0 * f64::EPSILON, "drift of the angular momentum {drift:e}");
        assert!(largest[0] < 1e-3 && largest[1] < 1.01 * largest[0], "{largest:?}");
    }

    #[test]
    fn an_asymmetric_top_follows_the_jacobi_elliptic_functions_to_second_order() {
        // I = 1, 2, 3 with L² = 2 E I₂: the separatrix, where ω₂ = a tanh(λ a t) and the others go
        // as sech: Euler's equations with I₁ < I₂ < I₃ (Landau & Lifshitz, Mechanics, §37).
        let rotation =
            Rotation::new(Vector3::new(1.0, 2.0, 3.0), UnitQuaternion::identity(), Locks::NONE);
        let [i1, i2, i3] = [1.0, 2.0, 3.0_f64];
        let scale = 1.3_f64;
        let ratio = |near: f64, far: f64, own: f64| (i2 * (far - i2) / (own * (far - near))).abs();
        let (a1, a3) = (ratio(i1, i3, i1).sqrt() * scale, ratio(i3, i1, i3).sqrt() * scale);
        let rate = scale * ((i2 - i1) * (i3 - i2) / (i1 * i3)).sqrt();
        let start = Vector3::new(a1, 0.0, a3);
        let time = 2.0;
        let sech = 1.0 / libm::cosh(rate * time);
        let error = |steps: u32| {
            let (mut q, mut spin) = (UnitQuaternion::identity(), start);
            for _ in 0..steps {
                (q, spin) = rotation.advance(q, spin, time / f64::from(steps));
            }
            let own = q.inverse_transform_vector(&spin);
            // d ω₂/dt = (I₃ − I₁) ω₃ ω₁ / I₂ > 0.
            let exact = Vector3::new(a1 * sech, scale * libm::tanh(rate * time), a3 * sech);
            (own - exact).norm()
        };
        let (coarse, fine) = (error(100), error(200));
        assert!(coarse < 1e-3 && (3.8..4.2).contains(&(coarse / fine)), "{coarse:e} {fine:e}");
    }

    #[test]
    fn a_symmetric_top_precesses_exactly_in_one_step_of_many_turns() {
        let axes = UnitQuaternion::from_euler_angles(0.4, 0.2, -0.9);
        let rotation = Rotation::new(Vector3::new(3.0, 2.0, 3.0), axes, Locks::NONE);
        let (q, spin) =
            (UnitQuaternion::from_euler_angles(1.0, 0.5, 0.2), Vector3::new(2.0, 1.0, -3.0));
        let momentum = rotation.angular_momentum(&q, &spin);
        // The axis of symmetry goes round L at the rate |L|/I₁.
        let axis = axes * Vector3::y();
        let period = std::f64::consts::TAU * 3.0 / momentum.norm();
        let (whole, _) = rotation.advance(q, spin, 5.0 * period);
        assert!((whole * axis - q * axis).norm() < 1e-13);
        let (quarter, _) = rotation.advance(q, spin, 0.25 * period);
        let n = momentum.normalize();
        let across = q * axis - n * n.dot(&(q * axis));
        let expected = n * n.dot(&(q * axis)) + n.cross(&across);
        assert!((quarter * axis - expected).norm() < 1e-13);
        let half = (0..2).fold((q, spin), |(q, s), _| rotation.advance(q, s, 0.5 * period));
        let once = rotation.advance(q, spin, period);
        assert!(half.0.angle_to(&once.0) < 1e-7 && (half.1 - once.1).norm() < 1e-13);
    }

    #[test]
    fn time_runs_backwards_to_where_it_came_from() {
        let (q, spin) =
            (UnitQuaternion::from_euler_angles(0.1, 0.2, 0.3), Vector3::new(1.0, 2.0, 3.0));
        for locks in [Locks::NONE, Locks::SPIN_Y, Locks::SPIN_X | Locks::SPIN_Z] {
            let rotation = Rotation { locks, ..asymmetric() };
            let spin = locks.restrict(&Twist { velocity: Vector3::zeros(), spin });
            let (there, after) = rotation.advance(q, spin.spin, 0.3);
            let (back, before) = rotation.advance(there, after, -0.3);
            assert!(back.angle_to(&q) < 1e-7 && (before - spin.spin).norm() < 1e-13);
        }
    }

    #[test]
    fn a_locked_axis_keeps_its_zero_and_the_energy_is_kept_on_average() {
        let rotation = Rotation { locks: Locks::SPIN_Y, ..asymmetric() };
        let (mut q, mut spin) = (UnitQuaternion::identity(), Vector3::new(1.0, 0.0, 2.0));
        let start = energy(&rotation, &q, &spin);
        let momentum = rotation.angular_momentum(&q, &spin);
        for _ in 0..2000 {
            (q, spin) = rotation.advance(q, spin, 0.01);
            assert_eq!(spin.y, 0.0);
            let now = rotation.angular_momentum(&q, &spin);
            assert!((now.x - momentum.x).abs().max((now.z - momentum.z).abs()) < 1e-11);
            assert!((energy(&rotation, &q, &spin) / start - 1.0).abs() < 1e-3);
        }
    }
}
