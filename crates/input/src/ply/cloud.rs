//! The vertices of a polygon file as particles.

use super::head::{Element, Encoding, Head, Property, binary_length};
use crate::array::{Array, AttributeFilter, Collector};
use crate::chosen_arrays::{self, ArrayNames};
use crate::cloud::Cloud;
use crate::columns::{ColumnChoice, ColumnNames};
use crate::error::{ColumnProblem, InputError, Place, Problem};
use crate::format::FileFormat;
use crate::numbers::{ByteOrder, Numbers, TextNumbers};
use crate::quantity::Quantity;
use crate::scanner::Scanner;
use hashfall_core::{Attribute, Values, Vec3};
use std::borrow::Cow;

/// The format.
pub(crate) const FORMAT: FileFormat =
    FileFormat { extensions: &["ply"], may_be_gzip: false, read: read_chosen };

/// The properties that are the coordinates, unless others are chosen.
pub(super) const AXES: [&str; 3] = ["x", "y", "z"];

/// Reads the vertices, from the properties that are chosen.
fn read_chosen(
    bytes: &[u8],
    choice: &ColumnChoice,
    filter: &AttributeFilter,
) -> Result<Cloud, InputError> {
    let head = Head::read(&mut Scanner::new(bytes))?;
    let vertex = head.elements.iter().find(|element| element.name == "vertex");
    let properties = vertex.map_or(&[][..], |vertex| &vertex.properties);
    let has = |name: &String| properties.iter().any(|it| it.name == *name);
    let axes = chosen_axes(properties, choice)?;
    let components = |vector: &str| {
        ["x", "y", "z"].map(|axis| {
            let short = vector.chars().next().map_or(String::new(), |c| format!("{c}{axis}"));
            Some(format!("{vector}_{axis}")).filter(has).unwrap_or(short)
        })
    };
    let names = ArrayNames { positions: axes, components: &components };
    chosen_arrays::read(|filter| read(bytes, axes, filter), &names, choice, filter)
}

/// The properties that are the coordinates: x, y and z, or where one of these is missing, the
/// chosen ones instead.
///
/// # Errors
/// A choice that the vertices do not have, or none for a missing coordinate.
fn chosen_axes<'a>(
    properties: &'a [Property],
    choice: &ColumnChoice,
) -> Result<[&'a str; 3], Problem> {
    let find = |axis: &str| properties.iter().position(|it| it.name == axis);
    let is_chosen = Quantity::POSITION.iter().any(|quantity| choice.get(*quantity).is_some());
    if !is_chosen || AXES.iter().all(|axis| find(axis).is_some()) {
        return Ok(AXES);
    }
    let names: Vec<String> = properties.iter().map(|it| it.name.clone()).collect();
    let names = ColumnNames { names: &names, is_named: true, is_table: false };
    let chosen = choice.resolve(&names)?;
    let mut axes = AXES;
    for (k, quantity) in Quantity::POSITION.into_iter().enumerate() {
        let known = || find(AXES[k]).filter(|at| !chosen.contains(*at));
        let at = chosen.get(quantity).or_else(known);
        let at = at.ok_or_else(|| ColumnProblem::not_known(quantity, names.list()))?;
        axes[k] = &properties[at].name;
    }
    Ok(axes)
}

/// Reads the vertices, whose coordinates are the properties of these names.
fn read(bytes: &[u8], axes: [&str; 3], attributes: &AttributeFilter) -> Result<Cloud, InputError> {
    let mut scanner = Scanner::new(bytes);
    let head = Head::read(&mut scanner)?;
    let mut cloud = None;
    for element in &head.elements {
        if element.name == "vertex" {
            cloud = Some(element.cloud(&mut scanner, head.encoding, axes, attributes)?);
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

impl Element {
    /// Reads all rows as particles, whose coordinates are the properties of these names.
    pub(super) fn cloud(
        &self,
        scanner: &mut Scanner,
        encoding: Encoding,
        [x, y, z]: [&str; 3],
        filter: &AttributeFilter,
    ) -> Result<Cloud, InputError> {
        let axes = [self.coordinate(x)?, self.coordinate(y)?, self.coordinate(z)?];
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

    /// The index of a property that is a coordinate.
    fn coordinate(&self, name: &str) -> Result<usize, Problem> {
        let at = self.column(name)?;
        match self.properties[at].length_type {
            None => Ok(at),
            Some(_) => Err(Problem::unexpected(format!("a number in `{name}`"), b"a list")),
        }
    }

    /// What becomes of each property.
    fn plan(&self, axes: &[usize; 3], collector: &mut Collector) -> Vec<Role> {
        let mut plan: Vec<Role> = Vec::with_capacity(self.properties.len());
        while let [first, rest @ ..] = &self.properties[plan.len()..] {
            let at = plan.len();
            let vector = match rest {
                [second, third, ..] if !axes.iter().any(|axis| (at..at + 3).contains(axis)) => {
                    vector_name([first, second, third])
                }
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
