//! Wavefront OBJ files: bytes to a triangle mesh.
//!
//! The crate tobj reads numbers and faces, but tells no line of an error; so a scan first checks
//! the lines that make the shape (`v`, `f`) and hands on only those. Normals, texture coordinates,
//! colours, materials, groups, lines and points do not matter here and cannot be wrong. Lines may
//! end in LF, CR LF or CR, and go on after a `\` at their end. Polygons are cut into fans. Vertices
//! in one place are welded, triangles that collapse or repeat others are dropped, and a closed mesh
//! that faces inwards is turned outwards.

use super::mesh::{OpenMesh, TriangleMesh};
use crate::base::{Real, Vec3};
use std::borrow::Cow;
use std::ops::Range;
use thiserror::Error;

/// Why a file is no closed mesh.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{problem}")]
pub struct ObjError {
    /// Where it is wrong, if that is a place.
    pub place: Option<Place>,
    /// What is wrong.
    pub problem: ObjProblem,
}

/// A place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Bytes of the word at fault.
    pub span: Range<usize>,
}

/// What can be wrong with a file.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ObjProblem {
    /// Bytes that are no text.
    #[error("the file is not UTF-8 text")]
    NotUtf8,
    /// A vertex line with one or two words.
    #[error("a vertex needs three coordinates, here are {found}")]
    MissingCoordinate {
        /// Coordinates found.
        found: usize,
    },
    /// A word that should be a number.
    #[error("`{word}` is not a number")]
    NotANumber {
        /// The word.
        word: String,
    },
    /// NaN, an infinity, or a number too large for the simulation's precision.
    #[error("coordinate `{word}` is not finite")]
    NotFinite {
        /// The word.
        word: String,
    },
    /// A face of one or two corners.
    #[error("a face needs at least three corners, here are {found}")]
    TooFewCorners {
        /// Corners found.
        found: usize,
    },
    /// A face corner that is no whole number.
    #[error("`{word}` is not a vertex number")]
    NotAnIndex {
        /// The word.
        word: String,
    },
    /// A face corner 0, or beyond the vertices.
    #[error("there is no vertex {index}: the file has {vertices}, counted from 1")]
    NoSuchVertex {
        /// The index as written.
        index: i64,
        /// Vertices in the file (for a negative index: before the face).
        vertices: usize,
    },
    /// No triangle with three different corners.
    #[error("the file has no faces")]
    Empty,
    /// Holes, or triangles that face opposite ways.
    #[error(transparent)]
    Open(#[from] OpenMesh),
    /// tobj refuses what the scan let through.
    #[error("the file cannot be read: {0}")]
    Unreadable(String),
}

impl From<ObjProblem> for ObjError {
    fn from(problem: ObjProblem) -> Self {
        ObjError { place: None, problem }
    }
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    /// The mesh, welded and, if it is closed, facing outwards, in the units of the file.
    pub mesh: TriangleMesh,
    /// Why it is not closed, if it is not.
    pub open: Option<OpenMesh>,
    /// Whether it faced inwards, and has been turned.
    pub was_turned: bool,
}

/// Reads a closed mesh, welded and facing outwards, in the units of the file.
pub fn parse(bytes: &[u8]) -> Result<TriangleMesh, ObjError> {
    let Read { mesh, open, .. } = read(bytes)?;
    open.map_or(Ok(mesh), |open| Err(ObjProblem::Open(open).into()))
}

/// Reads a mesh, closed or not.
pub fn read(bytes: &[u8]) -> Result<Read, ObjError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let good = &bytes[..error.valid_up_to()];
        let before = String::from_utf8_lossy(good);
        let place = place_of(&with_newlines(&before), good.len()..good.len() + 1);
        ObjError { place: Some(place), problem: ObjProblem::NotUtf8 }
    })?;
    let text = with_newlines(text);
    let shape = scan(&text)
        .map_err(|(span, problem)| ObjError { place: Some(place_of(&text, span)), problem })?;
    let mesh = load(&shape)?.welded();
    if mesh.triangles.is_empty() {
        return Err(ObjProblem::Empty.into());
    }
    let open = mesh.check_closed().err();
    let was_turned = open.is_none() && mesh.signed_volume() < 0.0;
    Ok(Read { mesh: if was_turned { mesh.flipped() } else { mesh }, open, was_turned })
}

/// The text with a newline for each lone CR, by which old programs end lines; all keeps its place.
pub fn with_newlines(text: &str) -> Cow<'_, str> {
    let is_alone = |(at, _): (usize, &str)| !text[at + 1..].starts_with('\n');
    if !text.match_indices('\r').any(is_alone) {
        return Cow::Borrowed(text);
    }
    let parts: Vec<String> = text.split("\r\n").map(|part| part.replace('\r', "\n")).collect();
    Cow::Owned(parts.join("\r\n"))
}

/// Line and column of a span.
fn place_of(text: &str, span: Range<usize>) -> Place {
    let before = &text[..span.start];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.matches('\n').count() + 1;
    Place { line, column: before[line_start..].chars().count() + 1, span }
}

/// What is wrong, and the bytes of the word at fault.
type Fault = (Range<usize>, ObjProblem);

/// Checks all vertices and faces, and writes them anew without what does not matter.
fn scan(text: &str) -> Result<String, Fault> {
    let mut total = 0;
    for words in lines(text).filter(|words| words[0].1 == "v") {
        check_vertex(&words)?;
        total += 1;
    }
    let mut shape = String::with_capacity(text.len());
    let mut before = 0;
    for words in lines(text) {
        match words[0].1 {
            "v" => {
                before += 1;
                shape.push('v');
                words[1..4].iter().for_each(|(_, word)| shape.extend([" ", word]));
            }
            "f" => {
                check_face(&words, before, total)?;
                shape.push('f');
                words[1..].iter().for_each(|(_, word)| shape.extend([" ", position_index(word)]));
            }
            _ => continue,
        }
        shape.push('\n');
    }
    Ok(shape)
}

/// The words of each line that has any, with those of the lines that continue it, and their bytes
/// in `text`; comments left out.
fn lines(text: &str) -> impl Iterator<Item = Vec<(Range<usize>, &str)>> {
    let mut start = text.len() - text.trim_start_matches('\u{feff}').len();
    let mut rest = text[start..].split_inclusive('\n');
    std::iter::from_fn(move || {
        let mut words = Vec::new();
        for line in rest.by_ref() {
            let (code, is_continued) = code_of(line);
            words.extend(code.split_whitespace().map(|word| {
                let at = start + (word.as_ptr() as usize - line.as_ptr() as usize);
                (at..at + word.len(), word)
            }));
            start += line.len();
            if !is_continued && !words.is_empty() {
                break;
            }
        }
        (!words.is_empty()).then_some(words)
    })
}

/// A line without its comment, and whether the next continues it: a `\` may well end a comment.
fn code_of(line: &str) -> (&str, bool) {
    match line.split_once('#') {
        Some((code, _)) => (code, false),
        None => line.trim_end().strip_suffix('\\').map_or((line, false), |code| (code, true)),
    }
}

fn check_vertex(words: &[(Range<usize>, &str)]) -> Result<(), Fault> {
    for (span, word) in words[1..].iter().take(3) {
        // tobj reads in single precision whatever the state's precision is.
        let number: f32 = word
            .parse()
            .map_err(|_| (span.clone(), ObjProblem::NotANumber { word: word.to_string() }))?;
        if !number.is_finite() {
            return Err((span.clone(), ObjProblem::NotFinite { word: word.to_string() }));
        }
    }
    match words.len() - 1 {
        found @ 0..3 => Err((words[0].0.clone(), ObjProblem::MissingCoordinate { found })),
        _ => Ok(()),
    }
}

/// Checks a face that stands after `before` vertices in a file of `total`.
fn check_face(words: &[(Range<usize>, &str)], before: usize, total: usize) -> Result<(), Fault> {
    for (span, word) in &words[1..] {
        let fault = |problem| Err((span.clone(), problem));
        let Ok(index) = position_index(word).parse::<i64>() else {
            return fault(ObjProblem::NotAnIndex { word: word.to_string() });
        };
        // Negative numbers count back from the last vertex before the face.
        let vertices = if index < 0 { before } else { total };
        if index == 0 || index.unsigned_abs() > vertices as u64 {
            return fault(ObjProblem::NoSuchVertex { index, vertices });
        }
    }
    match words.len() - 1 {
        found @ 0..3 => Err((words[0].0.clone(), ObjProblem::TooFewCorners { found })),
        _ => Ok(()),
    }
}

/// The position's part of a face corner `position/texture/normal`.
fn position_index(word: &str) -> &str {
    word.split('/').next().unwrap_or_default()
}

/// Reads checked text through tobj.
fn load(shape: &str) -> Result<TriangleMesh, ObjError> {
    let options = tobj::LoadOptions { single_index: true, triangulate: true, ..Default::default() };
    // Materials are of no use here.
    let no_materials = |_: &_| Err(tobj::LoadError::OpenFileFailed);
    let (models, _) = tobj::load_obj_buf(&mut shape.as_bytes(), &options, no_materials)
        .map_err(|error| ObjProblem::Unreadable(error.to_string()))?;
    let mut mesh = TriangleMesh::default();
    for model in models {
        let first = mesh.vertices.len() as u32;
        let real = |c: &f32| Real::from(*c);
        mesh.vertices.extend(
            model.mesh.positions.chunks_exact(3).map(|p| Vec3::from_iterator(p.iter().map(real))),
        );
        let triangles = model.mesh.indices.chunks_exact(3);
        mesh.triangles.extend(triangles.map(|t| [t[0], t[1], t[2]].map(|v| v + first)));
    }
    Ok(mesh)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::Random;

    const CUBE: &str = "\u{feff}# A cube, with all that a modelling program adds.
mtllib missing.mtl
o Cube
v 0 0 0 1.0
v 1 0 0 0.5 0.5 0.5
v 1 1 0 # corner
v 0 1 0
v 0 0 1e0
v 1 0 1
v 1.0 +1 1.
v 0 1 1
vn 0 0 oops
vt
usemtl none
s off
l 1 2 3
p 1
f 1//1 4//1 3//1 2//1
f -4 -3 -2 -1
g sides
f 1/9/9 2/9 6 5
f 2 3 7 6
f 3 4 8 7\r
f 4 1 5 8
f 1 1 2
";

    fn error_of(text: impl AsRef<[u8]>) -> (Option<(usize, usize)>, String) {
        let error = parse(text.as_ref()).unwrap_err();
        (error.place.as_ref().map(|p| (p.line, p.column)), error.to_string())
    }

    #[test]
    fn a_cube_is_read_whatever_stands_around_it() {
        let mesh = parse(CUBE.as_bytes()).unwrap();
        assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (8, 12));
        assert!((mesh.signed_volume() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn lines_may_end_in_any_way_and_be_continued() {
        let continued = "v 0 0\\\n 0\nv 1 0 0\nv 0 1 \\ \r\n0\nv 0 0 1 # no \\\n\
                         f 1 \\\n3 \\\n2\nf 1 2 4\nf 1 4 3\nf 2 3 4\\";
        assert_eq!(parse(continued.as_bytes()).unwrap().triangles.len(), 4);
        for end in ["\r", "\r\n"] {
            let mesh = parse(CUBE.replace('\r', "").replace('\n', end).as_bytes()).unwrap();
            assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (8, 12));
        }
    }

    #[test]
    fn a_mesh_that_faces_inwards_is_turned() {
        let turned = CUBE.lines().map(|line| match line.strip_prefix("f ") {
            Some(corners) => {
                format!("f {}\n", corners.split(' ').rev().collect::<Vec<_>>().join(" "))
            }
            None => format!("{line}\n"),
        });
        let mesh = parse(turned.collect::<String>().as_bytes()).unwrap();
        assert!((mesh.signed_volume() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn every_fault_names_its_place() {
        let cases = [
            ("v 0 0", Some((1, 1)), "a vertex needs three coordinates, here are 2"),
            ("# ü\n  v 0 x 0", Some((2, 7)), "`x` is not a number"),
            ("v 0 0 nan", Some((1, 7)), "coordinate `nan` is not finite"),
            ("v 0 1e999 0", Some((1, 5)), "coordinate `1e999` is not finite"),
            ("v 0 0 0\nf 1 1", Some((2, 1)), "a face needs at least three corners, here are 2"),
            ("v 0 0 0\r\nf 1 1 0", Some((2, 7)), "there is no vertex 0: the file has 1"),
            ("v 0 0 0\nf 1 2/1 1", Some((2, 5)), "there is no vertex 2: the file has 1"),
            ("f -1 1 1\nv 0 0 0", Some((1, 3)), "there is no vertex -1: the file has 0"),
            ("v 0 0 0\nf 1 1.5 1", Some((2, 5)), "`1.5` is not a vertex number"),
            ("v 0 0 0\nf 1 //2 1", Some((2, 5)), "`//2` is not a vertex number"),
            ("f 99999999999999999999 1 1", Some((1, 3)), "is not a vertex number"),
            ("v 0 0 0\rf 1 1 0\r", Some((2, 7)), "there is no vertex 0: the file has 1"),
            ("v 0 0 0\nf 1 \\\n\\\n 1 7", Some((4, 4)), "there is no vertex 7: the file has 1"),
            ("", None, "the file has no faces"),
            ("v 0 0 0\nv 1 0 0\nf 1 2 2", None, "the file has no faces"),
            ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3", None, "3 edges lack a second triangle"),
        ];
        for (text, place, message) in cases {
            let (found_place, found) = error_of(text);
            assert_eq!(found_place, place, "{text}: {found}");
            assert!(found.contains(message), "{text}: {found}");
        }
        assert_eq!(
            error_of(b"v 0 0 0\n# \xff"),
            (Some((2, 3)), "the file is not UTF-8 text".into())
        );
    }

    #[test]
    fn the_span_is_the_word() {
        let text = "\u{feff}v 0 0 0 # ü\nv 1 zwei 3";
        let span = parse(text.as_bytes()).unwrap_err().place.unwrap().span;
        assert_eq!(&text[span], "zwei");
    }

    #[test]
    fn a_hole_is_counted_and_placed() {
        let (place, message) = error_of(CUBE.replace("f 2 3 7 6\n", ""));
        assert_eq!(place, None);
        assert!(message.contains("4 edges lack a second triangle"), "{message}");
        let (_, message) = error_of(CUBE.replace("f 2 3 7 6\n", "f 6 7 3 2\n"));
        assert!(message.contains("4 edges join triangles that face opposite ways"), "{message}");
    }

    #[test]
    fn broken_bytes_never_panic() {
        let mut random = Random::new(11);
        let mut pick = |n: usize| random.number(0.0, n as f64) as usize;
        let (mut good, mut bad) = (0, 0);
        for _ in 0..20_000 {
            let mut bytes = CUBE.as_bytes().to_vec();
            for _ in 0..1 + pick(4) {
                let at = pick(bytes.len());
                match pick(5) {
                    0 => bytes[at] = pick(256) as u8,
                    1 => bytes[at] = b" \n/-+.e0123456789fv#\\"[pick(21)],
                    2 if bytes.len() > 1 => drop(bytes.remove(at)),
                    3 => bytes.insert(at, b" \n/-9fv"[pick(7)]),
                    _ => bytes.truncate(at.max(1)),
                }
            }
            match parse(&bytes) {
                Ok(mesh) => {
                    assert_eq!(mesh.check_closed(), Ok(()));
                    good += 1;
                }
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    bad += 1;
                }
            }
        }
        assert!(good > 1000 && bad > 1000, "{good} {bad}");
    }
}
