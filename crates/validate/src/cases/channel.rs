//! Flow along channels that fluid sticks to, from rest: between two plates, of which one moves or
//! which a force drives it along, and in a square duct.
//!
//! The series are those of Morris, Fox & Zhu (1997), eq. 25 and 28, and the double series alike for
//! the square.
//!
//! Symbols: L width \[m\], V speed of the upper plate \[m/s\], F acceleration along the channel
//! \[m/s²\], ν kinematic viscosity \[m²/s\].

use super::panels::{measured_line, over_time, reference_line};
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::{parallel, to_f64};
use hashfall_output::curves::Curve;
use hashfall_output::plot::Panel;
use hashfall_sph::world::World;
use std::f64::consts::PI;

/// The case with a plate that moves, by the weakly compressible solver.
pub const COUETTE: Case = Case {
    name: "couette",
    about: "Flow between two plates, one of which moves, is a straight line",
    scene: include_str!("../../scenes/couette.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Channel::new(|[_, z], t| MICRO.dragged(z, t), 0.0002)),
};

/// The case with a force along the plates, by the weakly compressible solver.
pub const POISEUILLE: Case = Case {
    name: "poiseuille",
    about: "Flow between two plates, driven along them, is a parabola",
    scene: include_str!("../../scenes/poiseuille.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Channel::new(|[_, z], t| MICRO.driven(z, t), 0.005)),
};

/// The case with a force along the plates, by the default solver.
pub const PLANE: Case = Case {
    name: "plane_channel",
    about: "Flow between two plates by the default solver is a parabola",
    scene: include_str!("../../scenes/plane_channel.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Channel::new(|[_, z], t| OIL.driven(z, t), 0.004)),
};

/// The case in a square, by the default solver.
pub const SQUARE: Case = Case {
    name: "square_duct",
    about: "Flow in a square duct by the default solver is that of the series",
    scene: include_str!("../../scenes/square_duct.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Channel::new(|at, t| OIL.driven_in_square(at, t), 0.01)),
};

/// What a channel and its fluid are.
struct Flow {
    width: f64,
    /// Speed V of the upper plate, of [`Flow::dragged`].
    speed: f64,
    force: f64,
    viscosity: f64,
}

/// That of Morris et al.
const MICRO: Flow = Flow { width: 1e-3, speed: 1.25e-5, force: 1e-4, viscosity: 1e-6 };
const OIL: Flow = Flow { width: 1.0, speed: 0.0, force: 0.8, viscosity: 0.1 };

/// Terms of the series; those that follow have died out by the first sample, or come to less than
/// 1e-4.
const TERMS: i32 = 30;

impl Flow {
    /// The n-th wavenumber across \[1/m\].
    fn wavenumber(&self, n: i32) -> f64 {
        f64::from(n) * PI / self.width
    }

    /// How far a wave of squared number `square` \[1/m²\] has come, over its force \[s\].
    fn grown(&self, square: f64, time: f64) -> f64 {
        let rate = self.viscosity * square;
        -(-rate * time).exp_m1() / rate
    }

    /// Velocity between plates of which the upper moves.
    fn dragged(&self, z: f64, time: f64) -> f64 {
        let term = |n: i32| {
            let k = self.wavenumber(n);
            let sign = if n % 2 == 0 { 1.0 } else { -1.0 };
            let decay = (-self.viscosity * k * k * time).exp();
            2.0 * self.speed / (f64::from(n) * PI) * sign * (k * z).sin() * decay
        };
        self.speed * z / self.width + (1..2 * TERMS).map(term).sum::<f64>()
    }

    /// Velocity between plates that a force drives fluid along.
    fn driven(&self, z: f64, time: f64) -> f64 {
        let term = |n: i32| {
            let k = self.wavenumber(2 * n + 1);
            4.0 * self.force / (k * self.width) * self.grown(k * k, time) * (k * z).sin()
        };
        (0..TERMS).map(term).sum()
    }

    /// Velocity in a square duct that a force drives fluid along.
    fn driven_in_square(&self, [y, z]: [f64; 2], time: f64) -> f64 {
        let waves = || (0..TERMS).map(|n| self.wavenumber(2 * n + 1));
        let term = |k: f64, l: f64| {
            let share = 16.0 * self.force / (k * l * self.width * self.width);
            share * self.grown(k * k + l * l, time) * (k * y).sin() * (l * z).sin()
        };
        waves().flat_map(|k| waves().map(move |l| term(k, l))).sum()
    }
}

/// Velocity at a place across \[m\] and a time \[s\].
type Profile = fn([f64; 2], f64) -> f64;

struct Channel {
    exact: Profile,
    /// Goal of the error \[–\].
    most: f64,
    /// Time \[s\] and error: root of the squares' sum over that of the exact velocities \[–\].
    error: Vec<[f64; 2]>,
    /// Exact velocity and velocity \[m/s\] of each particle at the end.
    profile: Vec<[f64; 2]>,
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
            let [_, y, z] = to_f64(&p.position[i]);
            [exact([y, z], world.time), f64::from(p.velocity[i].x)]
        };
        let [errors, squares] = parallel::sum(p.len(), |i| {
            let [exact, u] = at(i);
            [(u - exact) * (u - exact), exact * exact]
        });
        if squares > 0.0 {
            self.error.push([world.time, (errors / squares).sqrt()]);
        }
        self.profile = (0..p.len()).map(at).collect();
        self.profile.sort_by(|a, b| a[0].total_cmp(&b[0]));
    }

    fn findings(&self, _: &Samples) -> Findings {
        let row = Measured {
            quantity: "L2 error of the velocities at the end",
            value: self.error.last().map_or(f64::NAN, |point| point[1]),
            reference: None,
            goal: Goal::AtMost(self.most),
            unit: "",
        };
        let profile = Curve::new(self.profile.clone());
        let exact = profile.map(|[exact, _]| [exact, exact]);
        let error = measured_line("all particles", Curve::new(self.error.clone()));
        let panels = vec![
            Panel {
                title: "Velocity at the end",
                x: "exact velocity [m/s]",
                y: "velocity [m/s]",
                log: false,
                lines: vec![reference_line("exact", exact), measured_line("particles", profile)],
            },
            over_time("L2 error of the velocities", "error", vec![error]),
        ];
        Findings { measured: vec![row], panels }
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
            let middle = 0.5 * MICRO.width;
            assert!((MICRO.driven(middle, time) / driven - 1.0).abs() < 1e-4, "{time}");
            assert!((MICRO.dragged(middle, time) / dragged - 1.0).abs() < 1e-4, "{time}");
        }
    }

    #[test]
    fn flow_starts_with_the_force_and_ends_with_the_known_profiles() {
        let middle = |t: f64| [OIL.driven(0.5, t), OIL.driven_in_square([0.5, 0.5], t)];
        for velocity in middle(0.01) {
            assert!((velocity / (OIL.force * 0.01) - 1.0).abs() < 0.02, "{velocity}");
        }
        let [plates, square] = middle(100.0).map(|u| u * OIL.viscosity / OIL.force);
        assert!((plates * 8.0 - 1.0).abs() < 1e-3, "{plates}");
        // 0.07367 F L²/ν (White, Viscous Fluid Flow).
        assert!((square - 0.07367).abs() < 1e-4, "{square}");
    }
}
