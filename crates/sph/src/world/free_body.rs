//! Rigid bodies that the fluid moves.
//!
//! A free body is an entry of the solids with the law [`KinematicLaw::driven`] about its centre of
//! mass; the step sets its velocity in place of a caller. Place, orientation and velocity are state
//! and stand in the solids' [`BodyState`](hashfall_solid::BodyState); what stands here never
//! changes.
//!
//! Particles touch them. Walls, other solids and other free bodies do where the world has
//! [`RigidContact`](super::RigidContact); without, they pass through each other. No image of a body
//! stands behind a periodic side: along these axes it has to be locked.
//!
//! Symbols: m mass \[kg\], I inertia about the centre of mass \[kg m²\]; in the plane both are
//! those of a metre of depth.

use hashfall_bodies::Twist;
use nalgebra::Matrix3;

/// What never changes of a free body.
#[derive(Clone, Debug, PartialEq)]
pub struct FreeBody {
    /// Its number among [all bodies](hashfall_solid::Solids::body_count): entry k is k + 1.
    pub body: usize,
    /// m.
    pub mass: f64,
    /// I, turned as the scene places the body.
    pub inertia: Matrix3<f64>,
    /// Which of its motions are held: along x, y and z, then about them.
    pub locks: [bool; 6],
    /// Until this time it is held where it is \[s\].
    pub release: f64,
    /// What it begins to move with then.
    pub release_twist: Twist,
}

/// The locks of a body in a plane scene, which has y = 0.
pub const PLANE_LOCKS: [bool; 6] = [false, true, false, true, false, true];

impl FreeBody {
    /// Free from the start, at rest, without locks.
    pub fn new(body: usize, mass: f64, inertia: Matrix3<f64>) -> Self {
        let (locks, release_twist) = ([false; 6], Twist::default());
        FreeBody { body, mass, inertia, locks, release: 0.0, release_twist }
    }

    /// The same, held about and along these axes.
    pub fn with_locks(self, locks: [bool; 6]) -> Self {
        FreeBody { locks, ..self }
    }

    /// The same, let go at a time \[s\] with a twist.
    pub fn with_release(self, release: f64, release_twist: Twist) -> Self {
        FreeBody { release, release_twist, ..self }
    }

    /// A twist without what is locked.
    pub fn unlocked(&self, twist: &Twist) -> Twist {
        let numbers = twist.to_array();
        Twist::from(std::array::from_fn(|k| if self.locks[k] { 0.0 } else { numbers[k] }))
    }

    /// √(2 E/m), E its kinetic energy \[m/s\].
    pub(super) fn speed(&self, orientation: &Matrix3<f64>, twist: &Twist) -> f64 {
        let spin = orientation.transpose() * twist.spin;
        (twist.velocity.norm_squared() + spin.dot(&(self.inertia * spin)) / self.mass).sqrt()
    }

    /// Whether it is held at a time \[s\].
    pub fn is_held(&self, time: f64) -> bool {
        time < self.release
    }
}
