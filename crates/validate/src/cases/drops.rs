//! Drops under surface tension, in the plane: the pressure of those at rest, and the period of
//! those that swing.
//!
//! - at rest, Laplace: p = σ/R; spurious currents by the capillary number Ca = μ u/σ
//! - swinging between two ellipses (Lamb, Hydrodynamics (1932), §273): ω² = 6σ/(ρR³), so that T
//!   goes with R^1.5
//!
//! The radius at rest is that of a disc of the particles' area. A swing is told by the difference
//! of the second moments along x and z over their sum; the period is twice the mean time between
//! its zeros.
//!
//! Symbols: σ tension \[N/m\], R radius \[m\], ρ density \[kg/m³\], μ dynamic viscosity \[Pa s\].

use super::zeros::period_by_zeros;
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::{parallel, to_f64};
use hashfall_output::curves::Curve;
use hashfall_output::plot::{Line, Panel};
use hashfall_sph::world::World;
use std::f64::consts::{PI, TAU};

/// The case of drops at rest.
pub const AT_REST: Case = Case {
    name: "static_drops",
    about: "Drops of four radii at rest have the pressure of Laplace",
    scene: include_str!("../../scenes/static_drops.ron"),
    is_quick: false,
    meshes: &[],
    watch: || Box::new(AtRest::default()),
};

/// The case of drops that swing.
pub const SWINGING: Case = Case {
    name: "drop_oscillation",
    about: "Drops of three radii swing with the periods of theory",
    scene: include_str!("../../scenes/drop_oscillation.ron"),
    is_quick: false,
    meshes: &[],
    watch: || Box::new(Swinging::default()),
};

/// In both scenes, with a density of 1 kg/m³.
const TENSION: f64 = 1.0;

/// A drop of a scene.
#[derive(Clone, Copy)]
struct Drop {
    name: &'static str,
    /// The x of its centre \[m\].
    x: f64,
    /// Its radius \[m\].
    radius: f64,
}

const STILL: [Drop; 4] = [
    Drop { name: "R = 8 d", x: 0.7, radius: 0.4 },
    Drop { name: "R = 12 d", x: 2.1, radius: 0.6 },
    Drop { name: "R = 16 d", x: 3.9, radius: 0.8 },
    Drop { name: "R = 20 d", x: 6.1, radius: 1.0 },
];
const STRETCHED: [Drop; 3] = [
    Drop { name: "R = 20 d", x: 1.8, radius: 1.0 },
    Drop { name: "R = 28 d", x: 5.3, radius: 1.4 },
    Drop { name: "R = 40 d", x: 9.4, radius: 2.0 },
];

impl Drop {
    /// Sums over its particles.
    fn sum<const K: usize>(
        &self,
        world: &World,
        of: impl Fn(usize, [f64; 3]) -> [f64; K] + Sync,
    ) -> [f64; K] {
        // Drops are at least a tenth of their radius apart.
        let reach = 1.1 * self.radius;
        let p = &world.particles;
        parallel::sum(p.len(), |i| {
            let x = to_f64(&p.position[i]);
            if (x[0] - self.x).abs() < reach { of(i, x) } else { [0.0; K] }
        })
    }

    /// Number of particles, and their centre's x and z \[m\].
    fn centre(&self, world: &World) -> [f64; 3] {
        let [count, x, z] = self.sum(world, |_, x| [1.0, x[0], x[2]]);
        [count, x / count, z / count]
    }
}

/// Part of the radius in which the pressure is taken.
const MIDDLE: f64 = 0.4;
/// Means are over what follows \[s\].
const SETTLED: f64 = 7.0;

#[derive(Default)]
struct AtRest {
    /// Time \[s\] and p R/σ \[–\] of each drop.
    pressure: [Vec<[f64; 2]>; STILL.len()],
    /// Time \[s\] and Ca of the fastest particle \[–\].
    capillary: Vec<[f64; 2]>,
}

impl Watch for AtRest {
    fn sample(&mut self, world: &World) {
        let (p, d) = (&world.particles, f64::from(world.spacing()));
        for (curve, drop) in self.pressure.iter_mut().zip(STILL) {
            let [count, x, z] = drop.centre(world);
            let [within, pressure] = drop.sum(world, |i, at| {
                let is_within = (at[0] - x).hypot(at[2] - z) < MIDDLE * drop.radius;
                if is_within { [1.0, f64::from(p.pressure[i])] } else { [0.0; 2] }
            });
            let radius = (count * d * d / PI).sqrt();
            curve.push([world.time, pressure / within * radius / TENSION]);
        }
        let fastest = parallel::max(p.len(), 0.0, |i| f64::from(p.velocity[i].norm()));
        let fluid = &world.fluids[0];
        let viscosity = f64::from(fluid.viscosity * fluid.rest_density);
        self.capillary.push([world.time, viscosity * fastest / TENSION]);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let curves = self.pressure.clone().map(Curve::new);
        let capillary = Curve::new(self.capillary.clone());
        let end = f64::INFINITY;
        let ratios = curves.each_ref().map(|curve| curve.part(SETTLED, end).mean());
        let measured = |quantity, ratio| Measured {
            quantity,
            value: ratio,
            reference: Some(1.0),
            goal: Goal::Within(0.98, 1.02),
            unit: "",
        };
        let [eight, twelve, sixteen, twenty] = ratios;
        let measured = vec![
            measured("p R/σ at R = 8 d", eight),
            measured("p R/σ at R = 12 d", twelve),
            measured("p R/σ at R = 16 d", sixteen),
            measured("p R/σ at R = 20 d", twenty),
            Measured {
                quantity: "largest capillary number of a particle",
                value: capillary.part(SETTLED, end).largest(),
                reference: None,
                goal: Goal::AtMost(1e-3),
                unit: "",
            },
        ];
        let lines = curves.into_iter().zip(STILL).map(|(curve, drop)| Line {
            label: drop.name,
            is_reference: false,
            curve,
        });
        let panel = |title, y, log, lines| Panel { title, x: "time [s]", y, log, lines };
        let speeds = vec![Line { label: "μ u/σ", is_reference: false, curve: capillary }];
        let panels = vec![
            panel("Pressure in the middle", "p R/σ", false, lines.collect()),
            panel("Capillary number of the fastest particle", "Ca", true, speeds),
        ];
        Findings { measured, panels }
    }
}

#[derive(Default)]
struct Swinging {
    /// Time \[s\] and stretch \[–\] of each drop.
    stretch: [Vec<[f64; 2]>; STRETCHED.len()],
}

impl Watch for Swinging {
    fn sample(&mut self, world: &World) {
        for (curve, drop) in self.stretch.iter_mut().zip(STRETCHED) {
            let [_, x, z] = drop.centre(world);
            let [along, across] =
                drop.sum(world, |_, at| [(at[0] - x).powi(2), (at[2] - z).powi(2)]);
            curve.push([world.time, (along - across) / (along + across)]);
        }
    }

    fn findings(&self, _: &Samples) -> Findings {
        let curves = self.stretch.clone().map(Curve::new);
        let ratio = |k: usize| {
            let theory = TAU * (STRETCHED[k].radius.powi(3) / (6.0 * TENSION)).sqrt();
            period_by_zeros(&curves[k]) / theory
        };
        let measured = |quantity, ratio| Measured {
            quantity,
            value: ratio,
            reference: Some(1.0),
            goal: Goal::Within(0.97, 1.03),
            unit: "",
        };
        let logarithms = STRETCHED
            .iter()
            .zip(&curves)
            .map(|(drop, curve)| [drop.radius.ln(), period_by_zeros(curve).ln()])
            .collect();
        let measured = vec![
            measured("period over that of theory at R = 20 d", ratio(0)),
            measured("period over that of theory at R = 28 d", ratio(1)),
            measured("period over that of theory at R = 40 d", ratio(2)),
            Measured {
                quantity: "exponent of the radius in the period",
                value: Curve::new(logarithms).slope(),
                reference: Some(1.5),
                goal: Goal::Within(1.47, 1.53),
                unit: "",
            },
        ];
        let lines = curves
            .into_iter()
            .zip(STRETCHED)
            .map(|(curve, drop)| Line { label: drop.name, is_reference: false, curve })
            .collect();
        let title = "Difference of the second moments over their sum";
        let panels = vec![Panel { title, x: "time [s]", y: "stretch", log: false, lines }];
        Findings { measured, panels }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drops_are_those_of_the_scenes() {
        for (case, drops) in [(AT_REST, &STILL[..]), (SWINGING, &STRETCHED[..])] {
            let world = case.prepare(&[]).unwrap().world;
            let d = f64::from(world.spacing());
            let mut all = 0.0;
            for drop in drops {
                let [count, x, z] = drop.centre(&world);
                all += count;
                let area = count * d * d / (PI * drop.radius.powi(2));
                assert!((area - 1.0).abs() < 0.05, "{}: {area}", drop.name);
                assert!((x - drop.x).abs() < 1e-3 && z.abs() < 1e-3, "{}: {x} {z}", drop.name);
            }
            assert_eq!(all, world.particles.len() as f64, "each particle is of one drop");
        }
    }
}
