//! `.csv` and `.tsv`: a table with a row for each particle, whose first line names the columns.
//!
//! Columns are separated by commas, semicolons or tabs, whichever the header has. A line `sep=;`
//! before the header, as spreadsheets write it, says so, too. Cells may stand in quotes. Lines that
//! begin with `#` do not count, unless it is the header that does. Without a header columns can be
//! chosen by their numbers.

use super::first_line::{count_columns, is_header, is_row};
use super::head::{Section, Separator, Table, split_line};
use crate::array::AttributeFilter;
use crate::cloud::Cloud;
use crate::columns::ColumnChoice;
use crate::content::with_newlines;
use crate::error::{InputError, Problem};
use crate::format::FileFormat;

/// The format.
pub(crate) const FORMAT: FileFormat =
    FileFormat { extensions: &["csv", "tsv"], may_be_gzip: false, read };

fn read(
    bytes: &[u8],
    choice: &ColumnChoice,
    filter: &AttributeFilter,
) -> Result<Cloud, InputError> {
    table(&with_newlines(bytes), choice)?.read(choice, filter)
}

/// Finds the header.
fn table<'a>(bytes: &'a [u8], choice: &ColumnChoice) -> Result<Table<'a>, InputError> {
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
            let separator = Separator::Character(separator);
            let mut names = separator.cells(header);
            let is_comment = text.starts_with(b"#") && !is_header(&names, choice);
            if !is_comment {
                separator.check_quotes(header, lines - 1)?;
                let is_row = is_row(&names, choice);
                let mut warnings = Vec::new();
                if is_row {
                    warnings.extend(count_columns(&names).then(|| {
                        format!("line {lines} counts as a row, as all its cells are numbers")
                    }));
                    names.iter_mut().for_each(String::clear);
                }
                let (rows, lines_before) = if is_row { (rest, lines - 1) } else { (after, lines) };
                return Ok(Table {
                    names,
                    is_named: !is_row,
                    line: lines,
                    separator,
                    comments: b"#",
                    sections: vec![Section { rows, lines_before, count: None }],
                    time: None,
                    warnings,
                });
            }
        }
        rest = after;
    }
    Err(Problem::Missing("there is no header that names the columns, such as x,y,z".into()).into())
}

/// The separator of a header; a comma if it has a single cell.
fn separator(header: &[u8]) -> u8 {
    match Separator::from_line(header) {
        Separator::Character(separator) => separator,
        Separator::Blanks => b',',
    }
}
