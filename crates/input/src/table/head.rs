//! What the head of a table tells of its rows.

use super::quotes::check_quotes;
use crate::error::InputError;
use ::csv::{ByteRecord, Reader, ReaderBuilder};
use std::borrow::Cow;

/// A table whose head has been read.
pub(super) struct Table<'a> {
    /// The name of each column, empty for none.
    pub(super) names: Vec<String>,
    /// Whether the file itself names them.
    pub(super) is_named: bool,
    /// The line of the head, or that of the first row, from 1.
    pub(super) line: usize,
    /// What separates the cells of a row.
    pub(super) separator: Separator,
    /// The first characters of lines that do not count.
    pub(super) comments: &'a [u8],
    /// The rows.
    pub(super) sections: Vec<Section<'a>>,
    /// The time of the particles \[s\], if the head has it.
    pub(super) time: Option<f64>,
    /// What is doubtful about the head.
    pub(super) warnings: Vec<String>,
}

/// Rows that follow one another.
pub(super) struct Section<'a> {
    /// Their lines.
    pub(super) rows: &'a [u8],
    /// Lines of the file before them.
    pub(super) lines_before: usize,
    /// How many rows there are, if the file says so.
    pub(super) count: Option<usize>,
}

impl<'a> Table<'a> {
    /// A table of words whose first columns are coordinates, and whose others have no names.
    pub(super) fn without_head(bytes: &'a [u8], comments: &'a [u8]) -> Table<'a> {
        let is_row = |line: &Line| line.text.first().is_some_and(|it| !comments.contains(it));
        let first = lines(bytes).find(is_row);
        let width = first.as_ref().map_or(0, |line| Separator::Blanks.cells(line.text).len());
        Table {
            names: coordinates(width),
            is_named: false,
            line: first.map_or(1, |line| line.number),
            separator: Separator::Blanks,
            comments,
            sections: vec![Section { rows: bytes, lines_before: 0, count: None }],
            time: None,
            warnings: Vec::new(),
        }
    }
}

/// Names for so many columns, of which the first three are coordinates.
pub(super) fn coordinates(width: usize) -> Vec<String> {
    let mut names = ["x", "y", "z"].map(str::to_owned).to_vec();
    names.resize(width.max(3), String::new());
    names
}

/// What separates the cells of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separator {
    /// A character; cells may be empty, and may stand in quotes.
    Character(u8),
    /// Any number of blanks and tabs.
    Blanks,
}

impl Separator {
    /// The separator of a line: a semicolon, a tab or a comma, whichever it has outside quotes, of
    /// several the first of these; otherwise blanks.
    pub(super) fn from_line(line: &[u8]) -> Separator {
        let mut is_quoted = false;
        let mut seen = [false; 3];
        let characters = *b";\t,";
        for &byte in line {
            is_quoted ^= byte == b'"';
            if let Some(k) = characters.iter().position(|&it| it == byte && !is_quoted) {
                seen[k] = true;
            }
        }
        let first = seen.iter().position(|&is_seen| is_seen);
        first.map_or(Separator::Blanks, |k| Separator::Character(characters[k]))
    }

    /// The cells of a row; those that a character separates without quotes.
    pub(super) fn cells(self, line: &[u8]) -> Vec<String> {
        match self {
            Separator::Blanks => {
                let words = words_between_blanks(line).map(String::from_utf8_lossy);
                words.map(Cow::into_owned).collect()
            }
            Separator::Character(separator) => {
                let mut row = ByteRecord::new();
                // Of a single line nothing can be wrong.
                let _ = reader(line, separator).read_byte_record(&mut row);
                row.iter().map(|cell| String::from_utf8_lossy(cell).trim().to_owned()).collect()
            }
        }
    }

    /// Refuses quotes that are not closed, in lines after `lines_before` others.
    pub(super) fn check_quotes(self, lines: &[u8], lines_before: usize) -> Result<(), InputError> {
        match self {
            Separator::Character(separator) => check_quotes(lines, separator, lines_before),
            Separator::Blanks => Ok(()),
        }
    }
}

/// The reader of rows whose cells a character separates.
pub(super) fn reader(bytes: &[u8], separator: u8) -> Reader<&[u8]> {
    ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .from_reader(bytes)
}

/// The words of a row between blanks.
pub(super) fn words_between_blanks(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// Words of a head between blanks and commas; those in quotes may hold both.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text;
    let is_between = |c: char| c.is_whitespace() || c == ',';
    while let Some(start) = rest.find(|c| !is_between(c)) {
        rest = &rest[start..];
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_at(rest.find(is_between).unwrap_or(rest.len())),
        };
        words.push(word.trim().to_owned());
        rest = after;
    }
    words
}

/// The first line, without its end, and what comes after it.
pub(super) fn split_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    match bytes.iter().position(|&byte| byte == b'\n') {
        Some(end) => (&bytes[..end], &bytes[end + 1..]),
        None => (bytes, &[]),
    }
}

/// A line of a file.
pub(super) struct Line<'a> {
    /// Its number, from 1.
    pub(super) number: usize,
    /// Without blanks around it.
    pub(super) text: &'a [u8],
    /// The file from it on.
    pub(super) from: &'a [u8],
    /// The file after it.
    pub(super) after: &'a [u8],
}

/// The lines of a file.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let (mut from, mut number) = (bytes, 0);
    std::iter::from_fn(move || {
        let (text, after) = (!from.is_empty()).then(|| split_line(from))?;
        number += 1;
        let line = Line { number, text: text.trim_ascii(), from, after };
        from = after;
        Some(line)
    })
}
