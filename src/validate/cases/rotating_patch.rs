//! A square of fluid that turns, free on all sides: pressure acts along the line between two
//! particles, so that it keeps angular momentum, up to rounding.

use crate::validate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::{parallel, to_f64};
use hashfall_output::curves::Curve;
use hashfall_output::plot::{Line, Panel};
use hashfall_sph::world::{Audit, World};

/// The case.
pub const CASE: Case = Case {
    name: "rotating_patch",
    about: "A square of fluid that turns keeps its angular momentum",
    scene: include_str!("../../../scenes/validation/rotating_patch.ron"),
    meshes: &[],
    watch: || Box::new(Patch::default()),
};

/// The goal: rounding of the state's precision.
const GOAL: f64 = if cfg!(feature = "f64") { 1e-10 } else { 1e-5 };

#[derive(Default)]
struct Patch {
    /// Time \[s\] and angular momentum about the y axis \[kg m²/s\].
    angular: Vec<[f64; 2]>,
    /// Time \[s\] and kinetic energy \[J\].
    energy: Vec<[f64; 2]>,
}

impl Watch for Patch {
    fn sample(&mut self, world: &World) {
        let p = &world.particles;
        let [angular] = parallel::sum(p.len(), |i| {
            let ([x, _, z], [u, _, w]) = (to_f64(&p.position[i]), to_f64(&p.velocity[i]));
            [world.particle_mass(p.phase[i]) * (z * u - x * w)]
        });
        self.angular.push([world.time, angular]);
        self.energy.push([world.time, Audit::new(world).kinetic_energy]);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let start = self.angular.first().map_or(f64::NAN, |point| point[1]);
        let angular = Curve::new(self.angular.clone());
        let change = angular.map(|[t, now]| [t, (now / start - 1.0).abs()]);
        let measured = vec![Measured {
            quantity: "change of the angular momentum",
            value: change.largest(),
            reference: None,
            goal: Goal::AtMost(GOAL),
            unit: "",
        }];
        let line = |curve| vec![Line { label: "all particles", is_reference: false, curve }];
        let panels = vec![
            Panel {
                title: "Change of the angular momentum",
                x: "time [s]",
                y: "part of the start",
                log: false,
                lines: line(change),
            },
            Panel {
                title: "Kinetic energy",
                x: "time [s]",
                y: "energy [J]",
                log: false,
                lines: line(Curve::new(self.energy.clone())),
            },
        ];
        Findings { measured, panels }
    }
}
