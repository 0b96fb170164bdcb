//! Wrenches and twists: what six numbers act on a rigid body, and with what six it moves.
//!
//! Both are taken at the body's centre of mass and in the axes of the world. A wrench F, τ does the
//! power F·v + τ·ω on a twist v, ω (Featherstone 2008, *Rigid Body Dynamics Algorithms*, chapter
//! 2). A force f at the arm r from the centre is the wrench f, r × f; there the body moves with
//! v + ω × r. The two maps are transposes of each other.
//!
//! Symbols: F force \[N\], τ torque \[N m\], v velocity of the centre \[m/s\], ω spin \[rad/s\],
//! r arm \[m\]. Times a duration, a wrench is an impulse \[N s, N m s\].

use nalgebra::Vector3;
use std::ops::{Add, AddAssign, Mul, Sub};

/// A force and a torque about the centre of mass of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrench {
    /// F \[N\].
    pub force: Vector3<f64>,
    /// τ about the centre of mass \[N m\].
    pub torque: Vector3<f64>,
}

/// The velocity of a body's centre of mass and its spin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist {
    /// v of the centre of mass \[m/s\].
    pub velocity: Vector3<f64>,
    /// ω in the axes of the world \[rad/s\].
    pub spin: Vector3<f64>,
}

impl Wrench {
    /// The wrench of `force` \[N\] that acts at `arm` \[m\] from the centre of mass.
    #[inline]
    pub fn from_force_at(force: Vector3<f64>, arm: &Vector3<f64>) -> Self {
        Wrench { force, torque: arm.cross(&force) }
    }

    /// The power that it does on a body of this twist \[W\].
    pub fn power(&self, twist: &Twist) -> f64 {
        self.force.dot(&twist.velocity) + self.torque.dot(&twist.spin)
    }
}

impl Twist {
    /// The velocity \[m/s\] of the point of the body at `arm` \[m\] from its centre of mass.
    #[inline]
    pub fn velocity_at(&self, arm: &Vector3<f64>) -> Vector3<f64> {
        self.velocity + self.spin.cross(arm)
    }
}

/// Component-wise arithmetic of a pair of vectors.
macro_rules! pair_arithmetic {
    ($pair:ident, $first:ident, $second:ident) => {
        impl Add for $pair {
            type Output = $pair;
            #[inline]
            fn add(self, other: $pair) -> $pair {
                $pair { $first: self.$first + other.$first, $second: self.$second + other.$second }
            }
        }

        impl Sub for $pair {
            type Output = $pair;
            #[inline]
            fn sub(self, other: $pair) -> $pair {
                $pair { $first: self.$first - other.$first, $second: self.$second - other.$second }
            }
        }

        impl AddAssign for $pair {
            #[inline]
            fn add_assign(&mut self, other: $pair) {
                *self = *self + other;
            }
        }

        impl Mul<f64> for $pair {
            type Output = $pair;
            #[inline]
            fn mul(self, factor: f64) -> $pair {
                $pair { $first: self.$first * factor, $second: self.$second * factor }
            }
        }
    };
}

pair_arithmetic!(Wrench, force, torque);
pair_arithmetic!(Twist, velocity, spin);

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;

    #[test]
    fn a_force_at_a_point_does_the_power_of_that_point() {
        let mut random = Random::new(1);
        for _ in 0..100 {
            let [force, arm, velocity, spin] = [(); 4].map(|()| random.point(-1.0, 1.0));
            let twist = Twist { velocity, spin };
            let power = Wrench::from_force_at(force, &arm).power(&twist);
            assert!((power - force.dot(&twist.velocity_at(&arm))).abs() < 1e-14);
        }
    }

    #[test]
    fn sums_and_multiples_are_by_component() {
        let [a, b] = [1.0, -0.5].map(|k| Wrench {
            force: Vector3::new(1.0, 2.0, 3.0) * k,
            torque: Vector3::new(-4.0, 5.0, 6.0) * k,
        });
        assert_eq!(a + b, a * 0.5);
        assert_eq!(a - b, a * 1.5);
    }
}
