//! Worlds of two and of three dimensions.

use super::Real;

/// The number of dimensions of a world; one of two is the plane y = 0, with a depth of 1 m.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub enum Dimension {
    /// The plane of x and z.
    Two,
    /// Space.
    #[default]
    Three,
}

impl Dimension {
    /// D: the number of dimensions.
    pub fn count(self) -> u8 {
        match self {
            Dimension::Two => 2,
            Dimension::Three => 3,
        }
    }

    /// The volume of a cube of edge `d` \[m³\], in the plane with a depth of 1 m.
    pub fn cube(self, d: Real) -> Real {
        match self {
            Dimension::Two => d * d,
            Dimension::Three => d * d * d,
        }
    }
}
