//! Two layers of fluid, one above the other: the wave of their interface where the lower one is
//! heavier, and how fast it grows where the upper one is.
//!
//! - internal wave between floor and lid (Lamb, Hydrodynamics (1932), §231): ω² = g k (ρ₁ − ρ₂)/(ρ₁
//!   coth kH₁ + ρ₂ coth kH₂)
//! - Rayleigh–Taylor, deep and viscous (Chandrasekhar, Hydrodynamic and Hydromagnetic Stability
//!   (1961), §94): a ∝ exp(nt), [`growth_of_layers`]. The usual n = √(A g k + ν²k⁴) − νk², with
//!   A = (ρ₂ − ρ₁)/(ρ₂ + ρ₁), is of potential flow, which no viscous layers have along their
//!   interface: here it is 11 % too large. Started by a speed, beside a wave that dies out
//!
//! The interface is z₀ + a cos kx. Its amplitude a is 2/L ∫ cos kx over the lower fluid: a sum over
//! particles, that needs no outline.
//!
//! Symbols: ρ₁ and ρ₂ densities below and above \[kg/m³\], H their depths \[m\], L length \[m\],
//! k wave number \[1/m\], g gravity \[m/s²\], ν kinematic viscosity of both \[m²/s\].

use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::{parallel, to_f64};
use hashfall_output::curves::Curve;
use hashfall_output::plot::{Line, Panel};
use hashfall_sph::world::World;
use nalgebra::Matrix4;
use std::f64::consts::{PI, TAU};

/// The case with the heavier fluid below.
pub const INTERNAL_WAVE: Case = Case {
    name: "internal_wave",
    about: "The interface of two layers swings with the period of theory",
    scene: include_str!("../../scenes/internal_wave.ron"),
    is_quick: false,
    meshes: &[],
    watch: || Box::new(Layers::new(PI, internal_wave)),
};

/// The case with the heavier fluid above.
pub const RAYLEIGH_TAYLOR: Case = Case {
    name: "rayleigh_taylor",
    about: "The interface below a heavier fluid breaks at the rate of theory",
    scene: include_str!("../../scenes/rayleigh_taylor.ron"),
    is_quick: false,
    meshes: &[],
    watch: || Box::new(Layers::new(TAU, rayleigh_taylor)),
};

struct Layers {
    /// k \[1/m\]; the scenes are a metre long.
    wave_number: f64,
    measure: fn(&Curve) -> Measured,
    /// Time \[s\] and amplitude \[m\].
    amplitude: Vec<[f64; 2]>,
}

impl Layers {
    fn new(wave_number: f64, measure: fn(&Curve) -> Measured) -> Self {
        Layers { wave_number, measure, amplitude: Vec::new() }
    }
}

impl Watch for Layers {
    fn sample(&mut self, world: &World) {
        let (p, k) = (&world.particles, self.wave_number);
        let [sum] = parallel::sum(p.len(), |i| {
            let [x, _, _] = to_f64(&p.position[i]);
            [if p.phase[i] == 0 { (k * x).cos() } else { 0.0 }]
        });
        let area = f64::from(world.spacing() * world.spacing());
        self.amplitude.push([world.time, 2.0 * area * sum]);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let amplitude = Curve::new(self.amplitude.clone());
        let measured = vec![(self.measure)(&amplitude)];
        let lines = vec![Line { label: "particles", is_reference: false, curve: amplitude }];
        let title = "Amplitude of the interface";
        let panels = vec![Panel { title, x: "time [s]", y: "amplitude [m]", log: false, lines }];
        Findings { measured, panels }
    }
}

fn internal_wave(amplitude: &Curve) -> Measured {
    let (below, above, gravity, k) = (1000.0, 800.0, 9.81, PI);
    let coth = 1.0 / (0.5 * k).tanh();
    let omega = (gravity * k * (below - above) / ((below + above) * coth)).sqrt();
    let period = TAU / omega;
    Measured {
        quantity: "period of the interface",
        value: amplitude.part(FIRST_SWING, f64::INFINITY).period(0.0),
        reference: Some(period),
        goal: Goal::Within(0.97 * period, 1.03 * period),
        unit: "s",
    }
}

/// The lattice that the layers start on comes apart before \[s\].
const FIRST_SWING: f64 = 1.0;

/// When the interface grows as the theory of small waves has it: the lattice has come apart, and
/// ka is less than 0.3 \[s\].
const GROWTH: [f64; 2] = [1.0, 1.6];

fn rayleigh_taylor(amplitude: &Curve) -> Measured {
    let (densities, gravity, viscosity, k) = ([1.0, 1.8], 1.0, 2.0 / 420.0, TAU);
    let growth = growth_of_layers(densities, gravity, viscosity, k);
    let ratio = match GROWTH.map(|t| amplitude.at(t)) {
        [Some(start), Some(end)] => end / start,
        _ => f64::NAN,
    };
    Measured {
        quantity: "growth rate of the interface",
        value: growth_of(ratio, viscosity * k * k),
        reference: Some(growth),
        goal: Goal::Within(0.9 * growth, 1.1 * growth),
        unit: "1/s",
    }
}

/// The growth n \[1/s\] of a small wave between deep layers, the heavier one above. In each the
/// vertical velocity is A exp(∓kz) + B exp(∓qz), q² = k² + n/ν. At the interface it, its slope, the
/// shear stress and the normal stress are alike on both sides: four equations for A and B below
/// and above, which have a solution where their determinant is zero.
fn growth_of_layers([below, above]: [f64; 2], gravity: f64, viscosity: f64, k: f64) -> f64 {
    let excess = above - below;
    let determinant = |n: f64| {
        let q = (k * k + n / viscosity).sqrt();
        let shear = [2.0 * k * k, q * q + k * k];
        let weight = |along: f64| -excess * (gravity / n + 2.0 * viscosity * along);
        #[rustfmt::skip]
        let conditions = Matrix4::new(
            1.0, 1.0, -1.0, -1.0,
            k, q, k, q,
            below * shear[0], below * shear[1], -above * shear[0], -above * shear[1],
            below * n / k + weight(k), weight(q), above * n / k, 0.0,
        );
        conditions.determinant()
    };
    let inviscid = (excess / (above + below) * gravity * k).sqrt();
    root([1e-3 * inviscid, inviscid], determinant)
}

/// The growth n \[1/s\] of a level interface with speed that grows by this ratio in [`GROWTH`]:
/// a ∝ exp(nt) − exp(−(n + 2νk²)t), as the wave that dies out is half of it at the start. NaN if
/// there is none up to 10/s.
fn growth_of(ratio: f64, damping: f64) -> f64 {
    let amplitude = |n: f64, t: f64| (n * t).exp() - (-(n + 2.0 * damping) * t).exp();
    root([1e-3, 10.0], |n| amplitude(n, GROWTH[1]) / amplitude(n, GROWTH[0]) - ratio)
}

/// Where a function that rises through zero between two places is zero; NaN if it does not.
fn root([mut low, mut high]: [f64; 2], f: impl Fn(f64) -> f64) -> f64 {
    if !(f(low) <= 0.0 && f(high) >= 0.0) {
        return f64::NAN;
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if f(middle) < 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn theory_is_that_of_the_reference() {
        let none = Curve::new(Vec::new());
        let period = internal_wave(&none).reference.unwrap();
        assert!((period - 3.5454).abs() < 1e-4, "{period}");
        let growth = rayleigh_taylor(&none).reference.unwrap();
        // The same found by finite elements across layers of a wave's length: 1.0499.
        assert!((growth - 1.0499).abs() < 1e-4, "{growth}");
    }

    #[test]
    fn a_growth_is_found_though_half_of_the_wave_dies_out() {
        let (n, damping): (f64, f64) = (1.05, 0.188);
        let amplitude = |t: f64| (n * t).exp() - (-(n + 2.0 * damping) * t).exp();
        let ratio = amplitude(GROWTH[1]) / amplitude(GROWTH[0]);
        assert!((growth_of(ratio, damping) - n).abs() < 1e-9);
        assert!(growth_of(0.9, damping).is_nan() && growth_of(f64::NAN, damping).is_nan());
    }

    #[test]
    fn the_amplitude_of_a_displaced_interface_is_found() {
        let mut world = INTERNAL_WAVE.prepare(&[]).unwrap().world;
        let p = &mut world.particles;
        for i in 0..p.len() {
            let x = f64::from(p.position[i].x);
            let lifted = f64::from(p.position[i].z) - 0.04 * (PI * x).cos() < 0.5;
            p.phase[i] = u8::from(!lifted);
        }
        let mut layers = Layers::new(PI, internal_wave);
        layers.sample(&world);
        assert!((layers.amplitude[0][1] - 0.04).abs() < 3e-3, "{:?}", layers.amplitude);
    }
}
