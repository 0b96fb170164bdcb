//! `.xyz`: three coordinates per particle.
//!
//! Two kinds of file have this name: text with a particle per line, whose further columns are
//! ignored, and raw little-endian `f32` triples, as splashsurf reads them. [`content::is_text`]
//! decides by the whole content. Neither kind has a count of particles, so only a cut within a
//! particle is noticed.

use super::cloud::Cloud;
use super::content;
use super::error::{InputError, Place, Problem};
use super::numbers::{ByteOrder, NumberType, Numbers};
use super::raw;
use super::scanner::Scanner;
use hashfall_core::Real;

/// The mark at the end of some files written on DOS.
const DOS_END: &[u8] = b"\x1a";
/// Bytes of a raw particle.
const TRIPLE: usize = 12;

pub(super) fn read(bytes: &[u8]) -> Result<Cloud, InputError> {
    if content::is_text(bytes) { read_text(bytes) } else { read_raw(bytes) }
}

fn read_raw(bytes: &[u8]) -> Result<Cloud, InputError> {
    raw::check_triples(bytes)?;
    let extra = bytes.len() % TRIPLE;
    if extra != 0 {
        let missing = format!("the last particle has {extra} of its {TRIPLE} bytes");
        return Err(Problem::ends_early(missing).at(Place::Byte(bytes.len() - extra)));
    }
    let numbers = Numbers::decode(bytes, NumberType::F32, ByteOrder::Little);
    if let Some(k) = numbers.first_invalid() {
        return Err(Problem::not_finite(k).at(Place::Byte(k * size_of::<f32>())));
    }
    Ok(Cloud { positions: numbers.into_vectors(), ..Cloud::default() })
}

fn read_text(bytes: &[u8]) -> Result<Cloud, InputError> {
    let mut scanner = Scanner::new(bytes);
    let mut coordinates = Vec::new();
    let mut columns = None;
    for line in 1.. {
        if scanner.left() == 0 {
            break;
        }
        let text = scanner.line("the last line")?.trim_ascii();
        if text.is_empty() || text == DOS_END || text.starts_with(b"#") {
            continue;
        }
        let place = Place::Line(line);
        let found = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).count();
        let expected = *columns.get_or_insert(found.max(3));
        read_triple(text, coordinates.len(), &mut coordinates).map_err(|why| why.at(place))?;
        if found != expected {
            let what = if expected == 3 { "coordinates" } else { "columns" }.to_owned();
            return Err(Problem::WrongCount { what, expected, found }.at(place));
        }
    }
    let warnings = scanner.newline_warning().into_iter().collect();
    let positions = Numbers::Real(coordinates).into_vectors();
    Ok(Cloud { positions, warnings, ..Cloud::default() })
}

/// Appends the first three numbers of a line.
fn read_triple(line: &[u8], read: usize, coordinates: &mut Vec<Real>) -> Result<(), Problem> {
    let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    for (k, word) in words.take(3).enumerate() {
        let number: Option<f64> = std::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
        let number = number.ok_or_else(|| Problem::not_a_number("a coordinate", word))? as Real;
        if !number.is_finite() {
            return Err(Problem::not_finite(read + k));
        }
        coordinates.push(number);
    }
    Ok(())
}
