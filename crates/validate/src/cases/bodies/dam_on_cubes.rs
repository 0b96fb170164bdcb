//! A dam breaks on cubes: how the one on top moves along the flume.
//!
//! Canelas, Crespo, Domínguez, Ferreira & Gómez-Gesteira, SPH-DCDEM model for arbitrary geometries
//! in free surface solid-fluid flows, Comput. Phys. Commun. 202 (2016), experiment. The record of
//! six cubes starts 19 mm before where they stand, and is compared as it is.

use super::track::Track;
use crate::cases::panels::{measured_line, over_time, reference_line};
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_output::curves::Curve;
use hashfall_sph::world::World;

/// One cube.
pub const ONE: Case = Case {
    name: "dam_on_cubes_1",
    about: "A dam breaks on a cube (Canelas et al. 2016)",
    scene: include_str!("../../../scenes/dam_on_cubes_1.ron"),
    is_quick: false,
    meshes: &[],
    watch: || Box::new(Cube { track: Track::new(2), record: RECORDS[0], error: 0.05 }),
};

/// A pile of three.
pub const THREE: Case = Case {
    name: "dam_on_cubes_3",
    about: "A dam breaks on a pile of three cubes (Canelas et al. 2016)",
    scene: include_str!("../../../scenes/dam_on_cubes_3.ron"),
    is_quick: false,
    meshes: &[],
    watch: || Box::new(Cube { track: Track::new(4), record: RECORDS[1], error: 0.03 }),
};

/// A pyramid of six.
pub const SIX: Case = Case {
    name: "dam_on_cubes_6",
    about: "A dam breaks on a pyramid of six cubes (Canelas et al. 2016)",
    scene: include_str!("../../../scenes/dam_on_cubes_6.ron"),
    is_quick: false,
    meshes: &[],
    watch: || Box::new(Cube { track: Track::new(7), record: RECORDS[2], error: 0.05 }),
};

const RECORDS: [&str; 3] = [
    include_str!("../../../data/canelas_2016_one.csv"),
    include_str!("../../../data/canelas_2016_three.csv"),
    include_str!("../../../data/canelas_2016_six.csv"),
];

/// The cube that is watched: the one on top.
struct Cube {
    track: Track,
    record: &'static str,
    /// The root of the mean square error that it may have \[m\].
    error: f64,
}

impl Watch for Cube {
    fn sample(&mut self, world: &World) {
        self.track.push(world);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let x = self.track.curve(|state| state.position.x);
        let record = Curve::from_csv(self.record, "t_s", "x_m").part(0.0, f64::INFINITY);
        let measured = vec![Measured {
            quantity: "RMS error of x of the top cube",
            value: x.rms(&record, 0.0),
            reference: None,
            goal: Goal::AtMost(self.error),
            unit: "m",
        }];
        let way = vec![reference_line("experiment", record), measured_line("top cube", x)];
        let height = vec![measured_line("top cube", self.track.height())];
        let panels = vec![
            over_time("Distance from the gate", "x [m]", way),
            over_time("Height", "z [m]", height),
        ];
        Findings { measured, panels }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_records_are_those_of_the_literature() {
        let known = [
            [(1.0, 2.129), (1.5, 3.073)],
            [(1.3, 1.942), (1.5, 2.195)],
            [(1.5, 2.090), (1.7, 2.374)],
        ];
        for (record, points) in RECORDS.into_iter().zip(known) {
            let curve = Curve::from_csv(record, "t_s", "x_m");
            for (t, x) in points {
                let found = curve.at(t).unwrap();
                assert!((found - x).abs() < 0.003, "{found} m for {x} m at {t} s");
            }
        }
    }
}
