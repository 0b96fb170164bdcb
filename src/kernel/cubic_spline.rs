//! The cubic spline kernel (Monaghan 1992, Annu. Rev. Astron. Astrophys. 30, §7), scaled to a
//! support radius h.
//!
//! With q = r/h and σ = 8/(πh³):
//!
//! - W(r)  = σ (6q³ − 6q² + 1) for q ≤ ½,  2σ (1 − q)³ for ½ < q ≤ 1,  0 beyond
//! - W′(r) = 6σ/h · (3q² − 2q),  −6σ/h · (1 − q)²,  0
//!
//! Moments of W over the distance, Mₙ(a) = ∫ₐʰ sⁿ W(s) ds, are polynomials; the integral over a
//! solid is made of them.
//!
//! Symbols: r distance \[m\], h support radius \[m\], W \[1/m³\], W′ \[1/m⁴\], Mₙ \[mⁿ⁻²\].

use crate::base::{PI, Real, power};

/// Cubic spline of support radius h.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubicSpline {
    h: Real,
    inverse_h: Real,
    sigma: Real,
}

impl CubicSpline {
    /// The kernel of support radius `h` \[m\].
    pub fn new(h: Real) -> Self {
        CubicSpline { h, inverse_h: 1.0 / h, sigma: 8.0 / (PI * h * h * h) }
    }

    /// The support radius h \[m\]: W is zero from there on.
    pub fn support_radius(&self) -> Real {
        self.h
    }

    /// W(r) \[1/m³\] for r ≥ 0.
    ///
    /// As truncated powers, σ (2 (1 − q)₊³ − 8 (½ − q)₊³): without a choice of branch, so that
    /// loops over r become vector instructions.
    #[inline(always)]
    pub fn value(&self, r: Real) -> Real {
        let q = r * self.inverse_h;
        let positive = |x: Real| if x > 0.0 { x } else { 0.0 };
        let (outer, inner) = (positive(1.0 - q), positive(0.5 - q));
        self.sigma * (2.0 * outer * outer * outer - 8.0 * inner * inner * inner)
    }

    /// W′(r)/r \[1/m⁵\], so that ∇W = x · `slope_over_r(|x|)` for the vector x between two points.
    ///
    /// Bounded for r → 0 (the limit is −12σ/h²), so coincident points need no special case.
    #[inline(always)]
    pub fn slope_over_r(&self, r: Real) -> Real {
        let q = r * self.inverse_h;
        let near = 3.0 * q - 2.0;
        let rest = (1.0 - q).max(0.0);
        // The guard keeps the branch that is not taken finite at q = 0.
        let far = -(rest * rest) / q.max(0.25);
        6.0 * self.sigma * self.inverse_h * self.inverse_h * if q <= 0.5 { near } else { far }
    }

    /// The moments M₁, M₂, M₃ from distance `a` to the end of the support, for 0 ≤ a.
    ///
    /// Zero for a ≥ h. In units of q = s/h: Mₙ(a) = hⁿ⁺¹ σ ∫ qⁿ w(q) dq.
    pub fn moments_from(&self, a: Real) -> [Real; 3] {
        let q = (a * self.inverse_h).clamp(0.0, 1.0);
        let tail = |n: i32| {
            if q >= 0.5 { outer_moment(n, q) } else { outer_moment(n, 0.5) + inner_moment(n, q) }
        };
        let scale = self.sigma * self.h * self.h;
        [scale * tail(1), scale * self.h * tail(2), scale * self.h * self.h * tail(3)]
    }
}

/// ∫ from q to ½ of tⁿ (6t³ − 6t² + 1) dt.
fn inner_moment(n: i32, q: Real) -> Real {
    let n1 = (n + 1) as Real;
    let antiderivative = |t: Real| {
        let power = power(t, n as u32 + 1);
        power * (1.0 / n1 + t * t * (6.0 * t / (n1 + 3.0) - 6.0 / (n1 + 2.0)))
    };
    antiderivative(0.5) - antiderivative(q)
}

/// ∫ from q to 1 of tⁿ 2(1 − t)³ dt, by parts in u = 1 − t so that it vanishes smoothly at q = 1.
fn outer_moment(n: i32, q: Real) -> Real {
    let u = 1.0 - q;
    let u4 = u * u * u * u;
    // tⁿ = (1 − u)ⁿ, expanded.
    let series = match n {
        1 => 1.0 / 4.0 - u / 5.0,
        2 => 1.0 / 4.0 - 2.0 * u / 5.0 + u * u / 6.0,
        _ => 1.0 / 4.0 - 3.0 * u / 5.0 + 3.0 * u * u / 6.0 - u * u * u / 7.0,
    };
    2.0 * u4 * series
}

#[cfg(test)]
mod tests {
    use super::*;

    const H: Real = 0.7;

    /// ∫ₐʰ f(s) ds by the midpoint rule in double precision.
    fn integrate(a: Real, f: impl Fn(Real) -> Real) -> f64 {
        let n = 20_000;
        let step = (H - a) / n as Real;
        (0..n).map(|k| f64::from(f(a + (k as Real + 0.5) * step) * step)).sum()
    }

    #[test]
    fn it_integrates_to_one_over_space() {
        let w = CubicSpline::new(H);
        let total = integrate(0.0, |s| 4.0 * PI * s * s * w.value(s));
        assert!((total - 1.0).abs() < 1e-5, "{total}");
        let [_, m2, _] = w.moments_from(0.0);
        assert!((4.0 * PI * m2 - 1.0).abs() < 1e-6);
    }

    #[test]
    fn the_slope_is_the_derivative() {
        let w = CubicSpline::new(H);
        let step: Real = 1e-3;
        for k in 1..70 {
            let r = k as Real * 0.01;
            let difference = (w.value(r + step) - w.value(r - step)) / (2.0 * step);
            let slope = w.slope_over_r(r) * r;
            assert!(
                (difference - slope).abs() < 0.02 * w.value(0.0),
                "r {r}: {difference} {slope}"
            );
        }
        assert!(w.slope_over_r(0.0).is_finite());
    }

    #[test]
    fn moments_match_quadrature() {
        let w = CubicSpline::new(H);
        for a in [0.0, 0.1, 0.34, 0.36, 0.5, 0.69, 0.7, 0.9] {
            let moments = w.moments_from(a);
            for (n, &moment) in (1..=3).zip(&moments) {
                let expected = if a < H { integrate(a, |s| s.powi(n) * w.value(s)) } else { 0.0 };
                let error = (f64::from(moment) - expected).abs();
                assert!(error < 2e-5, "M{n}({a}) = {moment}, quadrature {expected}");
            }
        }
    }

    #[test]
    fn a_lattice_of_spacing_half_h_sums_to_one() {
        let d: Real = 0.5 * H;
        let w = CubicSpline::new(H);
        let mut sum = 0.0;
        for i in -2..=2 {
            for j in -2..=2 {
                for k in -2..=2 {
                    sum += d * d * d * w.value(d * ((i * i + j * j + k * k) as Real).sqrt());
                }
            }
        }
        assert!((sum - 1.0).abs() < 1e-3, "{sum}");
    }
}
