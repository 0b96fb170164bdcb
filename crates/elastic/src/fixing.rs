//! Nodes that elasticity does not move: fixed in space, or tied to a solid that moves.

use hashfall_bodies::RigidMotion;
use hashfall_geometry::Point;

/// What holds a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fixing {
    /// It stays where it is.
    Fixed,
    /// It moves with a solid.
    Tied {
        /// The solid's number among those that move.
        body: u32,
        /// Where the node is in the frame in which the scene places the solid \[m\].
        local: Point,
    },
}

impl Fixing {
    /// Ties a node that is at `x` \[m\] to a solid where it stands at the start of a motion.
    pub fn tied(body: u32, x: &Point, motion: &RigidMotion) -> Self {
        Fixing::Tied { body, local: motion.start.apply_inverse(x) }
    }

    /// Where the node is at a part of the step, from 0 to 1, and its rate of change with that part;
    /// none of one that stays.
    pub fn place(&self, motions: &[RigidMotion], part: f64) -> Option<(Point, Point)> {
        let Fixing::Tied { body, local } = self else { return None };
        let motion = &motions[*body as usize];
        let x = motion.at(part).apply(local);
        Some((x, motion.rate(&x)))
    }
}
