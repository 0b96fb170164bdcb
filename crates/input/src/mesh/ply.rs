//! Polygon files: `.ply`, text or binary of either byte order.
//!
//! Source: Turk, *The PLY Polygon File Format* (1994). The head is read as that of particle files
//! is, the rows by [`ply_rows`](super::ply_rows): names may have signs, comments may be in Latin-1,
//! numbers may be such as `1.`, rows need not be lines, and faults tell their byte. The crates that
//! read the format allow none of this, and take memory for each face.
//!
//! Faces are lists named `vertex_indices` or `vertex_index` of the element `face`; the element
//! `tristrips` has strips of triangles with −1 between them.

use super::error::{MeshError, MeshProblem, located};
use super::face::{FaceUnit, Faces};
use super::format::{Beside, FileMesh, Format};
use super::ply_rows::{NAME, Shape, read_rows};
use super::text::text;
use crate::error::Problem;
use crate::ply::{Encoding, Head};
use crate::scanner::Scanner;
use hashfall_core::file_kind::FileKind;

pub(super) const FORMAT: Format = Format { name: NAME, kinds: &[FileKind::Ply], up: None, read };

fn read<'a>(bytes: &'a [u8], _: &mut Beside) -> Result<FileMesh<'a>, MeshError> {
    let mut scanner = Scanner::new(bytes);
    let head = Head::read(&mut scanner);
    // Text is read anew with one kind of line ends; so is a head that is not understood.
    let is_text = head.as_ref().map_or(true, |head| head.encoding == Encoding::Text);
    if is_text {
        let text = text(bytes);
        let mut scanner = Scanner::new(text.as_bytes());
        let Shape { polygons, faces: starts } = Head::read(&mut scanner)
            .map_err(|error| located(NAME, error, &text))
            .and_then(|head| read_rows(&head, &mut scanner, &text))?;
        // The triangles of strips have no words of their own.
        let are_words = polygons.arities.len() == starts.len();
        let faces = match are_words {
            true => Faces::Words { text, starts },
            false => Faces::Numbered { unit: FaceUnit::Triangle, numbers: Vec::new() },
        };
        return Ok(FileMesh { polygons, faces, warnings: Vec::new(), if_empty: no_faces() });
    }
    let head = head.map_err(|error| located(NAME, error, ""))?;
    let Shape { polygons, .. } = read_rows(&head, &mut scanner, "")?;
    let faces = Faces::Numbered { unit: FaceUnit::Face, numbers: Vec::new() };
    Ok(FileMesh { polygons, faces, warnings: Vec::new(), if_empty: no_faces() })
}

fn no_faces() -> MeshProblem {
    let problem = Problem::Missing("the file has no faces: it is a cloud of points".to_owned());
    MeshProblem::Format { format: NAME, problem }
}
