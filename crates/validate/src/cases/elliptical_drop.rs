//! A drop drawn out into an ellipse: its axes obey an ordinary differential equation (Monaghan
//! 1994, §5.1), and as nothing does work on it, it keeps its kinetic energy.
//!
//! The long axis is measured from the outermost particle, and r.

use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::{parallel, to_f64};
use hashfall_output::curves::Curve;
use hashfall_output::plot::{Line, Panel};
use hashfall_sph::world::{Audit, World};

/// The case, divergence-free.
pub const CASE: Case = Case {
    name: "elliptical_drop",
    about: "A drop drawn out into an ellipse, incompressible",
    scene: include_str!("../../scenes/elliptical_drop.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Drop { most_energy_error: 0.001, ..Drop::default() }),
};

/// The case, weakly compressible.
pub const WEAKLY_COMPRESSIBLE: Case = Case {
    name: "elliptical_drop_wcsph",
    about: "A drop drawn out into an ellipse, weakly compressible",
    scene: include_str!("../../scenes/elliptical_drop_wcsph.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Drop { most_energy_error: 0.015, ..Drop::default() }),
};

/// Long semi-axis at the end \[m\] (data/elliptical_drop.csv).
const LONG_AXIS: f64 = 1.94452;

#[derive(Default)]
struct Drop {
    /// Goal of the error of the kinetic energy \[–\].
    most_energy_error: f64,
    /// Time \[s\] and long semi-axis \[m\].
    axis: Vec<[f64; 2]>,
    /// Time \[s\] and kinetic energy \[J\].
    energy: Vec<[f64; 2]>,
    /// |Σ m v| over Σ m |v| at the end \[–\].
    momentum: f64,
}

impl Watch for Drop {
    fn sample(&mut self, world: &World) {
        let (p, audit) = (&world.particles, Audit::new(world));
        let highest = parallel::max(p.len(), 0.0, |i| p.position[i].z.abs());
        self.axis.push([world.time, f64::from(highest + world.particle_radius)]);
        self.energy.push([world.time, audit.kinetic_energy]);
        let [speeds] = parallel::sum(p.len(), |i| {
            let v = to_f64(&p.velocity[i]);
            [world.particle_mass(p.phase[i]) * v.map(|v| v * v).iter().sum::<f64>().sqrt()]
        });
        let total = audit.momentum.map(|m| m * m).iter().sum::<f64>().sqrt();
        self.momentum = total / speeds;
    }

    fn findings(&self, _: &Samples) -> Findings {
        let [first, last] = [self.energy.first(), self.energy.last()];
        let energy = |point: Option<&[f64; 2]>| point.map_or(f64::NAN, |point| point[1]);
        let axis = self.axis.last().map_or(f64::NAN, |point| point[1]);
        let error = |quantity, value: f64, most| {
            let goal = Goal::AtMost(most);
            Measured { quantity, value, reference: None, goal, unit: "" }
        };
        let ratio = energy(last) / energy(first);
        let measured = vec![
            error("error of the long axis", (axis / LONG_AXIS - 1.0).abs(), 0.0025),
            error("error of the kinetic energy", (ratio - 1.0).abs(), self.most_energy_error),
            error("momentum over that of the parts", self.momentum, super::kept::MOMENTUM_GOAL),
        ];
        let line = |label, is_reference, curve| Line { label, is_reference, curve };
        let exact = include_str!("../../data/elliptical_drop.csv");
        let panels = vec![
            Panel {
                title: "Long semi-axis",
                x: "time [s]",
                y: "semi-axis [m]",
                log: false,
                lines: vec![
                    line("exact", true, Curve::from_csv(exact, "t", "major").part(0.0, 0.0076)),
                    line("outermost particle", false, Curve::new(self.axis.clone())),
                ],
            },
            Panel {
                title: "Kinetic energy",
                x: "time [s]",
                y: "energy [J]",
                log: false,
                lines: vec![line("all particles", false, Curve::new(self.energy.clone()))],
            },
        ];
        Findings { measured, panels }
    }
}
