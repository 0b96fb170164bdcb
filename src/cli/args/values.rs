//! Parsers of values that clap does not know, and what they expect.

use std::ops::RangeInclusive;
use std::time::Duration;

/// A value that is not of the expected kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}")]
pub struct ValueError {
    /// The values that the option takes.
    expected: String,
}

impl ValueError {
    /// An error of an option that takes `expected`.
    pub(super) fn new(expected: impl Into<String>) -> Self {
        ValueError { expected: expected.into() }
    }
}

/// Parses a finite number above 0.
///
/// # Errors
/// For any other text.
pub(super) fn positive(text: &str) -> Result<f64, ValueError> {
    number_that(text, "a number above 0", |x| x > 0.0)
}

/// Parses a finite number of at least 0.
///
/// # Errors
/// For any other text.
pub(super) fn not_negative(text: &str) -> Result<f64, ValueError> {
    number_that(text, "a number of at least 0", |x| x >= 0.0)
}

/// Parses a finite number.
///
/// # Errors
/// For any other text.
pub(super) fn finite(text: &str) -> Result<f64, ValueError> {
    number_that(text, "a finite number", |_| true)
}

/// A parser of whole numbers in a range.
pub(super) fn whole_number(
    range: RangeInclusive<u32>,
) -> impl Fn(&str) -> Result<u32, ValueError> + Clone + Send + Sync + 'static {
    move |text| {
        let error = || {
            let (min, max) = (range.start(), range.end());
            ValueError::new(format!("a whole number from {min} to {max}"))
        };
        text.parse().ok().filter(|number| range.contains(number)).ok_or_else(error)
    }
}

/// Parses a duration: `90` or `90s`, `10m`, `2h30m`, `1d12h`; at least a second, at most a year.
///
/// # Errors
/// For any other text.
pub(super) fn duration(text: &str) -> Result<Duration, ValueError> {
    let error = || ValueError::new("a time such as 90s, 10m or 2h30m, from 1s to 365d");
    let seconds = seconds(text).filter(|seconds| (1..=YEAR).contains(seconds)).ok_or_else(error)?;
    Ok(Duration::from_secs(seconds))
}

/// A year of 365 days \[s\].
const YEAR: u64 = 365 * 86_400;

/// Seconds of a duration: whole numbers with units, each smaller than the one before; a number
/// alone is seconds.
fn seconds(text: &str) -> Option<u64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().ok();
    }
    let (mut all, mut rest, mut last) = (0_u64, text, u64::MAX);
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, behind) = rest.split_at(digits);
        let unit = match behind.as_bytes().first()? {
            b'd' => 86_400,
            b'h' => 3600,
            b'm' => 60,
            b's' => 1,
            _ => return None,
        };
        let is_smaller = unit < last;
        all = all.checked_add(number.parse::<u64>().ok()?.checked_mul(unit)?)?;
        (rest, last) = (behind.get(1..).filter(|_| is_smaller)?, unit);
    }
    Some(all)
}

/// Parses `on` or `off`.
///
/// # Errors
/// For any other text.
pub(super) fn switch(text: &str) -> Result<bool, ValueError> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(ValueError::new("`on` or `off`")),
    }
}

/// Parses a finite number that meets a condition.
fn number_that(text: &str, expected: &str, is_valid: fn(f64) -> bool) -> Result<f64, ValueError> {
    let number = text.parse().ok().filter(|x: &f64| x.is_finite() && is_valid(*x));
    number.ok_or_else(|| ValueError::new(expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_numbers_with_units() {
        let seconds = |text| duration(text).map(|time| time.as_secs());
        for (text, expected) in
            [("90", 90), ("90s", 90), ("10m", 600), ("2h30m", 9000), ("1d12h", 129_600)]
        {
            assert_eq!(seconds(text), Ok(expected), "{text}");
        }
        for text in [
            "",
            "0",
            "0s",
            "s",
            "1.5h",
            "-1",
            "10m5h",
            "5m5m",
            "366d",
            "2 h",
            "1é",
            "99999999999999999999",
            "9999999999999999d",
        ] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn whole_numbers_are_in_a_range() {
        let frames = whole_number(1..=1000);
        assert_eq!((frames("1"), frames("1000")), (Ok(1), Ok(1000)));
        for text in ["0", "1001", "-1", "1.0", "", "99999999999"] {
            let error = frames(text).unwrap_err().to_string();
            assert_eq!(error, "expected a whole number from 1 to 1000", "{text}");
        }
    }

    #[test]
    fn numbers_are_bounded_and_finite() {
        assert_eq!(positive("0.5"), Ok(0.5));
        assert!(["0", "-1", "inf", "NaN", "x"].iter().all(|text| positive(text).is_err()));
        assert_eq!((not_negative("0"), finite("-2")), (Ok(0.0), Ok(-2.0)));
        assert!(not_negative("-0.1").is_err() && finite("inf").is_err());
        assert_eq!(positive("0").unwrap_err().to_string(), "expected a number above 0");
        assert!(switch("on").unwrap() && !switch("off").unwrap() && switch("yes").is_err());
    }
}
