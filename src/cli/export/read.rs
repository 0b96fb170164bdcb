//! Files of frames as clouds and meshes.

use hashfall_core::{Attribute as Read, Real, Values as ReadValues, Vec3};
use hashfall_export::{Attribute, Points, Values};
use hashfall_input::{self as input, AttributeFilter, Cloud, Format, InputError};

/// Reads particles, in the format that the extension names.
///
/// # Errors
/// The problem of the file.
pub fn points(bytes: &[u8], extension: &str) -> Result<Points, InputError> {
    let format = Format::from_extension(extension).unwrap_or(Format::VtkXml);
    Ok(from_cloud(input::read(bytes, format, &AttributeFilter::All)?))
}

/// Reads a mesh from a `.ply` or a `.vtp`.
///
/// # Errors
/// The problem of the file.
pub fn mesh(bytes: &[u8]) -> Result<(Points, Vec<[u32; 3]>), InputError> {
    let is_ply = bytes.starts_with(b"ply");
    let read = if is_ply { input::read_ply_mesh(bytes) } else { input::read_vtk_mesh(bytes) };
    let (cloud, triangles) = read?;
    Ok((from_cloud(cloud), triangles))
}

fn from_cloud(cloud: Cloud) -> Points {
    Points {
        positions: cloud.positions.iter().map(vector).collect(),
        attributes: cloud.attributes.iter().map(attribute).collect(),
    }
}

fn attribute(read: &Read<'_>) -> Attribute {
    let name = if read.name == "Normals" { "normal" } else { &read.name };
    let values = match &read.values {
        ReadValues::Scalars(values) => Values::Floats(values.iter().map(number).collect()),
        ReadValues::Vectors(values) => Values::Vectors(values.iter().map(vector).collect()),
        ReadValues::Labels(values) if name == "id" => {
            Values::Ids(values.iter().map(|id| i64::from(*id)).collect())
        }
        ReadValues::Labels(values) => {
            Values::Labels(values.iter().map(|it| label(i128::from(*it))).collect())
        }
        ReadValues::Integers(values) if name == "id" => {
            Values::Ids(values.iter().map(|id| i64::try_from(*id).unwrap_or(i64::MAX)).collect())
        }
        ReadValues::Integers(values) => {
            Values::Labels(values.iter().map(|it| label(*it)).collect())
        }
    };
    Attribute { name: name.to_owned(), values }
}

/// Runs write no labels that do not fit.
fn label(number: i128) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f64")]
fn number(x: &Real) -> f32 {
    *x as f32
}

fn vector(x: &Vec3) -> [f32; 3] {
    [number(&x.x), number(&x.y), number(&x.z)]
}
