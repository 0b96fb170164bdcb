//! Houdini's classic geometry: `.bgeo`, version 5, as Houdini 11 and Partio write it.
//!
//! Source: the HDK's "Geometry File Formats" (SideFX), and Partio's reader for what it leaves open.
//! All numbers are big-endian. A head of counts is followed by the definitions of the points'
//! attributes, then by the points: `x y z w`, and the attributes in their order. Vertices,
//! primitives and groups come after them and are not read. Programs such as SPlisHSPlasH
//! compress the file by gzip and keep its extension.

use super::array::{Array, AttributeFilter, Collector};
use super::chosen_arrays::{self, ArrayNames};
use super::cloud::Cloud;
use super::content;
use super::data_block::UnpackBudget;
use super::error::{InputError, Place, Problem};
use super::format::FileFormat;
use super::numbers::{ByteOrder, NumberType, Numbers};
use super::scanner::Scanner;
use std::borrow::Cow;
use std::io::Read;

/// The first bytes of a file: a word, and `V` before the version.
const START: &[u8] = b"BgeoV";
const VERSION: usize = 5;
/// Numbers of a point's position, the last of which is a weight.
const POSITION_SIZE: usize = 4;

/// The format.
pub(super) const FORMAT: FileFormat = FileFormat {
    extensions: &["bgeo"],
    may_be_gzip: true,
    read: |bytes, choice, filter| {
        chosen_arrays::read(|filter| read(bytes, filter), &ArrayNames::PARAVIEW, choice, filter)
    },
};

/// Reads the points.
fn read(bytes: &[u8], attributes: &AttributeFilter) -> Result<Cloud, InputError> {
    let bytes = if content::is_gzip(bytes) { unpack(bytes)?.into() } else { Cow::Borrowed(bytes) };
    let mut reader = Reader { scanner: Scanner::new(&bytes) };
    reader.scanner.expect_binary();
    reader.cloud(attributes)
}

/// Unpacks a file in gzip.
fn unpack(bytes: &[u8]) -> Result<Vec<u8>, InputError> {
    let mut budget = UnpackBudget::new(bytes.len());
    let limit = budget.left() as u64 + 1;
    let mut unpacked = Vec::new();
    let decoder = flate2::read::MultiGzDecoder::new(bytes);
    decoder.take(limit).read_to_end(&mut unpacked).map_err(|error| Problem::Packed {
        array: "the gzip file".to_owned(),
        reason: error.to_string(),
    })?;
    budget.take(unpacked.len())?;
    Ok(unpacked)
}

/// An attribute of the points.
struct Attribute {
    name: String,
    /// Numbers of a point.
    size: usize,
    /// None for words of a list, whose indices in it stand for them.
    number_type: Option<NumberType>,
    /// Bytes before it in a point.
    offset: usize,
}

struct Reader<'a> {
    scanner: Scanner<'a>,
}

impl Reader<'_> {
    fn cloud(&mut self, filter: &AttributeFilter) -> Result<Cloud, InputError> {
        let scanner = &mut self.scanner;
        let start = scanner.take(START.len().min(scanner.left()), "the head")?;
        if start != START {
            let problem = Problem::unexpected("classic geometry, which begins with `BgeoV`", start);
            return Err(problem.at(Place::Byte(0)));
        }
        let version = self.number("the version")?;
        if version != VERSION {
            let found = version.to_string();
            return Err(Problem::unexpected("version 5", found.as_bytes()).at(Place::Byte(5)));
        }
        let count = self.number("the number of points")?;
        // Primitives, and groups of points and primitives.
        self.scanner.take(12, "the counts")?;
        let attributes = self.number("the number of attributes")?;
        // Attributes of vertices, primitives and the whole.
        self.scanner.take(12, "the counts")?;
        let mut size = POSITION_SIZE * size_of::<f32>();
        let mut defined = Vec::new();
        for _ in 0..attributes {
            let attribute = self.attribute(size)?;
            size = size.saturating_add(attribute.size.saturating_mul(size_of::<f32>()));
            defined.push(attribute);
        }
        let at = self.scanner.at();
        let rows = self.scanner.take(count.saturating_mul(size), "the points")?;
        let column = |offset: usize, length: usize, number_type| {
            let bytes = rows.chunks_exact(size).flat_map(|row| &row[offset..offset + length]);
            Numbers::decode(&bytes.copied().collect::<Vec<u8>>(), number_type, ByteOrder::Big)
        };
        let positions = column(0, 12, NumberType::F32);
        if let Some(k) = positions.first_invalid() {
            return Err(Problem::not_finite(k).at(Place::Byte(at + k / 3 * size + k % 3 * 4)));
        }
        let mut collector = Collector::new(filter);
        for Attribute { name, size: components, number_type, offset } in defined {
            let Some(number_type) = number_type else {
                collector.reject(&name, "it holds text");
                continue;
            };
            if collector.includes(&name, components) {
                let numbers = column(offset, components * size_of::<f32>(), number_type);
                collector.add(Array { name, components, numbers });
            }
        }
        Ok(Cloud { positions: positions.into_vectors(), ..collector.finish().into() })
    }

    /// The definition of an attribute: its name, size and type, and what a new point would have.
    fn attribute(&mut self, offset: usize) -> Result<Attribute, InputError> {
        let name = self.text("the name of an attribute")?;
        let size = self.short("the size of an attribute")?;
        let at = self.scanner.at();
        let number_type = match self.number("the type of an attribute")? {
            0 | 5 => Some(NumberType::F32),
            1 => Some(NumberType::I32),
            4 => None,
            other => {
                let problem =
                    Problem::unexpected("the type of an attribute", other.to_string().as_bytes());
                return Err(problem.at(Place::Byte(at)));
            }
        };
        match number_type {
            Some(_) => drop(self.scanner.take(size * size_of::<f32>(), "a default value")?),
            None => {
                for _ in 0..self.number("the number of words")? {
                    self.text("a word")?;
                }
            }
        }
        Ok(Attribute { name, size, number_type, offset })
    }

    /// A number of 32 bits.
    fn number(&mut self, what: &str) -> Result<usize, InputError> {
        let bytes = self.scanner.take(4, what)?;
        Ok(bytes.iter().fold(0, |number, &byte| number << 8 | usize::from(byte)))
    }

    /// A number of 16 bits.
    fn short(&mut self, what: &str) -> Result<usize, InputError> {
        let bytes = self.scanner.take(2, what)?;
        Ok(bytes.iter().fold(0, |number, &byte| number << 8 | usize::from(byte)))
    }

    /// Text after its length.
    fn text(&mut self, what: &str) -> Result<String, InputError> {
        let length = self.short(what)?;
        let bytes = self.scanner.take(length, what)?;
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }
}
