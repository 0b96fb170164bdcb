//! A disc that a central force keeps together swings between two ellipses: its axes obey an
//! ordinary differential equation (Monaghan & Rafiee 2013; SPHERIC Test 1), and after a period are
//! those of the start.
//!
//! The axis is measured from the outermost particle, and r.

use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::{parallel, to_f64};
use hashfall_output::curves::Curve;
use hashfall_output::plot::{Line, Panel};
use hashfall_sph::step::StepReport;
use hashfall_sph::world::{Audit, World};

/// The case.
pub const CASE: Case = Case {
    name: "oscillating_drop",
    about: "SPHERIC Test 1: a disc under a central force swings between two ellipses",
    scene: include_str!("../../scenes/oscillating_drop.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Drop::default()),
};

#[derive(Default)]
struct Drop {
    /// Time \[s\] and semi-axis along x \[m\].
    axis: Vec<[f64; 2]>,
    /// Time \[s\] and energy \[J\].
    energy: Vec<[f64; 2]>,
}

impl Watch for Drop {
    // At the end of the period the axis grows by a spacing in a tenth of a second, so each step is
    // measured, the very last among them.
    fn step(&mut self, world: &World, _: &StepReport) {
        let p = &world.particles;
        let outermost = parallel::max(p.len(), 0.0, |i| to_f64(&p.position[i])[0].abs());
        self.axis.push([world.time, outermost + f64::from(world.particle_radius)]);
    }

    fn sample(&mut self, world: &World) {
        self.energy.push([world.time, Audit::new(world).energy()]);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let axis = self.axis.last().map_or(f64::NAN, |point| point[1]);
        let error = |quantity, value: f64, most| {
            let goal = Goal::AtMost(most);
            Measured { quantity, value, reference: None, goal, unit: "" }
        };
        let text = include_str!("../../data/oscillating_drop_in_time.csv");
        let exact = Curve::from_csv(text, "t", "a");
        let drop = Curve::new(self.axis.clone());
        let largest = exact.points().iter().filter_map(|[t, a]| Some((drop.at(*t)? - a).abs()));
        let measured = vec![
            error("error of the axis after a period, over R", (axis - 1.0).abs(), 2e-4),
            error(
                "largest error of the axis on the way, over R",
                largest.fold(0.0, f64::max),
                0.01,
            ),
        ];
        let line = |label, is_reference, curve| Line { label, is_reference, curve };
        let panel = |title, y, lines| Panel { title, x: "time [s]", y, log: false, lines };
        let energy = Curve::new(self.energy.clone());
        let panels = vec![
            panel(
                "Semi-axis along x",
                "semi-axis [m]",
                vec![line("exact", true, exact), line("outermost particle", false, drop)],
            ),
            panel("Energy", "energy [J]", vec![line("all particles", false, energy)]),
        ];
        Findings { measured, panels }
    }
}
