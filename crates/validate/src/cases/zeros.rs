//! The period of what swings about zero.

use hashfall_output::curves::Curve;

/// Twice the mean time between zeros, but that at the start; NaN for fewer than two.
pub(super) fn period_by_zeros(curve: &Curve) -> f64 {
    let zero = |pair: &[[f64; 2]]| {
        let [[t, a], [later, b]] = [pair[0], pair[1]];
        // A point that is zero itself ends what is above zero, and begins it.
        (t > 0.0 && (a > 0.0) != (b > 0.0)).then(|| t - a * (later - t) / (b - a))
    };
    let zeros: Vec<f64> = curve.points().windows(2).filter_map(zero).collect();
    match zeros[..] {
        [first, .., last] => 2.0 * (last - first) / (zeros.len() - 1) as f64,
        _ => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    #[test]
    fn a_period_is_found_by_its_zeros() {
        let swing = |to: i32| {
            let points = (0..to).map(|k| f64::from(k) * 0.05);
            Curve::new(points.map(|t| [t, (TAU / 3.0 * t).sin()]).collect())
        };
        assert!((period_by_zeros(&swing(200)) - 3.0).abs() < 1e-3);
        assert!(period_by_zeros(&swing(50)).is_nan(), "one zero is no period");
        let whole = [2.0, 1.0, 0.0, -1.0, -2.0, -1.0, 0.0, 1.0, 2.0, 1.0, 0.0, -1.0];
        let counts = whole.iter().enumerate().map(|(k, &y)| [k as f64, y]);
        assert_eq!(period_by_zeros(&Curve::new(counts.collect())), 8.0);
    }
}
