//! Two fluids at rest in a tank, the heavier below: their interface stays flat, and they do not
//! mix.
//!
//! The interface is z₀ + Σ aₙ cos(nπx/L), with aₙ = 2/L ∫ cos(nπx/L) over the lower fluid, a sum
//! over particles; waves shorter than 8 spacings are left out, as single particles make them. It is
//! as flat as no height is far from z₀. Particles have changed sides that are half a spacing beyond
//! it.

use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::{parallel, to_f64};
use hashfall_output::curves::Curve;
use hashfall_output::plot::{Line, Panel};
use hashfall_sph::world::World;
use std::f64::consts::PI;

/// The case of water below air, a thousandth as heavy.
pub const THOUSAND: Case = Case {
    name: "tank_of_two_1000",
    about: "Water and air at rest, a thousandth as heavy, keep their flat interface",
    scene: include_str!("../../scenes/tank_of_two_1000.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Tank::default()),
};

/// The case of two liquids, one half as heavy.
pub const TWO: Case = Case {
    name: "tank_of_two_2",
    about: "Two liquids at rest, one half as heavy, keep their flat interface",
    scene: include_str!("../../scenes/tank_of_two_2.ron"),
    is_quick: false,
    meshes: &[],
    watch: || Box::new(Tank::default()),
};

/// Both are a metre long, with an interface half a metre up.
const INTERFACE: f64 = 0.5;
/// Half waves in the tank.
const WAVES: usize = 10;

#[derive(Default)]
struct Tank {
    /// Time \[s\], and how far the interface is from its level, in spacings.
    unevenness: Vec<[f64; 2]>,
    /// Time \[s\], and how many particles have changed sides.
    strays: Vec<[f64; 2]>,
}

impl Watch for Tank {
    fn sample(&mut self, world: &World) {
        let (p, d) = (&world.particles, f64::from(world.spacing()));
        let sums: [f64; WAVES] = parallel::sum(p.len(), |i| {
            let angle = PI * to_f64(&p.position[i])[0];
            std::array::from_fn(|n| match p.phase[i] {
                0 => (angle * (n + 1) as f64).cos(),
                _ => 0.0,
            })
        });
        let height = |x: f64| {
            let wave = |(n, sum): (usize, &f64)| sum * (PI * x * (n + 1) as f64).cos();
            2.0 * d * d * sums.iter().enumerate().map(wave).sum::<f64>()
        };
        let heights = (0..=100).map(|k| height(f64::from(k) / 100.0).abs());
        self.unevenness.push([world.time, heights.fold(0.0, f64::max) / d]);
        let [strays] = parallel::sum(p.len(), |i| {
            let above = to_f64(&p.position[i])[2] - INTERFACE;
            let beyond = if p.phase[i] == 0 { above } else { -above };
            [f64::from(u8::from(beyond > 0.5 * d))]
        });
        self.strays.push([world.time, strays]);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let last = |points: &[[f64; 2]]| points.last().map_or(f64::NAN, |point| point[1]);
        let strays = Curve::new(self.strays.clone());
        let measured = vec![
            Measured {
                quantity: "unevenness of the interface at the end",
                value: last(&self.unevenness),
                reference: None,
                goal: Goal::AtMost(0.2),
                unit: "d",
            },
            Measured {
                quantity: "most particles that were beyond the interface",
                value: strays.largest(),
                reference: None,
                goal: Goal::AtMost(0.0),
                unit: "",
            },
        ];
        let panel = |title, y, curve| {
            let lines = vec![Line { label: "particles", is_reference: false, curve }];
            Panel { title, x: "time [s]", y, log: false, lines }
        };
        let panels = vec![
            panel("Unevenness of the interface", "d", Curve::new(self.unevenness.clone())),
            panel("Particles beyond the interface", "particles", strays),
        ];
        Findings { measured, panels }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waves_and_strays_are_seen_and_a_flat_start_is_not() {
        let mut world = TWO.prepare(&[]).unwrap().world;
        let mut tank = Tank::default();
        tank.sample(&world);
        assert!(tank.unevenness[0][1] < 1e-4 && tank.strays[0][1] == 0.0, "{:?}", tank.unevenness);
        let (d, p) = (world.spacing(), &mut world.particles);
        let lower: Vec<usize> = (0..p.len()).filter(|&i| p.phase[i] == 0).collect();
        p.position[lower[0]].z = 0.9;
        // Fluid that has gone from the right half to the left: d/2 down and up in waves.
        let right = |&&i: &&usize| p.position[i].x > 0.5;
        let moved: Vec<usize> = lower.iter().filter(right).take(20).copied().collect();
        for i in moved {
            p.position[i].x -= 20.0 * d;
        }
        tank.sample(&world);
        assert_eq!(tank.strays[1][1], 1.0);
        assert!(tank.unevenness[1][1] > 0.5, "{:?}", tank.unevenness);
    }
}
