//! Flow between two plates, from rest: the series of Morris, Fox & Zhu (1997), eq. 25 and 28.
//!
//! Symbols: L distance of the plates \[m\], V speed of the upper one \[m/s\], F acceleration along
//! them \[m/s²\], ν kinematic viscosity \[m²/s\].

use crate::validate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::{parallel, to_f64};
use hashfall_output::curves::Curve;
use hashfall_output::plot::{Line, Panel};
use hashfall_sph::world::World;
use std::f64::consts::PI;

/// The case with a plate that moves.
pub const COUETTE: Case = Case {
    name: "couette",
    about: "Flow between two plates, one of which moves, is a straight line",
    scene: include_str!("../../../scenes/validation/couette.ron"),
    meshes: &[],
    watch: || Box::new(Channel::new(couette, 0.0002)),
};

/// The case with a force along the plates.
pub const POISEUILLE: Case = Case {
    name: "poiseuille",
    about: "Flow between two plates, driven along them, is a parabola",
    scene: include_str!("../../../scenes/validation/poiseuille.ron"),
    meshes: &[],
    watch: || Box::new(Channel::new(poiseuille, 0.005)),
};

const DISTANCE: f64 = 1e-3;
const SPEED: f64 = 1.25e-5;
const FORCE: f64 = 1e-4;
const VISCOSITY: f64 = 1e-6;
/// Terms of the series; those that follow have died out by the first sample.
const TERMS: i32 = 60;

/// Velocity at a height and a time.
type Profile = fn(f64, f64) -> f64;

fn couette(z: f64, time: f64) -> f64 {
    let term = |n: i32| {
        let k = f64::from(n) * PI / DISTANCE;
        let sign = if n % 2 == 0 { 1.0 } else { -1.0 };
        let decay = (-VISCOSITY * k * k * time).exp();
        2.0 * SPEED / (f64::from(n) * PI) * sign * (k * z).sin() * decay
    };
    SPEED * z / DISTANCE + (1..TERMS).map(term).sum::<f64>()
}

fn poiseuille(z: f64, time: f64) -> f64 {
    let term = |n: i32| {
        let k = f64::from(2 * n + 1) * PI / DISTANCE;
        let decay = (-VISCOSITY * k * k * time).exp();
        4.0 * FORCE / (VISCOSITY * DISTANCE * k * k * k) * (k * z).sin() * decay
    };
    FORCE / (2.0 * VISCOSITY) * z * (DISTANCE - z) - (0..TERMS).map(term).sum::<f64>()
}

struct Channel {
    exact: Profile,
    /// Goal of the error \[–\].
    most: f64,
    /// Time \[s\] and error: root of the squares' sum over that of the exact velocities \[–\].
    error: Vec<[f64; 2]>,
    /// Height \[m\], velocity and exact velocity \[m/s\] of each particle at the end.
    profile: Vec<[f64; 3]>,
}

impl Channel {
    fn new(exact: Profile, most: f64) -> Self {
        Channel { exact, most, error: Vec::new(), profile: Vec::new() }
    }
}

impl Watch for Channel {
    fn sample(&mut self, world: &World) {
        let (p, exact) = (&world.particles, self.exact);
        let at = |i: usize| {
            let (z, u) = (to_f64(&p.position[i])[2], to_f64(&p.velocity[i])[0]);
            [z, u, exact(z, world.time)]
        };
        let [errors, squares] = parallel::sum(p.len(), |i| {
            let [_, u, exact] = at(i);
            [(u - exact) * (u - exact), exact * exact]
        });
        if squares > 0.0 {
            self.error.push([world.time, (errors / squares).sqrt()]);
        }
        self.profile = (0..p.len()).map(at).collect();
        self.profile.sort_by(|a, b| a[0].total_cmp(&b[0]));
    }

    fn findings(&self, _: &Samples) -> Findings {
        let measured = vec![Measured {
            quantity: "L2 error of the velocities at the end",
            value: self.error.last().map_or(f64::NAN, |point| point[1]),
            reference: None,
            goal: Goal::AtMost(self.most),
            unit: "",
        }];
        let column =
            |k: usize| Curve::new(self.profile.iter().map(|row| [row[0], row[k]]).collect());
        let line = |label, is_reference, curve| Line { label, is_reference, curve };
        let panels = vec![
            Panel {
                title: "Velocity at the end",
                x: "height [m]",
                y: "velocity [m/s]",
                log: false,
                lines: vec![line("exact", true, column(2)), line("particles", false, column(1))],
            },
            Panel {
                title: "L2 error of the velocities",
                x: "time [s]",
                y: "error",
                log: false,
                lines: vec![line("all particles", false, Curve::new(self.error.clone()))],
            },
        ];
        Findings { measured, panels }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_series_are_those_of_the_paper() {
        // Values in the middle, as Morris et al. 1997 print them.
        for (time, driven, dragged) in [
            (0.0225, 2.2327e-6, 2.3028e-7),
            (0.045, 4.2346e-6, 1.1948e-6),
            (0.1125, 8.2499e-6, 3.6284e-6),
            (0.225, 1.1100e-5, 5.3863e-6),
            (1.0, 1.2499e-5, 6.2496e-6),
        ] {
            let middle = 0.5 * DISTANCE;
            assert!((poiseuille(middle, time) / driven - 1.0).abs() < 1e-4, "{time}");
            assert!((couette(middle, time) / dragged - 1.0).abs() < 1e-4, "{time}");
        }
    }
}
