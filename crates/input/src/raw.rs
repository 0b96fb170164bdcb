//! Raw coordinates: whether their numbers are plausible in the byte order and size in which they
//! are read, or in another.
//!
//! A coordinate is *usual* if it is zero or, in any unit, from 1e-6 to 1e7. One in six random bit
//! patterns is usual. A few coordinates of a file may be unusual, such as the 1e-17 that a rotation
//! makes of a zero.

use super::error::{InputError, Place, Problem};
use super::numbers::ByteOrder::{self, Big, Little};

/// The size of raw numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    F32,
    F64,
}

/// Numbers with a smaller share of usual ones are implausible \[%\].
const DOUBTFUL: usize = 50;
/// Plausible numbers have at least this share of usual ones \[%\].
const CLEAR: usize = 99;
/// Doubles read as `f32` are usual by half or more, genuine `f32` by more than this \[%\].
const MIXED: usize = 90;

/// How many of some numbers are usual, how many of these are not zero, and how many there are.
struct Count {
    usual: usize,
    nonzero: usize,
    all: usize,
}

impl Count {
    fn new(numbers: impl Iterator<Item = f64>) -> Count {
        numbers.fold(Count { usual: 0, nonzero: 0, all: 0 }, |count, x| {
            let is_nonzero = (1e-6..1e7).contains(&x.abs());
            Count {
                usual: count.usual + usize::from(is_nonzero || x == 0.0),
                nonzero: count.nonzero + usize::from(is_nonzero),
                all: count.all + 1,
            }
        })
    }

    fn is_usual(&self, percent: usize) -> bool {
        self.usual * 100 >= self.all * percent
    }
}

fn singles(bytes: &[u8], order: ByteOrder) -> impl Iterator<Item = f64> {
    bytes.as_chunks().0.iter().map(move |&number| match order {
        Little => f32::from_le_bytes(number).into(),
        Big => f32::from_be_bytes(number).into(),
    })
}

fn doubles(bytes: &[u8], order: ByteOrder) -> impl Iterator<Item = f64> {
    bytes.as_chunks().0.iter().map(move |&number| match order {
        Little => f64::from_le_bytes(number),
        Big => f64::from_be_bytes(number),
    })
}

/// Whether coordinates are doubles: they are plausible, and their lower halves, which are random
/// bits or zeros, are not.
fn are_doubles(bytes: &[u8], order: ByteOrder) -> bool {
    let halves = singles(bytes, order).skip(if order == Little { 0 } else { 1 }).step_by(2);
    let (whole, halves) = (Count::new(doubles(bytes, order)), Count::new(halves));
    let is_whole = bytes.len().is_multiple_of(3 * size_of::<f64>());
    is_whole && whole.nonzero > 0 && whole.is_usual(CLEAR) && halves.nonzero * 2 < halves.all
}

/// Refuses coordinates, read as little-endian `f32`, that are plausible only as other numbers. The
/// file does not tell their type.
pub(super) fn check_triples(bytes: &[u8]) -> Result<(), InputError> {
    let read = Count::new(singles(bytes, Little));
    let is_clear = read.is_usual(MIXED);
    let other = if are_doubles(bytes, Little) {
        "little-endian `f64`"
    } else if is_clear {
        return Ok(());
    } else if are_doubles(bytes, Big) {
        "big-endian `f64`"
    } else if Count::new(singles(bytes, Big)).is_usual(CLEAR) {
        "big-endian `f32`"
    } else if !read.is_usual(DOUBTFUL) {
        let found = "this is not text, and implausible as raw numbers".to_owned();
        let instead = "write three numbers per line, or three little-endian `f32` per particle";
        return Err(Problem::OtherContent { found, instead: instead.to_owned() }.into());
    } else {
        return Ok(());
    };
    Err(wrong_kind("little-endian `f32`", other, 0))
}

/// Refuses coordinates at a byte of the file, of a known size and read as big-endian, that are
/// plausible only as little-endian.
pub(super) fn check_big_endian(bytes: &[u8], width: Width, at: usize) -> Result<(), InputError> {
    let count = |order| match width {
        Width::F32 => Count::new(singles(bytes, order)),
        Width::F64 => Count::new(doubles(bytes, order)),
    };
    if count(Big).is_usual(DOUBTFUL) || !count(Little).is_usual(CLEAR) {
        return Ok(());
    }
    Err(wrong_kind("big-endian", "little-endian", at))
}

fn wrong_kind(read: &str, other: &str, at: usize) -> InputError {
    let found = format!("the coordinates are implausible as {read} and plausible as {other}");
    Problem::OtherContent { found, instead: format!("write them as {read}") }.at(Place::Byte(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers from −0.1 to 0.1 with all digits, some of them zero.
    fn coordinates() -> Vec<f64> {
        (0..300).map(|i| if i % 30 == 0 { 0.0 } else { (f64::from(i) * 0.7).sin() * 0.1 }).collect()
    }

    #[test]
    fn the_kind_of_raw_numbers_is_found() {
        let xs = coordinates();
        let bytes = |encode: fn(f64) -> Vec<u8>| xs.iter().flat_map(|&x| encode(x)).collect();
        let little: Vec<u8> = bytes(|x| (x as f32).to_le_bytes().to_vec());
        check_triples(&little).unwrap();
        check_triples(&[0; 48]).unwrap();
        let message = |bytes: Vec<u8>| check_triples(&bytes).unwrap_err().to_string();
        assert!(
            message(bytes(|x| (x as f32).to_be_bytes().to_vec())).contains("as big-endian `f32`")
        );
        assert!(
            message(bytes(|x| x.to_le_bytes().to_vec()))
                .contains("plausible as little-endian `f64`")
        );
        assert!(
            message(bytes(|x| x.to_be_bytes().to_vec())).contains("plausible as big-endian `f64`")
        );
        let round = |x: f64| ((x * 16.0).round() / 16.0 + 1.0).to_le_bytes().to_vec();
        assert!(message(bytes(round)).contains("plausible as little-endian `f64`"));
        let noise: Vec<u8> =
            (0..1200u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        assert!(message(noise).contains("implausible as raw numbers"));
    }

    #[test]
    fn points_in_a_plane_or_with_noise_are_as_they_are() {
        for axis in 0..3 {
            for rest in [0.0, 1e-17] {
                let x = |(i, &x): (usize, &f64)| if i % 3 == axis { rest } else { x } as f32;
                let bytes: Vec<u8> =
                    coordinates().iter().enumerate().map(x).flat_map(f32::to_le_bytes).collect();
                check_triples(&bytes).unwrap();
            }
        }
    }

    #[test]
    fn the_other_byte_order_is_found() {
        let xs = coordinates();
        let little: Vec<u8> = xs.iter().flat_map(|x| x.to_le_bytes()).collect();
        let big: Vec<u8> = xs.iter().flat_map(|x| x.to_be_bytes()).collect();
        check_big_endian(&big, Width::F64, 9).unwrap();
        let error = check_big_endian(&little, Width::F64, 9).unwrap_err().to_string();
        assert!(
            error.starts_with("byte 9: ") && error.contains("plausible as little-endian"),
            "{error}"
        );
    }
}
