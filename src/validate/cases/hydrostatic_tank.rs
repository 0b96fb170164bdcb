//! Water at rest in the plane: p = ρ₀ g (H − z), and u = 0.

use crate::validate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::{Real, parallel, to_f64};
use hashfall_output::curves::Curve;
use hashfall_output::plot::{Line, Panel};
use hashfall_sph::world::World;

/// The case.
pub const CASE: Case = Case {
    name: "hydrostatic_tank",
    about: "Pressure of water at rest grows with depth, and nothing moves",
    scene: include_str!("../../../scenes/validation/hydrostatic_tank.ron"),
    meshes: &[],
    watch: || Box::new(Tank::default()),
};

/// Depth of the water H \[m\].
const DEPTH: f64 = 0.9;

#[derive(Default)]
struct Tank {
    /// Time \[s\]; root of the mean square error of the pressure over that at the bottom \[–\].
    pressure: Vec<[f64; 2]>,
    /// Time \[s\]; largest component of a velocity over √(gH) \[–\].
    speed: Vec<[f64; 2]>,
    /// Height \[m\] and pressure \[Pa\] of each particle at the end.
    profile: Vec<[f64; 2]>,
}

impl Watch for Tank {
    fn sample(&mut self, world: &World) {
        let p = &world.particles;
        let g = -to_f64(&world.gravity)[2];
        let weight = f64::from(world.fluids[0].rest_density) * g;
        let [squares] = parallel::sum(p.len(), |i| {
            let exact = weight * (DEPTH - f64::from(p.position[i].z));
            let error = f64::from(p.pressure[i]) - exact;
            [error * error]
        });
        let error = (squares / p.len() as f64).sqrt() / (weight * DEPTH);
        let fastest: Real = parallel::max(p.len(), 0.0, |i| p.velocity[i].amax());
        self.pressure.push([world.time, error]);
        self.speed.push([world.time, f64::from(fastest) / (g * DEPTH).sqrt()]);
        let place = |i: usize| [f64::from(p.position[i].z), f64::from(p.pressure[i])];
        self.profile = (0..p.len()).map(place).collect();
        self.profile.sort_by(|a, b| a[0].total_cmp(&b[0]));
    }

    fn findings(&self, _: &Samples) -> Findings {
        let last = |points: &[[f64; 2]]| points.last().map_or(f64::NAN, |point| point[1]);
        let error = |quantity, value, most| {
            let goal = Goal::AtMost(most);
            Measured { quantity, value, reference: None, goal, unit: "" }
        };
        let measured = vec![
            error("L2 error of the pressure over the largest", last(&self.pressure), 0.003),
            error("largest velocity over √(gH)", last(&self.speed), 1.5e-3),
        ];
        let measured_line = |label, points: &[[f64; 2]]| Line {
            label,
            is_reference: false,
            curve: Curve::new(points.to_vec()),
        };
        let exact = Curve::new(vec![[0.0, 1000.0 * DEPTH], [DEPTH, 0.0]]);
        let exact = Line { label: "exact", is_reference: true, curve: exact };
        let panels = vec![
            Panel {
                title: "Pressure at the end",
                x: "height [m]",
                y: "pressure [Pa]",
                log: false,
                lines: vec![exact, measured_line("particles", &self.profile)],
            },
            Panel {
                title: "Error of the pressure over the largest",
                x: "time [s]",
                y: "error",
                log: false,
                lines: vec![measured_line("all particles", &self.pressure)],
            },
        ];
        Findings { measured, panels }
    }
}
