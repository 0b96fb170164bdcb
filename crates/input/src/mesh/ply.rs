//! Polygon files: `.ply`, text or binary of either byte order.
//!
//! Source: Turk, *The PLY Polygon File Format* (1994). The crate ply-rs-bw reads the rows. It knows
//! neither names with signs nor comments in Latin-1 nor numbers such as `1.`, wants one row a line,
//! and tells no byte; so the head and the rows are checked here first, with the scanner of the
//! particle reader. What is handed on is a head with the names x, y, z and `vertex_indices` alone,
//! and the rows in one binary layout, whatever their types in the file.
//!
//! Faces are lists named `vertex_indices` or `vertex_index` of the element `face`; the element
//! `tristrips` has strips of triangles with −1 between them.

use super::error::{MeshError, MeshProblem, located};
use super::face::{FaceUnit, Faces};
use super::format::{Beside, FileMesh, Format};
use super::ply_rows::{Checked, check};
use super::strips::strip;
use super::text::text;
use crate::error::Problem;
use crate::ply::{Encoding, Head};
use crate::scanner::Scanner;
use hashfall_core::file_kind::FileKind;
use hashfall_geometry::{Point, Polygons};
use ply_rs_bw::parser::{ParseError, Parser};
use ply_rs_bw::ply::{Property, PropertyAccess, PropertyAccessResult};

pub(super) const FORMAT: Format = Format { name: "PLY", kinds: &[FileKind::Ply], up: None, read };

fn read<'a>(bytes: &'a [u8], _: &mut Beside) -> Result<FileMesh<'a>, MeshError> {
    let mut scanner = Scanner::new(bytes);
    let head = Head::read(&mut scanner);
    // Text is read anew with one kind of line ends; so is a head that is not understood.
    let is_text = head.as_ref().map_or(true, |head| head.encoding == Encoding::Text);
    if is_text {
        let text = text(bytes);
        let mut scanner = Scanner::new(text.as_bytes());
        let checked = Head::read(&mut scanner)
            .map_err(|error| located(FORMAT.name, error, &text))
            .and_then(|head| check(&head, &mut scanner, &text))?;
        let polygons = load(&checked)?;
        // The triangles of strips have no words of their own.
        let are_words = polygons.arities.len() == checked.faces.len();
        let faces = match are_words {
            true => Faces::Words { text, starts: checked.faces },
            false => Faces::Numbered { unit: FaceUnit::Triangle, numbers: Vec::new() },
        };
        return Ok(FileMesh { polygons, faces, warnings: Vec::new(), if_empty: no_faces() });
    }
    let head = head.map_err(|error| located(FORMAT.name, error, ""))?;
    let checked = check(&head, &mut scanner, "")?;
    let polygons = load(&checked)?;
    let faces = Faces::Numbered { unit: FaceUnit::Face, numbers: Vec::new() };
    Ok(FileMesh { polygons, faces, warnings: Vec::new(), if_empty: no_faces() })
}

fn no_faces() -> MeshProblem {
    let problem = Problem::Missing("the file has no faces: it is a cloud of points".to_owned());
    MeshProblem::Format { format: FORMAT.name, problem }
}

/// Reads a checked file through ply-rs-bw.
fn load(checked: &Checked) -> Result<Polygons, MeshError> {
    let refused = |error: ParseError| {
        let reason = error.to_string();
        MeshProblem::Unreadable { format: FORMAT.name, reason }
    };
    let ply = Parser::<Row>::new().read_ply(&mut &checked.clean[..]).map_err(refused)?;
    let rows = |name: &str| ply.payload.get(name).map_or(&[][..], |rows| &rows[..]);
    let mut polygons = Polygons::default();
    polygons.vertices.extend(rows("vertex").iter().map(|row| row.position));
    for row in rows("face") {
        polygons.push(row.corners.iter().map(|&corner| corner as u32));
    }
    for row in rows("tristrips") {
        for corners in row.corners.split(|&corner| corner < 0) {
            let corners: Vec<u32> = corners.iter().map(|&corner| corner as u32).collect();
            strip(&corners).for_each(|triangle| polygons.push(triangle));
        }
    }
    Ok(polygons)
}

/// A vertex, face or strip.
struct Row {
    position: Point,
    corners: Vec<i64>,
}

impl PropertyAccess for Row {
    fn new() -> Self {
        Row { position: Point::zeros(), corners: Vec::new() }
    }

    fn set_property(&mut self, name: &str, value: Property) -> PropertyAccessResult {
        let axis = match name {
            "x" => 0,
            "y" => 1,
            "z" => 2,
            "vertex_indices" => {
                self.corners = match value {
                    Property::ListInt(list) => whole(list),
                    Property::ListUInt(list) => whole(list),
                    _ => return PropertyAccessResult::UnsupportedType,
                };
                return PropertyAccessResult::Set;
            }
            _ => return PropertyAccessResult::Ignored,
        };
        let Property::Double(x) = value else { return PropertyAccessResult::UnsupportedType };
        self.position[axis] = x;
        PropertyAccessResult::Set
    }
}

fn whole<T: Into<i64>>(list: Vec<T>) -> Vec<i64> {
    list.into_iter().map(Into::into).collect()
}
