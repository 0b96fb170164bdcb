//! Polygon files: `.ply`, ASCII or binary of either byte order.
//!
//! Source: Turk, *The PLY Polygon File Format* (1994). The element `vertex` holds the particles:
//! `x y z`, and other properties as attributes. `vx vy vz` become the vector `velocity`, `nx ny nz`
//! the vector `normal`, and `NAME_x NAME_y NAME_z` the vector NAME, unless they are whole numbers.
//! Lists in a vertex, and other elements such as faces, are skipped. Types of 64 bits are not part
//! of the format; some programs write them as `int64` and `uint64`.

use super::array::{Array, AttributeFilter, Collector};
use super::cloud::Cloud;
use super::error::{InputError, Place, Problem};
use super::numbers::{ByteOrder, NumberType, Numbers, TextNumbers};
use super::scanner::Scanner;
use hashfall_core::{Attribute, Values, Vec3};
use std::borrow::Cow;

/// Reads the vertices.
pub(super) fn read(bytes: &[u8], attributes: &AttributeFilter) -> Result<Cloud, InputError> {
    let mut scanner = Scanner::new(bytes);
    let head = Head::read(&mut scanner)?;
    let mut cloud = None;
    for element in &head.elements {
        if element.name == "vertex" {
            cloud = Some(element.cloud(&mut scanner, head.encoding, attributes)?);
        } else {
            element.skip(&mut scanner, head.encoding)?;
        }
    }
    if !scanner.is_at_end() {
        let rest = scanner.take(scanner.left(), "the rest")?;
        return Err(Problem::unexpected("the end of the file", rest).at(scanner.place()));
    }
    let missing = || Problem::ends_early("the head has no `element vertex`");
    let warnings = scanner.newline_warning().into_iter().collect();
    Ok(Cloud { warnings, ..cloud.ok_or_else(missing)? })
}

/// Reads a mesh of triangles: its vertices, and their indices for each triangle.
pub(super) fn read_mesh(bytes: &[u8]) -> Result<(Cloud, Vec<[u32; 3]>), InputError> {
    let mut scanner = Scanner::new(bytes);
    let head = Head::read(&mut scanner)?;
    let (mut cloud, mut triangles) = (Cloud::default(), Vec::new());
    for element in &head.elements {
        match element.name.as_str() {
            "vertex" => {
                cloud = element.cloud(&mut scanner, head.encoding, &AttributeFilter::All)?;
            }
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
pub(super) enum Encoding {
    Text,
    Binary(ByteOrder),
}

/// Maximum names of properties that a message lists.
const MAX_LISTED: usize = 12;

/// A number of an element, or a list of them.
#[derive(Clone)]
pub(super) struct Property {
    pub(super) name: String,
    /// Of a list: the type of its length.
    pub(super) length_type: Option<NumberType>,
    pub(super) number_type: NumberType,
}

/// Rows of the same properties.
pub(super) struct Element {
    pub(super) name: String,
    pub(super) count: usize,
    pub(super) properties: Vec<Property>,
}

/// What a file says about its rows.
pub(super) struct Head {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element>,
}

impl Head {
    pub(super) fn read(scanner: &mut Scanner) -> Result<Head, InputError> {
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
                    encoding = Encoding::from_name(name);
                    encoding.map(drop)
                }
                (["element", name, count], _) => {
                    Element::new(name, count).map(|element| elements.push(element))
                }
                (["property", words @ ..], Some(element)) => {
                    Property::from_words(words).map(|property| element.properties.push(property))
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
    fn from_name(name: &str) -> Option<Encoding> {
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
    fn from_words(words: &[&str]) -> Option<Property> {
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
        "int64" | "long" => NumberType::I64,
        "uint64" | "ulong" => NumberType::U64,
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

    /// Skips all rows.
    pub(super) fn skip(&self, scanner: &mut Scanner, encoding: Encoding) -> Result<(), InputError> {
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
                    Encoding::Text => scanner.skip_words(length, &what)?,
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
            let feature = "a mesh in text or with further face properties";
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
    fn cloud(
        &self,
        scanner: &mut Scanner,
        encoding: Encoding,
        filter: &AttributeFilter,
    ) -> Result<Cloud, InputError> {
        let axes = [self.column("x")?, self.column("y")?, self.column("z")?];
        let start = scanner.clone();
        let mut collector = Collector::new(filter);
        let plan = self.plan(&axes, &mut collector);
        let mut columns = match encoding {
            Encoding::Text => self.text_columns(scanner, &plan)?,
            Encoding::Binary(order) => self.binary_columns(scanner, order, &plan)?,
        };
        let mut positions = vec![Vec3::zeros(); self.count];
        for (axis, at) in axes.into_iter().enumerate() {
            let numbers = columns[at].take().unwrap_or(Numbers::Real(Vec::new()));
            if let Some(row) = numbers.first_invalid() {
                let place = self.place_of_number(start, encoding, row, at)?;
                return Err(Problem::not_finite(3 * row + axis).at(place));
            }
            for (position, x) in positions.iter_mut().zip(numbers.into_reals()) {
                position[axis] = x;
            }
        }
        for (at, attribute) in plan.into_iter().enumerate() {
            match attribute {
                Role::Skipped => {}
                Role::Scalar => {
                    // Coordinates have been taken already.
                    let Some(numbers) = columns[at].take() else { continue };
                    let name = self.properties[at].name.clone();
                    collector.add(Array { name, components: 1, numbers });
                }
                Role::Vector(name) => {
                    let parts = [at, at + 1, at + 2].map(|at| columns[at].take());
                    let parts = parts.map(|part| part.map(Numbers::into_reals).unwrap_or_default());
                    let vector = |i| Vec3::new(parts[0][i], parts[1][i], parts[2][i]);
                    let vectors: Vec<Vec3> = (0..self.count).map(vector).collect();
                    let vectors = Values::Vectors(vectors.into());
                    collector.add_attribute(Attribute::new(name, vectors));
                }
                Role::Part => {}
            }
        }
        let found = collector.finish();
        Ok(Cloud { positions, ..found.into() })
    }

    /// The index of a property among all.
    pub(super) fn column(&self, name: &str) -> Result<usize, Problem> {
        let at = self.properties.iter().position(|property| property.name == name);
        at.ok_or_else(|| {
            let names = self.properties.iter().take(MAX_LISTED).map(|it| format!("`{}`", it.name));
            let names: Vec<String> = names.collect();
            let has = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            Problem::Missing(format!("`vertex` has no property `{name}`, but {has}"))
        })
    }

    /// What becomes of each property.
    fn plan(&self, axes: &[usize; 3], collector: &mut Collector) -> Vec<Role> {
        let mut plan: Vec<Role> = Vec::with_capacity(self.properties.len());
        while let [first, rest @ ..] = &self.properties[plan.len()..] {
            let at = plan.len();
            let vector = match rest {
                [second, third, ..] if !axes.contains(&at) => vector_name([first, second, third]),
                _ => None,
            };
            if let Some(name) = vector {
                let takes = collector.includes(name, 3);
                let role = |part| if takes { part } else { Role::Skipped };
                plan.push(role(Role::Vector(name.to_owned())));
                plan.extend([role(Role::Part), role(Role::Part)]);
            } else if first.length_type.is_some() {
                collector.reject(&first.name, "it is a list");
                plan.push(Role::Skipped);
            } else {
                let takes = axes.contains(&at) || collector.includes(&first.name, 1);
                plan.push(if takes { Role::Scalar } else { Role::Skipped });
            }
        }
        plan
    }

    /// The numbers of each property that the plan takes.
    fn text_columns(
        &self,
        scanner: &mut Scanner,
        plan: &[Role],
    ) -> Result<Vec<Option<Numbers>>, InputError> {
        let what = "`vertex`";
        scanner.check_words(self.count.saturating_mul(self.properties.len()), what)?;
        let column = |(property, role): (&Property, &Role)| {
            let column = || TextNumbers::with_capacity(self.count, property.number_type);
            (*role != Role::Skipped).then(column)
        };
        let mut columns: Vec<_> = self.properties.iter().zip(plan).map(column).collect();
        let expected = format!("a number of {what}");
        for _ in 0..self.count {
            for (property, column) in self.properties.iter().zip(&mut columns) {
                match column {
                    Some(numbers) => scanner.push_number(numbers, &expected)?,
                    None => {
                        let list = property.length_type.is_some();
                        let length = if list { scanner.count("the length of a list")? } else { 1 };
                        scanner.skip_words(length, what)?;
                    }
                }
            }
        }
        Ok(columns.into_iter().map(|column| column.map(TextNumbers::finish)).collect())
    }

    /// The numbers of each property that the plan takes.
    fn binary_columns(
        &self,
        scanner: &mut Scanner,
        order: ByteOrder,
        plan: &[Role],
    ) -> Result<Vec<Option<Numbers>>, InputError> {
        let rows = self.rows_without_lists(scanner, order)?;
        let row_size = self.fixed_size();
        let mut start = 0;
        let column = |(property, role): (&Property, &Role)| {
            if property.length_type.is_some() {
                return None;
            }
            let range = start..start + property.number_type.size();
            start = range.end;
            if *role == Role::Skipped {
                return None;
            }
            let bytes = rows.chunks_exact(row_size.max(1)).flat_map(|row| &row[range.clone()]);
            let bytes: Vec<u8> = bytes.copied().collect();
            Some(Numbers::decode(&bytes, property.number_type, order))
        };
        Ok(self.properties.iter().zip(plan).map(column).collect())
    }

    /// Bytes of a row without its lists.
    fn fixed_size(&self) -> usize {
        let numbers = self.properties.iter().filter(|property| property.length_type.is_none());
        numbers.map(|property| property.number_type.size()).sum()
    }

    /// All rows of a binary file, from which lists are taken out.
    fn rows_without_lists<'a>(
        &self,
        scanner: &mut Scanner<'a>,
        order: ByteOrder,
    ) -> Result<Cow<'a, [u8]>, InputError> {
        let what = "the vertices";
        if let Some(row_size) = self.row_size() {
            return scanner.take(self.count.saturating_mul(row_size), what).map(Cow::Borrowed);
        }
        let mut rows = Vec::new();
        for _ in 0..self.count {
            for property in &self.properties {
                let size = property.number_type.size();
                match property.length_type {
                    None => rows.extend_from_slice(scanner.take(size, what)?),
                    Some(length_type) => {
                        let length = scanner.take(length_type.size(), what)?;
                        let length = binary_length(length, length_type, order);
                        scanner.take(length.saturating_mul(size), what)?;
                    }
                }
            }
        }
        Ok(rows.into())
    }

    /// Where the number of a row and column stands, if the rows begin at `start`.
    fn place_of_number(
        &self,
        mut start: Scanner,
        encoding: Encoding,
        row: usize,
        column: usize,
    ) -> Result<Place, InputError> {
        let before = Element { name: String::new(), count: row, properties: Vec::new() };
        let rows = Element { properties: self.properties.clone(), ..before };
        rows.skip(&mut start, encoding)?;
        let properties = self.properties[..column].to_vec();
        Element { count: 1, properties, ..rows }.skip(&mut start, encoding)?;
        if encoding == Encoding::Text {
            start.skip_words(1, "`vertex`")?;
        }
        Ok(start.place())
    }
}

/// The role of a property of a vertex.
#[derive(Clone, Debug, PartialEq)]
enum Role {
    Skipped,
    /// A coordinate, or an attribute of one number.
    Scalar,
    /// The first part of a vector of this name.
    Vector(String),
    /// Another part of the vector before.
    Part,
}

/// The length of a list.
pub(super) fn binary_length(bytes: &[u8], length_type: NumberType, order: ByteOrder) -> usize {
    match Numbers::decode(bytes, length_type, order) {
        Numbers::Whole(lengths) => lengths[0] as usize,
        // Negative or a fraction, which no list has; the largest is more than any file holds.
        _ => usize::MAX,
    }
}

/// The vector of which three properties are the parts, if their numbers are not whole.
fn vector_name(properties: [&Property; 3]) -> Option<&str> {
    if properties.iter().any(|it| it.length_type.is_some() || it.number_type.is_whole()) {
        return None;
    }
    match properties.map(|property| property.name.as_str()) {
        ["vx", "vy", "vz"] => Some("velocity"),
        ["nx", "ny", "nz"] => Some("normal"),
        [x, y, z] => {
            let name = x.strip_suffix("_x")?;
            let agree = y.strip_suffix("_y") == Some(name) && z.strip_suffix("_z") == Some(name);
            agree.then_some(name)
        }
    }
}
