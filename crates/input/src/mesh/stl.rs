//! STL files (stereolithography), text and binary.
//!
//! Source: 3D Systems, *StereoLithography Interface Specification* (1988). The crate stl_io reads
//! the triangles. It takes a binary file whose head begins with `solid` for text, wants text in
//! lines of its layout, stops at the first of several solids, and tells no places; so both kinds
//! are checked here first and handed on in the layout that it reads. Normals are not read: the
//! order of the corners says as much, and some programs write zeros. Each facet has corners of its
//! own, which are welded later.
//!
//! Programs that write facets as they come leave a count of 0 or 2³² − 1 in the head of a binary
//! file, and some leave out the last `endsolid` of a text. Then the facets that are there are read,
//! and it is told.

use super::error::{MeshError, MeshProblem};
use super::face::{FaceUnit, Faces};
use super::format::{Beside, FileMesh, Format};
use super::place::Place;
use super::stl_text::{self, StlText};
use super::warning::MeshWarning;
use crate::error::Problem;
use hashfall_core::file_kind::FileKind;
use hashfall_geometry::{Point, Polygons};
use std::io::Cursor;

pub(super) const FORMAT: Format =
    Format { name: "STL", kinds: &[FileKind::StlText, FileKind::StlBinary], up: None, read };

/// Bytes of a binary file before its count of facets.
const TITLE: usize = 80;
/// Bytes of a binary file before its facets.
const HEAD: usize = TITLE + 4;
/// Bytes of a facet: a normal, three corners, and two that mean nothing here.
const FACET: usize = 50;
/// Counts of a head that was written before its facets.
const UNSET: [u32; 2] = [0, u32::MAX];
/// Bytes of a facet's normal.
const NORMAL: usize = 12;

fn read<'a>(bytes: &'a [u8], _: &mut Beside) -> Result<FileMesh<'a>, MeshError> {
    let (clean, faces, warnings) = match FileKind::from_content(bytes) {
        Some(FileKind::StlBinary) => {
            let (clean, warning) = check_binary(bytes)?;
            let faces = Faces::Numbered { unit: FaceUnit::Facet, numbers: Vec::new() };
            (clean, faces, Vec::from_iter(warning))
        }
        _ => {
            let StlText { clean, faces, lacks_end } = stl_text::scan(bytes)?;
            let what = "the text has no `endsolid`: what is there is read".to_owned();
            let help = "export it again, if something is missing";
            let warning = lacks_end.then_some(MeshWarning::Ignored { what, help });
            (clean, faces, Vec::from_iter(warning))
        }
    };
    let polygons = load(clean)?;
    Ok(FileMesh { polygons, faces, warnings, if_empty: MeshProblem::Empty })
}

/// Reads a checked file through stl_io.
fn load(clean: Vec<u8>) -> Result<Polygons, MeshError> {
    let refused = |error: std::io::Error| {
        let reason = error.to_string();
        MeshProblem::Unreadable { format: FORMAT.name, reason }
    };
    let mut polygons = Polygons::default();
    for facet in stl_io::create_stl_reader(&mut Cursor::new(clean)).map_err(refused)? {
        let first = polygons.vertices.len() as u32;
        let corners = facet.map_err(refused)?.vertices;
        polygons.vertices.extend(corners.map(|corner| Point::from(corner.0.map(f64::from))));
        polygons.push(first..first + 3);
    }
    Ok(polygons)
}

/// A binary file without a title, once its length fits its count and its corners are finite; and a
/// warning if the length told the count.
fn check_binary(bytes: &[u8]) -> Result<(Vec<u8>, Option<MeshWarning>), MeshError> {
    let fault = |problem| MeshProblem::Format { format: FORMAT.name, problem };
    let (head, facets) = bytes.split_at_checked(HEAD).ok_or_else(|| {
        let missing = format!("the head of a binary STL file takes {HEAD} bytes");
        fault(Problem::ends_early(missing)).at(Place::Byte(bytes.len()))
    })?;
    let counted = head[TITLE..].iter().rev().fold(0, |count, &byte| count << 8 | u32::from(byte));
    let there = facets.len() / FACET;
    let is_unset = UNSET.contains(&counted) && there > 0 && facets.len().is_multiple_of(FACET);
    let count = if is_unset { there } else { counted as usize };
    if facets.len() < count.saturating_mul(FACET) {
        let missing = format!("its head counts {count} facets, and facet {there} is cut off");
        return Err(fault(Problem::ends_early(missing)).at(Place::Byte(bytes.len())));
    }
    if facets.len() > count * FACET {
        let rest = facets.len() - count * FACET;
        let expected = format!("the end of the file, as its head counts {count} facets");
        let found = format!("{rest} bytes more");
        let problem = Problem::Unexpected { expected, found, hint: "" };
        return Err(fault(problem).at(Place::Byte(HEAD + count * FACET)));
    }
    for (k, facet) in facets.chunks_exact(FACET).enumerate() {
        let numbers = facet[NORMAL..].as_chunks::<4>().0.iter().take(9);
        let invalid =
            numbers.map(|number| f32::from_le_bytes(*number)).position(|x| !x.is_finite());
        if let Some(number) = invalid {
            let axis = ['x', 'y', 'z'][number % 3];
            let of = format!("corner {} of facet {k} (counted from 0)", number / 3);
            let place = Place::Byte(HEAD + k * FACET + NORMAL + 4 * number);
            return Err(MeshProblem::NotFiniteIn { axis, of }.at(place));
        }
    }
    let warning = is_unset.then(|| {
        let what = format!("its head counts {counted} facets; by its length it has {count}");
        MeshWarning::Ignored { what, help: "export it again, if something is missing" }
    });
    // A title that begins with `solid` would make stl_io take the file for text.
    Ok(([&[0; TITLE], &(count as u32).to_le_bytes()[..], facets].concat(), warning))
}
