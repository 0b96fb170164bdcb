//! Why a shape is refused.

use thiserror::Error;

/// Why something is no shape of a body.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ShapeError {
    /// A length is not positive, or not finite.
    #[error("the {what} of a {shape} must be positive and finite, and is {value}")]
    Length {
        /// The shape's kind.
        shape: &'static str,
        /// Which of its lengths.
        what: &'static str,
        /// Its value \[m\].
        value: f64,
    },
    /// A direction has no length, or is not finite.
    #[error("the normal of a half space must be finite and have a length")]
    Direction,
    /// A corner is not finite.
    #[error("corner {0} is not finite")]
    NotFinite(usize),
    /// Fewer corners than a solid has.
    #[error("a convex hull needs four corners, and there are {0}")]
    FewCorners(usize),
    /// The corners lie in a plane, or so nearly that they enclose nothing.
    #[error("the corners enclose no volume: they span {thickness:.1e} of their length across")]
    Flat {
        /// The least extent over the greatest \[–\].
        thickness: f64,
    },
    /// The hull could not be built, whatever the reason.
    #[error("no convex hull could be made of {corners} corners")]
    Hull {
        /// How many corners there were.
        corners: usize,
    },
    /// A mesh has no triangle with an area.
    #[error("the mesh has no triangle with an area")]
    NoTriangles,
    /// A triangle names a corner that is not there.
    #[error("triangle {triangle} names corner {corner}, and there are {corners}")]
    Index {
        /// The triangle.
        triangle: usize,
        /// The corner that it names.
        corner: u32,
        /// How many there are.
        corners: usize,
    },
    /// A mesh to decompose is not the boundary of a volume.
    #[error("a mesh can be decomposed only if it is closed and faces outwards: {0}")]
    NotSolid(String),
    /// The decomposition found nothing.
    #[error("the solid is too thin for convex parts")]
    NoParts,
    /// A setting of the decomposition is out of bounds.
    #[error("{what} of a decomposition must be in {low}..={high}, and is {value}")]
    Setting {
        /// Its name.
        what: &'static str,
        /// The least that it may be.
        low: f64,
        /// The most that it may be.
        high: f64,
        /// What it is.
        value: f64,
    },
}
