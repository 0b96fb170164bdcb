//! Head, sections, points and cells of a legacy file, and how its numbers are written.

use crate::array::{AttributeFilter, Collector};
use crate::chosen_arrays::{self, ArrayNames};
use crate::cloud::Cloud;
use crate::error::{InputError, Place, Problem};
use crate::format::FileFormat;
use crate::numbers::{ByteOrder, ElementType, NumberType, Numbers};
use crate::raw::{self, Width};
use crate::scanner::Scanner;

/// The format.
pub(crate) const FORMAT: FileFormat = FileFormat {
    extensions: &["vtk"],
    may_be_gzip: false,
    read: |bytes, choice, filter| {
        chosen_arrays::read(|filter| read(bytes, filter), &ArrayNames::PARAVIEW, choice, filter)
    },
};

/// Reads the points and their attributes.
fn read(bytes: &[u8], attributes: &AttributeFilter) -> Result<Cloud, InputError> {
    let mut reader = Reader::open(bytes, attributes)?;
    while !reader.scanner.is_at_end() {
        reader.section()?;
    }
    let missing = || Problem::ends_early("the section `POINTS` is missing");
    let positions = reader.points.ok_or_else(missing)?.into_vectors();
    let mut collector = reader.collector;
    for (name, tuples) in reader.field_arrays {
        if tuples == positions.len() && tuples > 1 {
            collector.reject(&name, "it stands before `POINT_DATA`, so it belongs to no points");
        }
    }
    let warnings = reader.scanner.newline_warning().into_iter().collect();
    Ok(Cloud { positions, time: reader.time, warnings, ..collector.finish().into() })
}

/// The owner of the arrays that follow.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Owner {
    Field,
    Points(usize),
    Cells(usize),
}

/// The element type of a VTK type name.
pub(crate) fn element_type(name: &str) -> Option<ElementType> {
    let number_type = match name.to_ascii_lowercase().as_str() {
        "char" | "signed_char" | "vtktypeint8" => NumberType::I8,
        "unsigned_char" | "vtktypeuint8" => NumberType::U8,
        "short" | "vtktypeint16" => NumberType::I16,
        "unsigned_short" | "vtktypeuint16" => NumberType::U16,
        // VTK writes ids as `int`, whatever their size in memory.
        "int" | "vtkidtype" | "vtktypeint32" => NumberType::I32,
        "unsigned_int" | "vtktypeuint32" => NumberType::U32,
        "long" | "long_long" | "vtktypeint64" => NumberType::I64,
        "unsigned_long" | "unsigned_long_long" | "vtktypeuint64" => NumberType::U64,
        "float" => NumberType::F32,
        "double" => NumberType::F64,
        "bit" => return Some(ElementType::Bits),
        "string" | "utf8_string" => return Some(ElementType::Strings),
        _ => return None,
    };
    Some(ElementType::Numbers(number_type))
}

/// A file that is read section by section.
pub(crate) struct Reader<'a> {
    pub(crate) scanner: Scanner<'a>,
    pub(crate) is_binary: bool,
    pub(super) owner: Owner,
    /// The coordinates, once they have been read.
    pub(crate) points: Option<Numbers>,
    pub(super) collector: Collector<'a>,
    /// Names and tuples of arrays that belong to the whole data set.
    pub(super) field_arrays: Vec<(String, usize)>,
    pub(super) time: Option<f64>,
}

impl<'a> Reader<'a> {
    /// Reads the head.
    pub(crate) fn open(
        bytes: &'a [u8],
        attributes: &'a AttributeFilter,
    ) -> Result<Self, InputError> {
        let mut scanner = Scanner::new(bytes);
        let version = scanner.line("the first line")?;
        if !version.starts_with(b"# vtk DataFile Version") {
            let problem = Problem::unexpected("`# vtk DataFile Version`", version);
            return Err(problem.at(Place::Line(1)));
        }
        scanner.line("the title")?;
        let format = scanner.line("`ASCII` or `BINARY`")?.trim_ascii();
        let is_binary = match format.to_ascii_uppercase().as_slice() {
            b"ASCII" => false,
            b"BINARY" => true,
            _ => {
                let problem = Problem::unexpected("`ASCII` or `BINARY`", format);
                return Err(problem.at(Place::Line(3)));
            }
        };
        if is_binary {
            scanner.expect_binary();
        }
        Ok(Reader {
            scanner,
            is_binary,
            owner: Owner::Field,
            points: None,
            collector: Collector::new(attributes),
            field_arrays: Vec::new(),
            time: None,
        })
    }

    /// Reads the next section.
    pub(crate) fn section(&mut self) -> Result<(), InputError> {
        let at = self.scanner.at();
        let keyword = self.scanner.word("a section")?;
        match keyword.to_ascii_uppercase().as_str() {
            "DATASET" => self.dataset(),
            "POINTS" => self.points(),
            "VERTICES" | "LINES" | "POLYGONS" | "TRIANGLE_STRIPS" | "CELLS" => self.skip_cells(),
            "CELL_TYPES" => {
                let count = self.scanner.count("the number of cells")?;
                self.scanner.line("the cell types")?;
                self.skip(ElementType::Numbers(NumberType::I32), count, "cell types")
            }
            "POINT_DATA" => self.point_data(),
            "CELL_DATA" => {
                self.owner = Owner::Cells(self.scanner.count("the number of cells")?);
                Ok(())
            }
            "FIELD" => self.field(),
            "SCALARS" => self.scalars(),
            "COLOR_SCALARS" => self.color_scalars(),
            "VECTORS" | "NORMALS" => self.typed_array(3),
            "TENSORS" => self.typed_array(9),
            "TENSORS6" => self.typed_array(6),
            "GLOBAL_IDS" | "PEDIGREE_IDS" | "EDGE_FLAGS" => self.typed_array(1),
            "TEXTURE_COORDINATES" => self.texture_coordinates(),
            "LOOKUP_TABLE" => self.skip_lookup_table(),
            "METADATA" => self.skip_metadata(),
            _ => Err(Problem::unexpected("a section such as `POINTS`", keyword.as_bytes())
                .at(self.scanner.place_of(at))),
        }
    }

    fn dataset(&mut self) -> Result<(), InputError> {
        let at = self.scanner.at();
        let kind = self.scanner.word("the kind of the data set")?;
        match kind.to_ascii_uppercase().as_str() {
            "POLYDATA" | "UNSTRUCTURED_GRID" => Ok(()),
            _ => {
                let expected = "`POLYDATA` or `UNSTRUCTURED_GRID`";
                Err(Problem::unexpected(expected, kind.as_bytes()).at(self.scanner.place_of(at)))
            }
        }
    }

    fn points(&mut self) -> Result<(), InputError> {
        let count = self.scanner.count("the number of points")?;
        let at = self.scanner.at();
        let name = self.scanner.peek().unwrap_or_default();
        let content = self.content()?;
        if matches!(content, ElementType::Strings | ElementType::Bits) {
            let expected = "points of numbers such as `float` or `double`";
            let problem = Problem::unexpected(expected, name.as_bytes());
            return Err(problem.at(self.scanner.place_of(at)));
        }
        self.scanner.line("the coordinates")?;
        let start = self.scanner.clone();
        let numbers = self.numbers(content, count.saturating_mul(3), "points")?;
        self.check_byte_order(start.clone(), content, count)?;
        if let Some(k) = numbers.first_invalid() {
            return Err(Problem::not_finite(k).at(self.place_of_number(start, content, k)?));
        }
        self.points = Some(numbers);
        Ok(())
    }

    /// Where the `k`-th number of an array stands, whose numbers begin at `start`.
    fn place_of_number(
        &self,
        mut start: Scanner,
        content: ElementType,
        k: usize,
    ) -> Result<Place, InputError> {
        match content {
            ElementType::Numbers(number_type) if self.is_binary => {
                start.take(k * number_type.size(), "points")?;
            }
            _ => start.skip_words(k + 1, "points")?,
        }
        Ok(start.place())
    }

    /// Refuses binary points, which begin at `start`, that are plausible only in the other byte
    /// order.
    fn check_byte_order(
        &self,
        mut start: Scanner,
        content: ElementType,
        points: usize,
    ) -> Result<(), InputError> {
        let width = match content {
            ElementType::Numbers(NumberType::F32) if self.is_binary => Width::F32,
            ElementType::Numbers(NumberType::F64) if self.is_binary => Width::F64,
            _ => return Ok(()),
        };
        let at = start.at();
        let bytes = start.take(content.byte_length(3 * points), "points")?;
        raw::check_big_endian(bytes, width, at)
    }

    fn point_data(&mut self) -> Result<(), InputError> {
        let at = self.scanner.at();
        let found = self.scanner.count("the number of points")?;
        let expected = self.points.as_ref().map_or(0, Numbers::len) / 3;
        if found != expected {
            let what = "points of `POINT_DATA`".to_owned();
            return Err(Problem::WrongCount { what, expected, found }.at(self.scanner.place_of(at)));
        }
        self.owner = Owner::Points(found);
        Ok(())
    }

    /// `CELLS` and its like. Up to version 4 these are indices; from 5 on two typed arrays.
    fn skip_cells(&mut self) -> Result<(), InputError> {
        let first = self.scanner.count("the number of cells")?;
        let second = self.scanner.count("the size of the cells")?;
        self.scanner.line("the cells")?;
        if self.scanner.peek().is_none_or(|word| !word.eq_ignore_ascii_case("OFFSETS")) {
            let indices = ElementType::Numbers(NumberType::I32);
            return self.skip(indices, second, "cells");
        }
        for count in [first, second] {
            self.scanner.word("`OFFSETS` or `CONNECTIVITY`")?;
            let content = self.content()?;
            self.scanner.line("the cells")?;
            self.skip(content, count, "cells")?;
        }
        Ok(())
    }

    fn skip_lookup_table(&mut self) -> Result<(), InputError> {
        self.scanner.word("the name of the look-up table")?;
        let count = self.scanner.count("the size of the look-up table")?;
        self.scanner.line("the look-up table")?;
        let colours = count.saturating_mul(4);
        self.skip(self.colour(), colours, "the look-up table")
    }

    /// Metadata continues to an empty line.
    pub(super) fn skip_metadata(&mut self) -> Result<(), InputError> {
        self.scanner.line("the metadata")?;
        while !self.scanner.line("the empty line after the metadata")?.trim_ascii().is_empty() {}
        Ok(())
    }

    /// The type of an array.
    pub(super) fn content(&mut self) -> Result<ElementType, InputError> {
        let at = self.scanner.at();
        let name = self.scanner.word("a number type")?;
        let unknown = || Problem::unexpected("a number type such as `float`", name.as_bytes());
        element_type(name).ok_or_else(|| unknown().at(self.scanner.place_of(at)))
    }

    /// Reads `count` numbers.
    pub(super) fn numbers(
        &mut self,
        content: ElementType,
        count: usize,
        what: &str,
    ) -> Result<Numbers, InputError> {
        if self.is_binary {
            let bytes = self.scanner.take(content.byte_length(count), what)?;
            Ok(content.decode(bytes, count, ByteOrder::Big))
        } else {
            self.scanner.numbers(count, content.text_type(), what)
        }
    }

    /// Skips `count` numbers or strings.
    pub(super) fn skip(
        &mut self,
        content: ElementType,
        count: usize,
        what: &str,
    ) -> Result<(), InputError> {
        match content {
            ElementType::Strings => (0..count).try_for_each(|_| self.skip_string(what)),
            _ if self.is_binary => self.scanner.take(content.byte_length(count), what).map(drop),
            _ => self.scanner.skip_numbers(count, what),
        }
    }

    /// A string is a line in text; in binary files its length stands before it, whose first two
    /// bits tell how many bytes the length takes.
    fn skip_string(&mut self, what: &str) -> Result<(), InputError> {
        if !self.is_binary {
            return self.scanner.line(what).map(drop);
        }
        let first = self.scanner.take(1, what)?[0];
        let more = [7, 3, 1, 0][usize::from(first >> 6)];
        let rest = self.scanner.take(more, what)?;
        let low = |length: usize, &byte: &u8| length << 8 | usize::from(byte);
        let length = rest.iter().fold(usize::from(first & 0x3f), low);
        self.scanner.take(length, what).map(drop)
    }
}
