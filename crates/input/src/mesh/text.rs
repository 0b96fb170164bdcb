//! The text of a file, and places in it.

use super::place::Place;
use crate::content::{strip_bom, with_newlines};
use std::borrow::Cow;
use std::ops::Range;

/// The text of a file without a byte order mark: UTF-8 or else Latin-1, with a newline for each
/// lone CR, by which old programs end lines.
pub fn text(bytes: &[u8]) -> Cow<'_, str> {
    let latin = |bytes: &[u8]| bytes.iter().map(|&byte| char::from(byte)).collect();
    match with_newlines(strip_bom(bytes)) {
        Cow::Borrowed(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(latin(bytes)),
        },
        Cow::Owned(bytes) => {
            let text = String::from_utf8(bytes);
            Cow::Owned(text.unwrap_or_else(|error| latin(error.as_bytes())))
        }
    }
}

/// Line and column of a span.
pub(super) fn place_of(text: &str, span: Range<usize>) -> Place {
    let before = &text[..span.start];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.matches('\n').count() + 1;
    Place::Word { line, column: before[line_start..].chars().count() + 1, span }
}

/// The words of a text and their bytes; a byte order mark is none.
pub(super) fn words(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    text.split_whitespace().filter_map(move |word| {
        let word = word.trim_start_matches('\u{feff}');
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        (!word.is_empty()).then_some((at..at + word.len(), word))
    })
}

/// The place of a whole line, from 1, without the white space around it.
pub(super) fn place_of_line(text: &str, line: usize) -> Place {
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let rest = text[start..].split('\n').next().unwrap_or_default();
    let start = start + (rest.len() - rest.trim_start().len());
    place_of(text, start..start + rest.trim().len())
}
