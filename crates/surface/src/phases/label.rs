//! Labels of grid points, and what cells and triangles separate.

/// A fluid's number, from 1 on, or the air.
pub(crate) type Label = u8;

/// The label of points outside all fluids.
pub(crate) const AIR: Label = 0;

/// The labels that a triangle separates: two labels. Seen from the side of the lesser, it is
/// counter-clockwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Sides {
    pub greater: Label,
    pub lesser: Label,
}

impl Sides {
    /// Those of two labels in any order.
    pub fn new(a: Label, b: Label) -> Self {
        Sides { greater: a.max(b), lesser: a.min(b) }
    }
}

/// A cell in which more than two labels meet.
pub(crate) struct Junction {
    /// The key of its block.
    pub block: u64,
    /// The patch of its tile.
    pub patch: u32,
    /// Its place in the tile.
    pub cell: u8,
    /// The labels of its corners.
    pub corners: [Label; 8],
}
