//! The spray, foam and bubbles of a frame, from its file.

use crate::camera::single;
use hashfall_core::{Attribute, Real, Values, Vec3};
use hashfall_input::{self as input, AttributeFilter, Cloud, Format, InputError};

/// A drop, a patch of foam or a bubble.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoamPoint {
    /// Centre \[m\].
    pub position: nalgebra::Vector3<f32>,
    /// Radius \[m\].
    pub radius: f32,
}

/// Reads the points of a frame from a file in a format, with the array `radius` \[m\]; points whose
/// radius is not there have `default_radius`.
///
/// # Errors
/// The problem of the file.
pub fn read_foam(
    bytes: &[u8],
    format: Format,
    default_radius: f32,
) -> Result<Vec<FoamPoint>, InputError> {
    let cloud = input::read(bytes, format, &AttributeFilter::All)?;
    let radii = radii(&cloud);
    let point = |(k, position): (usize, &Vec3)| FoamPoint {
        position: single(position),
        radius: radii.map_or(default_radius, |radii| narrow(radii[k])),
    };
    Ok(cloud.positions.iter().enumerate().map(point).collect())
}

fn radii(cloud: &Cloud) -> Option<&[Real]> {
    let is_radius = |attribute: &&Attribute| attribute.name == "radius";
    match &cloud.attributes.iter().find(is_radius)?.values {
        Values::Scalars(values) => Some(values),
        _ => None,
    }
}

#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f64")]
fn narrow(x: Real) -> f32 {
    x as f32
}
