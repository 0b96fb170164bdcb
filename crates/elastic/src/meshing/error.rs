//! Why a rest shape cannot be made.

use hashfall_geometry::Point;
use thiserror::Error;

/// The most nodes of one body: their numbers have 32 bits, and so has any count of elements.
pub(super) const MAX_NODES: u64 = 1 << 28;

/// Why a rest shape cannot be made.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum MeshingError {
    /// A count that must be positive is 0.
    #[error("{what} must be at least 1, found 0")]
    Zero {
        /// What is counted.
        what: &'static str,
    },
    /// A length, an edge or a radius that must be positive and finite is not.
    #[error("{what} must be finite and not 0, found {found}")]
    Degenerate {
        /// What it is.
        what: &'static str,
        /// The value in the input.
        found: String,
    },
    /// A place that is infinite or NaN.
    #[error("{what} must be finite, found {found}")]
    NotFinite {
        /// What it is.
        what: &'static str,
        /// The value in the input.
        found: String,
    },
    /// Edges that span neither an area nor a volume.
    #[error("{what} are parallel")]
    Parallel {
        /// Which edges.
        what: &'static str,
    },
    /// More nodes than a body may have.
    #[error(
        "the mesh would have {nodes} nodes, more than {}: choose fewer or larger cells",
        MAX_NODES
    )]
    TooLarge {
        /// Their number, or a bound of it.
        nodes: u64,
    },
    /// No tetrahedron: cells are too large for the shape, or it is empty.
    #[error("no tetrahedron of cells of {spacing} m fits into the shape: choose smaller cells")]
    Empty {
        /// Spacing of the lattice \[m\].
        spacing: f64,
    },
}

/// Refuses a count of 0.
pub(super) fn check_count(what: &'static str, count: u32) -> Result<(), MeshingError> {
    if count == 0 { Err(MeshingError::Zero { what }) } else { Ok(()) }
}

/// Refuses a length that is not positive and finite.
pub(super) fn check_length(what: &'static str, length: f64) -> Result<(), MeshingError> {
    match length > 0.0 && length.is_finite() {
        true => Ok(()),
        false => Err(MeshingError::Degenerate { what, found: length.to_string() }),
    }
}

/// Refuses a vector that is zero or not finite.
pub(super) fn check_vector(what: &'static str, vector: &Point) -> Result<(), MeshingError> {
    match is_finite(vector) && *vector != Point::zeros() {
        true => Ok(()),
        false => Err(MeshingError::Degenerate { what, found: as_text(vector) }),
    }
}

/// Refuses a place that is not finite.
pub(super) fn check_place(what: &'static str, place: &Point) -> Result<(), MeshingError> {
    match is_finite(place) {
        true => Ok(()),
        false => Err(MeshingError::NotFinite { what, found: as_text(place) }),
    }
}

fn is_finite(vector: &Point) -> bool {
    vector.iter().all(|x| x.is_finite())
}

fn as_text(vector: &Point) -> String {
    format!("({}, {}, {})", vector.x, vector.y, vector.z)
}

/// Refuses more nodes than a body may have, the product of these.
pub(super) fn check_nodes(factors: &[u64]) -> Result<(), MeshingError> {
    let nodes = factors.iter().fold(1_u64, |all, factor| all.saturating_mul(*factor));
    if nodes > MAX_NODES { Err(MeshingError::TooLarge { nodes }) } else { Ok(()) }
}
