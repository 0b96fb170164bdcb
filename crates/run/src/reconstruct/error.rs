//! Why particles have no surface.

use hashfall_core::Real;
use thiserror::Error;

/// Fluids are told apart by a byte.
pub(super) const MAX_FLUIDS: usize = 255;

/// Why particles have no surface.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ReconstructionError {
    /// No attribute has a name that was asked for.
    #[error("no attribute `{name}`: {hint}")]
    NoAttribute {
        /// The name.
        name: String,
        /// A near name, or all that there are.
        hint: String,
    },
    /// The file has the attribute, but it cannot be read.
    #[error("attribute `{name}` cannot be read: {reason}")]
    Unreadable {
        /// The name.
        name: String,
        /// Why not.
        reason: String,
    },
    /// A value is infinite or NaN, which would spread.
    #[error("attribute `{name}` of particle {particle} (counted from 0) is not finite")]
    NotFinite {
        /// The attribute's name.
        name: String,
        /// The particle's place in the file.
        particle: usize,
    },
    /// Fluids are told apart by whole numbers.
    #[error("attribute `{0}` cannot tell fluids apart: it does not hold whole numbers from 0 on")]
    NotWhole(String),
    /// Too many fluids to be told apart.
    #[error("attribute `{name}` has {count} values; at most {MAX_FLUIDS} fluids can be told apart")]
    TooManyFluids {
        /// The attribute's name.
        name: String,
        /// How many values it has.
        count: usize,
    },
    /// Cells too far from the origin to be told apart.
    #[error(
        "particle {particle} (counted from 0) is too far from the origin for a particle radius of \
         {particle_radius} m: is the radius in the unit of the file?"
    )]
    TooFar {
        /// The particle's place in the file.
        particle: usize,
        /// The radius that was given.
        particle_radius: Real,
    },
    /// Too many particles in one place: they would take hours.
    #[error(
        "{mean} particles lie within a kernel's reach of {support_radius} m as a mean (some 10 are \
         usual): is the radius in the unit of the file, or are particles all in one place?"
    )]
    TooDense {
        /// Particles in a cell of the kernel's size.
        mean: u64,
        /// The kernel's radius.
        support_radius: Real,
    },
}
