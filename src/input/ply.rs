//! Polygon files: `.ply`, ASCII or binary of either byte order.
//!
//! Source: Turk, *The PLY Polygon File Format* (1994). The element `vertex` holds the particles:
//! `x y z`, and other properties as attributes. `vx vy vz` become the vector `velocity`, `nx ny nz`
//! the vector `normal`, and `NAME_x NAME_y NAME_z` the vector NAME. Other elements, such as faces,
//! are stepped over.

use super::Cloud;
use super::error::{InputError, Place, Problem};
use super::numbers::{Array, ByteOrder, NumberType, Numbers};
use super::scanner::Scanner;
use crate::base::{Attribute, Real, Values, Vec3};

/// Reads the vertices.
pub(super) fn read(bytes: &[u8]) -> Result<Cloud, InputError> {
    let mut scanner = Scanner::new(bytes);
    let head = Head::read(&mut scanner)?;
    let mut cloud = None;
    for element in &head.elements {
        if element.name == "vertex" {
            cloud = Some(element.cloud(&mut scanner, head.encoding)?);
        } else {
            element.skip(&mut scanner, head.encoding)?;
        }
    }
    if !scanner.is_at_end() {
        let rest = scanner.take(scanner.left(), "the rest")?;
        return Err(Problem::unexpected("the end of the file", rest).at(scanner.place()));
    }
    cloud.ok_or_else(|| Problem::ends_early("the head has no `element vertex`").into())
}

/// Reads a mesh of triangles: its vertices, and their numbers for each triangle.
pub(super) fn read_mesh(bytes: &[u8]) -> Result<(Cloud, Vec<[u32; 3]>), InputError> {
    let mut scanner = Scanner::new(bytes);
    let head = Head::read(&mut scanner)?;
    let (mut cloud, mut triangles) = (Cloud::default(), Vec::new());
    for element in &head.elements {
        match element.name.as_str() {
            "vertex" => cloud = element.cloud(&mut scanner, head.encoding)?,
            "face" => triangles = element.triangles(&mut scanner, head.encoding)?,
            _ => element.skip(&mut scanner, head.encoding)?,
        }
    }
    let count = cloud.positions.len();
    match triangles.iter().flatten().find(|&&vertex| vertex as usize >= count) {
        None => Ok((cloud, triangles)),
        Some(vertex) => {
            let expected = format!("a vertex below {count}");
            Err(Problem::unexpected(expected, vertex.to_string().as_bytes()).into())
        }
    }
}

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Text,
    Binary(ByteOrder),
}

/// A number of an element, or a list of them.
struct Property {
    name: String,
    /// Of a list: the type of its length.
    length_type: Option<NumberType>,
    number_type: NumberType,
}

struct Element {
    name: String,
    count: usize,
    properties: Vec<Property>,
}

struct Head {
    encoding: Encoding,
    elements: Vec<Element>,
}

impl Head {
    fn read(scanner: &mut Scanner) -> Result<Head, InputError> {
        let first = scanner.line("the first line")?;
        if first.trim_ascii() != b"ply" {
            return Err(Problem::unexpected("`ply`", first).at(Place::Line(1)));
        }
        let mut encoding = None;
        let mut elements: Vec<Element> = Vec::new();
        loop {
            let at = scanner.at();
            let bytes = scanner.line("`end_header`")?;
            let line = String::from_utf8_lossy(bytes);
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            let understood = match (words.as_slice(), elements.last_mut()) {
                (["end_header"], _) => break,
                ([] | ["comment" | "obj_info", ..], _) => Some(()),
                (["format", name, "1.0"], _) => {
                    encoding = Encoding::of_name(name);
                    encoding.map(drop)
                }
                (["element", name, count], _) => {
                    Element::new(name, count).map(|element| elements.push(element))
                }
                (["property", words @ ..], Some(element)) => {
                    Property::of_words(words).map(|property| element.properties.push(property))
                }
                _ => None,
            };
            understood.ok_or_else(|| {
                let problem = Problem::unexpected("a line of a PLY head", bytes);
                problem.at(scanner.place_of(at))
            })?;
        }
        let missing = || Problem::ends_early("the head has no `format`").at(scanner.place());
        let encoding = encoding.ok_or_else(missing)?;
        if encoding != Encoding::Text {
            scanner.expect_binary();
        }
        Ok(Head { encoding, elements })
    }
}

impl Encoding {
    fn of_name(name: &str) -> Option<Encoding> {
        match name {
            "ascii" => Some(Encoding::Text),
            "binary_little_endian" => Some(Encoding::Binary(ByteOrder::Little)),
            "binary_big_endian" => Some(Encoding::Binary(ByteOrder::Big)),
            _ => None,
        }
    }
}

impl Property {
    /// `float x`, or `list uchar int vertex_indices`.
    fn of_words(words: &[&str]) -> Option<Property> {
        let (length_type, number_type_name, name) = match *words {
            ["list", length, number, name] => (Some(number_type(length)?), number, name),
            [number, name] => (None, number, name),
            _ => return None,
        };
        let number_type = number_type(number_type_name)?;
        Some(Property { name: name.to_owned(), length_type, number_type })
    }
}

fn number_type(name: &str) -> Option<NumberType> {
    Some(match name {
        "char" | "int8" => NumberType::I8,
        "uchar" | "uint8" => NumberType::U8,
        "short" | "int16" => NumberType::I16,
        "ushort" | "uint16" => NumberType::U16,
        "int" | "int32" => NumberType::I32,
        "uint" | "uint32" => NumberType::U32,
        "float" | "float32" => NumberType::F32,
        "double" | "float64" => NumberType::F64,
        _ => return None,
    })
}

impl Element {
    fn new(name: &str, count: &str) -> Option<Element> {
        let count = count.parse().ok()?;
        Some(Element { name: name.to_owned(), count, properties: Vec::new() })
    }

    /// Bytes of a row; none if there are lists in it.
    fn row_size(&self) -> Option<usize> {
        let size = |p: &Property| p.length_type.is_none().then(|| p.number_type.size());
        self.properties.iter().map(size).sum()
    }

    /// Steps over all rows.
    fn skip(&self, scanner: &mut Scanner, encoding: Encoding) -> Result<(), InputError> {
        let what = format!("the rows of `{}`", self.name);
        if let (Some(size), Encoding::Binary(_)) = (self.row_size(), encoding) {
            return scanner.take(self.count.saturating_mul(size), &what).map(drop);
        }
        if self.properties.is_empty() {
            return Ok(());
        }
        for _ in 0..self.count {
            for property in &self.properties {
                let length = match (property.length_type, encoding) {
                    (None, _) => 1,
                    (Some(_), Encoding::Text) => scanner.count("the length of a list")?,
                    (Some(length_type), Encoding::Binary(order)) => {
                        binary_length(scanner.take(length_type.size(), &what)?, length_type, order)
                    }
                };
                let size = property.number_type.size();
                match encoding {
                    Encoding::Text => drop(scanner.numbers(length, &what)?),
                    Encoding::Binary(_) => drop(scanner.take(length.saturating_mul(size), &what)?),
                }
            }
        }
        Ok(())
    }

    /// Reads all rows as triangles, which are binary lists of three numbers.
    fn triangles(
        &self,
        scanner: &mut Scanner,
        encoding: Encoding,
    ) -> Result<Vec<[u32; 3]>, InputError> {
        let (
            Encoding::Binary(order),
            [Property { length_type: Some(length_type), number_type, .. }],
        ) = (encoding, self.properties.as_slice())
        else {
            let feature = "a mesh that is not binary, or has more than the vertices of faces";
            let instead = "write binary triangles";
            let feature = feature.to_owned();
            return Err(Problem::Unsupported { feature, instead }.at(scanner.place()));
        };
        let row_size = length_type.size() + 3 * number_type.size();
        let rows = scanner.take(self.count.saturating_mul(row_size), "the triangles")?;
        rows.chunks_exact(row_size)
            .map(|row| {
                let (length, vertices) = row.split_at(length_type.size());
                let is_triangle = binary_length(length, *length_type, order) == 3;
                match Numbers::decode(vertices, *number_type, order) {
                    Numbers::Whole(v) if is_triangle => Ok([v[0], v[1], v[2]]),
                    _ => Err(Problem::unexpected("a triangle", row).into()),
                }
            })
            .collect()
    }

    /// Reads all rows as particles.
    fn cloud(&self, scanner: &mut Scanner, encoding: Encoding) -> Result<Cloud, InputError> {
        let axes = [self.column("x")?, self.column("y")?, self.column("z")?];
        let start = scanner.clone();
        let mut columns = self.columns(scanner, encoding)?;
        let mut positions = vec![Vec3::zeros(); self.count];
        for (axis, at) in axes.into_iter().enumerate() {
            let numbers = std::mem::replace(&mut columns[at], Numbers::Whole(Vec::new()));
            if let Some(row) = numbers.first_invalid() {
                let place = self.place_of_number(start, encoding, row, at)?;
                return Err(Problem::not_finite(3 * row + axis).at(place));
            }
            for (position, x) in positions.iter_mut().zip(numbers.into_reals()) {
                position[axis] = x;
            }
        }
        let names = self.properties.iter().map(|property| property.name.clone());
        let columns = names.zip(columns).enumerate().filter(|(at, _)| !axes.contains(at));
        let attributes = attributes(columns.map(|(_, column)| column).collect());
        Ok(Cloud { positions, attributes })
    }

    /// The place of a property among all.
    fn column(&self, name: &str) -> Result<usize, Problem> {
        let at = self.properties.iter().position(|property| property.name == name);
        at.ok_or_else(|| Problem::ends_early(format!("`vertex` has no property `{name}`")))
    }

    /// The numbers of each property.
    fn columns(
        &self,
        scanner: &mut Scanner,
        encoding: Encoding,
    ) -> Result<Vec<Numbers>, InputError> {
        let Some(row_size) = self.row_size() else {
            let feature = "a list among the properties of `vertex`".to_owned();
            let instead = "write the vertices without it";
            return Err(Problem::Unsupported { feature, instead }.at(scanner.place()));
        };
        let width = self.properties.len();
        match encoding {
            Encoding::Text => {
                let numbers = scanner.numbers(self.count.saturating_mul(width), "`vertex`")?;
                let column = |(k, property): (usize, &Property)| {
                    let numbers = numbers.iter().skip(k).step_by(width).copied().collect();
                    Numbers::from_text(numbers, property.number_type)
                };
                Ok(self.properties.iter().enumerate().map(column).collect())
            }
            Encoding::Binary(order) => {
                let rows = scanner.take(self.count.saturating_mul(row_size), "the vertices")?;
                let mut start = 0;
                let column = |property: &Property| {
                    let range = start..start + property.number_type.size();
                    start = range.end;
                    let bytes =
                        rows.chunks_exact(row_size.max(1)).flat_map(|row| &row[range.clone()]);
                    let bytes: Vec<u8> = bytes.copied().collect();
                    Numbers::decode(&bytes, property.number_type, order)
                };
                Ok(self.properties.iter().map(column).collect())
            }
        }
    }

    /// Where the number of a row and column stands, if the rows begin at `start`.
    fn place_of_number(
        &self,
        mut start: Scanner,
        encoding: Encoding,
        row: usize,
        column: usize,
    ) -> Result<Place, InputError> {
        let before = &self.properties[..column];
        match encoding {
            Encoding::Text => drop(start.numbers(row * self.properties.len() + column + 1, "")?),
            Encoding::Binary(_) => {
                let row_size = self.row_size().unwrap_or_default();
                let in_row: usize = before.iter().map(|property| property.number_type.size()).sum();
                start.take(row * row_size + in_row, "")?;
            }
        }
        Ok(start.place())
    }
}

/// The length of a list.
fn binary_length(bytes: &[u8], length_type: NumberType, order: ByteOrder) -> usize {
    match Numbers::decode(bytes, length_type, order) {
        Numbers::Whole(lengths) => lengths[0] as usize,
        // Negative or a fraction, which no list has; the largest is more than any file holds.
        Numbers::Real(_) => usize::MAX,
    }
}

/// Names of three properties that are the parts of a vector, and its name.
fn vector_name(names: [&str; 3]) -> Option<&str> {
    match names {
        ["vx", "vy", "vz"] => Some("velocity"),
        ["nx", "ny", "nz"] => Some("normal"),
        [x, y, z] => {
            let name = x.strip_suffix("_x")?;
            let agree = y.strip_suffix("_y") == Some(name) && z.strip_suffix("_z") == Some(name);
            agree.then_some(name)
        }
    }
}

/// Properties as attributes, with triples joined to vectors.
fn attributes(mut columns: Vec<(String, Numbers)>) -> Vec<Attribute<'static>> {
    let mut attributes = Vec::new();
    while let [(first, _), rest @ ..] = columns.as_slice() {
        let vector = match rest {
            [(second, _), (third, _), ..] => vector_name([first, second, third]),
            _ => None,
        };
        if let Some(name) = vector.map(str::to_owned) {
            let parts: Vec<Vec<Real>> =
                columns.drain(..3).map(|(_, numbers)| numbers.into_reals()).collect();
            let vector = |i| Vec3::new(parts[0][i], parts[1][i], parts[2][i]);
            let vectors: Vec<Vec3> = (0..parts[0].len()).map(vector).collect();
            attributes.push(Attribute::new(name, Values::Vectors(vectors.into())));
        } else {
            let (name, numbers) = columns.remove(0);
            attributes.extend(Array { name, components: 1, numbers }.into_attributes());
        }
    }
    attributes
}
