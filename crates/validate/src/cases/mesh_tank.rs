//! Still water in a closed tank of triangles: its level, and whether any of it gets through.
//!
//! The tank is a solid with a hollow, a mesh of two shells; a particle has leaked if its centre
//! lies beyond the inner one. At rest the level is the top of the lattice that the water starts as.

use super::kept::volume_kept;
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::{Real, parallel, to_f64};
use hashfall_output::curves::Curve;
use hashfall_output::plot::{Line, Panel};
use hashfall_sph::step::StepReport;
use hashfall_sph::world::{Audit, World};

/// The case.
pub const CASE: Case = Case {
    name: "mesh_tank",
    about: "Still water in a closed tank of triangles keeps its level and does not leak",
    scene: include_str!("../../scenes/mesh_tank.ron"),
    is_quick: true,
    meshes: &[("../meshes/hollow_box.obj", include_bytes!("../../meshes/hollow_box.obj"))],
    watch: || Box::new(Tank::default()),
};

/// The tank's inside \[m\].
const INSIDE: [[Real; 3]; 2] = [[0.1, 0.1, 0.1], [0.5, 0.5, 0.6]];
/// The level at rest, and the depth of the water \[m\].
const LEVEL: f64 = 0.5;
const DEPTH: f64 = 0.4;
/// The last while, over which the level is taken \[s\].
const LAST: f64 = 1.0;
/// The probes of the level.
const PROBES: [&str; 3] = ["middle", "corner", "wall"];

#[derive(Default)]
struct Tank {
    /// Spacing d \[m\].
    spacing: f64,
    /// The most particles that were seen outside at a time.
    leaked: f64,
    /// The least volume of any step, as part of that at rest \[–\].
    volume: Option<f64>,
    /// Time \[s\] and kinetic energy as part of m g H \[–\].
    motion: Vec<[f64; 2]>,
}

impl Watch for Tank {
    fn step(&mut self, world: &World, _: &StepReport) {
        let volume = volume_kept(world);
        self.volume = Some(self.volume.map_or(volume, |least| least.min(volume)));
    }

    fn sample(&mut self, world: &World) {
        self.spacing = f64::from(world.spacing());
        let positions = &world.particles.position;
        let [low, high] = INSIDE;
        let [leaked] = parallel::sum(positions.len(), |i| {
            let x = &positions[i];
            let within = (0..3).all(|a| (low[a]..=high[a]).contains(&x[a]));
            [if within { 0.0 } else { 1.0 }]
        });
        self.leaked = self.leaked.max(leaked);
        let audit = Audit::new(world);
        let gravity = to_f64(&world.gravity)[2].abs();
        self.motion.push([world.time, audit.kinetic_energy / (audit.mass * gravity * DEPTH)]);
    }

    fn findings(&self, samples: &Samples) -> Findings {
        let levels = PROBES.map(|probe| samples.curve(probe));
        let end = self.motion.last().map_or(f64::NAN, |point| point[0]);
        let late = |curve: &Curve| curve.part(end - LAST, end).mean();
        let level = levels.iter().map(late).sum::<f64>() / PROBES.len() as f64;
        let error = |quantity, value, most, unit| {
            let goal = Goal::AtMost(most);
            Measured { quantity, value, reference: None, goal, unit }
        };
        let motion = Curve::new(self.motion.clone());
        let measured = vec![
            error("error of the level", (level - LEVEL).abs() / self.spacing, 0.1, "spacings"),
            error("particles that leaked", self.leaked, 0.0, ""),
            error("kinetic energy over m g H at the end", late(&motion), 1e-6, ""),
            Measured {
                quantity: "least volume of any step",
                value: self.volume.unwrap_or(f64::NAN),
                reference: Some(1.0),
                goal: Goal::Within(0.995, 1.0),
                unit: "of that at rest",
            },
        ];
        let at_rest = Curve::new(vec![[0.0, LEVEL], [end, LEVEL]]);
        let mut lines = vec![Line { label: "at rest", is_reference: true, curve: at_rest }];
        lines.extend(PROBES.into_iter().zip(levels).map(|(label, curve)| Line {
            label,
            is_reference: false,
            curve,
        }));
        let moving = vec![Line { label: "all particles", is_reference: false, curve: motion }];
        let panels = vec![
            Panel { title: "Level of the water", x: "time [s]", y: "level [m]", log: false, lines },
            Panel {
                title: "Kinetic energy over m g H",
                x: "time [s]",
                y: "energy ratio",
                log: false,
                lines: moving,
            },
        ];
        Findings { measured, panels }
    }
}
