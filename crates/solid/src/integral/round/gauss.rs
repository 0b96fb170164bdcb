//! Gauss–Legendre rules on (−1, 1).

use std::f64::consts::PI;

/// A rule of this number of nodes, each with its weight, by Newton's method on Legendre's
/// polynomial.
pub fn rule(count: usize) -> Vec<(f64, f64)> {
    let n = count as f64;
    let node = |k: usize| {
        let mut x = libm::cos(PI * (k as f64 + 0.75) / (n + 0.5));
        let mut slope = 0.0;
        for _ in 0..8 {
            let (mut value, mut before) = (x, 1.0);
            for degree in 2..=count {
                let m = degree as f64;
                let next = ((2.0 * m - 1.0) * x * value - (m - 1.0) * before) / m;
                (before, value) = (value, next);
            }
            slope = n * (x * value - before) / (x * x - 1.0);
            x -= value / slope;
        }
        (x, 2.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..count).map(node).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_exact_for_polynomials_of_twice_its_degree() {
        for count in [2, 5, 12, 20] {
            let rule = rule(count);
            for degree in 0..2 * count as i32 {
                let sum: f64 = rule.iter().map(|(x, w)| w * x.powi(degree)).sum();
                let exact = if degree % 2 == 0 { 2.0 / f64::from(degree + 1) } else { 0.0 };
                assert!((sum - exact).abs() < 1e-13, "{count} {degree}: {sum}");
            }
        }
    }
}
