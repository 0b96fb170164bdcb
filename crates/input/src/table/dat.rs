//! `.dat`: tables of many programs, a row of numbers for each particle.
//!
//! - Cells are separated by blanks and tabs, commas or semicolons, whichever the first row has;
//!   with semicolons, or with tabs beside commas, numbers may have a decimal comma.
//! - Lines that begin with `#`, `%`, `!` or `/` are comments. Of these, the last that has a name
//!   for each column, positions among them, is the head; so is a first line that begins with no
//!   number, unless its cells in the columns chosen by number are. Without a head the first three
//!   columns are the coordinates.
//! - Files that begin as Tecplot's do are read as such ([`super::tecplot`]).

use super::first_line::{begins_with_number, is_header, is_row};
use super::head::{Line, Section, Separator, Table, coordinates, lines, words};
use super::tecplot;
use crate::array::AttributeFilter;
use crate::cloud::Cloud;
use crate::columns::ColumnChoice;
use crate::content;
use crate::error::{InputError, Problem};
use crate::format::FileFormat;

/// The format.
pub(crate) const FORMAT: FileFormat = FileFormat { extensions: &["dat"], may_be_gzip: false, read };

/// The first characters of comments.
const COMMENTS: &[u8] = b"#%!/";

fn read(
    bytes: &[u8],
    choice: &ColumnChoice,
    filter: &AttributeFilter,
) -> Result<Cloud, InputError> {
    if bytes.starts_with(tecplot::BINARY_START) || !content::is_text(bytes) {
        let found = "this is not text".to_owned();
        let instead = "write a row of numbers for each particle".to_owned();
        return Err(Problem::OtherContent { found, instead }.into());
    }
    let bytes = content::with_newlines(bytes);
    let is_tecplot = head_lines(&bytes).next().is_some_and(|line| tecplot::is_head(line.text));
    let table = if is_tecplot { tecplot::table(&bytes)? } else { table(&bytes, choice)? };
    table.read(choice, filter)
}

/// The lines that are no comments.
fn head_lines(bytes: &[u8]) -> impl Iterator<Item = Line<'_>> {
    lines(bytes).filter(|line| line.text.first().is_some_and(|first| !COMMENTS.contains(first)))
}

/// Finds the head.
fn table<'a>(bytes: &'a [u8], choice: &ColumnChoice) -> Result<Table<'a>, Problem> {
    let mut content = head_lines(bytes);
    let missing = || Problem::Missing("there is no row of numbers".to_owned());
    let first = content.next().ok_or_else(missing)?;
    let separator = row_separator(content.next().as_ref().unwrap_or(&first).text);
    let cells = separator.cells(first.text);
    let is_row = begins_with_number(first.text) || is_row(&cells, choice);
    let header = match is_row {
        true => header_comment(bytes, &first, cells.len(), choice),
        false => Some(header_cells(first.text, None)),
    };
    let (rows, lines_before) = match is_row {
        true => (first.from, first.number - 1),
        false => (first.after, first.number),
    };
    Ok(Table {
        is_named: header.is_some(),
        names: header.unwrap_or_else(|| coordinates(cells.len())),
        line: first.number,
        separator,
        comments: COMMENTS,
        sections: vec![Section { rows, lines_before, count: None }],
        time: None,
        warnings: Vec::new(),
    })
}

/// The separator of rows, by the first of them. Tabs alone are blanks: several of them may stand
/// between two numbers.
fn row_separator(line: &[u8]) -> Separator {
    match Separator::from_line(line) {
        Separator::Character(b'\t') if !line.contains(&b',') => Separator::Blanks,
        separator => separator,
    }
}

/// The names in the last comment before the first row that has one for each column.
fn header_comment(
    bytes: &[u8],
    first: &Line,
    width: usize,
    choice: &ColumnChoice,
) -> Option<Vec<String>> {
    let before = lines(bytes).take(first.number - 1).filter(|line| !line.text.is_empty());
    let texts = before.map(|line| line.text.trim_ascii_start());
    let without_mark = |text: &[u8]| {
        let start = text.iter().position(|byte| !COMMENTS.contains(byte)).unwrap_or(text.len());
        header_cells(&text[start..], Some(width))
    };
    let mut fitting: Vec<Vec<String>> =
        texts.map(without_mark).filter(|names| names.len() == width).collect();
    let known = fitting.iter().rposition(|names| is_header(names, choice));
    // A name that is chosen and not there is told beside those that are.
    let last = fitting.len().checked_sub(1).filter(|_| choice.names().next().is_some());
    known.or(last).map(|at| fitting.swap_remove(at))
}

/// The names in a header, of so many columns if their number is known.
fn header_cells(header: &[u8], width: Option<usize>) -> Vec<String> {
    let by_blanks = || words(&String::from_utf8_lossy(header));
    match Separator::from_line(header) {
        Separator::Blanks => by_blanks(),
        separator => {
            let cells = separator.cells(header.trim_ascii());
            if width.is_none_or(|width| cells.len() == width) { cells } else { by_blanks() }
        }
    }
}
