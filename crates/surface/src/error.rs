//! What particles and settings no surface can be made of.

use crate::input::SurfaceInput;
use crate::settings::{ANISOTROPY, COMPONENT_VOLUMES, DECIMATION, ITERATIONS, SurfaceSettings};
use hashfall_core::cell::{CELL_LIMIT, cell_of};
use hashfall_core::{Real, Vec3};
use std::ops::RangeInclusive;
use thiserror::Error;

/// Why particles and settings give no surface.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum SurfaceError {
    /// A coordinate that is NaN or infinite.
    #[error("particle {particle} (counted from 0) has a coordinate that is not finite")]
    NotFinite {
        /// The particle's index.
        particle: usize,
    },
    /// A particle so far from the origin that cells of the support radius have no number there.
    #[error("particle {particle} (counted from 0) lies too many support radii from the origin")]
    TooFar {
        /// The particle's index.
        particle: usize,
    },
    /// A particle radius that is not a positive number \[m\].
    #[error("the particle radius must be a positive number, not {0}")]
    ParticleRadius(f64),
    /// A support radius that is not a positive number \[m\].
    #[error("the support radius must be a positive number, not {0}")]
    SupportRadius(f64),
    /// An edge of a marching-cubes cell that is not a positive number \[particle radii\].
    #[error("the cell size must be a positive number, not {0}")]
    Cell(f64),
    /// An iso value that is not a positive number \[–\].
    #[error("the iso value must be a positive number, not {0}")]
    Iso(f64),
    /// An anisotropy outside [`ANISOTROPY`] \[–\].
    #[error("the anisotropy must lie between {low} and {high}, not be {0}",
            low = ANISOTROPY.start(), high = ANISOTROPY.end())]
    Anisotropy(f64),
    /// A setting out of its range.
    #[error("`{setting}` is {value}, but may be from {min} to {max}")]
    Setting {
        /// Its name.
        setting: &'static str,
        /// Its value.
        value: f64,
        /// The smallest that it may be.
        min: f64,
        /// The largest that it may be.
        max: f64,
    },
    /// A list of volumes that has not one value for each particle.
    #[error("there are {found} volumes for {particles} particles")]
    Volumes {
        /// Values given.
        found: usize,
        /// Particles given.
        particles: usize,
    },
    /// An attribute that has not one value for each particle.
    #[error("attribute `{name}` has {found} values for {particles} particles")]
    Attribute {
        /// Its name.
        name: String,
        /// Values given.
        found: usize,
        /// Particles given.
        particles: usize,
    },
}

/// Whether a length is positive and finite.
fn is_length(x: f64) -> bool {
    x.is_finite() && x > 0.0
}

/// Refuses a setting out of its range.
pub fn within(
    setting: &'static str,
    value: f64,
    range: RangeInclusive<f64>,
) -> Result<(), SurfaceError> {
    let (min, max) = (*range.start(), *range.end());
    if range.contains(&value) {
        return Ok(());
    }
    Err(SurfaceError::Setting { setting, value, min, max })
}

/// Checks what happens to a mesh after marching cubes.
fn validate_postprocessing(settings: &SurfaceSettings) -> Result<(), SurfaceError> {
    let iterations = f64::from(*ITERATIONS.start())..=f64::from(*ITERATIONS.end());
    let normals = settings.normals_smoothing.unwrap_or_default();
    within("smoothing", settings.smoothing.into(), iterations.clone())?;
    within("normals_smoothing", normals.into(), iterations)?;
    within("decimation", settings.decimation, DECIMATION)?;
    within("min_component_volume", settings.min_component_volume, COMPONENT_VOLUMES)
}

impl SurfaceInput<'_> {
    /// Checks particles and settings before a reconstruction; the order of the particles is not
    /// checked.
    ///
    /// # Errors
    /// The first problem, as [`SurfaceError`] lists them.
    pub fn validate(
        &self,
        settings: &SurfaceSettings,
        particle_radius: Real,
    ) -> Result<(), SurfaceError> {
        let (radius, h) = (f64::from(particle_radius), f64::from(self.support_radius));
        if !is_length(radius) {
            return Err(SurfaceError::ParticleRadius(radius));
        }
        if !is_length(h) {
            return Err(SurfaceError::SupportRadius(h));
        }
        if !is_length(settings.cell) {
            return Err(SurfaceError::Cell(settings.cell));
        }
        if !is_length(settings.iso) {
            return Err(SurfaceError::Iso(settings.iso));
        }
        if !ANISOTROPY.contains(&settings.anisotropy) {
            return Err(SurfaceError::Anisotropy(settings.anisotropy));
        }
        validate_postprocessing(settings)?;
        let particles = self.positions.len();
        if self.volumes.len() != particles {
            return Err(SurfaceError::Volumes { found: self.volumes.len(), particles });
        }
        for attribute in self.attributes {
            let (name, found) = (attribute.name.to_string(), attribute.values.len());
            if found != particles {
                return Err(SurfaceError::Attribute { name, found, particles });
            }
        }
        self.check_positions()
    }

    fn check_positions(&self) -> Result<(), SurfaceError> {
        let is_finite = |x: &Vec3| x.iter().all(|x| x.is_finite());
        if let Some(particle) = self.positions.iter().position(|x| !is_finite(x)) {
            return Err(SurfaceError::NotFinite { particle });
        }
        // Blocks of the grid are a little smaller than cells, and have keys of the same size.
        let limit = CELL_LIMIT / 2;
        let is_near = |x: &Vec3| {
            cell_of(x, self.support_radius).iter().all(|&cell| -limit < cell && cell < limit)
        };
        match self.positions.iter().position(|x| !is_near(x)) {
            Some(particle) => Err(SurfaceError::TooFar { particle }),
            None => Ok(()),
        }
    }
}
