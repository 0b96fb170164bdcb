//! Why something has no mass properties.

use hashfall_geometry::OpenMesh;
use thiserror::Error;

/// Why something has no mass, centre and inertia.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum MassError {
    /// A density, mass or length is not positive, or not finite.
    #[error("the {what} must be positive and finite, and is {value}")]
    NotPositive {
        /// What it is.
        what: &'static str,
        /// Its value, in SI units.
        value: f64,
    },
    /// A mesh does not enclose a volume.
    #[error(transparent)]
    Open(#[from] OpenMesh),
    /// A triangle names a corner that is not there, or one that is not finite.
    #[error("triangle {0} names a corner that is missing or not finite")]
    BadTriangle(usize),
    /// The enclosed volume, or area, is negative.
    #[error("faces point inwards: the enclosed {what} is {value:.3e}")]
    Inward {
        /// Volume or area.
        what: &'static str,
        /// Its value \[m³, m²\].
        value: f64,
    },
    /// What is enclosed is lost in rounding, or nothing.
    #[error("the enclosed {what} is nothing, or too thin to be told from rounding")]
    Empty {
        /// Volume or area.
        what: &'static str,
    },
}

/// Refuses what is not positive and finite.
pub(super) fn check_positive(values: &[(&'static str, f64)]) -> Result<(), MassError> {
    let wrong = values.iter().find(|(_, value)| !(value.is_finite() && *value > 0.0));
    wrong.map_or(Ok(()), |&(what, value)| Err(MassError::NotPositive { what, value }))
}
