//! The contract of contact: what an integrator asks of it in each substep.

use hashfall_geometry::Point;
use std::fmt::Debug;

/// The substep whose motions are looked at: each node is to move by `dt` times its velocity.
#[derive(Clone, Copy, Debug)]
pub struct NodeMotion<'a> {
    /// Where the nodes are \[m\]; nothing intersects there.
    pub position: &'a [Point],
    /// 1/mass of each node \[1/kg\]; 0 of those that are fixed or tied, whose velocity stays.
    pub inverse_mass: &'a [f64],
    /// When the substep begins \[s\].
    pub time: f64,
    /// Its length \[s\].
    pub dt: f64,
}

/// Makes the motions of a substep such that nothing passes through anything.
pub trait Collisions: Debug + Send {
    /// Changes velocities \[m/s\] so that the straight motions of all nodes meet nothing for the
    /// part of `dt` that is returned: 1 nearly always, and less only where velocities alone could
    /// not prevent an intersection; then the substep ends there. Momentum of nodes that are free
    /// stays but for what obstacles take, and their kinetic energy never grows but by the work of
    /// obstacles that move.
    fn resolve(&mut self, motion: &NodeMotion<'_>, velocity: &mut [Point]) -> f64;
}

/// Nothing collides.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCollisions;

impl Collisions for NoCollisions {
    fn resolve(&mut self, _motion: &NodeMotion<'_>, _velocity: &mut [Point]) -> f64 {
        1.0
    }
}
