//! Which of a body's six motions are held: along and about the axes of the world.
//!
//! A locked axis takes no part in the motion: its component of the velocity or spin is zero, and
//! whatever force or torque acts along it is taken up by the lock. Bodies of plane scenes, which
//! lie in the plane of x and z, have [`Locks::PLANE`].

use hashfall_bodies::Twist;
use nalgebra::Vector3;
use std::ops::BitOr;

/// A set of locked axes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Locks(u8);

impl Locks {
    /// All six motions are free.
    pub const NONE: Locks = Locks(0);
    /// No motion along x.
    pub const X: Locks = Locks(1);
    /// No motion along y.
    pub const Y: Locks = Locks(1 << 1);
    /// No motion along z.
    pub const Z: Locks = Locks(1 << 2);
    /// No spin about x.
    pub const SPIN_X: Locks = Locks(1 << 3);
    /// No spin about y.
    pub const SPIN_Y: Locks = Locks(1 << 4);
    /// No spin about z.
    pub const SPIN_Z: Locks = Locks(1 << 5);
    /// No spin at all.
    pub const SPIN: Locks = Locks(0b111 << 3);
    /// What plane scenes lock: motion along y, spin about x and z.
    pub const PLANE: Locks = Locks(Self::Y.0 | Self::SPIN_X.0 | Self::SPIN_Z.0);
    /// Nothing moves.
    pub const ALL: Locks = Locks(0b11_1111);

    /// Whether all of `other` are locked.
    pub fn contain(self, other: Locks) -> bool {
        self.0 & other.0 == other.0
    }

    /// One for a free axis of motion, zero for a locked one.
    pub fn free_axes(self) -> Vector3<f64> {
        Self::mask(!self.0)
    }

    /// One for a free axis of spin, zero for a locked one.
    pub fn free_spins(self) -> Vector3<f64> {
        Self::mask(!self.0 >> 3)
    }

    /// The twist without its locked components.
    pub fn restrict(self, twist: &Twist) -> Twist {
        if self == Locks::NONE {
            return *twist;
        }
        // Not by a product: a locked component is +0, whatever its sign was.
        let part = |v: &Vector3<f64>, free: Vector3<f64>| {
            Vector3::from_fn(|k, _| if free[k] > 0.0 { v[k] } else { 0.0 })
        };
        Twist {
            velocity: part(&twist.velocity, self.free_axes()),
            spin: part(&twist.spin, self.free_spins()),
        }
    }

    /// The set bits of the lowest three, as numbers.
    fn mask(bits: u8) -> Vector3<f64> {
        Vector3::from_fn(|k, _| f64::from(bits >> k & 1))
    }
}

impl BitOr for Locks {
    type Output = Locks;
    fn bitor(self, other: Locks) -> Locks {
        Locks(self.0 | other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_keeps_two_motions_and_the_spin_about_its_normal() {
        assert_eq!(Locks::PLANE.free_axes(), Vector3::new(1.0, 0.0, 1.0));
        assert_eq!(Locks::PLANE.free_spins(), Vector3::new(0.0, 1.0, 0.0));
        let ones = Twist { velocity: Vector3::repeat(1.0), spin: Vector3::repeat(1.0) };
        let kept = Locks::PLANE.restrict(&ones);
        assert_eq!([kept.velocity, kept.spin], [Vector3::new(1.0, 0.0, 1.0), Vector3::y()]);
        assert_eq!(Locks::NONE.restrict(&ones), ones);
        assert_eq!(Locks::ALL.restrict(&ones), Twist::default());
    }

    #[test]
    fn sets_are_joined_and_contain_their_parts() {
        let locks = Locks::X | Locks::SPIN_Y;
        assert!(locks.contain(Locks::X) && locks.contain(Locks::SPIN_Y));
        assert!(!locks.contain(Locks::Y) && Locks::ALL.contain(Locks::PLANE | Locks::SPIN));
    }
}
