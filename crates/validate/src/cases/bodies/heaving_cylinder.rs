//! A cylinder that floats half in water heaves after it is let go: how long a swing takes, and how
//! much of it the waves take away.
//!
//! The reference is linear theory: the forces at each frequency of Ursell 1949, and from them the
//! motion of Maskell & Ursell 1970; a script beside the tables computes both. The same is measured
//! of both motions: the time between the first two lowest points is a period T, and of the three
//! turns z₁, z₂, z₃ up to then the way falls by q = (z₂ − z₃)/(z₂ − z₁) in half a swing, which is a
//! part −ln q/√(π² + ln² q) of critical damping.

use super::track::{Track, extremes};
use crate::cases::panels::{measured_line, over_time, reference_line};
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_output::curves::Curve;
use hashfall_sph::world::World;
use std::f64::consts::PI;

/// The case.
pub const CASE: Case = Case {
    name: "heaving_cylinder",
    about: "A floating cylinder heaves as Ursell's theory has it",
    scene: include_str!("../../../scenes/heaving_cylinder.ron"),
    is_quick: false,
    meshes: &[],
    watch: || Box::new(Cylinder { track: Track::new(1) }),
};

/// The height over that at the start by time over √(R/g).
const THEORY: &str = include_str!("../../../data/heaving_cylinder_motion.csv");
/// R \[m\] and g \[m/s²\].
const RADIUS: f64 = 0.1;
const GRAVITY: f64 = 9.81;
/// When it is let go \[s\], and how far above its place \[m\].
const START: f64 = 0.5;
const LIFT: f64 = 0.02;

struct Cylinder {
    track: Track,
}

/// T \[s\] and the part of critical damping \[–\].
fn swing(height: &Curve) -> [f64; 2] {
    match extremes(height)[..] {
        [[start, z1], [_, z2], [end, z3], ..] => {
            let log = ((z2 - z3) / (z2 - z1)).ln();
            [end - start, -log / PI.hypot(log)]
        }
        _ => [f64::NAN; 2],
    }
}

fn theory() -> Curve {
    let unit = (RADIUS / GRAVITY).sqrt();
    Curve::from_csv(THEORY, "t", "z").map(|[t, z]| [START + unit * t, LIFT * z])
}

impl Watch for Cylinder {
    fn sample(&mut self, world: &World) {
        self.track.push(world);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let height = self.track.height().part(START, f64::INFINITY);
        let ([period, damping], known) = (swing(&height), swing(&theory()));
        let row = |quantity, value: f64, known: f64, part, unit| {
            let goal = Goal::Within(known * (1.0 - part), known * (1.0 + part));
            Measured { quantity, value, reference: Some(known), goal, unit }
        };
        let measured = vec![
            row("period", period, known[0], 0.03, "s"),
            row("part of critical damping", damping, known[1], 0.1, ""),
        ];
        let place = height.points().first().map_or(f64::NAN, |point| point[1]) - LIFT;
        let end = height.points().last().map_or(f64::NAN, |point| point[0]);
        let moved = height.map(|[t, z]| [t, z - place]);
        let lines = vec![
            reference_line("linear theory", theory().part(START, end)),
            measured_line("cylinder", moved),
        ];
        let panels = vec![over_time("Heave", "height above its place [m]", lines)];
        Findings { measured, panels }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damped_swing_has_its_period_and_damping() {
        let (damping, omega) = (0.17f64, 9.0);
        let free = omega * (1.0 - damping * damping).sqrt();
        let z = |t: f64| {
            let ratio = damping * omega / free;
            1.0 + (-damping * omega * t).exp() * ((free * t).cos() + ratio * (free * t).sin())
        };
        let curve = Curve::new((1..400).map(|k| 0.005 * f64::from(k)).map(|t| [t, z(t)]).collect());
        let [period, found] = swing(&curve);
        assert!((period - 2.0 * PI / free).abs() < 1e-3 && (found - damping).abs() < 1e-3);
    }

    #[test]
    fn theory_is_near_one_mass_with_the_forces_at_its_frequency() {
        // Where the water adds 0.5957 of the mass displaced, and takes 0.522 times the frequency:
        // K (1 + 0.5957) = 4/π.
        let [period, damping] = swing(&theory());
        let known = 2.0 * PI * (RADIUS / GRAVITY / 0.798).sqrt();
        assert!((period / known - 1.0).abs() < 0.03, "{period} for {known}");
        assert!((damping / 0.163 - 1.0).abs() < 0.2, "{damping}");
    }
}
