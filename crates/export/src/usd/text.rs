//! Numbers and arrays as USD's text has them.

use crate::frame::Values;
use crate::quantise;
use hashfall_core::parallel::{chunks, map_parts};
use std::fmt::Write as _;

/// Values that a thread writes at a time.
const CHUNK: usize = 8192;

/// How many digits numbers have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Digits {
    /// As few as give the same number of single precision.
    Shortest,
    /// The most digits behind the point.
    Decimals(usize),
}

impl Digits {
    /// Those of some tuples, quantised to bits or as they are.
    pub fn new<const N: usize>(tuples: &[[f32; N]], bits: Option<u32>) -> Digits {
        let decimals = bits.and_then(|bits| quantise::decimals(quantise::range(tuples), bits));
        // Numbers in the thousands keep one digit behind the point: `round` is not worth its code.
        decimals.map_or(Digits::Shortest, |count| Digits::Decimals(count.max(0) as usize))
    }

    /// Appends a number.
    pub fn put(self, x: f32, text: &mut String) {
        // Writing to memory does not fail.
        let _ = match self {
            _ if x.is_nan() => text.write_str("nan"),
            Digits::Decimals(count) if x.is_finite() => {
                put_decimals(f64::from(x), count, text);
                Ok(())
            }
            _ if x != 0.0 && (x.abs() < 1e-4 || x.abs() >= 1e9) && x.is_finite() => {
                write!(text, "{x:e}")
            }
            _ => write!(text, "{x}"),
        };
    }
}

/// The most decimals of which numbers are put as whole numbers, and those numbers' bound.
const MAX_DECIMALS: usize = 9;
const MAX_WHOLE: f64 = 1e15;

/// Appends a number with at most this number of decimals.
fn put_decimals(x: f64, count: usize, text: &mut String) {
    let unit = 10_u64.pow(count.min(MAX_DECIMALS) as u32);
    let whole = (x * unit as f64).round();
    let start = text.len();
    // Writing to memory does not fail.
    if count > MAX_DECIMALS || whole.abs() >= MAX_WHOLE {
        let _ = write!(text, "{x:.count$}");
    } else {
        let sign = if whole < 0.0 { "-" } else { "" };
        let (high, low) = (whole.abs() as u64 / unit, whole.abs() as u64 % unit);
        let _ = write!(text, "{sign}{high}.{low:0count$}");
    }
    trim(text, start);
}

/// Removes zeros behind a point, and a point at the end, of a number that begins at `start`.
fn trim(text: &mut String, start: usize) {
    if text[start..].contains('.') {
        let length = text.trim_end_matches('0').trim_end_matches('.').len();
        text.truncate(length);
    }
}

/// An array in brackets, each value by a function.
pub fn array<T: Sync>(values: &[T], put: impl Fn(&T, &mut String) + Sync) -> String {
    let part = |_, values: &[T]| {
        let mut text = String::with_capacity(16 * values.len());
        for value in values {
            put(value, &mut text);
            text.push(',');
        }
        text
    };
    let parts = map_parts(chunks(values, CHUNK), part);
    let mut text = String::with_capacity(parts.iter().map(String::len).sum::<usize>() + 2);
    text.push('[');
    parts.iter().for_each(|part| text.push_str(part));
    if !values.is_empty() {
        text.pop();
    }
    text.push(']');
    text
}

/// An array of vectors.
pub fn vectors(vectors: &[[f32; 3]], bits: Option<u32>) -> String {
    let digits = Digits::new(vectors, bits);
    array(vectors, |vector, text| put_vector(vector, digits, text))
}

/// An array of numbers.
pub fn floats(floats: &[f32], bits: Option<u32>) -> String {
    let (tuples, _) = floats.as_chunks::<1>();
    let digits = Digits::new(tuples, bits);
    array(floats, |x, text| digits.put(*x, text))
}

/// An array of whole numbers.
pub fn whole<T: Sync + Copy + std::fmt::Display>(numbers: &[T]) -> String {
    array(numbers, |number, text| {
        // Writing to memory does not fail.
        let _ = write!(text, "{number}");
    })
}

/// Values of an attribute.
pub fn values(values: &Values, bits: Option<u32>) -> String {
    match values {
        Values::Floats(values) => floats(values, bits),
        Values::Vectors(values) => vectors(values, bits),
        Values::Labels(values) => whole(values),
        Values::Ids(values) => whole(values),
    }
}

/// Appends a vector.
fn put_vector(vector: &[f32; 3], digits: Digits, text: &mut String) {
    for (x, before) in vector.iter().zip(["(", ",", ","]) {
        text.push_str(before);
        digits.put(*x, text);
    }
    text.push(')');
}

/// Numbers in parentheses.
pub fn tuple(numbers: &[f64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(f64::to_string).collect();
    format!("({})", numbers.join(", "))
}

/// The name of a prim or a primvar: letters, digits and lines, no digit first.
pub fn identifier(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let plain: String = name.chars().map(plain).collect();
    if plain.starts_with(|c: char| c.is_ascii_digit()) || plain.is_empty() {
        return format!("_{plain}");
    }
    plain
}

/// A string in quotes.
pub fn quoted(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let text: String = text.chars().map(plain).collect();
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random;

    #[test]
    fn numbers_read_back_as_they_were() {
        let mut next = random(3);
        let numbers = (0..5000).map(|k| (next() * 10_f64.powi(k % 40 - 20)) as f32);
        for x in numbers.chain([0.0, -0.0, 1.0, f32::MAX, f32::MIN_POSITIVE, 16_777_216.0]) {
            let mut text = String::new();
            Digits::Shortest.put(x, &mut text);
            assert_eq!(text.parse::<f32>().unwrap(), x, "{text}");
            assert!(text.len() <= 16, "{text}");
        }
        assert_eq!(floats(&[f32::NAN, -f32::INFINITY, 0.5], None), "[nan,-inf,0.5]");
    }

    #[test]
    fn decimals_keep_within_the_bound() {
        let mut next = random(5);
        let values: Vec<f32> = (0..3000).map(|_| 3.0 * next() as f32).collect();
        let text = floats(&values, Some(16));
        let read = text.trim_matches(['[', ']']).split(',').map(|x| x.parse::<f32>().unwrap());
        let bound = 6.0 / 65536.0;
        assert!(values.iter().zip(read).all(|(x, y)| (x - y).abs() <= bound));
        assert!(text.len() < floats(&values, None).len() * 7 / 10);
        let put = |x: f32, digits: Digits| {
            let mut text = "10".to_owned();
            digits.put(x, &mut text);
            text
        };
        assert_eq!(put(100.0, Digits::Decimals(0)), "10100");
        assert_eq!(put(0.5001, Digits::Decimals(2)), "100.5");
        assert_eq!(put(2.0, Digits::Decimals(2)), "102");
        assert_eq!(put(-0.004, Digits::Decimals(2)), "100");
        assert_eq!(put(-3.0625, Digits::Decimals(3)), "10-3.063");
        assert_eq!(put(0.25, Digits::Decimals(12)), "100.25");
        assert_eq!(put(2_f32.powi(70), Digits::Decimals(1)), "101180591620717411303424");
    }

    #[test]
    fn arrays_of_many_parts_are_in_order() {
        let numbers: Vec<i32> = (0..3 * CHUNK as i32 + 7).collect();
        let expected: Vec<String> = numbers.iter().map(i32::to_string).collect();
        assert_eq!(whole(&numbers), format!("[{}]", expected.join(",")));
        assert_eq!(
            (whole::<i32>(&[]), vectors(&[[1.0, -2.5, 0.0]], None)),
            ("[]".into(), "[(1,-2.5,0)]".into())
        );
    }

    #[test]
    fn names_are_identifiers() {
        assert_eq!(identifier("surface_oil-2"), "surface_oil_2");
        assert_eq!((identifier("2d"), identifier("")), ("_2d".into(), "_".into()));
        assert_eq!(quoted("a \"b\" \\ c\n"), "\"a \\\"b\\\" \\\\ c \"");
    }
}
