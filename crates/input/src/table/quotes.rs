//! Quoted cells of a table: whether each of them ends.
//!
//! A quoted cell ends with a quote before a separator or the end of the line; two quotes inside it
//! are one (RFC 4180, § 2). The crate csv takes a quote that nothing closes for a cell up to the
//! end of the file, and one inside a cell for text, so that the rows in between would be lost.

use crate::error::{InputError, Place, Problem};

/// Refuses a quoted cell that does not end, at the line where it begins; `lines` stand before the
/// bytes.
///
/// # Errors
/// A quote that is not closed, or other text than a separator after the quote that closes a cell.
pub(super) fn check_quotes(bytes: &[u8], separator: u8, lines: usize) -> Result<(), InputError> {
    let mut at = 0;
    while let Some(quote) = find(bytes, at, |byte| byte == b'"') {
        let is_first = |at: usize| at == 0 || bytes[at - 1] == b'\n';
        let newline = bytes[at..quote].iter().rposition(|&byte| byte == b'\n');
        let start = newline.map_or(at, |newline| at + newline + 1);
        at = if bytes[start] == b'#' && is_first(start) {
            find(bytes, quote, |byte| byte == b'\n').unwrap_or(bytes.len())
        } else if is_first(quote) || bytes[quote - 1] == separator {
            end_of_quoted(bytes, quote, separator).map_err(|problem| {
                let newlines = bytes[..quote].iter().filter(|&&byte| byte == b'\n').count();
                problem.at(Place::Line(lines + newlines + 1))
            })?
        } else {
            quote + 1
        };
    }
    Ok(())
}

/// The byte after the quote that closes the cell whose first byte is a quote.
fn end_of_quoted(bytes: &[u8], open: usize, separator: u8) -> Result<usize, Problem> {
    let unclosed = || Problem::ends_early("the quoted cell that begins in this line has no end");
    let mut at = open + 1;
    let after = loop {
        let quote = find(bytes, at, |byte| byte == b'"').ok_or_else(unclosed)?;
        match bytes.get(quote + 1) {
            Some(b'"') => at = quote + 2,
            _ => break quote + 1,
        }
    };
    let is_end = |byte: u8| byte == separator || byte == b'\n' || byte == b'\r';
    let end = find(bytes, after, is_end).unwrap_or(bytes.len());
    match bytes[after..end].trim_ascii() {
        [] => Ok(end),
        found => {
            let expected = "a separator or the end of the line after the quoted cell that begins \
                            in this line";
            Err(Problem::unexpected(expected, found))
        }
    }
}

/// The first byte of a kind from a place on.
fn find(bytes: &[u8], from: usize, is_it: impl Fn(u8) -> bool) -> Option<usize> {
    bytes[from..].iter().position(|&byte| is_it(byte)).map(|offset| from + offset)
}
