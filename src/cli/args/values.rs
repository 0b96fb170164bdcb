//! Parsers of values that clap does not know, and what they expect.

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
    fn numbers_are_bounded_and_finite() {
        assert_eq!(positive("0.5"), Ok(0.5));
        assert!(["0", "-1", "inf", "NaN", "x"].iter().all(|text| positive(text).is_err()));
        assert_eq!((not_negative("0"), finite("-2")), (Ok(0.0), Ok(-2.0)));
        assert!(not_negative("-0.1").is_err() && finite("inf").is_err());
        assert_eq!(positive("0").unwrap_err().to_string(), "expected a number above 0");
        assert!(switch("on").unwrap() && !switch("off").unwrap() && switch("yes").is_err());
    }
}
