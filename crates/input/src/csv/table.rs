//! `.csv` and `.tsv`: a table with a row for each particle, whose first line names the columns.
//!
//! - Columns are separated by commas, semicolons or tabs, whichever the header has; with the latter
//!   two, numbers may have a decimal comma. A line `sep=;` before the header, as spreadsheets write
//!   it, says so, too. Cells may stand in quotes. Lines that begin with `#` do not count, unless
//!   it is the header that does.
//! - How columns are named, and which are positions and velocities, stands in [`super::names`].
//! - Columns that hold text are not read. An empty cell of an attribute is no number (NaN).
//! - Whole numbers stay whole in columns whose names say that they name something: `id`, `phase`
//!   ([`crate::field_names`]).

use super::names::{Column, Columns, Role};
use super::quotes::check_quotes;
use crate::array::{Array, AttributeFilter, Collector};
use crate::cloud::Cloud;
use crate::content::with_newlines;
use crate::error::{InputError, Place, Problem};
use crate::numbers::{NumberType, TextNumbers};
use ::csv::{ByteRecord, Reader, ReaderBuilder};
use hashfall_core::Real;

/// Columns at most, as of arrays in other formats.
const MAX_COLUMNS: usize = 4096;

/// The header and where it stands.
struct Head<'a> {
    /// The file from its rows on.
    rows: &'a [u8],
    /// Lines before them.
    lines: usize,
    separator: u8,
    names: Vec<String>,
}

/// Reads the rows.
pub(crate) fn read(bytes: &[u8], filter: &AttributeFilter) -> Result<Cloud, InputError> {
    let bytes = with_newlines(bytes);
    let head = head(&bytes)?;
    if head.names.len() > MAX_COLUMNS {
        let found = format!("{} columns", head.names.len());
        let expected = format!("at most {MAX_COLUMNS} columns");
        return Err(Problem::unexpected(expected, found.as_bytes()).at(Place::Line(head.lines)));
    }
    let columns = Columns::from_names(&head.names);
    let Columns { columns, doubt } =
        columns.map_err(|problem| problem.at(Place::Line(head.lines)))?;
    let mut collector = Collector::new(filter);
    let is_read = |column: &Column, collector: &mut Collector| match column.role {
        Role::Position => true,
        Role::Attribute => collector.includes(&column.name, column.cells.len()),
    };
    let mut tables: Vec<Table> = Vec::new();
    for column in columns {
        if is_read(&column, &mut collector) {
            tables.push(Table::new(column));
        }
    }
    rows(&head, &mut tables)?;
    let mut positions = Vec::new();
    for Table { column, numbers, text } in tables {
        match (column.role, text) {
            (Role::Position, _) => positions = numbers.finish().into_vectors(),
            (Role::Attribute, Some(line)) => {
                collector.reject(&column.name, format!("it holds text in line {line}"));
            }
            (Role::Attribute, None) => {
                let components = column.cells.len();
                let numbers = numbers.finish();
                collector.add(Array { name: column.name, components, numbers });
            }
        }
    }
    let warnings = doubt.filter(|_| filter.includes("velocity")).into_iter().collect();
    Ok(Cloud { positions, warnings, ..collector.finish().into() })
}

/// A column, or three of a vector, with its numbers.
struct Table {
    column: Column,
    numbers: TextNumbers,
    /// The line of the first cell that is no number, if any.
    text: Option<usize>,
}

impl Table {
    fn new(column: Column) -> Self {
        let number_type = if column.is_label { NumberType::I64 } else { NumberType::F64 };
        Table { numbers: TextNumbers::with_capacity(0, number_type), column, text: None }
    }

    /// Appends the cells of a row; false if one of an attribute is no number.
    fn push(&mut self, row: &ByteRecord, head: &Head) -> Result<bool, Problem> {
        for cell in self.column.cells.clone() {
            let word = number_text(row.get(cell).unwrap_or_default().trim_ascii(), head.separator);
            let is_number = match self.column.role {
                Role::Position => self.push_coordinate(&word, cell, &head.names[cell])?,
                Role::Attribute if word.is_empty() => self.numbers.push("nan").is_some(),
                Role::Attribute => self.numbers.push(&word).is_some(),
            };
            if !is_number {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn push_coordinate(&mut self, word: &str, cell: usize, name: &str) -> Result<bool, Problem> {
        let number: Option<f64> = word.parse().ok();
        let number = number.ok_or_else(|| {
            let expected = format!("a number in column {} (`{name}`)", cell + 1);
            Problem::not_a_number(expected, word.as_bytes())
        })?;
        if !(number as Real).is_finite() {
            return Err(Problem::not_finite(self.numbers.len()));
        }
        Ok(self.numbers.push(word).is_some())
    }
}

/// The text of a number, with a point where it may have a comma.
fn number_text(bytes: &[u8], separator: u8) -> String {
    let text = String::from_utf8_lossy(bytes);
    if separator == b',' { text.into_owned() } else { text.replacen(',', ".", 1) }
}

/// Finds the header.
fn head(bytes: &[u8]) -> Result<Head<'_>, InputError> {
    let (mut rest, mut lines, mut given) = (bytes, 0, None);
    while !rest.is_empty() {
        let (line, after) = split_line(rest);
        lines += 1;
        let text = line.trim_ascii();
        let is_separator_line = text.len() >= 5 && text[..4].eq_ignore_ascii_case(b"sep=");
        if is_separator_line {
            given = text.get(4).copied();
        } else if !text.is_empty() {
            let header = text.strip_prefix(b"#").unwrap_or(text).trim_ascii();
            let separator = given.unwrap_or_else(|| separator(header));
            let names = cells(header, separator);
            let is_comment = text.starts_with(b"#") && Columns::from_names(&names).is_err();
            if !is_comment {
                check_quotes(header, separator, lines - 1)?;
                return Ok(Head { rows: after, lines, separator, names });
            }
        }
        rest = after;
    }
    Err(Problem::Missing("there is no header that names the columns, such as x,y,z".into()).into())
}

/// The first line, without its end, and what comes after it.
fn split_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    match bytes.iter().position(|&byte| byte == b'\n') {
        Some(end) => (&bytes[..end], &bytes[end + 1..]),
        None => (bytes, &[]),
    }
}

/// The separator of a header: the one that it has outside quotes; of several a semicolon, a tab.
fn separator(header: &[u8]) -> u8 {
    let mut is_quoted = false;
    let mut seen = [false; 3];
    for &byte in header {
        is_quoted ^= byte == b'"';
        if let Some(k) = [b';', b'\t', b','].iter().position(|&it| it == byte && !is_quoted) {
            seen[k] = true;
        }
    }
    let first = seen.iter().position(|&is_seen| is_seen);
    first.map_or(b',', |k| [b';', b'\t', b','][k])
}

fn reader(bytes: &[u8], separator: u8) -> Reader<&[u8]> {
    ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .from_reader(bytes)
}

/// The cells of a line.
fn cells(line: &[u8], separator: u8) -> Vec<String> {
    let mut row = ByteRecord::new();
    // Of a single line nothing can be wrong.
    let _ = reader(line, separator).read_byte_record(&mut row);
    row.iter().map(|cell| String::from_utf8_lossy(cell).trim().to_owned()).collect()
}

/// Reads the rows into the tables.
fn rows(head: &Head, tables: &mut [Table]) -> Result<(), InputError> {
    check_quotes(head.rows, head.separator, head.lines)?;
    let mut reader = reader(head.rows, head.separator);
    let mut row = ByteRecord::new();
    // Of bytes in memory nothing but their content can be wrong, and that is any.
    while let Ok(true) = reader.read_byte_record(&mut row) {
        // A line of blanks.
        if row.len() == 1 && row.get(0).is_some_and(|cell| cell.trim_ascii().is_empty()) {
            continue;
        }
        let (expected, found) = (head.names.len(), row.len());
        // A separator at the end of each row is an empty cell after the last.
        let has_empty_end = found == expected + 1 && row.get(expected) == Some(b"");
        if found != expected && !has_empty_end {
            let problem = Problem::WrongCount { what: "cells in this row".into(), expected, found };
            return Err(problem.at(head.place(&row)));
        }
        for table in tables.iter_mut().filter(|table| table.text.is_none()) {
            let is_number =
                table.push(&row, head).map_err(|problem| problem.at(head.place(&row)))?;
            table.text = (!is_number).then(|| head.line(&row));
        }
    }
    Ok(())
}

impl Head<'_> {
    /// The line of a row. The table reader tells where it began to look for it, which may be before
    /// empty lines and comments.
    fn line(&self, row: &ByteRecord) -> usize {
        let Some(position) = row.position() else { return self.lines + 1 };
        let mut rest = &self.rows[(position.byte() as usize).min(self.rows.len())..];
        let mut line = self.lines + position.line() as usize;
        loop {
            let (text, after) = split_line(rest);
            let is_passed = text.is_empty() || text == b"\r" || text.starts_with(b"#");
            if !is_passed || after.is_empty() {
                return line;
            }
            (rest, line) = (after, line + 1);
        }
    }

    fn place(&self, row: &ByteRecord) -> Place {
        Place::Line(self.line(row))
    }
}
