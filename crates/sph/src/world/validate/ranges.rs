//! Ranges of numbers.

use crate::world::WorldError;

/// The largest exponent of Tait's equation; that of water is 7.
const MAX_EXPONENT: f64 = 100.0;

/// Says that a number is out of its range.
pub fn out_of_range(name: &str, value: f64, range: &'static str) -> WorldError {
    WorldError::Value { name: name.to_owned(), value, range }
}

/// Refuses NaN and infinity.
pub fn finite(name: &str, value: f64) -> Result<(), WorldError> {
    if value.is_finite() { Ok(()) } else { Err(out_of_range(name, value, "finite")) }
}

/// Refuses vectors with a number that is not finite.
pub fn all_finite(name: &str, values: &[f64]) -> Result<(), WorldError> {
    values.iter().try_for_each(|value| finite(name, *value))
}

/// Refuses all but positive, finite numbers.
pub fn positive(name: &str, value: f64) -> Result<(), WorldError> {
    let is_in_range = value.is_finite() && value > 0.0;
    if is_in_range { Ok(()) } else { Err(out_of_range(name, value, "positive and finite")) }
}

/// Refuses negative numbers, NaN and infinity.
pub fn not_negative(name: &str, value: f64) -> Result<(), WorldError> {
    let is_in_range = value.is_finite() && value >= 0.0;
    if is_in_range { Ok(()) } else { Err(out_of_range(name, value, "finite and not negative")) }
}

/// Refuses numbers that are not from 0 to 1.
pub fn fraction(name: &str, value: f64) -> Result<(), WorldError> {
    let is_in_range = (0.0..=1.0).contains(&value);
    if is_in_range { Ok(()) } else { Err(out_of_range(name, value, "from 0 to 1")) }
}

/// Refuses counts of 0.
pub fn at_least_one(name: &str, count: f64) -> Result<(), WorldError> {
    if count >= 1.0 { Ok(()) } else { Err(out_of_range(name, count, "at least 1")) }
}

/// Refuses exponents of Tait's equation whose powers, products factor by factor, would be none or
/// take long.
pub fn tait_exponent(exponent: f64) -> Result<(), WorldError> {
    match (1.0..=MAX_EXPONENT).contains(&exponent) {
        true => Ok(()),
        false => Err(out_of_range("exponent", exponent, "from 1 to 100")),
    }
}
