//! The arrays of a legacy file: those of the points become attributes, one of the field the time.

use super::reader::{Owner, Reader};
use crate::array::Array;
use crate::error::{InputError, Problem};
use crate::numbers::{ByteOrder, ElementType, NumberType};
use crate::percent::percent_decoded;

/// Names of the field's array that is the time \[s\], in lower case.
pub(crate) const TIME_NAMES: [&str; 2] = ["timevalue", "time"];

impl Reader<'_> {
    /// `FIELD name n`, then n arrays, each with its own size.
    pub(super) fn field(&mut self) -> Result<(), InputError> {
        self.scanner.word("the name of the field")?;
        for _ in 0..self.scanner.count("the number of arrays")? {
            // Between the arrays of a field VTK puts their metadata.
            if self.scanner.peek() == Some("METADATA") {
                self.scanner.word("`METADATA`")?;
                self.skip_metadata()?;
            }
            let name = self.scanner.word("the name of an array")?;
            let components = self.scanner.count("the number of components")?;
            let at = self.scanner.at();
            let tuples = self.scanner.count("the number of tuples")?;
            let content = self.content()?;
            self.scanner.line("the array")?;
            if let Owner::Points(points) = self.owner
                && tuples != points
            {
                let what = format!("tuples of `{name}`");
                let problem = Problem::WrongCount { what, expected: points, found: tuples };
                return Err(problem.at(self.scanner.place_of(at)));
            }
            self.array(name, components, content, tuples)?;
        }
        Ok(())
    }

    pub(super) fn scalars(&mut self) -> Result<(), InputError> {
        let name = self.scanner.word("the name of the scalars")?;
        let content = self.content()?;
        let at = self.scanner.at();
        let components = self.scanner.line("the scalars")?.trim_ascii();
        let components = match components {
            [] => 1,
            [digit @ b'1'..=b'9'] => usize::from(digit - b'0'),
            _ => {
                let problem = Problem::unexpected("the number of components", components);
                return Err(problem.at(self.scanner.place_of(at)));
            }
        };
        if self.scanner.peek().is_some_and(|word| word.eq_ignore_ascii_case("LOOKUP_TABLE")) {
            self.scanner.line("the look-up table")?;
        }
        self.array_of_owner(name, components, content)
    }

    pub(super) fn color_scalars(&mut self) -> Result<(), InputError> {
        let name = self.scanner.word("the name of the colours")?;
        let components = self.scanner.count("the number of components")?;
        self.scanner.line("the colours")?;
        self.array_of_owner(name, components, self.colour())
    }

    /// Colours are bytes in binary files, and numbers from 0 to 1 in text.
    pub(super) fn colour(&self) -> ElementType {
        ElementType::Numbers(if self.is_binary { NumberType::U8 } else { NumberType::F32 })
    }

    /// An array whose head is a name and a type.
    pub(super) fn typed_array(&mut self, components: usize) -> Result<(), InputError> {
        let name = self.scanner.word("the name of an array")?;
        let content = self.content()?;
        self.scanner.line("the array")?;
        self.array_of_owner(name, components, content)
    }

    pub(super) fn texture_coordinates(&mut self) -> Result<(), InputError> {
        let name = self.scanner.word("the name of an array")?;
        let components = self.scanner.count("the number of components")?;
        let content = self.content()?;
        self.scanner.line("the array")?;
        self.array_of_owner(name, components, content)
    }

    /// An array with a tuple for each point or cell.
    fn array_of_owner(
        &mut self,
        name: &str,
        components: usize,
        content: ElementType,
    ) -> Result<(), InputError> {
        match self.owner {
            Owner::Points(tuples) | Owner::Cells(tuples) => {
                self.array(name, components, content, tuples)
            }
            Owner::Field => {
                let expected = "`POINT_DATA` before the first array";
                Err(Problem::unexpected(expected, name.as_bytes()).at(self.scanner.place()))
            }
        }
    }

    /// Reads an array that the filter includes, and skips others.
    fn array(
        &mut self,
        name: &str,
        components: usize,
        content: ElementType,
        tuples: usize,
    ) -> Result<(), InputError> {
        let name = percent_decoded(name);
        let count = components.saturating_mul(tuples);
        let what = format!("array `{name}`");
        match self.owner {
            Owner::Points(_) if content == ElementType::Strings => {
                self.collector.reject(&name, "it holds text");
            }
            Owner::Points(_) if self.collector.includes(&name, components) => {
                let numbers = self.numbers(content, count, &what)?;
                self.collector.add(Array { name, components, numbers });
                return Ok(());
            }
            Owner::Points(_) => {}
            Owner::Cells(_) => self.collector.reject(&name, "it belongs to cells, not to points"),
            Owner::Field if count == 1 && TIME_NAMES.contains(&&*name.to_ascii_lowercase()) => {
                self.time = self.double(content, &what)?.filter(|time| time.is_finite());
                return Ok(());
            }
            Owner::Field => self.field_arrays.push((name, tuples)),
        }
        self.skip(content, count, &what)
    }

    /// A number in double precision.
    fn double(&mut self, content: ElementType, what: &str) -> Result<Option<f64>, InputError> {
        if self.is_binary {
            let bytes = self.scanner.take(content.byte_length(1), what)?;
            Ok(content.first_double(bytes, ByteOrder::Big))
        } else {
            Ok(self.scanner.word(what)?.parse().ok())
        }
    }
}
