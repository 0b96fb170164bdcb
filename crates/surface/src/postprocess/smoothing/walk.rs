//! Many iterations of smoothing at the price of a few: powers of a matrix by Chebyshev polynomials.
//!
//! n iterations x ← x + ρ (M x − x) apply the polynomial (1 − ρ + ρ λ)ⁿ to each eigenvalue λ of M,
//! which here are real and from −1 to 1: M replaces values by means of neighbours, or by a part of
//! that. Its Chebyshev series is Σ pₖ Tₖ(λ), where pₖ is the probability that a random walk of n
//! steps, each of which goes by 1 either way with probability ρ/2, ends at a distance of k: put λ =
//! cos θ and take the mean of exp(iθS). Most walks end near where they began, so that the series
//! may stop at K ≈ 2.6 √(ρn): what is left out is no more than [`REST`], for any eigenvalue. The
//! terms that are kept are scaled so that their sum is 1, which keeps constants.
//!
//! Sources: Newman & Rivlin, Approximation of monomials by lower degree polynomials (1976);
//! Sachdeva & Vishnoi, Faster algorithms via approximation theory (2014), §3.
//!
//! Symbols: ρ relaxation \[–\], n iterations, K degree, pₖ coefficients \[–\].

use crate::postprocess::stencil::Value;
use hashfall_core::{Real, parallel, vec3};

/// The probability of walks that are left out: no bump is off by more than twice this part of its
/// height.
const REST: f64 = 0.01;

/// The polynomial that stands for many iterations.
pub(crate) struct WalkPolynomial {
    /// The coefficients of Chebyshev polynomials, from degree 0 on.
    coefficients: Vec<Real>,
}

impl WalkPolynomial {
    /// The polynomial of `iterations` iterations with a relaxation factor from 0 to 1.
    pub fn new(iterations: u32, relaxation: f64) -> Self {
        let n = iterations as usize;
        // Probabilities of ending at −n to n, of which walks of fewer steps reach the middle.
        let mut ends = vec![0.0; 2 * n + 1];
        ends[n] = 1.0;
        for _ in 0..n {
            let at = |i: usize| ends.get(i).copied().unwrap_or(0.0);
            let step = |i: usize| {
                let beside = at(i.wrapping_sub(1)) + at(i + 1);
                at(i) * (1.0 - relaxation) + beside * (0.5 * relaxation)
            };
            ends = (0..ends.len()).map(step).collect();
        }
        let probability = |k: usize| if k == 0 { ends[n] } else { ends[n + k] + ends[n - k] };
        let mut kept = Vec::new();
        let mut sum = 0.0;
        for k in 0..=n {
            kept.push(probability(k));
            sum += probability(k);
            if sum >= 1.0 - REST {
                break;
            }
        }
        let coefficients = kept.into_iter().map(|p| vec3([p / sum; 3]).x).collect();
        WalkPolynomial { coefficients }
    }

    /// Applies the polynomial to values; `step` is the matrix at one of them, plus what does not
    /// depend on values, if anything.
    pub fn apply<T: Value>(&self, values: &mut [T], step: impl Fn(&[T], usize) -> T + Sync) {
        let &[first, ref rest @ ..] = &self.coefficients[..] else { return };
        if rest.is_empty() {
            return;
        }
        let mut before = values.to_vec();
        let mut now = values.to_vec();
        parallel::fill_both(&mut now, values, |v, now, sum| {
            *now = step(&before, v);
            *sum = *sum * first + *now * rest[0];
        });
        for &part in &rest[1..] {
            // Where walks end at even places only, every other coefficient is none.
            let is_counted = part != 0.0;
            parallel::fill_both(&mut before, values, |v, next, sum| {
                *next = step(&now, v) * 2.0 - *next;
                if is_counted {
                    *sum = *sum + *next * part;
                }
            });
            std::mem::swap(&mut before, &mut now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Means of the neighbours on a ring of points, some of which go a part of the way.
    fn ring(values: &[Real], v: usize) -> Real {
        let n = values.len();
        let part = [1.0, 0.3, 0.8, 1.0, 0.0][v % 5];
        let mean = (values[(v + 1) % n] + values[(v + n - 1) % n]) / 2.0;
        values[v] + (mean - values[v]) * part
    }

    #[test]
    fn a_polynomial_does_what_its_iterations_do() {
        let mut random = crate::tests::random(9);
        let start: Vec<Real> = (0..97).map(|_| random() as Real).collect();
        for (iterations, relaxation) in [(0, 1.0), (1, 1.0), (2, 0.4), (30, 1.0), (60, 0.25)] {
            let mut expected = start.clone();
            for _ in 0..iterations {
                let old = expected.clone();
                let part = relaxation as Real;
                let step = |v: usize| old[v] + (ring(&old, v) - old[v]) * part;
                expected = (0..old.len()).map(step).collect();
            }
            let polynomial = WalkPolynomial::new(iterations, relaxation);
            let mut values = start.clone();
            polynomial.apply(&mut values, ring);
            let worst = values.iter().zip(&expected).map(|(a, b)| (a - b).abs());
            let worst = worst.fold(0.0, Real::max);
            assert!(worst < 0.01, "{iterations} iterations: off by {worst}");
            let degree = polynomial.coefficients.len() - 1;
            assert!(iterations < 10 || degree * 2 <= iterations as usize, "degree {degree}");
        }
    }

    #[test]
    fn constants_stay() {
        let mut values = vec![3.0; 40];
        WalkPolynomial::new(200, 1.0).apply(&mut values, ring);
        assert!(values.iter().all(|x: &Real| (x - 3.0).abs() < 1e-4), "{values:?}");
    }
}
