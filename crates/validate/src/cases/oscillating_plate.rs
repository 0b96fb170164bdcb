//! Oil over a plate that oscillates in its own plane (Stokes' second problem):
//! u = U exp(−kz) cos(ωt − kz), k = √(ω/2ν).
//!
//! The velocities of the layers of particles have the complex amplitudes B(z), by least squares
//! over the steps of the last two periods: u = Re(B exp(iωt)). The slopes of ln|B| and of the
//! phase of B over z are those of straight lines through the layers; theory has −k for both. They
//! tell the order in time: what is late by half a step lets the amplitude fall by 1 + ω dt/4 as
//! fast and the phase by 1 − ω dt/4.
//!
//! Symbols: z height over the plate \[m\], ω angular frequency \[1/s\], ν kinematic viscosity
//! \[m²/s\], U speed of the plate \[m/s\].

use super::panels::{measured_line, reference_line};
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::to_f64;
use hashfall_output::curves::Curve;
use hashfall_output::plot::Panel;
use hashfall_sph::step::StepReport;
use hashfall_sph::world::World;
use std::f64::consts::TAU;

/// The case.
pub const CASE: Case = Case {
    name: "oscillating_plate",
    about: "Oil over a plate that oscillates follows it as Stokes has it",
    scene: include_str!("../../scenes/oscillating_plate.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Plate::default()),
};

/// ω.
const FREQUENCY: f64 = TAU;
/// U.
const SPEED: f64 = 0.42;
/// k \[1/m\].
const DECAY: f64 = 10.0;
/// Two periods before the end \[s\].
const FROM: f64 = 2.0;
/// Height of a layer \[m\].
const LAYER: f64 = 0.02;
/// Layers in which amplitudes are told from noise: down to 5 % of the plate's.
const LAYERS: usize = 15;

/// What least squares need of a layer: sums over its particles and the steps.
#[derive(Clone, Copy, Debug, Default)]
struct Layer {
    /// Particles, and of their heights \[m\].
    count: f64,
    height: f64,
    /// Of the squares of cos ωt and sin ωt, and of their product.
    squares: [f64; 2],
    product: f64,
    /// Of the velocities times each \[m/s\].
    velocities: [f64; 2],
}

impl Layer {
    /// Adds a particle.
    fn add(&mut self, z: f64, u: f64, [cos, sin]: [f64; 2]) {
        self.count += 1.0;
        self.height += z;
        self.squares[0] += cos * cos;
        self.squares[1] += sin * sin;
        self.product += cos * sin;
        self.velocities[0] += u * cos;
        self.velocities[1] += u * sin;
    }

    /// Mean height \[m\], and the parts of the velocity along cos ωt and sin ωt \[m/s\].
    fn fit(&self) -> [f64; 3] {
        let ([cc, ss], [uc, us], cs) = (self.squares, self.velocities, self.product);
        let determinant = cc * ss - cs * cs;
        let along_cos = (uc * ss - us * cs) / determinant;
        let along_sin = (us * cc - uc * cs) / determinant;
        [self.height / self.count, along_cos, along_sin]
    }
}

#[derive(Default)]
struct Plate {
    layers: [Layer; LAYERS],
}

impl Plate {
    /// kz, and what ln|B| and the phase have more than −kz, of each layer with particles.
    fn deviations(&self) -> Vec<[f64; 3]> {
        let deviation = |layer: &Layer| {
            let [z, a, b] = layer.fit();
            let (phase_by_theory, amplitude) = (-DECAY * z, a.hypot(b));
            let (sin, cos) = phase_by_theory.sin_cos();
            // B exp(ikz), B = a − ib.
            let phase = (-b * cos - a * sin).atan2(a * cos - b * sin);
            [DECAY * z, amplitude.ln() + DECAY * z, phase]
        };
        self.layers.iter().filter(|layer| layer.count > 0.0).map(deviation).collect()
    }
}

impl Watch for Plate {
    fn step(&mut self, world: &World, _: &StepReport) {
        if world.time < FROM {
            return;
        }
        let (sin, cos) = (FREQUENCY * world.time).sin_cos();
        let p = &world.particles;
        for (x, v) in p.position.iter().zip(&p.velocity) {
            let [_, _, z] = to_f64(x);
            if let Some(layer) = self.layers.get_mut((z / LAYER).max(0.0) as usize) {
                layer.add(z, f64::from(v.x), [cos, sin]);
            }
        }
    }

    fn findings(&self, _: &Samples) -> Findings {
        let all = self.deviations();
        let line = |quantity: usize| all.iter().map(|it| [it[0], it[quantity]]).collect();
        let [amplitudes, phases]: [Vec<[f64; 2]>; 2] = [line(1), line(2)];
        let row = |quantity, points: &[[f64; 2]]| Measured {
            quantity,
            value: 1.0 - slope(points),
            reference: Some(1.0),
            goal: Goal::Within(0.99, 1.01),
            unit: "",
        };
        let measured = vec![
            row("fall of the amplitude over that of theory", &amplitudes),
            row("fall of the phase over that of theory", &phases),
        ];
        let curve = |points: &[[f64; 2]]| {
            Curve::new(points.iter().map(|[kz, more]| [*kz, more - kz]).collect())
        };
        let exact = Curve::new(vec![[0.0, 0.0], [DECAY * LAYER * LAYERS as f64; 2]])
            .map(|[kz, height]| [kz, -height]);
        let amplitude = curve(&amplitudes).map(|[kz, ln]| [kz, ln - SPEED.ln()]);
        let panels = vec![Panel {
            title: "Amplitude and phase",
            x: "kz",
            y: "ln|B|/U, phase [rad]",
            log: false,
            lines: vec![
                reference_line("theory", exact),
                measured_line("amplitude", amplitude),
                measured_line("phase", curve(&phases)),
            ],
        }];
        Findings { measured, panels }
    }
}

/// That of the straight line through points.
fn slope(points: &[[f64; 2]]) -> f64 {
    let n = points.len() as f64;
    let [x_mean, y_mean] = [0, 1].map(|k| points.iter().map(|it| it[k]).sum::<f64>() / n);
    let product = |k: usize| {
        let mean = [x_mean, y_mean][k];
        points.iter().map(|it| (it[0] - x_mean) * (it[k] - mean)).sum::<f64>()
    };
    product(1) / product(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn falls_of_a_wave_are_found() {
        let (decay, lag) = (1.03 * DECAY, 0.96 * DECAY);
        let mut plate = Plate::default();
        for step in 0..100 {
            // Steps of different lengths.
            let time = 2.0 + 0.02 * f64::from(step) + 0.003 * f64::from(step % 3);
            let (sin, cos) = (FREQUENCY * time).sin_cos();
            for (number, layer) in plate.layers.iter_mut().enumerate() {
                let z = LAYER * (number as f64 + 0.5);
                let u = (-decay * z).exp() * (FREQUENCY * time - lag * z).cos();
                layer.add(z, u, [cos, sin]);
            }
        }
        let found = plate.findings(&Samples::new(Vec::new())).measured;
        let values = [found[0].value, found[1].value];
        for (value, expected) in values.into_iter().zip([1.03, 0.96]) {
            assert!((value - expected).abs() < 1e-9, "{value} {expected}");
        }
    }
}
