//! Sine and cosine of degrees, summed from Taylor's series by multiplication only: the same bits on
//! every machine, and whole quarter turns are exact.

/// Sine and cosine of an angle in degrees.
pub fn sin_cos(degrees: f64) -> (f64, f64) {
    let turn = libm::fmod(degrees, 360.0);
    let quarters = (turn / 90.0).round();
    let x = (turn - 90.0 * quarters) * (std::f64::consts::PI / 180.0);
    // With |x| ≤ π/4 the terms left out are below 1e-17.
    let series = |first: f64, start: u32| {
        let mut term = first;
        let mut sum = first;
        for k in 0..8 {
            let n = f64::from(start + 2 * k);
            term *= -x * x / (n * (n + 1.0));
            sum += term;
        }
        sum
    };
    let (sin, cos) = (series(x, 2), series(1.0, 1));
    match (quarters as i32).rem_euclid(4) {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sine_and_cosine_are_exact_to_rounding() {
        for k in -7200..7200 {
            let degrees = f64::from(k) * 0.1;
            let (sin, cos) = sin_cos(degrees);
            let expected = degrees.to_radians().sin_cos();
            assert!((sin - expected.0).abs() < 1e-14 && (cos - expected.1).abs() < 1e-14);
        }
        assert_eq!(sin_cos(90.0), (1.0, 0.0));
        assert_eq!(sin_cos(-450.0), (-1.0, 0.0));
    }
}
