//! A square prism that floats: of half the density of the fluid on an edge, of a quarter tilted,
//! of less upright.
//!
//! It starts with a tilt of 10°. What is measured is the mean of the last seconds: the tilt, which
//! is the angle of a side to the level, at most 45°; and how far the centre is from the height over
//! the level that the least potential energy gives.

use super::track::Track;
use crate::cases::panels::{measured_line, over_time, reference_line};
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_output::curves::Curve;
use hashfall_solid::BodyState;
use hashfall_sph::world::World;

/// Upright.
pub const UPRIGHT: Case = Case {
    name: "floating_prism_15",
    about: "A square prism of 0.15 of the fluid's density floats upright",
    scene: include_str!("../../../scenes/floating_prism_15.ron"),
    is_quick: false,
    meshes: &[],
    watch: || Box::new(Prism::new(0.15)),
};

/// Tilted.
pub const TILTED: Case = Case {
    name: "floating_prism_25",
    about: "A square prism of a quarter of the fluid's density floats tilted",
    scene: include_str!("../../../scenes/floating_prism_25.ron"),
    is_quick: false,
    meshes: &[],
    watch: || Box::new(Prism::new(0.25)),
};

/// On an edge.
pub const ON_EDGE: Case = Case {
    name: "floating_prism_50",
    about: "A square prism of half the fluid's density floats on an edge",
    scene: include_str!("../../../scenes/floating_prism_50.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Prism::new(0.5)),
};

/// Tilt and height of the centre over the level by the relative density.
const EXACT: &str = include_str!("../../../data/floating_square_prism_tilt.csv");
/// The side \[m\], and the tilt at the start \[°\].
const SIDE: f64 = 0.4;
const START: f64 = 10.0;
/// The last while, over which means are taken \[s\].
const LAST: f64 = 5.0;
/// The probes of the level.
const PROBES: [&str; 3] = ["left", "between", "right"];

struct Prism {
    relative_density: f64,
    track: Track,
    /// Spacing d \[m\].
    spacing: f64,
}

impl Prism {
    fn new(relative_density: f64) -> Self {
        Prism { relative_density, track: Track::new(1), spacing: f64::NAN }
    }

    fn exact(&self, column: &str) -> f64 {
        let table = Curve::from_csv(EXACT, "relative_density", column);
        table.at(self.relative_density).unwrap_or(f64::NAN)
    }
}

/// The least angle between a side and the level \[°\].
fn tilt(state: &BodyState) -> f64 {
    let turn = state.orientation.matrix();
    let (x, z) = (turn[(0, 0)], turn[(2, 0)]);
    let turned = START + z.atan2(x).to_degrees();
    (turned - 90.0 * (turned / 90.0).round()).abs()
}

impl Watch for Prism {
    fn sample(&mut self, world: &World) {
        self.spacing = f64::from(world.spacing());
        self.track.push(world);
    }

    fn findings(&self, samples: &Samples) -> Findings {
        let tilts = self.track.curve(tilt);
        let end = tilts.points().last().map_or(f64::NAN, |point| point[0]);
        let late = |curve: &Curve| curve.part(end - LAST, end).mean();
        let levels = PROBES.map(|probe| samples.curve(probe));
        let level = |t: f64| levels.iter().filter_map(|level| level.at(t)).sum::<f64>() / 3.0;
        let over_level = self.track.height().map(|[t, z]| [t, (z - level(t)) / SIDE]);
        let (angle, height) = (self.exact("tilt_deg"), self.exact("centre_above_waterline"));
        let measured = vec![
            Measured {
                quantity: "tilt at the end",
                value: late(&tilts),
                reference: Some(angle),
                goal: Goal::Within((angle - 2.0).max(0.0), angle + 2.0),
                unit: "°",
            },
            Measured {
                quantity: "error of the draught",
                value: (late(&over_level) - height).abs() * SIDE / self.spacing,
                reference: None,
                goal: Goal::AtMost(0.1),
                unit: "spacings",
            },
        ];
        let exact =
            |value| reference_line("least energy", Curve::new(vec![[0.0, value], [end, value]]));
        let panels = vec![
            over_time("Tilt", "tilt [°]", vec![exact(angle), measured_line("prism", tilts)]),
            over_time(
                "Centre over the level",
                "height over the side",
                vec![exact(height), measured_line("prism", over_level)],
            ),
        ];
        Findings { measured, panels }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_bodies::AxisRotation;
    use hashfall_geometry::Point;

    #[test]
    fn a_square_tilts_by_45_degrees_at_the_most() {
        for (turn, known) in [(0.0f64, 10.0), (-10.0, 0.0), (35.0, 45.0), (40.0, 40.0), (80.0, 0.0)]
        {
            let orientation = AxisRotation::from_degrees(&-Point::y(), turn).matrix().into();
            let state = BodyState { orientation, ..BodyState::at_rest(Point::zeros()) };
            assert!((tilt(&state) - known).abs() < 1e-9, "{turn}");
        }
    }

    #[test]
    fn the_table_is_that_of_the_literature() {
        // Stable while tilted: tan² = 2 - 1/(…); at a quarter tan = 1/2.
        let quarter = Prism::new(0.25);
        assert!((quarter.exact("tilt_deg") - 0.5f64.atan().to_degrees()).abs() < 1e-3);
        assert!((quarter.exact("centre_above_waterline") - 0.1 * 5f64.sqrt()).abs() < 1e-5);
        assert_eq!(Prism::new(0.5).exact("tilt_deg"), 45.0);
        assert_eq!(Prism::new(0.15).exact("centre_above_waterline"), 0.35);
    }
}
