//! Communicating vessels: water in two arms that a channel joins swings about one level, as a water
//! line of length L = 1.1 m would, with half a period of π √(L/(2g)).
//!
//! The difference of the levels is that of the fluid's area in the two arms over their width; half
//! a period is the mean time between its zeros.

use super::panels::{measured_line, over_time};
use super::zeros::period_by_zeros;
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::{parallel, to_f64};
use hashfall_output::curves::Curve;
use hashfall_sph::world::World;

/// The case of arms of 5 particles across.
pub const CASE: Case = Case {
    name: "u_tube",
    about: "Levels of communicating vessels, 5 particles across, swing as a water line",
    scene: include_str!("../../scenes/u_tube.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Vessels { tolerance: 0.1, difference: Vec::new() }),
};

/// The case of arms of 10 particles across.
pub const FINE: Case = Case {
    name: "u_tube_fine",
    about: "Levels of communicating vessels, 10 particles across, swing as a water line",
    scene: include_str!("../../scenes/u_tube_fine.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Vessels { tolerance: 0.03, difference: Vec::new() }),
};

/// Width of an arm, and where the arms begin \[m\].
const WIDTH: f64 = 0.1;
const FLOOR: f64 = 0.1;
const MIDDLE: f64 = 0.25;
/// π √(L/(2g)) \[s\].
const HALF_PERIOD: f64 = 0.744;

struct Vessels {
    /// Goal of half a period: how far it may be off \[–\].
    tolerance: f64,
    /// Time \[s\] and how much higher the left level is \[m\].
    difference: Vec<[f64; 2]>,
}

impl Watch for Vessels {
    fn sample(&mut self, world: &World) {
        let p = &world.particles;
        let [more] = parallel::sum(p.len(), |i| {
            let [x, _, z] = to_f64(&p.position[i]);
            [if z > FLOOR { (MIDDLE - x).signum() } else { 0.0 }]
        });
        let area = f64::from(world.particle_volume());
        self.difference.push([world.time, more * area / WIDTH]);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let difference = Curve::new(self.difference.clone());
        let close = [1.0 - self.tolerance, 1.0 + self.tolerance].map(|part| part * HALF_PERIOD);
        let row = Measured {
            quantity: "half a period",
            value: 0.5 * period_by_zeros(&difference),
            reference: Some(HALF_PERIOD),
            goal: Goal::Within(close[0], close[1]),
            unit: "s",
        };
        let lines = vec![measured_line("particles", difference)];
        let panels = vec![over_time("Difference of the levels", "difference [m]", lines)];
        Findings { measured: vec![row], panels }
    }
}
