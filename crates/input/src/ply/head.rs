//! The head of a polygon file, and rows that nobody reads.

use crate::error::{InputError, Place, Problem};
use crate::numbers::{ByteOrder, NumberType, Numbers};
use crate::scanner::Scanner;

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Text,
    Binary(ByteOrder),
}

/// Maximum names of properties that a message lists.
const MAX_LISTED: usize = 12;

/// A number of an element, or a list of them.
#[derive(Clone)]
pub(crate) struct Property {
    pub(crate) name: String,
    /// Of a list: the type of its length.
    pub(crate) length_type: Option<NumberType>,
    pub(crate) number_type: NumberType,
}

/// Rows of the same properties.
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) count: usize,
    pub(crate) properties: Vec<Property>,
}

/// What a file says about its rows.
pub(crate) struct Head {
    pub(crate) encoding: Encoding,
    pub(crate) elements: Vec<Element>,
}

impl Head {
    pub(crate) fn read(scanner: &mut Scanner) -> Result<Head, InputError> {
        scanner.accept_lone_cr();
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
    pub(super) fn row_size(&self) -> Option<usize> {
        let size = |p: &Property| p.length_type.is_none().then(|| p.number_type.size());
        self.properties.iter().map(size).sum()
    }

    /// Skips all rows.
    pub(crate) fn skip(&self, scanner: &mut Scanner, encoding: Encoding) -> Result<(), InputError> {
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

    /// The index of a property among all.
    pub(crate) fn column(&self, name: &str) -> Result<usize, Problem> {
        let at = self.properties.iter().position(|property| property.name == name);
        at.ok_or_else(|| {
            let names = self.properties.iter().take(MAX_LISTED).map(|it| format!("`{}`", it.name));
            let names: Vec<String> = names.collect();
            let has = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            Problem::Missing(format!("`vertex` has no property `{name}`, but {has}"))
        })
    }
}

/// The length of a list.
pub(crate) fn binary_length(bytes: &[u8], length_type: NumberType, order: ByteOrder) -> usize {
    match Numbers::decode(bytes, length_type, order) {
        Numbers::Whole(lengths) => lengths[0] as usize,
        // Negative or a fraction, which no list has; the largest is more than any file holds.
        _ => usize::MAX,
    }
}
