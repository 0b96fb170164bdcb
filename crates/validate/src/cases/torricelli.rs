//! Water runs out of a slot: in the jet below it, v = √(2 g (level − z)), Torricelli's law.
//!
//! The level is that of the particles still above the floor, spread over the tank's width. The
//! speed is the mean over a short piece of the jet, and over a while in which the flow is steady
//! and the jet has not met what lies below.

use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::{parallel, to_f64};
use hashfall_output::curves::Curve;
use hashfall_output::plot::{Line, Panel};
use hashfall_sph::world::World;

/// The case.
pub const CASE: Case = Case {
    name: "torricelli",
    about: "Water runs out of a slot with the speed of Torricelli's law",
    scene: include_str!("../../scenes/torricelli.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Jet::default()),
};

/// Width of the tank, height of its floor, and the piece of the jet that is looked at \[m\].
const WIDTH: f64 = 1.2;
const FLOOR: f64 = 0.6;
const PIECE: [f64; 2] = [0.48, 0.52];
const GRAVITY: f64 = 9.81;
/// The while \[s\].
const FROM: f64 = 0.2;
const TO: f64 = 0.5;

#[derive(Default)]
struct Jet {
    /// Time \[s\] and mean speed in the piece \[m/s\].
    speed: Vec<[f64; 2]>,
    /// Time \[s\] and the speed that the law gives \[m/s\].
    law: Vec<[f64; 2]>,
}

impl Watch for Jet {
    fn sample(&mut self, world: &World) {
        let p = &world.particles;
        let [in_tank, in_jet, speeds] = parallel::sum(p.len(), |i| {
            let ([x, _, z], v) = (to_f64(&p.position[i]), to_f64(&p.velocity[i]));
            let in_tank = z > FLOOR && x < WIDTH;
            let in_jet = (PIECE[0]..PIECE[1]).contains(&z) && x < WIDTH;
            let speed = v.map(|v| v * v).iter().sum::<f64>().sqrt();
            let [in_tank, in_jet] = [in_tank, in_jet].map(|is| f64::from(u8::from(is)));
            [in_tank, in_jet, in_jet * speed]
        });
        let level = FLOOR + in_tank * f64::from(world.particle_volume()) / WIDTH;
        let height = level - 0.5 * (PIECE[0] + PIECE[1]);
        if in_jet > 0.0 {
            self.speed.push([world.time, speeds / in_jet]);
        }
        self.law.push([world.time, (2.0 * GRAVITY * height).sqrt()]);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let (speed, law) = (Curve::new(self.speed.clone()), Curve::new(self.law.clone()));
        let ratio = speed.part(FROM, TO).mean() / law.part(FROM, TO).mean();
        let measured = vec![Measured {
            quantity: "speed of the jet over that of the law",
            value: ratio,
            reference: Some(1.0),
            goal: Goal::Within(0.98, 1.02),
            unit: "",
        }];
        let line = |label, is_reference, curve| Line { label, is_reference, curve };
        let lines = vec![line("law", true, law), line("jet", false, speed)];
        let title = "Speed of the jet 0.1 m below the slot";
        let panels = vec![Panel { title, x: "time [s]", y: "speed [m/s]", log: false, lines }];
        Findings { measured, panels }
    }
}
