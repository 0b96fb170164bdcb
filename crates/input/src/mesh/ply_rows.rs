//! The rows of a polygon file: whether they can be read, and the polygons that they make.

use super::error::{MeshError, MeshProblem, located};
use super::place::Place;
use super::strips::strip;
use super::text::place_of;
use crate::error::{InputError, Problem};
use crate::numbers::{ByteOrder, NumberType};
use crate::ply::{Element, Encoding, Head, Property, binary_length};
use crate::scanner::Scanner;
use hashfall_geometry::{Point, Polygons};
use std::ops::Range;

/// The name of the format.
pub(super) const NAME: &str = "PLY";

/// Names of the list of a face.
const CORNERS: [&str; 2] = ["vertex_indices", "vertex_index"];
/// Elements with the rows that make the shape.
const ELEMENTS: [&str; 3] = ["vertex", "face", "tristrips"];

/// What the rows of a file make.
pub(super) struct Shape {
    /// Its faces, then the triangles of its strips.
    pub(super) polygons: Polygons,
    /// The byte at which each face begins, in text.
    pub(super) faces: Vec<usize>,
}

/// Reads the rows that follow a head, and checks that they are all there, that coordinates are
/// finite, and that corners are vertices. `text` is the whole file if it is text.
pub(super) fn read_rows(
    head: &Head,
    scanner: &mut Scanner,
    text: &str,
) -> Result<Shape, MeshError> {
    let inside = |error: InputError| located(NAME, error, text);
    let vertices = head.elements.iter().find(|element| element.name == "vertex");
    let missing = || Problem::ends_early("the head has no `element vertex`");
    let vertices = vertices.ok_or_else(|| inside(missing().into()))?;
    for axis in ["x", "y", "z"] {
        vertices.column(axis).map_err(|problem| inside(problem.into()))?;
    }
    let mut rows = Rows {
        vertices: vertices.count,
        text,
        vertex: Point::zeros(),
        polygons: Polygons::default(),
        strips: Vec::new(),
        faces: Vec::new(),
    };
    for element in &head.elements {
        if ELEMENTS.contains(&element.name.as_str()) {
            rows.add(element, head.encoding, scanner)?;
        } else {
            element.skip(scanner, head.encoding).map_err(inside)?;
        }
    }
    if !scanner.is_at_end() {
        let place = scanner.place();
        let rest = scanner.take(scanner.left(), "the rest").unwrap_or_default();
        return Err(inside(Problem::unexpected("the end of the file", rest).at(place)));
    }
    let Rows { mut polygons, strips, faces, .. } = rows;
    for corners in strips.split(|&corner| corner == GAP) {
        strip(corners).for_each(|triangle| polygons.push(triangle));
    }
    Ok(Shape { polygons, faces })
}

/// Stands between strips, where a file has −1 or another has ended.
const GAP: u32 = u32::MAX;

/// What a property means here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Skipped,
    /// By axis.
    Coordinate(usize),
    Corners,
}

impl Role {
    /// The roles of an element's properties; each role but the first is one property's.
    fn all(element: &Element) -> Vec<Role> {
        let mut roles: Vec<Role> = Vec::with_capacity(element.properties.len());
        for property in &element.properties {
            let role = Role::from_property(element, property);
            roles.push(if roles.contains(&role) { Role::Skipped } else { role });
        }
        roles
    }

    fn from_property(element: &Element, property: &Property) -> Role {
        let is_list = property.length_type.is_some();
        match (element.name.as_str(), property.name.as_str()) {
            ("vertex", "x") if !is_list => Role::Coordinate(0),
            ("vertex", "y") if !is_list => Role::Coordinate(1),
            ("vertex", "z") if !is_list => Role::Coordinate(2),
            ("vertex", _) => Role::Skipped,
            (_, name) if is_list && CORNERS.contains(&name) => Role::Corners,
            _ => Role::Skipped,
        }
    }
}

/// What rows are checked against, and what becomes of them.
struct Rows<'a> {
    vertices: usize,
    text: &'a str,
    /// That of the row under way.
    vertex: Point,
    /// Vertices and faces.
    polygons: Polygons,
    /// The corners of all strips, each closed by a gap.
    strips: Vec<u32>,
    faces: Vec<usize>,
}

impl Rows<'_> {
    /// Adds the rows of an element that matters.
    fn add(
        &mut self,
        element: &Element,
        encoding: Encoding,
        scanner: &mut Scanner,
    ) -> Result<(), MeshError> {
        let needed = if element.name == "vertex" { 3 } else { 1 };
        let roles = Role::all(element);
        if roles.iter().filter(|role| **role != Role::Skipped).count() < needed {
            let missing = format!("`{}` has no list `vertex_indices`", element.name);
            return Err(self.inside(Problem::Missing(missing).into()));
        }
        if encoding == Encoding::Text {
            let least = element.count.saturating_mul(element.properties.len());
            let what = format!("`{}`", element.name);
            scanner.check_words(least, &what).map_err(|error| self.inside(error))?;
        }
        let what = match encoding {
            Encoding::Text => format!("a number of `{}`", element.name),
            Encoding::Binary(_) => format!("the rows of `{}`", element.name),
        };
        // No more than the file may hold: a word of text takes a character and a space.
        let size = |property: &Property| match encoding {
            Encoding::Text => 2,
            Encoding::Binary(_) => property.length_type.unwrap_or(property.number_type).size(),
        };
        let least = element.properties.iter().map(size).sum::<usize>().max(1);
        let rows = element.count.min(scanner.left() / least);
        match element.name.as_str() {
            "vertex" => self.polygons.vertices.reserve(rows),
            "face" => self.polygons.arities.reserve(rows),
            _ => {}
        }
        for row in 0..element.count {
            match encoding {
                Encoding::Text => self.text_row(element, &roles, scanner, &what)?,
                Encoding::Binary(order) => {
                    self.binary_row(element, row, &roles, scanner, order, &what)?;
                }
            }
            match element.name.as_str() {
                "vertex" => self.polygons.vertices.push(self.vertex),
                "tristrips" => self.strips.push(GAP),
                _ => {}
            }
        }
        Ok(())
    }

    fn inside(&self, error: InputError) -> MeshError {
        located(NAME, error, self.text)
    }

    fn text_row(
        &mut self,
        element: &Element,
        roles: &[Role],
        scanner: &mut Scanner,
        what: &str,
    ) -> Result<(), MeshError> {
        // Before the first word there is white space.
        if element.name == "face" && !scanner.is_at_end() {
            self.faces.push(scanner.at());
        }
        for (property, role) in element.properties.iter().zip(roles) {
            let length = match property.length_type {
                None => 1,
                Some(_) => self.text_length(element, *role, scanner)?,
            };
            scanner.check_words(length, what).map_err(|error| self.inside(error))?;
            for _ in 0..length {
                let (word, span) = self.word(scanner, what)?;
                self.push_word(element, *role, word)
                    .map_err(|problem| problem.at(place_of(self.text, span)))?;
            }
        }
        Ok(())
    }

    /// The length of a list in text.
    fn text_length(
        &mut self,
        element: &Element,
        role: Role,
        scanner: &mut Scanner,
    ) -> Result<usize, MeshError> {
        let (word, span) = self.word(scanner, "the length of a list")?;
        let length = word.parse().map_err(|_| MeshProblem::NotANumber { word: word.to_owned() });
        let length = length.and_then(|length| match role {
            Role::Corners => self.push_length(element, length).map(|()| length),
            _ => Ok(length),
        });
        length.map_err(|problem| problem.at(place_of(self.text, span)))
    }

    fn word<'s>(
        &self,
        scanner: &mut Scanner<'s>,
        what: &str,
    ) -> Result<(&'s str, Range<usize>), MeshError> {
        let word = scanner.word(what).map_err(|error| self.inside(error))?;
        Ok((word, scanner.at() - word.len()..scanner.at()))
    }

    /// Adds what a word of text stands for.
    fn push_word(&mut self, element: &Element, role: Role, word: &str) -> Result<(), MeshProblem> {
        match role {
            Role::Skipped => Ok(()),
            Role::Coordinate(axis) => {
                self.vertex[axis] = coordinate(word)?;
                Ok(())
            }
            Role::Corners => {
                let corner = word.parse();
                let corner =
                    corner.map_err(|_| MeshProblem::NotAnIndex { word: word.to_owned() })?;
                self.push_corner(element, corner)
            }
        }
    }

    fn binary_row(
        &mut self,
        element: &Element,
        row: usize,
        roles: &[Role],
        scanner: &mut Scanner,
        order: ByteOrder,
        what: &str,
    ) -> Result<(), MeshError> {
        for (property, role) in element.properties.iter().zip(roles) {
            let at = Place::Byte(scanner.at());
            let (number_type, size) = (property.number_type, property.number_type.size());
            let length = match property.length_type {
                None => 1,
                Some(length_type) => {
                    let bytes = scanner.take(length_type.size(), what);
                    let bytes = bytes.map_err(|error| self.inside(error))?;
                    binary_length(bytes, length_type, order)
                }
            };
            let start = scanner.at();
            let bytes = scanner.take(length.saturating_mul(size), what);
            let bytes = bytes.map_err(|error| self.inside(error))?;
            match role {
                Role::Skipped => {}
                Role::Coordinate(axis) => {
                    let x = number_type.double(bytes, order);
                    if !(x as f32).is_finite() {
                        let of = format!("vertex {row} (counted from 0)");
                        let axis = ['x', 'y', 'z'][*axis];
                        return Err(MeshProblem::NotFiniteIn { axis, of }.at(at));
                    }
                    self.vertex[*axis] = x;
                }
                Role::Corners => {
                    self.push_length(element, length).map_err(|problem| problem.at(at))?;
                    for (k, bytes) in bytes.chunks_exact(size).enumerate() {
                        whole(bytes, number_type, order)
                            .and_then(|corner| self.push_corner(element, corner))
                            .map_err(|problem| problem.at(Place::Byte(start + k * size)))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Takes the length of a list of corners, which follow.
    fn push_length(&mut self, element: &Element, found: usize) -> Result<(), MeshProblem> {
        if element.name == "face" && found < 3 {
            return Err(MeshProblem::TooFewCorners { found });
        }
        // One that is too large is found by the words or bytes that are not there.
        if element.name == "face" {
            self.polygons.arities.push(found as u32);
        }
        Ok(())
    }

    /// Adds a corner, if it is a vertex; in strips also the −1 between them.
    fn push_corner(&mut self, element: &Element, corner: i64) -> Result<(), MeshProblem> {
        let is_gap = element.name == "tristrips" && corner < 0;
        let is_vertex = usize::try_from(corner).is_ok_and(|corner| corner < self.vertices);
        if !is_gap && !is_vertex {
            let vertices = self.vertices;
            return Err(MeshProblem::NoSuchVertex { index: corner, vertices, first: 0 });
        }
        match element.name.as_str() {
            "face" => self.polygons.corners.push(corner as u32),
            _ => self.strips.push(if is_gap { GAP } else { corner as u32 }),
        }
        Ok(())
    }
}

/// A coordinate in text.
fn coordinate(word: &str) -> Result<f64, MeshProblem> {
    let number: f64 =
        word.parse().map_err(|_| MeshProblem::NotANumber { word: word.to_owned() })?;
    match (number as f32).is_finite() {
        true => Ok(number),
        false => Err(MeshProblem::NotFinite { word: word.to_owned() }),
    }
}

/// A vertex number in binary data, which may be of any type.
fn whole(bytes: &[u8], number_type: NumberType, order: ByteOrder) -> Result<i64, MeshProblem> {
    let number = number_type.double(bytes, order);
    match number.fract() == 0.0 {
        true => Ok(number as i64),
        false => Err(MeshProblem::NotAnIndex { word: number.to_string() }),
    }
}
