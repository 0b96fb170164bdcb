//! Water at rest in the plane: p = ρ₀ g (H − z), and u = 0.

use super::panels::{measured_line, over_time, reference_line};
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::{Real, parallel, to_f64};
use hashfall_output::curves::Curve;
use hashfall_output::plot::Panel;
use hashfall_sph::world::{Audit, World};

/// The case of the default solver: water's viscosity, for a minute.
pub const CASE: Case = Case {
    name: "hydrostatic_tank",
    about: "Water stays at rest for a minute under the pressure of its depth",
    scene: include_str!("../../scenes/hydrostatic_tank.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Tank::new(1.0, minute)),
};

/// The case of the weakly compressible solver.
pub const WEAKLY_COMPRESSIBLE: Case = Case {
    name: "hydrostatic_tank_wcsph",
    about: "Pressure of water at rest grows with depth, and nothing moves, weakly compressible",
    scene: include_str!("../../scenes/hydrostatic_tank_wcsph.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Tank::new(0.9, two_seconds)),
};

/// The gauges of the case of a minute.
const GAUGES: [&str; 3] = ["left", "middle", "right"];

struct Tank {
    /// Depth of the water H \[m\].
    depth: f64,
    judge: fn(&Tank, &Samples) -> Vec<Measured>,
    /// Spacing \[m\].
    spacing: f64,
    /// ρ₀ g \[N/m³\].
    weight: f64,
    /// Time \[s\]; root of the mean square error of the pressure over that at the bottom \[–\].
    pressure: Vec<[f64; 2]>,
    /// Time \[s\]; largest component of a velocity over √(gH) \[–\].
    speed: Vec<[f64; 2]>,
    /// Time \[s\]; kinetic energy over m g H \[–\].
    energy: Vec<[f64; 2]>,
    /// Height \[m\] and pressure \[Pa\] of each particle at the end.
    profile: Vec<[f64; 2]>,
}

impl Tank {
    fn new(depth: f64, judge: fn(&Tank, &Samples) -> Vec<Measured>) -> Self {
        let [pressure, speed, energy, profile] = [const { Vec::new() }; 4];
        Tank { depth, judge, spacing: f64::NAN, weight: f64::NAN, pressure, speed, energy, profile }
    }
}

fn row(quantity: &'static str, value: f64, most: f64, unit: &'static str) -> Measured {
    Measured { quantity, value, reference: None, goal: Goal::AtMost(most), unit }
}

fn minute(tank: &Tank, samples: &Samples) -> Vec<Measured> {
    let largest = |points: &[[f64; 2]]| Curve::new(points.to_vec()).largest();
    let off = |name: &str| {
        let error = samples.curve(name).map(|[t, z]| [t, (z - tank.depth).abs()]);
        error.largest() / tank.spacing
    };
    let level = GAUGES.map(off).into_iter().fold(f64::NAN, f64::max);
    vec![
        row("largest L2 error of the pressure", largest(&tank.pressure), 0.005, "of ρgH"),
        row("largest kinetic energy over m g H", largest(&tank.energy), 1e-8, ""),
        row("largest error of the level", level, 0.05, "d"),
    ]
}

fn two_seconds(tank: &Tank, _: &Samples) -> Vec<Measured> {
    let last = |points: &[[f64; 2]]| points.last().map_or(f64::NAN, |point| point[1]);
    vec![
        row("L2 error of the pressure over the largest", last(&tank.pressure), 0.003, ""),
        row("largest velocity over √(gH)", last(&tank.speed), 1.5e-3, ""),
    ]
}

impl Watch for Tank {
    fn sample(&mut self, world: &World) {
        let p = &world.particles;
        let g = -to_f64(&world.gravity)[2];
        let weight = f64::from(world.fluids[0].rest_density) * g;
        let [squares] = parallel::sum(p.len(), |i| {
            let exact = weight * (self.depth - f64::from(p.position[i].z));
            let error = f64::from(p.pressure[i]) - exact;
            [error * error]
        });
        let error = (squares / p.len() as f64).sqrt() / (weight * self.depth);
        let fastest: Real = parallel::max(p.len(), 0.0, |i| p.velocity[i].amax());
        let audit = Audit::new(world);
        (self.spacing, self.weight) = (f64::from(world.spacing()), weight);
        self.pressure.push([world.time, error]);
        self.speed.push([world.time, f64::from(fastest) / (g * self.depth).sqrt()]);
        self.energy.push([world.time, audit.kinetic_energy / (audit.mass * g * self.depth)]);
        let place = |i: usize| [f64::from(p.position[i].z), f64::from(p.pressure[i])];
        self.profile = (0..p.len()).map(place).collect();
        self.profile.sort_by(|a, b| a[0].total_cmp(&b[0]));
    }

    fn findings(&self, samples: &Samples) -> Findings {
        let [pressure, energy, profile] = [&self.pressure, &self.energy, &self.profile]
            .map(|points| measured_line("particles", Curve::new(points.clone())));
        let exact = Curve::new(vec![[0.0, self.weight * self.depth], [self.depth, 0.0]]);
        let at_the_end = Panel {
            title: "Pressure at the end",
            x: "height [m]",
            y: "pressure [Pa]",
            log: false,
            lines: vec![reference_line("exact", exact), profile],
        };
        let panels = vec![
            at_the_end,
            over_time("Error of the pressure over the largest", "error", vec![pressure]),
            Panel { log: true, ..over_time("Kinetic energy over m g H", "energy", vec![energy]) },
        ];
        Findings { measured: (self.judge)(self, samples), panels }
    }
}
