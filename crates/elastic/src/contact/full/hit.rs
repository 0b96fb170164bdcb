//! Where something would pass through something else.

use super::pair::Pair;

/// What would come through.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub kind: HitKind,
    /// Its points; those of a wall are one.
    pub points: [u32; 4],
    /// The part of the motion that is free.
    pub part: f64,
}

/// What a hit is of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum HitKind {
    /// A pair.
    Pair(Pair),
    /// A vertex and a wall, by its number.
    Wall(u32),
}
