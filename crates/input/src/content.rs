//! The content of a file, independent of its name: signatures of other formats, encodings of text,
//! and whether numbers are text or raw.
//!
//! A single byte decides nothing: a comment of a text file may hold a degree sign in Latin-1, and
//! all bytes of a raw number may be printable. So statistics of the whole content decide.

use super::error::{InputError, Problem};
use hashfall_core::file_kind::FileKind;
use std::borrow::Cow;

const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";
const UTF32_MARKS: [&[u8]; 2] = [b"\xff\xfe\0\0", b"\0\0\xfe\xff"];
/// Bytes at the start of a file that are examined for UTF-16 without a mark.
const UTF16_SAMPLE: usize = 64;

/// Text has at most one control character in this many bytes.
const CONTROLS_IN_TEXT: usize = 50;
/// Least share of ASCII or valid UTF-8 in a text without lines of numbers: 9 of 10 bytes.
const TEXT_PART: (usize, usize) = (9, 10);
/// Lines at the start that are searched for numbers.
const FIRST_LINES: usize = 1000;

/// Refuses compressed data, binary files of other formats, and text in UTF-16 or UTF-32;
/// `list_formats` lists those that are read.
pub(super) fn reject_foreign(bytes: &[u8], list_formats: fn() -> String) -> Result<(), InputError> {
    if let Some(kind) = FileKind::from_signature(bytes).filter(is_foreign) {
        let found = format!("this is {kind}, not a particle file");
        let instead = match kind.is_compressed() {
            true => "unpack it first".to_owned(),
            false => format!("particles are read from {}", list_formats()),
        };
        return Err(Problem::OtherContent { found, instead }.into());
    }
    let is_utf32 = UTF32_MARKS.iter().any(|mark| bytes.starts_with(mark));
    if is_utf32 || is_utf16(bytes) {
        let encoding = if is_utf32 { "UTF-32" } else { "UTF-16" };
        let found = format!("the text is encoded as {encoding}");
        let instead = "save it as UTF-8 or plain ASCII".to_owned();
        return Err(Problem::OtherContent { found, instead }.into());
    }
    Ok(())
}

/// Whether no format of particles begins with the signature of a kind.
fn is_foreign(kind: &FileKind) -> bool {
    use FileKind::{Hdf5, HoudiniJson, Npy, Pdf, Png};
    kind.is_compressed() || matches!(kind, Hdf5 | HoudiniJson | Npy | Pdf | Png)
}

/// Whether these bytes are gzip data.
pub(super) fn is_gzip(bytes: &[u8]) -> bool {
    FileKind::from_signature(bytes) == Some(FileKind::Gzip)
}

/// Whether text is encoded as UTF-16, with a byte order mark or without: of ASCII characters every
/// other byte is zero, and the rest is printable.
fn is_utf16(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(UTF16_SAMPLE)];
    let content = start.strip_prefix(b"\xff\xfe").or_else(|| start.strip_prefix(b"\xfe\xff"));
    let content = content.unwrap_or(start);
    let is_text = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    let count = |low: usize| {
        let pairs = content.as_chunks::<2>().0;
        pairs.iter().filter(|pair| pair[1 - low] == 0 && is_text(&pair[low])).count()
    };
    let pairs = content.len() / 2;
    pairs > 0 && count(0).max(count(1)) * 10 > pairs * 9
}

/// The content without a byte order mark of UTF-8.
pub(super) fn strip_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(UTF8_MARK).unwrap_or(bytes)
}

/// The content with a newline for each lone CR, by which old programs end lines; no byte moves.
pub(super) fn with_newlines(bytes: &[u8]) -> Cow<'_, [u8]> {
    let is_alone = |at: usize| bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
    if !(0..bytes.len()).any(is_alone) {
        return Cow::Borrowed(bytes);
    }
    let newline = |(at, &byte): (usize, &u8)| if is_alone(at) { b'\n' } else { byte };
    Cow::Owned(bytes.iter().enumerate().map(newline).collect())
}

/// Whether a file of numbers is text rather than raw: it has hardly any control characters, and
/// lines of numbers or else only characters of text; or it begins with a line of numbers, whatever
/// follows.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|&byte| byte == b'\n').take(FIRST_LINES);
    if lines.clone().find(|line| !is_blank_or_comment(line)).is_some_and(has_numbers) {
        return true;
    }
    let controls = bytes.iter().filter(|&byte| is_control(byte)).count();
    if controls * CONTROLS_IN_TEXT > bytes.len() {
        return false;
    }
    let (part, whole) = TEXT_PART;
    lines.any(has_numbers) || count_text(bytes) * whole >= bytes.len() * part
}

/// A control character that has no place in text.
pub(super) fn is_control(byte: &u8) -> bool {
    byte.is_ascii_control() && !byte.is_ascii_whitespace() && *byte != 0x0b
}

/// Whether a line of text is empty or a comment.
fn is_blank_or_comment(line: &&[u8]) -> bool {
    let line = line.trim_ascii();
    line.is_empty() || (line.starts_with(b"#") && !line.iter().any(is_control))
}

/// Whether a line begins with three numbers.
fn has_numbers(line: &[u8]) -> bool {
    let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).take(3);
    let is_number = |word: &[u8]| {
        let has_digit = word.iter().any(u8::is_ascii_digit);
        has_digit && std::str::from_utf8(word).is_ok_and(|word| word.parse::<f64>().is_ok())
    };
    words.filter(|word| is_number(word)).count() == 3
}

/// Bytes of printable characters in ASCII or UTF-8.
fn count_text(bytes: &[u8]) -> usize {
    let of_chunk = |text: &str| text.bytes().filter(|byte| !is_control(byte)).count();
    bytes.utf8_chunks().map(|chunk| of_chunk(chunk.valid())).sum()
}
