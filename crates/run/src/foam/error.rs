//! Why diffuse particles cannot be computed.

use hashfall_output::FileError;
use hashfall_solid::DriveError;

/// Why diffuse particles cannot be computed.
#[derive(Debug, thiserror::Error)]
pub enum FoamError {
    /// A file of the run cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// The run has no fluid.
    #[error("the run has no fluid, so it has no foam")]
    NoFluid,
    /// The run has no frame.
    #[error("the run has no frame yet; start it again with `sim resume`")]
    NoFrame,
    /// No format that holds ids and velocities was written.
    #[error(
        "the run has no files of its particles; run it again with `output: (particles: [Vtp])` in \
         its scene"
    )]
    NoParticles,
    /// Only some frames have particles.
    #[error(
        "one frame in {0} has particles, and foam is computed from all; run it again without \
         `output.particles_every` in its scene"
    )]
    SparseParticles(u32),
    /// A file of a frame is missing.
    #[error("`{0}` is missing; `sim audit` tells what else is")]
    Missing(String),
    /// A file of a frame is invalid.
    #[error("`{file}`: {reason}")]
    Invalid {
        /// The file in the run's folder.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A frame has a body that the scene has not.
    #[error("bodies.csv: {0}")]
    Body(#[from] DriveError),
    /// A solid that should emit is not in the scene.
    #[error("`foam.emit_from`: there is no solid `{0}`")]
    UnknownSolid(String),
}
