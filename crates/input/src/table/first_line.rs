//! Whether a line before the rows of a table is its header, a comment or the first row.
//!
//! - A comment is the header if its names are those that the user chooses, or include positions;
//!   numbers of columns, which any line has, do not count.
//! - Any other line is a row if all its cells are numbers, or those in the columns that are chosen
//!   by their numbers. Cells that are empty do not count against it.

use super::names::Columns;
use crate::columns::{ColumnChoice, ColumnNames};

/// Whether the cells of a comment name the columns.
pub(super) fn is_header(names: &[String], choice: &ColumnChoice) -> bool {
    let columns = ColumnNames { names, is_named: true, is_table: true };
    let has = |choice: &ColumnChoice| Columns::new(&columns, choice).is_ok();
    let has_chosen = choice.names().next().is_some() && has(choice);
    has_chosen || has(&ColumnChoice::default())
}

/// Whether a line is a row, and not the header.
pub(super) fn is_row(cells: &[String], choice: &ColumnChoice) -> bool {
    let is_chosen = |cell: &String| choice.names().any(|name| name == cell);
    if cells.iter().any(is_chosen) || is_index_header(cells) {
        return false;
    }
    let chosen: Option<Vec<&String>> =
        choice.numbers().map(|number| cells.get(number.checked_sub(1)?)).collect();
    are_numbers(cells) || chosen.is_some_and(are_numbers)
}

/// Whether all cells are numbers or empty, but not all empty. Numbers may have a decimal comma.
fn are_numbers<'a>(cells: impl IntoIterator<Item = &'a String>) -> bool {
    let mut filled = cells.into_iter().filter(|cell| !cell.is_empty()).peekable();
    let is_number = |cell: &String| cell.replace(',', ".").parse::<f64>().is_ok();
    filled.peek().is_some() && filled.all(is_number)
}

/// Whether the cells are numbers of columns below an empty name, as pandas writes them beside its
/// index.
fn is_index_header(cells: &[String]) -> bool {
    matches!(cells, [first, rest @ ..] if first.is_empty() && count_columns(rest))
}

/// Whether the cells are 0, 1, 2, … or 1, 2, 3, …, as some programs number columns.
pub(super) fn count_columns(cells: &[String]) -> bool {
    let counts_from = |start: usize| {
        let mut pairs = cells.iter().zip(start..);
        pairs.all(|(cell, number)| *cell == number.to_string())
    };
    !cells.is_empty() && (counts_from(0) || counts_from(1))
}

/// Whether a line begins as a number does, in whatever notation.
pub(super) fn begins_with_number(line: &[u8]) -> bool {
    let is_start = |byte: &u8| byte.is_ascii_digit() || b"+-.".contains(byte);
    let word = line.split(|byte| byte.is_ascii_whitespace() || b",;".contains(byte)).next();
    let is_number = |word| std::str::from_utf8(word).is_ok_and(|it| it.parse::<f64>().is_ok());
    line.first().is_some_and(is_start) || word.is_some_and(is_number)
}
