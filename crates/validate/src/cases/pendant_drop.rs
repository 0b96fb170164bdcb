//! Water drips slowly from the end of a tube: a drop hangs from it, and falls off once its weight
//! is more than surface tension can hold. Not all of it falls: some stays at the tube.
//!
//! - Harkins & Brown (1919, J. Am. Chem. Soc. 41, 499): the drop that falls, with what small drops
//!   follow it, has the mass m = 2π r σ f/g, where f is a function of r/V^(1/3), measured with
//!   water and other fluids, V = m/ρ; the outer radius r counts where the end is wetted
//! - fallen is what is more than 8 mm below the end or was taken by the sink: m is what has fallen
//!   0.2 s after a sixth of a drop has; there is a second between drops
//!
//! Symbols: r radius of the tube \[m\], σ tension \[N/m\], g gravity \[m/s²\], ρ density \[kg/m³\],
//! V volume \[m³\], f \[–\].

use super::panels::{measured_line, over_time, reference_line};
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::{parallel, to_f64};
use hashfall_output::curves::Curve;
use hashfall_sph::world::World;
use std::f64::consts::TAU;

/// The case.
pub const CASE: Case = Case {
    name: "pendant_drop",
    about: "A drop hangs from a tube, and falls off with the mass of Harkins & Brown",
    scene: include_str!("../../scenes/pendant_drop.ron"),
    is_quick: false,
    meshes: &[],
    watch: || Box::new(Pendant::default()),
};

/// r of the tube \[m\], σ \[N/m\], ρ \[kg/m³\] and g \[m/s²\] of the scene.
const RADIUS: f64 = 0.002;
const TENSION: f64 = 0.073;
const DENSITY: f64 = 1000.0;
const GRAVITY: f64 = 9.81;

/// f over r/V^(1/3), a part of Harkins & Brown's table \[–\].
const FACTORS: [[f64; 2]; 7] = [
    [0.40, 0.6828],
    [0.45, 0.6669],
    [0.50, 0.6515],
    [0.55, 0.6362],
    [0.60, 0.6250],
    [0.65, 0.6171],
    [0.70, 0.6093],
];

/// Below this height fluid has fallen \[m\]: no drop hangs as low.
const FALLEN: f64 = -0.008;

/// So much fallen fluid is a drop, and no stray particle \[mg\].
const IS_DROP: f64 = 10.0;

/// What follows a drop takes less time than this to fall, and the next drop more \[s\].
const FOLLOWS: f64 = 0.2;

/// The mass of the drop that falls off a tube of this radius \[m\], in mg; NaN beyond the table.
fn mass_of(radius: f64) -> f64 {
    let factors = Curve::new(FACTORS.to_vec());
    let ideal = TAU * radius * TENSION / GRAVITY;
    let mut mass = 0.65 * ideal;
    for _ in 0..50 {
        let at = radius / (mass / DENSITY).cbrt();
        mass = ideal * factors.at(at).unwrap_or(f64::NAN);
    }
    1e6 * mass
}

/// The mass of the first drop \[mg\] by what has fallen over time; NaN if none has in time.
fn first_drop(fallen: &Curve) -> f64 {
    fallen.at(fallen.first_above(IS_DROP) + FOLLOWS).unwrap_or(f64::NAN)
}

#[derive(Default)]
struct Pendant {
    /// Time \[s\] and what has fallen \[mg\].
    fallen: Vec<[f64; 2]>,
    /// Time \[s\] and what hangs at the tube \[mg\].
    hanging: Vec<[f64; 2]>,
}

impl Watch for Pendant {
    fn sample(&mut self, world: &World) {
        let particles = &world.particles;
        let [below, above] = parallel::sum(particles.len(), |i| {
            let is_below = to_f64(&particles.position[i])[2] < FALLEN;
            let is_free = particles.in_nozzle[i] == 0;
            [is_below, is_free && !is_below].map(|is_one| f64::from(u8::from(is_one)))
        });
        let removed = world.open_boundaries.budget.all_removed() as f64;
        let each = 1e6 * world.particle_mass(0);
        self.fallen.push([world.time, (removed + below) * each]);
        self.hanging.push([world.time, above * each]);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let fallen = Curve::new(self.fallen.clone());
        let expected = mass_of(RADIUS);
        let measured = vec![Measured {
            quantity: "mass of the first drop that falls off",
            value: first_drop(&fallen),
            reference: Some(expected),
            goal: Goal::Within(58.0, 64.0),
            unit: "mg",
        }];
        let lines = vec![
            reference_line("Harkins & Brown", fallen.map(|[t, _]| [t, expected])),
            measured_line("fallen", fallen),
            measured_line("hanging", Curve::new(self.hanging.clone())),
        ];
        Findings { measured, panels: vec![over_time("Mass", "mass [mg]", lines)] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drop_has_the_mass_of_the_table() {
        let mass = mass_of(RADIUS);
        let ideal = 1e6 * TAU * RADIUS * TENSION / GRAVITY;
        assert!((ideal - 93.5).abs() < 0.1 && (mass / ideal - 0.6487).abs() < 1e-4, "{mass}");
        assert!((mass - 60.66).abs() < 0.01, "{mass}");
        assert!(mass_of(2e-4).is_nan(), "r/V^(1/3) is below the table");
    }

    #[test]
    fn the_first_drop_is_what_falls_at_once() {
        // A stray particle at 0.5 s, a drop from 1 s on, a small one after it, another at 2 s.
        let fallen = |t: f64| {
            let steps = [(0.5, 0.03), (1.0, 30.0), (1.01, 29.0), (1.05, 1.0), (2.0, 60.0)];
            steps.iter().filter(|(from, _)| t >= *from - 1e-9).map(|(_, mass)| mass).sum::<f64>()
        };
        let until = |count: i32| {
            let times = (0..count).map(|k| f64::from(k) * 0.01);
            Curve::new(times.map(|t| [t, fallen(t)]).collect())
        };
        assert!((first_drop(&until(220)) - 60.03).abs() < 1e-9);
        assert!(first_drop(&until(90)).is_nan() && first_drop(&until(105)).is_nan());
    }
}
