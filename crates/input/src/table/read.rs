//! The rows of a table as particles.
//!
//! - With semicolons and tabs between cells, numbers may have a decimal comma.
//! - Columns that hold text are not read, unless they are chosen. An empty cell of an attribute is
//!   no number (NaN).
//! - Whole numbers stay whole in columns whose names say that they name something: `id`, `phase`
//!   ([`crate::field_names`]).

use super::head::{Separator, Table};
use super::names::{Column, Columns, Role};
use crate::array::{Array, AttributeFilter, Collector};
use crate::cloud::Cloud;
use crate::columns::{ColumnChoice, ColumnNames};
use crate::error::{InputError, Place, Problem};
use crate::numbers::{NumberType, TextNumbers};
use ::csv::ByteRecord;
use hashfall_core::Real;
use std::borrow::Cow;

/// Columns at most, as of arrays in other formats.
const MAX_COLUMNS: usize = 4096;

impl Table<'_> {
    /// Reads the particles from the columns that are chosen or known, with the attributes that the
    /// filter includes.
    ///
    /// # Errors
    /// Columns that are not there, and cells that are no numbers, with their lines.
    pub(super) fn read(
        &self,
        choice: &ColumnChoice,
        filter: &AttributeFilter,
    ) -> Result<Cloud, InputError> {
        if self.names.len() > MAX_COLUMNS {
            let found = format!("{} columns", self.names.len());
            let expected = format!("at most {MAX_COLUMNS} columns");
            return Err(Problem::unexpected(expected, found.as_bytes()).at(Place::Line(self.line)));
        }
        let columns = Columns::new(&self.column_names(), choice);
        let Columns { columns, doubt } =
            columns.map_err(|problem| problem.at(Place::Line(self.line)))?;
        let mut collector = Collector::new(filter);
        let is_read = |column: &Column, collector: &mut Collector| match column.role {
            Role::Position => true,
            Role::Chosen | Role::Attribute => collector.includes(&column.name, column.cells.len()),
        };
        let mut read: Vec<ReadColumn> = Vec::new();
        for column in columns {
            if is_read(&column, &mut collector) {
                read.push(ReadColumn::new(column));
            }
        }
        let end = self.for_each_row(&mut |row, line| {
            let place = |problem: Problem| problem.at(Place::Line(line()));
            self.check_cells(row, &read).map_err(place)?;
            for column in read.iter_mut().filter(|column| column.text.is_none()) {
                let is_number = column.push(row, self).map_err(place)?;
                column.text = (!is_number).then(line);
            }
            Ok(())
        })?;
        let mut positions = Vec::new();
        for ReadColumn { column, numbers, text } in read {
            match (column.role, text) {
                (Role::Position, _) => positions = numbers.finish().into_vectors(),
                (_, Some(line)) => {
                    collector.reject(&column.name, format!("it holds text in line {line}"));
                }
                (_, None) => {
                    let components = column.cells.len();
                    let numbers = numbers.finish();
                    collector.add(Array { name: column.name, components, numbers });
                }
            }
        }
        let doubt = doubt.filter(|_| filter.includes("velocity"));
        let warnings = self.warnings.iter().cloned().chain(doubt).chain(end).collect();
        Ok(Cloud { positions, warnings, time: self.time, ..collector.finish().into() })
    }

    /// The columns, as users choose them.
    pub(super) fn column_names(&self) -> ColumnNames<'_> {
        ColumnNames { names: &self.names, is_named: self.is_named, is_table: true }
    }

    /// Refuses a row of other than the head's number of cells.
    fn check_cells(&self, row: &ByteRecord, columns: &[ReadColumn]) -> Result<(), Problem> {
        let (expected, found) = (self.names.len(), row.len());
        // A separator at the end of each row is an empty cell after the last.
        let has_empty_end = found == expected + 1 && row.get(expected) == Some(b"");
        if found == expected || has_empty_end {
            return Ok(());
        }
        // Words that are no numbers tell more of what is wrong.
        if self.separator == Separator::Blanks {
            let position = columns.iter().filter(|it| it.column.role == Role::Position);
            for &cell in position.flat_map(|it| &it.column.cells).filter(|cell| **cell < found) {
                self.coordinate(row, cell)?;
            }
        }
        let what = match (self.is_named, expected) {
            (true, _) => "cells in this row",
            (false, 3) => "coordinates",
            (false, _) => "columns",
        };
        Err(Problem::WrongCount { what: what.to_owned(), expected, found })
    }

    /// The text of a number, with a point where it may have a comma.
    fn number_text<'r>(&self, row: &'r ByteRecord, cell: usize) -> Cow<'r, str> {
        let text = String::from_utf8_lossy(row.get(cell).unwrap_or_default().trim_ascii());
        let has_decimal_comma =
            matches!(self.separator, Separator::Character(b';' | b'\t')) && text.contains(',');
        if has_decimal_comma { text.replacen(',', ".", 1).into() } else { text }
    }

    /// A cell as a coordinate.
    fn coordinate(&self, row: &ByteRecord, cell: usize) -> Result<f64, Problem> {
        let word = self.number_text(row, cell);
        if let Ok(coordinate) = word.parse() {
            return Ok(coordinate);
        }
        let expected = match self.is_named {
            true => self.expected_number(cell),
            false => "a coordinate".to_owned(),
        };
        Err(Problem::not_a_number(expected, word.as_bytes()))
    }

    fn expected_number(&self, cell: usize) -> String {
        match self.names[cell].as_str() {
            "" => format!("a number in column {}", cell + 1),
            name => format!("a number in column {} (`{name}`)", cell + 1),
        }
    }
}

/// A column, or three of a vector, with its numbers.
struct ReadColumn {
    column: Column,
    numbers: TextNumbers,
    /// The line of the first cell that is no number, if any.
    text: Option<usize>,
}

impl ReadColumn {
    fn new(column: Column) -> Self {
        let number_type = if column.is_label { NumberType::I64 } else { NumberType::F64 };
        ReadColumn { numbers: TextNumbers::with_capacity(0, number_type), column, text: None }
    }

    /// Appends the cells of a row; false if one of an attribute that is not chosen is no number.
    fn push(&mut self, row: &ByteRecord, table: &Table) -> Result<bool, Problem> {
        for &cell in &self.column.cells {
            if self.column.role == Role::Position {
                let coordinate = table.coordinate(row, cell)?;
                if !(coordinate as Real).is_finite() {
                    return Err(Problem::not_finite(self.numbers.len()));
                }
                self.numbers.push_real(coordinate);
                continue;
            }
            let word = table.number_text(row, cell);
            let word = if word.is_empty() { "nan" } else { &*word };
            match (self.numbers.push(word), self.column.role) {
                (Some(()), _) => {}
                (None, Role::Chosen) => {
                    let expected = table.expected_number(cell);
                    return Err(Problem::not_a_number(expected, word.as_bytes()));
                }
                (None, _) => return Ok(false),
            }
        }
        Ok(true)
    }
}
