//! Flow along a plane channel and a square duct by the default solver, from rest.
//!
//! u = Σ 2F/(ν k²) (1 − exp(−ν k² t)) sin(kz)·2/(nπ) over odd n, k = nπ/L, between plates, and the
//! double series alike in the square.
//!
//! Symbols: L width \[m\], F acceleration along \[m/s²\], ν kinematic viscosity \[m²/s\].

use crate::validate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::{parallel, to_f64};
use hashfall_output::curves::Curve;
use hashfall_output::plot::{Line, Panel};
use hashfall_sph::world::World;
use std::f64::consts::PI;

/// The case between plates.
pub const CHANNEL: Case = Case {
    name: "plane_channel",
    about: "Flow between two plates by the default solver is a parabola",
    scene: include_str!("../../../scenes/validation/plane_channel.ron"),
    meshes: &[],
    watch: || Box::new(Duct::new(channel, 0.004)),
};

/// The case in a square.
pub const SQUARE: Case = Case {
    name: "square_duct",
    about: "Flow in a square duct by the default solver is that of the series",
    scene: include_str!("../../../scenes/validation/square_duct.ron"),
    meshes: &[],
    watch: || Box::new(Duct::new(square, 0.01)),
};

const FORCE: f64 = 0.8;
const VISCOSITY: f64 = 0.1;
/// The odd terms of the series; those that follow come to less than 1e-4.
const TERMS: i32 = 30;

/// Velocity at a place across \[m\] and a time \[s\].
type Profile = fn([f64; 2], f64) -> f64;

/// The n-th odd wavenumber \[1/m\].
fn odd(n: i32) -> f64 {
    f64::from(2 * n + 1) * PI
}

/// How far a wave of squared number `square` \[1/m²\] has come, over its force \[s\].
fn grown(square: f64, time: f64) -> f64 {
    let rate = VISCOSITY * square;
    (1.0 - (-rate * time).exp()) / rate
}

fn channel([_, z]: [f64; 2], time: f64) -> f64 {
    let term = |k: f64| 4.0 * FORCE / k * grown(k * k, time) * (k * z).sin();
    (0..TERMS).map(|n| term(odd(n))).sum()
}

fn square([y, z]: [f64; 2], time: f64) -> f64 {
    let term = |k: f64, l: f64| {
        16.0 * FORCE / (k * l) * grown(k * k + l * l, time) * (k * y).sin() * (l * z).sin()
    };
    (0..TERMS).flat_map(|n| (0..TERMS).map(move |m| term(odd(n), odd(m)))).sum()
}

struct Duct {
    exact: Profile,
    /// Goal of the error \[–\].
    goal: f64,
    /// Time \[s\] and error: root of the squares' sum over that of the exact velocities \[–\].
    error: Vec<[f64; 2]>,
}

impl Duct {
    fn new(exact: Profile, goal: f64) -> Self {
        Duct { exact, goal, error: Vec::new() }
    }
}

impl Watch for Duct {
    fn sample(&mut self, world: &World) {
        let (p, exact) = (&world.particles, self.exact);
        let [errors, squares] = parallel::sum(p.len(), |i| {
            let ([_, y, z], u) = (to_f64(&p.position[i]), f64::from(p.velocity[i].x));
            let exact = exact([y, z], world.time);
            [(u - exact) * (u - exact), exact * exact]
        });
        if squares > 0.0 {
            self.error.push([world.time, (errors / squares).sqrt()]);
        }
    }

    fn findings(&self, _: &Samples) -> Findings {
        let measured = vec![Measured {
            quantity: "L2 error of the velocities at the end",
            value: self.error.last().map_or(f64::NAN, |point| point[1]),
            reference: None,
            goal: Goal::AtMost(self.goal),
            unit: "",
        }];
        let curve = Curve::new(self.error.clone());
        let lines = vec![Line { label: "all particles", is_reference: false, curve }];
        let title = "L2 error of the velocities";
        let panels = vec![Panel { title, x: "time [s]", y: "error", log: false, lines }];
        Findings { measured, panels }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flow_starts_with_the_force_and_ends_with_the_known_profiles() {
        let middle = [0.5, 0.5];
        for profile in [channel, square] {
            assert!((profile(middle, 0.01) / (FORCE * 0.01) - 1.0).abs() < 0.02);
        }
        let steady = FORCE / (8.0 * VISCOSITY);
        assert!((channel(middle, 100.0) / steady - 1.0).abs() < 1e-3);
        // 0.07367 F L²/ν (White, Viscous Fluid Flow).
        assert!((square(middle, 100.0) * VISCOSITY / FORCE - 0.07367).abs() < 1e-4);
    }
}
