//! A thread of fluid without weight breaks up by surface tension: waves along it that are longer
//! than its circumference grow, the one of kR = 0.697 fastest.
//!
//! - Rayleigh (1878, Proc. Lond. Math. Soc. 10, 4; 1892, Phil. Mag. 34, 145), without viscosity:
//!   ω² = σ/(ρR³) kR I₁(kR)/I₀(kR) (1 − k²R²); I₀ and I₁ are modified Bessel functions
//! - where the area across it is A₀ (1 + 2e cos kx), e is the mean of cos kx over all particles
//! - e = a sinh ωt + b cosh ωt has the least squares over all samples before e is above 0.15
//!
//! It starts round and with the velocities of that wave, so that a is most of it. Viscosity takes
//! 3νk²/2 of ω, 0.2 %.
//!
//! Symbols: σ tension \[N/m\], ρ density \[kg/m³\], R radius \[m\], k wave number \[1/m\], ω growth
//! rate \[1/s\], e amplitude \[–\].

use super::panels::{measured_line, over_time, reference_line};
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::{parallel, to_f64};
use hashfall_output::curves::Curve;
use hashfall_sph::world::World;
use std::f64::consts::TAU;

/// The case.
pub const CASE: Case = Case {
    name: "liquid_thread",
    about: "A thread of fluid breaks up at the rate of Rayleigh",
    scene: include_str!("../../scenes/liquid_thread.ron"),
    is_quick: false,
    meshes: &[],
    watch: || Box::new(Thread::default()),
};

/// k of the wave, one over the length of the thread \[1/m\]; R, ρ and σ are 1.
const WAVE_NUMBER: f64 = TAU / 9.0;

/// The fit ends where the wave gets higher: then it is no longer that of small amplitudes \[–\].
const HIGHEST: f64 = 0.15;

/// The modified Bessel function of the order 0 or 1, by its series.
fn bessel(order: u32, x: f64) -> f64 {
    let mut term = if order == 0 { 1.0 } else { 0.5 * x };
    let mut sum = term;
    for k in 1..30 {
        term *= 0.25 * x * x / f64::from(k * (k + order));
        sum += term;
    }
    sum
}

/// ω √(ρR³/σ) of a wave that grows, over kR \[–\].
fn growth(kr: f64) -> f64 {
    (kr * bessel(1, kr) / bessel(0, kr) * (1.0 - kr * kr)).sqrt()
}

/// a sinh ωt + b cosh ωt of the least squares for this ω, as \[a, b\], and the sum of squares.
fn fit(points: &[[f64; 2]], rate: f64) -> ([f64; 2], f64) {
    let shapes = |t: f64| [(rate * t).sinh(), (rate * t).cosh()];
    let (mut matrix, mut right) = ([0.0; 3], [0.0; 2]);
    for &[t, e] in points {
        let [s, c] = shapes(t);
        for (sum, product) in matrix.iter_mut().zip([s * s, s * c, c * c]) {
            *sum += product;
        }
        for (sum, product) in right.iter_mut().zip([s * e, c * e]) {
            *sum += product;
        }
    }
    let ([ss, sc, cc], [se, ce]) = (matrix, right);
    let determinant = ss * cc - sc * sc;
    let [a, b] = [(se * cc - ce * sc) / determinant, (ce * ss - se * sc) / determinant];
    let square = |&[t, e]: &[f64; 2]| {
        let [s, c] = shapes(t);
        (e - a * s - b * c).powi(2)
    };
    ([a, b], points.iter().map(square).sum())
}

/// The growth rate of the least squares \[1/s\], with its \[a, b\]: the best of a coarse scan, made
/// finer by golden section; NaN for fewer than four points.
fn growth_of(points: &[[f64; 2]]) -> (f64, [f64; 2]) {
    if points.len() < 4 {
        return (f64::NAN, [f64::NAN; 2]);
    }
    let error = |rate: f64| fit(points, rate).1;
    let scan = (2..100).map(|k| f64::from(k) * 0.01);
    let best = scan.min_by(|a, b| error(*a).total_cmp(&error(*b))).unwrap_or(f64::NAN);
    let (mut low, mut high) = (best - 0.01, best + 0.01);
    let part = 0.5 * (5.0_f64.sqrt() - 1.0);
    for _ in 0..40 {
        let [left, right] = [high - part * (high - low), low + part * (high - low)];
        (low, high) = if error(left) < error(right) { (low, right) } else { (left, high) };
    }
    let rate = 0.5 * (low + high);
    (rate, fit(points, rate).0)
}

#[derive(Default)]
struct Thread {
    /// Time \[s\] and amplitude of the wave \[–\].
    wave: Vec<[f64; 2]>,
}

impl Watch for Thread {
    fn sample(&mut self, world: &World) {
        let places = &world.particles.position;
        let [sum] = parallel::sum(places.len(), |i| [(WAVE_NUMBER * to_f64(&places[i])[0]).cos()]);
        self.wave.push([world.time, sum / places.len() as f64]);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let small: Vec<_> = self.wave.iter().copied().take_while(|it| it[1] <= HIGHEST).collect();
        let (rate, [a, b]) = growth_of(&small);
        let measured = vec![Measured {
            quantity: "growth rate over that of theory",
            value: rate / growth(WAVE_NUMBER),
            reference: Some(1.0),
            goal: Goal::Within(0.9, 1.1),
            unit: "",
        }];
        let wave = Curve::new(self.wave.clone());
        let curve = |rate: f64, a: f64, b: f64| {
            Curve::new(small.clone())
                .map(|[t, _]| [t, a * (rate * t).sinh() + b * (rate * t).cosh()])
        };
        let fitted = curve(rate, a, b);
        // The same growth of the amplitude at the start.
        let theory = growth(WAVE_NUMBER);
        let exact = curve(theory, a * rate / theory, b);
        let lines = vec![
            reference_line("Rayleigh", exact),
            measured_line("fit", fitted),
            measured_line("thread", wave),
        ];
        Findings { measured, panels: vec![over_time("Wave", "amplitude", lines)] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn theory_grows_fastest_where_rayleigh_says() {
        // I₀(1) and I₁(1), of tables.
        assert!((bessel(0, 1.0) - 1.266_065_878).abs() < 1e-9);
        assert!((bessel(1, 1.0) - 0.565_159_104).abs() < 1e-9);
        let waves = (1..1000).map(|k| f64::from(k) * 1e-3);
        let fastest = waves.max_by(|a, b| growth(*a).total_cmp(&growth(*b))).unwrap();
        assert!((fastest - 0.697).abs() < 1e-3, "{fastest}");
        assert!((growth(fastest) - 0.3433).abs() < 5e-5, "{}", growth(fastest));
    }

    #[test]
    fn a_growth_rate_is_found_from_samples() {
        let wave = |t: f64, rate: f64| 0.02 * (rate * t).sinh() - 0.001 * (rate * t).cosh();
        for rate in [0.205, 0.3433] {
            let times = (0..160).map(|k| f64::from(k) * 0.05);
            let points: Vec<_> = times.map(|t| [t, wave(t, rate)]).collect();
            let (found, [a, b]) = growth_of(&points);
            assert!((found - rate).abs() < 1e-5, "{found}");
            assert!((a - 0.02).abs() < 1e-5 && (b + 0.001).abs() < 1e-5, "{a} {b}");
        }
        assert!(growth_of(&[[0.0, 0.0]; 3]).0.is_nan());
    }
}
