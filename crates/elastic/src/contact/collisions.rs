//! The contract of contact: what an integrator asks of it in each substep.

use crate::contact::error::ContactError;
use hashfall_bodies::RigidMotion;
use hashfall_core::parallel;
use hashfall_geometry::Point;
use std::fmt::Debug;
use std::ops::AddAssign;

/// How the solids that move do so in a substep.
#[derive(Clone, Copy, Debug, Default)]
pub struct SolidMotion<'a> {
    /// Their motions in the step of the world, by their numbers.
    pub motions: &'a [RigidMotion],
    /// Which part of that step the substep is: where it begins and ends, from 0 to 1.
    pub parts: [f64; 2],
}

/// A substep whose drift is to come: each node is to move by `dt` times its velocity.
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
    /// What solids do in it.
    pub solids: SolidMotion<'a>,
}

/// The drift of a substep.
#[derive(Clone, Copy, Debug)]
pub struct Drift<'a> {
    /// 1/mass of each node \[1/kg\]; 0 of those that are fixed or tied.
    pub inverse_mass: &'a [f64],
    /// When it begins \[s\].
    pub time: f64,
    /// Its length \[s\].
    pub dt: f64,
    /// What solids do in it.
    pub solids: SolidMotion<'a>,
}

impl Drift<'_> {
    /// Moves all nodes \[m\] by `dt` times their velocities \[m/s\].
    pub fn move_nodes(&self, position: &mut [Point], velocity: &[Point]) {
        parallel::fill(position, |node, position| *position += velocity[node] * self.dt);
    }
}

/// What contact did in some substeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContactCounts {
    /// Pairs of primitives that were tested; in the full mode more after a resume, as all are then.
    pub tested: u64,
    /// Contacts that acted.
    pub contacts: u64,
    /// Vertices that went through a triangle: none unless the mode may interpenetrate.
    pub passages: u64,
    /// Sweeps of the solver (full mode).
    pub sweeps: u64,
    /// Pairs that would have come through, had continuous detection not stopped them (full mode).
    pub impacts: u64,
    /// Substeps that ended early (full mode).
    pub cuts: u64,
}

impl AddAssign for ContactCounts {
    fn add_assign(&mut self, other: Self) {
        self.tested += other.tested;
        self.contacts += other.contacts;
        self.passages += other.passages;
        self.sweeps += other.sweeps;
        self.impacts += other.impacts;
        self.cuts += other.cuts;
    }
}

/// Makes the motions of a substep such that nothing passes through anything, or mends positions
/// after it: a mode does one or the other.
pub trait Collisions: Debug + Send {
    /// Changes velocities \[m/s\] so that the straight motions of all nodes meet nothing for the
    /// part of `dt` that is returned: 1 nearly always, and less only where velocities alone could
    /// not prevent an intersection; then the substep ends there. Momentum of nodes that are free
    /// stays but for what obstacles take, and their kinetic energy never grows but by the work of
    /// obstacles that move.
    ///
    /// # Errors
    /// If there is no motion without an intersection.
    fn resolve(
        &mut self,
        motion: &NodeMotion<'_>,
        velocity: &mut [Point],
    ) -> Result<f64, ContactError>;

    /// Moves all nodes \[m\] by `dt` times their velocities \[m/s\], after
    /// [`Collisions::resolve`]. A mode that detects collisions where nodes came to (Ahmad)
    /// displaces them here, and changes their velocities by the same rules as there; the full mode
    /// adds corrections of the second order in `dt`, which keep touching surfaces at their
    /// distance; others leave it as it is. `dt` is at most what `resolve` found free.
    fn drift(&mut self, drift: &Drift<'_>, position: &mut [Point], velocity: &mut [Point]) {
        drift.move_nodes(position, velocity);
    }

    /// Whether nothing ever collides.
    fn is_none(&self) -> bool {
        false
    }

    /// Whether nothing can touch while each node keeps within its `deviation` \[m\] of a straight
    /// motion with its velocity: at the part s of the substep, from 0 to 1, as far from x + s v dt.
    /// False where that is not sure; it depends on these alone. If it is true, the nodes may move
    /// so without being resolved.
    ///
    /// # Errors
    /// If nodes are where none can be.
    fn is_clear(
        &mut self,
        _motion: &NodeMotion<'_>,
        _velocity: &[Point],
        _deviation: &[f64],
    ) -> Result<bool, ContactError> {
        Ok(self.is_none())
    }

    /// What it did since it was last asked.
    fn take_counts(&mut self) -> ContactCounts {
        ContactCounts::default()
    }
}

/// Nothing collides.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCollisions;

impl Collisions for NoCollisions {
    fn is_none(&self) -> bool {
        true
    }

    fn resolve(
        &mut self,
        _motion: &NodeMotion<'_>,
        _velocity: &mut [Point],
    ) -> Result<f64, ContactError> {
        Ok(1.0)
    }
}
