//! The rows of a polygon file: whether they can be read, and in which form they are handed on.

use super::error::{MeshError, MeshProblem, Place, located};
use super::ply::FORMAT;
use super::text::place_of;
use crate::error::{InputError, Problem};
use crate::numbers::{ByteOrder, NumberType};
use crate::ply::{Element, Encoding, Head, Property, binary_length};
use crate::scanner::Scanner;

/// Names of the list of a face.
const CORNERS: [&str; 2] = ["vertex_indices", "vertex_index"];
/// Elements of whose rows the shape is made.
const ELEMENTS: [&str; 3] = ["vertex", "face", "tristrips"];

/// A checked file.
pub(super) struct Checked {
    /// What ply-rs-bw is to read.
    pub(super) clean: Vec<u8>,
    /// The byte at which each face begins, in text.
    pub(super) faces: Vec<usize>,
}

/// Checks the rows that follow a head: that they are all there, that coordinates are finite, and
/// that corners are vertices. `text` is the whole file if it is text.
pub(super) fn check(head: &Head, scanner: &mut Scanner, text: &str) -> Result<Checked, MeshError> {
    let vertices = head.elements.iter().find(|element| element.name == "vertex");
    let missing = || Problem::ends_early("the head has no `element vertex`");
    let vertices = vertices.ok_or_else(|| located(FORMAT.name, missing().into(), text))?;
    for axis in ["x", "y", "z"] {
        vertices.column(axis).map_err(|problem| located(FORMAT.name, problem.into(), text))?;
    }
    let is_text = head.encoding == Encoding::Text;
    let mut rows = Rows { vertices: vertices.count, text, clean: Vec::new(), faces: Vec::new() };
    let start = scanner.at();
    for element in &head.elements {
        if !ELEMENTS.contains(&element.name.as_str()) {
            element
                .skip(scanner, head.encoding)
                .map_err(|error| located(FORMAT.name, error, text))?;
            continue;
        }
        let needed = if element.name == "vertex" { 3 } else { 1 };
        let roles: Vec<Role> =
            element.properties.iter().map(|it| Role::from_property(element, it)).collect();
        if roles.iter().filter(|role| **role != Role::Skipped).count() < needed {
            let missing = format!("`{}` has no list `vertex_indices`", element.name);
            return Err(located(FORMAT.name, Problem::Missing(missing).into(), text));
        }
        let rest = element.count.saturating_mul(element.properties.len());
        if is_text {
            scanner
                .check_words(rest, &format!("`{}`", element.name))
                .map_err(|e| located(FORMAT.name, e, text))?;
        }
        for row in 0..element.count {
            match head.encoding {
                Encoding::Text => rows.text_row(element, &roles, scanner)?,
                Encoding::Binary(order) => rows.binary_row(element, &roles, scanner, order, row)?,
            }
        }
    }
    let end = scanner.at();
    if !scanner.is_at_end() {
        let place = scanner.place();
        let rest = scanner.take(scanner.left(), "the rest").unwrap_or_default();
        return Err(located(
            FORMAT.name,
            Problem::unexpected("the end of the file", rest).at(place),
            text,
        ));
    }
    let mut clean = clean_head(head).into_bytes();
    clean.extend(if is_text { rows.clean } else { scanner.bytes(start..end).to_vec() });
    Ok(Checked { clean, faces: rows.faces })
}

/// What a property means here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Skipped,
    Coordinate(char),
    Corners,
}

impl Role {
    fn from_property(element: &Element, property: &Property) -> Role {
        let is_list = property.length_type.is_some();
        match (element.name.as_str(), property.name.as_str()) {
            ("vertex", "x") if !is_list => Role::Coordinate('x'),
            ("vertex", "y") if !is_list => Role::Coordinate('y'),
            ("vertex", "z") if !is_list => Role::Coordinate('z'),
            ("vertex", _) => Role::Skipped,
            (_, name) if is_list && CORNERS.contains(&name) => Role::Corners,
            _ => Role::Skipped,
        }
    }

    /// The property's name for ply-rs-bw.
    fn name(self) -> String {
        match self {
            Role::Skipped => "other".to_owned(),
            Role::Coordinate(axis) => axis.to_string(),
            Role::Corners => "vertex_indices".to_owned(),
        }
    }
}

/// A head for ply-rs-bw: of text only what matters, of binary data the size of everything.
fn clean_head(head: &Head) -> String {
    let encoding = match head.encoding {
        Encoding::Text => "ascii",
        Encoding::Binary(ByteOrder::Little) => "binary_little_endian",
        Encoding::Binary(ByteOrder::Big) => "binary_big_endian",
    };
    let mut clean = format!("ply\nformat {encoding} 1.0\n");
    for (number, element) in head.elements.iter().enumerate() {
        let matters = ELEMENTS.contains(&element.name.as_str());
        if head.encoding == Encoding::Text && !matters {
            continue;
        }
        let name = if matters { element.name.clone() } else { format!("element{number}") };
        clean += &format!("element {name} {}\n", element.count);
        for (k, property) in element.properties.iter().enumerate() {
            let role = Role::from_property(element, property);
            let name =
                if role == Role::Skipped { format!("{}{k}", role.name()) } else { role.name() };
            clean += &match (head.encoding, role, property.length_type) {
                (Encoding::Text, Role::Skipped, _) => continue,
                (Encoding::Text, Role::Coordinate(_), _) => format!("property double {name}\n"),
                (Encoding::Text, Role::Corners, _) => format!("property list int int {name}\n"),
                (_, _, None) => format!("property {} {name}\n", type_name(property.number_type)),
                (_, _, Some(length)) => {
                    let (length, number) = (type_name(length), type_name(property.number_type));
                    format!("property list {length} {number} {name}\n")
                }
            };
        }
    }
    clean + "end_header\n"
}

/// What rows are checked against, and what becomes of them.
struct Rows<'a> {
    vertices: usize,
    text: &'a str,
    /// The rows of a text in one layout.
    clean: Vec<u8>,
    faces: Vec<usize>,
}

impl Rows<'_> {
    fn text_row(
        &mut self,
        element: &Element,
        roles: &[Role],
        scanner: &mut Scanner,
    ) -> Result<(), MeshError> {
        let text = self.text;
        let what = format!("a number of `{}`", element.name);
        let inside = |error: InputError| located(FORMAT.name, error, text);
        let mut begun = None;
        for (property, role) in element.properties.iter().zip(roles) {
            let length = match property.length_type {
                None => 1,
                Some(_) => {
                    let word = scanner.word("the length of a list").map_err(inside)?;
                    let span = scanner.at() - word.len()..scanner.at();
                    begun.get_or_insert(span.start);
                    let unread = |_| MeshProblem::NotANumber { word: word.to_owned() };
                    let length = word.parse().map_err(unread);
                    let length = length.and_then(|length| match role {
                        Role::Corners => check_length(element, length),
                        _ => Ok(length),
                    });
                    let length = length.map_err(|problem| problem.at(place_of(text, span)))?;
                    scanner.check_words(length, &what).map_err(inside)?;
                    if *role == Role::Corners {
                        self.clean.extend(format!("{length} ").bytes());
                    }
                    length
                }
            };
            for _ in 0..length {
                let word = scanner.word(&what).map_err(inside)?;
                let span = scanner.at() - word.len()..scanner.at();
                begun.get_or_insert(span.start);
                let at = |problem: MeshProblem| problem.at(place_of(text, span));
                let clean = match role {
                    Role::Skipped => continue,
                    Role::Coordinate(_) => coordinate(word).map_err(at)?,
                    Role::Corners => {
                        let corner = word.parse::<i64>();
                        let unread = |_| MeshProblem::NotAnIndex { word: word.to_owned() };
                        let corner = corner.map_err(unread);
                        let corner = corner.and_then(|corner| self.corner(element, corner));
                        corner.map_err(at)?.to_string()
                    }
                };
                self.clean.extend(clean.bytes().chain(*b" "));
            }
        }
        self.clean.push(b'\n');
        if element.name == "face" {
            self.faces.extend(begun.or(Some(0)));
        }
        Ok(())
    }

    fn binary_row(
        &mut self,
        element: &Element,
        roles: &[Role],
        scanner: &mut Scanner,
        order: ByteOrder,
        row: usize,
    ) -> Result<(), MeshError> {
        let what = format!("the rows of `{}`", element.name);
        let inside = |error: InputError| located(FORMAT.name, error, "");
        for (property, role) in element.properties.iter().zip(roles) {
            let at = Place::Byte(scanner.at());
            let size = property.number_type.size();
            let length = match property.length_type {
                None => 1,
                Some(length_type) => {
                    let bytes = scanner.take(length_type.size(), &what).map_err(inside)?;
                    binary_length(bytes, length_type, order)
                }
            };
            let start = scanner.at();
            let bytes = scanner.take(length.saturating_mul(size), &what).map_err(inside)?;
            match role {
                Role::Skipped => {}
                Role::Coordinate(axis)
                    if !number(bytes, property.number_type, order).is_finite() =>
                {
                    let of = format!("vertex {row} (counted from 0)");
                    return Err(MeshProblem::NotFiniteIn { axis: *axis, of }.at(at));
                }
                Role::Coordinate(_) => {}
                Role::Corners => {
                    check_length(element, length).map_err(|problem| problem.at(at))?;
                    if matches!(property.number_type, NumberType::I64 | NumberType::U64) {
                        let feature = "a list of 64-bit vertex numbers".to_owned();
                        let problem =
                            Problem::Unsupported { feature, instead: "write them as `int`" };
                        return Err(MeshProblem::Format { format: FORMAT.name, problem }.into());
                    }
                    for (k, bytes) in bytes.chunks_exact(size).enumerate() {
                        let corner = number(bytes, property.number_type, order) as i64;
                        let place = Place::Byte(start + k * size);
                        self.corner(element, corner).map_err(|problem| problem.at(place))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// A corner, if it is a vertex; in strips also the −1 between them.
    fn corner(&self, element: &Element, corner: i64) -> Result<i64, MeshProblem> {
        let is_gap = element.name == "tristrips" && corner < 0;
        match is_gap || usize::try_from(corner).is_ok_and(|corner| corner < self.vertices) {
            true => Ok(corner),
            false => {
                let vertices = self.vertices;
                Err(MeshProblem::NoSuchVertex { index: corner, vertices, first: 0 })
            }
        }
    }
}

/// The length of a list of corners.
fn check_length(element: &Element, found: usize) -> Result<usize, MeshProblem> {
    match element.name == "face" && found < 3 {
        true => Err(MeshProblem::TooFewCorners { found }),
        false => Ok(found),
    }
}

/// The name of a type, or of another of the same size where ply-rs-bw knows none.
fn type_name(number_type: NumberType) -> &'static str {
    match number_type {
        NumberType::I8 => "char",
        NumberType::U8 => "uchar",
        NumberType::I16 => "short",
        NumberType::U16 => "ushort",
        NumberType::I32 => "int",
        NumberType::U32 => "uint",
        NumberType::F32 => "float",
        NumberType::I64 | NumberType::U64 | NumberType::F64 => "double",
    }
}

/// A coordinate in a notation that ply-rs-bw knows.
fn coordinate(word: &str) -> Result<String, MeshProblem> {
    let number: f64 =
        word.parse().map_err(|_| MeshProblem::NotANumber { word: word.to_owned() })?;
    match (number as f32).is_finite() {
        true => Ok(number.to_string()),
        false => Err(MeshProblem::NotFinite { word: word.to_owned() }),
    }
}

/// A number in double precision; NaN if single precision cannot hold it.
fn number(bytes: &[u8], number_type: NumberType, order: ByteOrder) -> f64 {
    let number = number_type.double(bytes, order);
    if (number as f32).is_finite() { number } else { f64::NAN }
}
