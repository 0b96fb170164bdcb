//! What the bytes of a file are, whatever its name says: signatures of other formats, encodings of
//! text, and whether numbers are text or raw.
//!
//! One byte proves little: a degree sign in a comment makes no raw file of text, and the bytes of a
//! number may all be printable. So the whole content is weighed.

use super::error::{InputError, Problem};

/// How files of other kinds begin, and what these are. Compressed ones would be read after
/// unpacking.
const SIGNATURES: [(&[u8], &str, bool); 11] = [
    (b"\x1f\x8b\x08", "gzip data", true),
    (b"PK\x03\x04", "a zip archive", true),
    (b"\x28\xb5\x2f\xfd", "Zstandard data", true),
    (b"\xfd7zXZ\0", "xz data", true),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", true),
    (b"\x04\x22\x4d\x18", "LZ4 data", true),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file", false),
    (b"\x93NUMPY", "a NumPy file", false),
    (b"\x7fNSJb", "geometry of Houdini 12 or later, in binary JSON", false),
    (b"\x89PNG\r\n\x1a\n", "an image", false),
    (b"%PDF-", "a PDF document", false),
];
/// Bytes of bzip2 data that do not vary: `BZh`, a digit, and these.
const BZIP2_BLOCK: &[u8] = b"1AY&SY";

const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";
const UTF32_MARKS: [&[u8]; 2] = [b"\xff\xfe\0\0", b"\0\0\xfe\xff"];
/// Bytes at the start of a file that tell UTF-16 without a mark.
const UTF16_SAMPLE: usize = 64;

/// Control characters that text has at the most: one in so many bytes.
const CONTROLS_IN_TEXT: usize = 50;
/// The least part of text that is ASCII or valid UTF-8, where no line has numbers: 9 of 10 bytes.
const TEXT_PART: (usize, usize) = (9, 10);
/// Lines at the start among which numbers are looked for.
const FIRST_LINES: usize = 1000;

/// Refuses content that has a signature of another kind of file, and text in UTF-16.
pub(super) fn check(bytes: &[u8]) -> Result<(), InputError> {
    if let Some((kind, is_packed)) = signature(bytes) {
        let found = format!("the file is {kind}, whatever its name says");
        let instead = match is_packed {
            true => "unpack it first".to_owned(),
            false => format!("these are read: {}", super::Format::listed()),
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

fn signature(bytes: &[u8]) -> Option<(&'static str, bool)> {
    if bytes.starts_with(b"BZh") && bytes.get(4..).is_some_and(|it| it.starts_with(BZIP2_BLOCK)) {
        return Some(("bzip2 data", true));
    }
    let known = SIGNATURES.iter().find(|(start, ..)| bytes.starts_with(start));
    known.map(|&(_, kind, is_packed)| (kind, is_packed))
}

/// Whether these bytes are gzip data.
pub(super) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(SIGNATURES[0].0)
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

/// The content after a mark of UTF-8.
pub(super) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(UTF8_MARK).unwrap_or(bytes)
}

/// Whether a file of numbers is text rather than raw: it has hardly any control characters, and
/// lines of numbers or else only characters of text; or it begins with a line of numbers, whatever
/// follows.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|&byte| byte == b'\n').take(FIRST_LINES);
    if lines.clone().find(|line| !is_passed_over(line)).is_some_and(has_numbers) {
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

/// Whether a line of text has nothing to read: it is empty, or a comment.
fn is_passed_over(line: &&[u8]) -> bool {
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
