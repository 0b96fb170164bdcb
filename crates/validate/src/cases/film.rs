//! A film on a slope that it sticks to: its mean velocity is g sin α H²/(3ν) (Nusselt 1916).
//!
//! Symbols: g sin α acceleration along the slope \[m/s²\], H thickness \[m\], ν kinematic viscosity
//! \[m²/s\].

use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::parallel;
use hashfall_output::curves::Curve;
use hashfall_output::plot::{Line, Panel};
use hashfall_sph::world::World;

/// The case in the plane.
pub const CASE: Case = Case {
    name: "film",
    about: "A film runs down a slope as fast as Nusselt's",
    scene: include_str!("../../scenes/film.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Film::default()),
};

/// The case in space.
pub const IN_SPACE: Case = Case {
    name: "film_in_space",
    about: "A film in space runs down a slope as fast as Nusselt's",
    scene: include_str!("../../scenes/film_in_space.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Film::default()),
};

const ALONG: f64 = 1.7035;
const THICKNESS: f64 = 0.04;
const VISCOSITY: f64 = 0.005;
/// It is steady from then on \[s\].
const FROM: f64 = 1.2;

#[derive(Default)]
struct Film {
    /// Time \[s\] and mean velocity over that of theory \[–\].
    speed: Vec<[f64; 2]>,
}

impl Watch for Film {
    fn sample(&mut self, world: &World) {
        let velocities = &world.particles.velocity;
        let [sum] = parallel::sum(velocities.len(), |i| [f64::from(velocities[i].x)]);
        let exact = ALONG * THICKNESS * THICKNESS / (3.0 * VISCOSITY);
        self.speed.push([world.time, sum / velocities.len() as f64 / exact]);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let speed = Curve::new(self.speed.clone());
        let measured = vec![Measured {
            quantity: "mean velocity over that of theory",
            value: speed.part(FROM, f64::INFINITY).mean(),
            reference: Some(1.0),
            goal: Goal::Within(0.98, 1.02),
            unit: "",
        }];
        let lines = vec![Line { label: "all particles", is_reference: false, curve: speed }];
        let title = "Mean velocity over that of theory";
        let panels = vec![Panel { title, x: "time [s]", y: "velocity", log: false, lines }];
        Findings { measured, panels }
    }
}
