//! Numbers as text for people: with units, and with few significant figures.

use std::time::Duration;

/// Bytes with three figures and a decimal prefix.
pub fn bytes(bytes: u64) -> String {
    let mut value = bytes as f64;
    for unit in ["B", "kB", "MB", "GB", "TB"] {
        if value < 999.5 {
            let digits = if unit == "B" || value >= 99.95 { 0 } else { 1 };
            return format!("{value:.digits$} {unit}");
        }
        value /= 1000.0;
    }
    format!("{value:.0} PB")
}

/// A wall-clock time, to the second once it is long.
pub fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    if seconds < 60.0 {
        return format!("{seconds:.1} s");
    }
    let seconds = seconds.round() as u64;
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours} h {minutes} min") } else { format!("{minutes} min {rest} s") }
}

/// A number and its noun: `1 frame`, `2 frames`, `2 tetrahedra`.
pub fn count(number: impl Into<u64>, noun: &str) -> String {
    let number = number.into();
    match (number, noun.strip_suffix("hedron")) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{number} {stem}hedra"),
        (_, None) => format!("{number} {noun}s"),
    }
}

/// Three significant figures, with an exponent where it is shorter.
pub fn three_figures(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    // The exponent of its digits as rounded is exact; a logarithm is each platform's own.
    let digits = format!("{value:.2e}");
    let exponent = digits.rsplit('e').next().and_then(|exponent| exponent.parse().ok());
    let magnitude: i32 = exponent.unwrap_or(i32::MAX);
    if (-3..4).contains(&magnitude) {
        format!("{value:.*}", (2 - magnitude).max(0) as usize)
    } else {
        format!("{value:.2e}")
    }
}

/// A number with at most `figures` significant figures; with a power of ten below 10⁻⁴ and from 10⁷
/// on.
pub fn format_significant(x: f64, figures: usize) -> String {
    let rounded: f64 = format!("{x:.*e}", figures.saturating_sub(1)).parse().unwrap_or(x);
    match rounded.abs() {
        0.0 | 1e-4..1e7 => format!("{rounded}"),
        _ => format!("{rounded:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let sizes = [(7, "7 B"), (1500, "1.5 kB"), (999_960, "1.0 MB"), (123_456_789, "123 MB")];
        for (size, text) in sizes {
            assert_eq!(bytes(size), text);
        }
        let times =
            [(0.04, "0.0 s"), (59.94, "59.9 s"), (60.0, "1 min 0 s"), (7384.0, "2 h 3 min")];
        for (seconds, text) in times {
            assert_eq!(duration(Duration::from_secs_f64(seconds)), text);
        }
        let values = [(0.0, "0"), (0.00123, "0.00123"), (1.2345e-5, "1.23e-5"), (44.27, "44.3")];
        assert_eq!(three_figures(0.099_999_999), "0.100");
        for (value, text) in values {
            assert_eq!(three_figures(value), text);
        }
        for (number, noun, text) in [
            (1u32, "frame", "1 frame"),
            (0, "frame", "0 frames"),
            (1, "tetrahedron", "1 tetrahedron"),
            (2, "tetrahedron", "2 tetrahedra"),
        ] {
            assert_eq!(count(number, noun), text);
        }
    }

    #[test]
    fn significant_figures_are_kept() {
        let numbers = [(0.0, "0"), (0.39317, "0.3932"), (1e-4, "0.0001"), (9.87654e-5, "9.877e-5")];
        for (x, text) in numbers {
            assert_eq!(format_significant(x, 4), text);
        }
        assert_eq!(
            (format_significant(-12_345_678.0, 3), format_significant(1234.5, 6)),
            ("-1.23e7".into(), "1234.5".into())
        );
        assert_eq!(format_significant(f64::NAN, 4), "NaN");
    }
}
