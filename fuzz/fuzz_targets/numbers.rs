//! How texts are changed: half the time one number gives way to another, so that the text
//! is still read and its values are what is odd.

use std::ops::Range;

/// Numbers that are on the edge of something.
const ODD: [&str; 20] = [
    "0",
    "1",
    "-1",
    "2",
    "0.5",
    "1e-6",
    "1e-9",
    "1e6",
    "1e9",
    "1e30",
    "1e38",
    "1e39",
    "1e-38",
    "1e-45",
    "1e308",
    "5e-324",
    "-0.0",
    "nan",
    "inf",
    "4294967295",
];
/// Factors on a number.
const FACTORS: [f64; 8] = [-1.0, 0.5, 2.0, 0.1, 10.0, 1.000_001, 0.999_999, 1e3];

/// Changes the text in the first `size` bytes of `data`, which it may fill; its new size.
pub fn mutate(data: &mut [u8], size: usize, room: usize, seed: u32) -> usize {
    let changed = if seed.is_multiple_of(2) { another(&data[..size], seed / 2) } else { None };
    match changed {
        Some(text) if text.len() <= room => {
            data[..text.len()].copy_from_slice(text.as_bytes());
            text.len()
        }
        _ => libfuzzer_sys::fuzzer_mutate(data, size, room),
    }
}

/// The text with another number in the place of one.
fn another(text: &[u8], seed: u32) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    let numbers = numbers(text);
    let mut chance = seed;
    let mut pick = |n: usize| {
        chance = chance.wrapping_mul(0x9e37_79b9).rotate_left(15) ^ 0x85eb_ca6b;
        chance as usize % n.max(1)
    };
    let place = numbers.get(pick(numbers.len()))?.clone();
    let new = match pick(4) {
        0 => ODD[pick(ODD.len())].to_owned(),
        1 => text[numbers[pick(numbers.len())].clone()].to_owned(),
        _ => {
            let number: f64 = text[place.clone()].parse().ok()?;
            let whole = number.fract() == 0.0 && pick(2) == 0;
            let scaled = number * FACTORS[pick(FACTORS.len())];
            if whole { format!("{}", scaled.round()) } else { format!("{scaled:?}") }
        }
    };
    Some([&text[..place.start], &new, &text[place.end..]].concat())
}

/// Where the numbers of a text stand.
fn numbers(text: &str) -> Vec<Range<usize>> {
    let mut numbers = Vec::new();
    let mut from = 0;
    let is_part = |c: char| c.is_ascii_alphanumeric() || ['.', '-', '+', '_'].contains(&c);
    for word in text.split(|c| !is_part(c)) {
        if word.parse::<f64>().is_ok() {
            numbers.push(from..from + word.len());
        }
        from += word.len() + text[from + word.len()..].chars().next().map_or(0, char::len_utf8);
    }
    numbers
}
