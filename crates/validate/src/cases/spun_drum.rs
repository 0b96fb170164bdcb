//! Oil in a drum that turns: it comes to turn as a whole with the drum, and nothing brakes it at
//! the wall, the floor or the free surface.
//!
//! Its angular velocity is that of its angular momentum, Σ (x × v)/Σ r² about the axis.

use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::{parallel, to_f64};
use hashfall_output::curves::Curve;
use hashfall_output::plot::{Line, Panel};
use hashfall_sph::world::World;

/// The case.
pub const CASE: Case = Case {
    name: "spun_drum",
    about: "Oil in a drum that turns comes to turn with it",
    scene: include_str!("../../scenes/spun_drum.ron"),
    is_quick: true,
    meshes: &[
        ("../meshes/drum_filling.obj", include_bytes!("../../meshes/drum_filling.obj")),
        ("../meshes/drum.obj", include_bytes!("../../meshes/drum.obj")),
    ],
    watch: || Box::new(Drum::default()),
};

/// Of the drum \[rad/s\].
const SPIN: f64 = 432.0 / 180.0 * std::f64::consts::PI;
/// The oil has come to turn by then \[s\].
const FROM: f64 = 2.5;

#[derive(Default)]
struct Drum {
    /// Time \[s\] and angular velocity over that of the drum \[–\].
    spin: Vec<[f64; 2]>,
}

impl Watch for Drum {
    fn sample(&mut self, world: &World) {
        let p = &world.particles;
        let [momentum, inertia] = parallel::sum(p.len(), |i| {
            let ([x, y, _], [u, v, _]) = (to_f64(&p.position[i]), to_f64(&p.velocity[i]));
            [x * v - y * u, x * x + y * y]
        });
        self.spin.push([world.time, momentum / inertia / SPIN]);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let spin = Curve::new(self.spin.clone());
        let measured = vec![Measured {
            quantity: "angular velocity over that of the drum",
            value: spin.part(FROM, f64::INFINITY).mean(),
            reference: Some(1.0),
            goal: Goal::Within(0.995, 1.005),
            unit: "",
        }];
        let lines = vec![Line { label: "oil", is_reference: false, curve: spin }];
        let title = "Angular velocity over that of the drum";
        let panels = vec![Panel { title, x: "time [s]", y: "velocity", log: false, lines }];
        Findings { measured, panels }
    }
}
