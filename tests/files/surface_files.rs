//! Particle files that VTK itself has written (`make.py`), in every encoding it knows: all give the
//! same cloud, and none of them cut short gives another.

use hashfall_core::{Attribute, Real, Values, Vec3};
use hashfall_input::{AttributeFilter, Cloud, Format, InputError};
use std::path::{Path, PathBuf};

const COUNT: usize = 50;

fn read(bytes: &[u8], format: Format) -> Result<Cloud, InputError> {
    hashfall_input::read(bytes, format, &AttributeFilter::All)
}

/// Each file with its format.
fn files() -> Vec<(PathBuf, Vec<u8>, Format)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/surface_files");
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<_> = entries
        .filter_map(|entry| {
            let path = entry.unwrap().path();
            let format = Format::from_extension(path.extension()?.to_str()?)?;
            let bytes = std::fs::read(&path).unwrap();
            Some((path, bytes, format))
        })
        .collect();
    files.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(files.len(), 20);
    files
}

/// What `make.py` puts into each file.
fn expected() -> Cloud {
    let grid = |i: usize| [i % 5, i / 5 % 5, i / 25].map(|k| k as Real / 64.0);
    let velocity = |i: usize| Vec3::new(i as Real / 8.0, -(i as Real) / 4.0, 0.5);
    let attributes = vec![
        ("density", Values::Scalars((0..COUNT).map(|i| 1000.0 + i as Real / 2.0).collect())),
        ("id", Values::Labels((0..COUNT as u32).rev().collect())),
        ("phase of fluid", Values::Labels((0..COUNT as u32).map(|i| i % 2).collect())),
        ("velocity", Values::Vectors((0..COUNT).map(velocity).collect())),
    ];
    Cloud {
        positions: (0..COUNT).map(|i| Vec3::from(grid(i))).collect(),
        attributes: attributes.into_iter().map(|(name, v)| Attribute::new(name, v)).collect(),
        ..Cloud::default()
    }
}

#[test]
fn every_encoding_gives_the_same_cloud() {
    let expected = expected();
    for (path, bytes, format) in files() {
        let mut cloud = read(&bytes, format).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        // The legacy files put the active arrays first.
        cloud.attributes.sort_by(|a, b| a.name.cmp(&b.name));
        assert_eq!(cloud.positions, expected.positions, "{}", path.display());
        assert_eq!(cloud.attributes, expected.attributes, "{}", path.display());
    }
}

/// The legacy format has no end mark, so a cut behind the points may lose attributes alone.
#[test]
fn no_file_cut_short_gives_other_points() {
    let expected = expected();
    for (path, bytes, format) in files() {
        let whole = bytes.trim_ascii_end().len();
        for length in 0..whole {
            match read(&bytes[..length], format) {
                Err(error) => assert!(!error.to_string().is_empty()),
                // Of text that is cut within its last word.
                Ok(cloud) if !cloud.warnings.is_empty() => {
                    assert!(!bytes[..length].ends_with(b"\n"));
                }
                Ok(cloud) => {
                    let place = format!("{} cut to {length} bytes", path.display());
                    assert_eq!(format, Format::VtkLegacy, "{place}");
                    assert_eq!(cloud.positions, expected.positions, "{place}");
                }
            }
        }
    }
}

#[test]
fn no_byte_changed_makes_the_reader_panic() {
    for (_, bytes, format) in files() {
        let mut bytes = bytes;
        for at in 0..bytes.len() {
            let good = bytes[at];
            for bad in [good ^ 0x10, 0xff] {
                bytes[at] = bad;
                if let Ok(cloud) = read(&bytes, format) {
                    assert!(cloud.positions.iter().flatten().all(|x| x.is_finite()));
                }
            }
            bytes[at] = good;
        }
    }
}
