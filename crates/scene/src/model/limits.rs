//! Limits that several checks share. They are wide: they refuse values that are certainly mistakes
//! or cannot be computed in single precision, not unusual ones.

use std::ops::RangeInclusive;

/// The most particles of a scene: some 40 GB at work with the usual support radius, which a
/// workstation has; and far from where their 32-bit numbers end, with room for their surface's.
pub const MAX_PARTICLES: f64 = 20e6;

/// More solid balls than this cannot be meant.
pub const MAX_SPHERES: f64 = 10e6;

/// Lengths and coordinates stay below this \[m\].
pub const MAX_COORDINATE: f64 = 1e6;

/// Factors on the lengths of a mesh \[–\].
pub const SCALES: RangeInclusive<f64> = 1e-9..=1e9;

/// Boxes may miss each other by rounding, in particle spacings.
pub const SLACK: f64 = 1e-6;
/// Bodies stay below this speed \[m/s\].
pub const MAX_BODY_SPEED: f64 = 1e4;

/// Bodies turn no faster than this \[1/min\].
pub const MAX_RPM: f64 = 1e6;
