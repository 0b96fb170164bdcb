//! Diffuse particles of a frame from a `.vtp` of ours.

use hashfall_core::{Real, Values, Vec3};
use hashfall_foam::{Diffuse, Kind};
use hashfall_input::{self as input, AttributeFilter, Cloud, Format};

/// Reads the diffuse particles of a frame from a `.vtp`; the next id is above all others.
///
/// # Errors
/// What is wrong with the file.
pub fn read_diffuse(bytes: &[u8]) -> Result<Diffuse, String> {
    let cloud = input::read(bytes, Format::VtkXml, &AttributeFilter::All)
        .map_err(|error| error.to_string())?;
    let ids = labels(&cloud, "id").ok_or("it has no `id`")?;
    let kinds = labels(&cloud, "type").ok_or("it has no `type`")?;
    let kinds: Option<Vec<Kind>> = kinds.into_iter().map(Kind::from_number).collect();
    let diffuse = Diffuse {
        next_id: ids.iter().max().map_or(0, |last| last.saturating_add(1)),
        ids,
        velocities: vectors(&cloud, "velocity").ok_or("it has no `velocity`")?,
        kinds: kinds.ok_or("it has a `type` above 2")?,
        ages: scalars(&cloud, "age").ok_or("it has no `age`")?,
        lifetimes: scalars(&cloud, "lifetime").ok_or("it has no `lifetime`")?,
        radii: scalars(&cloud, "radius").ok_or("it has no `radius`")?,
        positions: cloud.positions,
    };
    match diffuse.is_sound() {
        true => Ok(diffuse),
        false => Err("its particles are not those of a frame".to_owned()),
    }
}

/// Labels of a name; an array without values reads as numbers of any type.
pub(super) fn labels(cloud: &Cloud, name: &str) -> Option<Vec<u32>> {
    match values(cloud, name)? {
        Values::Labels(labels) => Some(labels.to_vec()),
        Values::Integers(integers) if integers.is_empty() => Some(Vec::new()),
        _ => None,
    }
}

/// Vectors of a name.
pub(super) fn vectors(cloud: &Cloud, name: &str) -> Option<Vec<Vec3>> {
    match values(cloud, name)? {
        Values::Vectors(vectors) => Some(vectors.to_vec()),
        _ => None,
    }
}

fn scalars(cloud: &Cloud, name: &str) -> Option<Vec<Real>> {
    match values(cloud, name)? {
        Values::Scalars(scalars) => Some(scalars.to_vec()),
        _ => None,
    }
}

fn values<'a>(cloud: &'a Cloud, name: &str) -> Option<&'a Values<'static>> {
    cloud.attributes.iter().find(|attribute| attribute.name == name).map(|found| &found.values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_output::foam;

    #[test]
    fn what_is_written_is_read_back_to_the_bit() {
        let number = |k: u32| (k as Real * 0.618).fract() + 1e-3;
        let vector = |k: u32| Vec3::new(number(k), number(k + 1), number(k + 2));
        let written = Diffuse {
            ids: (0..100).map(|k| 3 * k).collect(),
            positions: (0..100).map(vector).collect(),
            velocities: (50..150).map(vector).collect(),
            kinds: (0..100).map(|k| Kind::ALL[k % 3]).collect(),
            ages: (0..100).map(number).collect(),
            lifetimes: (7..107).map(number).collect(),
            radii: (9..109).map(number).collect(),
            next_id: 298,
        };
        let read = read_diffuse(&foam::vtp(&written, 0.1).into_bytes()).unwrap();
        assert_eq!(read, written);
        let none = read_diffuse(&foam::vtp(&Diffuse::default(), 0.1).into_bytes()).unwrap();
        assert_eq!(none, Diffuse::default());
    }

    #[test]
    fn damaged_files_are_refused() {
        let twice = Diffuse {
            ids: vec![1, 1],
            positions: vec![Vec3::zeros(); 2],
            velocities: vec![Vec3::zeros(); 2],
            kinds: vec![Kind::Foam; 2],
            ages: vec![0.0; 2],
            lifetimes: vec![0.0; 2],
            radii: vec![0.1; 2],
            next_id: 2,
        };
        let bytes = foam::vtp(&twice, 0.0).into_bytes();
        assert!(read_diffuse(&bytes).unwrap_err().contains("not those of a frame"));
        assert!(read_diffuse(&bytes[..bytes.len() - 40]).is_err());
        assert!(read_diffuse(b"").is_err());
    }
}
