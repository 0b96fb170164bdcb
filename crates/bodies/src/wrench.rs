//! Wrenches and twists: what six numbers act on a rigid body, and with what six it moves.
//!
//! Both are taken at one point, in the axes of the world: at the body's centre of mass unless
//! something else is said. A wrench F, τ does the power F·v + τ·ω on a twist v, ω (Featherstone
//! 2008, *Rigid Body Dynamics Algorithms*, chapter 2). A force f at the arm r from the point is the
//! wrench f, r × f; there the body moves with v + ω × r. The two maps are transposes of each other.
//! About another point, at r, the wrench is F, τ − r × F and the twist v + ω × r, ω: the power
//! stays.
//!
//! Symbols: F force \[N\], τ torque \[N m\], v velocity \[m/s\], ω spin \[rad/s\], r arm \[m\].
//! Times a duration, a wrench is an impulse \[N s, N m s\].

use hashfall_core::geometry::Point;
use nalgebra::Vector6;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A force and a torque about a point. Files have it as six numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "[f64; 6]", into = "[f64; 6]"))]
pub struct Wrench {
    /// F \[N\].
    pub force: Point,
    /// τ about the point \[N m\].
    pub torque: Point,
}

/// The velocity of a point of a body, and the body's spin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist {
    /// v of the point \[m/s\].
    pub velocity: Point,
    /// ω in the axes of the world \[rad/s\].
    pub spin: Point,
}

impl Wrench {
    /// The wrench of `force` \[N\] that acts at `arm` \[m\] from the point.
    #[inline]
    pub fn from_force_at(force: Point, arm: &Point) -> Self {
        Wrench { force, torque: arm.cross(&force) }
    }

    /// The same wrench about another point, at `arm` \[m\] from the present one.
    #[inline]
    pub fn about(&self, arm: &Point) -> Self {
        Wrench { force: self.force, torque: self.torque - arm.cross(&self.force) }
    }

    /// The power that it does on a body of this twist about the same point \[W\].
    pub fn power(&self, twist: &Twist) -> f64 {
        self.to_vector().dot(&twist.to_vector())
    }
}

impl Twist {
    /// The velocity \[m/s\] of the point of the body at `arm` \[m\] from that of the twist.
    #[inline]
    pub fn velocity_at(&self, arm: &Point) -> Point {
        self.velocity + self.spin.cross(arm)
    }

    /// The same twist about another point, at `arm` \[m\] from the present one.
    #[inline]
    pub fn about(&self, arm: &Point) -> Self {
        Twist { velocity: self.velocity_at(arm), spin: self.spin }
    }
}

/// Component-wise arithmetic of a pair of vectors, and its six numbers.
macro_rules! pair_of_vectors {
    ($pair:ident, $first:ident, $second:ident) => {
        impl $pair {
            /// Both vectors, one after the other.
            #[inline]
            pub fn to_array(&self) -> [f64; 6] {
                let ([u, v, w], [p, q, r]) = (self.$first.into(), self.$second.into());
                [u, v, w, p, q, r]
            }

            /// That of six such numbers.
            #[inline]
            pub fn from_array([u, v, w, p, q, r]: [f64; 6]) -> Self {
                $pair { $first: Point::new(u, v, w), $second: Point::new(p, q, r) }
            }

            /// The six numbers as a column.
            #[inline]
            pub fn to_vector(&self) -> Vector6<f64> {
                Vector6::from(self.to_array())
            }

            /// That of such a column.
            #[inline]
            pub fn from_vector(column: &Vector6<f64>) -> Self {
                Self::from_array((*column).into())
            }
        }

        impl From<[f64; 6]> for $pair {
            fn from(numbers: [f64; 6]) -> Self {
                Self::from_array(numbers)
            }
        }

        impl From<$pair> for [f64; 6] {
            fn from(pair: $pair) -> Self {
                pair.to_array()
            }
        }

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

        impl Neg for $pair {
            type Output = $pair;
            #[inline]
            fn neg(self) -> $pair {
                $pair { $first: -self.$first, $second: -self.$second }
            }
        }

        impl AddAssign for $pair {
            #[inline]
            fn add_assign(&mut self, other: $pair) {
                *self = *self + other;
            }
        }

        impl SubAssign for $pair {
            #[inline]
            fn sub_assign(&mut self, other: $pair) {
                *self = *self - other;
            }
        }

        impl Mul<f64> for $pair {
            type Output = $pair;
            #[inline]
            fn mul(self, factor: f64) -> $pair {
                $pair { $first: self.$first * factor, $second: self.$second * factor }
            }
        }

        impl Div<f64> for $pair {
            type Output = $pair;
            #[inline]
            fn div(self, divisor: f64) -> $pair {
                $pair { $first: self.$first / divisor, $second: self.$second / divisor }
            }
        }
    };
}

pair_of_vectors!(Wrench, force, torque);
pair_of_vectors!(Twist, velocity, spin);

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
    fn the_power_is_the_same_about_any_point() {
        let mut random = Random::new(2);
        for _ in 0..100 {
            let [force, torque, velocity, spin, arm] = [(); 5].map(|()| random.point(-1.0, 1.0));
            let (wrench, twist) = (Wrench { force, torque }, Twist { velocity, spin });
            let moved = wrench.about(&arm).power(&twist.about(&arm));
            assert!((moved - wrench.power(&twist)).abs() < 1e-14);
            let back = wrench.about(&arm).about(&-arm);
            assert!((back - wrench).to_vector().norm() < 1e-15);
            assert_eq!(Wrench::from_force_at(force, &arm).about(&arm).torque.norm(), 0.0);
        }
    }

    #[test]
    fn arithmetic_is_by_component() {
        let [a, b] = [1.0, -0.5].map(|k| Wrench {
            force: Point::new(1.0, 2.0, 3.0) * k,
            torque: Point::new(-4.0, 5.0, 6.0) * k,
        });
        assert_eq!(a + b, a * 0.5);
        assert_eq!(a - b, a * 1.5);
        assert_eq!(-b, a / 2.0);
        let mut sum = a;
        sum += b;
        sum -= a;
        assert_eq!(sum, b);
    }

    #[test]
    fn six_numbers_are_both_vectors_in_their_order() {
        let numbers = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let twist = Twist::from(numbers);
        assert_eq!(twist.velocity, Point::new(1.0, 2.0, 3.0));
        assert_eq!(twist.spin, Point::new(4.0, 5.0, 6.0));
        assert_eq!(Twist::from_vector(&twist.to_vector()), twist);
        assert_eq!(<[f64; 6]>::from(Wrench::from(numbers)), numbers);
    }
}
