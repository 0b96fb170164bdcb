//! A wedge of a deadrise of 30° or 20° enters still water at a constant speed V: without gravity
//! the flow is similar to itself at all times. Of a deadrise of 30° the force on both sides is
//! 14.14 ρV³t and the largest pressure 6.93 ρV²/2, of 20° 42.5 and 17.8 (Zhao & Faltinsen 1993).
//!
//! The force is that of the pressure on both faces, by probes that ride on them; its factor is that
//! of the line through the start with the least squares, and its scatter the root of the mean
//! square distance from it over the mean. The roughness of the pressure is the root of the mean
//! square of p less its mean over the 8 nearest particles or more, over the mean pressure; over the
//! particles that the wedge presses, those in a circle of what is wet about the apex. The largest
//! pressure is that of the mean profile over x/(Vt), of all readings of points on both faces, in
//! parts of a twenty-fourth of what is wet.

use super::panels::{measured_line, over_time, reference_line};
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::to_f64;
use hashfall_output::curves::Curve;
use hashfall_output::plot::Panel;
use hashfall_sph::world::World;

/// The case.
pub const CASE: Case = Case {
    name: "wedge",
    about: "A wedge that enters water bears the force of Zhao and Faltinsen",
    scene: include_str!("../../scenes/wedge.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Wedge::new(&STEEP)),
};

/// The case of a flatter wedge.
pub const FLATTER: Case = Case {
    name: "wedge_20",
    about: "A wedge of 20° that enters water bears the force of Zhao and Faltinsen",
    scene: include_str!("../../scenes/wedge_20.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Wedge::new(&FLAT)),
};

/// A deadrise and its theory.
struct Theory {
    /// F/(ρV³t).
    force: f64,
    /// The largest p/(ρV²/2).
    pressure: f64,
    /// What is wet on either side of the apex, over Vt (Wagner 1932): π/2 over the tangent.
    wet: f64,
    /// The cosine, by which a face's force is upward.
    upward: f64,
    /// Enough particles are wet from then on \[s\].
    from: f64,
}

/// 30°.
const STEEP: Theory =
    Theory { force: 14.139, pressure: 6.927, wet: 2.72, upward: 0.866_025, from: 0.05 };
/// 20°.
const FLAT: Theory =
    Theory { force: 42.485, pressure: 17.774, wet: 4.316, upward: 0.939_693, from: 0.0325 };

/// ρV³ \[N/(m s)\], and ρV²/2 \[Pa\].
const SCALE: f64 = 1000.0;
const DYNAMIC: f64 = 500.0;
/// Pressures on the faces, and the places at x/(Vt) of their mean profile.
const POINTS: usize = 24;
const PLACES: usize = 24;
/// How near neighbours are, and how many a particle must have \[spacings\], \[–\].
const NEAR: f64 = 1.6;
const NEIGHBORS: usize = 8;

struct Wedge {
    theory: &'static Theory,
    /// Time \[s\] and roughness of the pressure \[–\].
    roughness: Vec<[f64; 2]>,
}

impl Wedge {
    fn new(theory: &'static Theory) -> Self {
        Wedge { theory, roughness: Vec::new() }
    }

    /// The mean profile of p/(ρV²/2) over x/(Vt), where there are readings.
    fn profile(&self, samples: &Samples) -> Curve {
        let mut sums = [[0.0, 0.0]; PLACES];
        for point in 0..POINTS {
            // Twelve on either side, 2 cm apart.
            let x = 0.04 + 0.02 * (point % (POINTS / 2)) as f64;
            let curve = samples.curve(&format!("p{}", point + 1));
            for [t, p] in curve.part(self.theory.from, f64::INFINITY).points() {
                let place = x / (t * self.theory.wet) * PLACES as f64;
                if let Some([sum, count]) = sums.get_mut(place as usize) {
                    (*sum, *count) = (*sum + p / DYNAMIC, *count + 1.0);
                }
            }
        }
        let middle = |k: usize| (k as f64 + 0.5) * self.theory.wet / PLACES as f64;
        let means = sums.iter().enumerate().filter(|(_, [_, count])| *count > 0.0);
        Curve::new(means.map(|(k, [sum, count])| [middle(k), sum / count]).collect())
    }
}

/// The roughness of values at places in units of their spacing; NaN if no place has its
/// neighbours.
fn roughness(points: &[([f64; 2], f64)]) -> f64 {
    let (mut squares, mut sum, mut count) = (0.0, 0.0, 0.0);
    for (here, value) in points {
        let near = points.iter().filter(|(there, _)| {
            let distance = (there[0] - here[0]).hypot(there[1] - here[1]);
            distance > 0.0 && distance < NEAR
        });
        let (total, n) = near.fold((0.0, 0), |(total, n), (_, value)| (total + value, n + 1));
        if n >= NEIGHBORS {
            squares += (value - total / n as f64).powi(2);
            sum += value;
            count += 1.0;
        }
    }
    (squares / count).sqrt() / (sum / count).abs()
}

impl Watch for Wedge {
    fn sample(&mut self, world: &World) {
        if world.time < self.theory.from {
            return;
        }
        let (p, d) = (&world.particles, f64::from(world.spacing()));
        let wet = self.theory.wet * world.time;
        let pressed = (0..p.len()).filter_map(|i| {
            let [x, _, z] = to_f64(&p.position[i]);
            let is_near = x.hypot(z + world.time) < wet;
            is_near.then(|| ([x / d, z / d], f64::from(p.pressure[i])))
        });
        self.roughness.push([world.time, roughness(&pressed.collect::<Vec<_>>())]);
    }

    fn findings(&self, samples: &Samples) -> Findings {
        let Theory { force: factor, pressure, upward, from, .. } = *self.theory;
        let (left, right) = (samples.curve("left"), samples.curve("right"));
        let force = left.map(|[t, f]| [t, upward * (f + right.at(t).unwrap_or(f64::NAN))]);
        let late = force.part(from, f64::INFINITY);
        let sum =
            |of: fn([f64; 2]) -> f64| late.points().iter().map(|&point| of(point)).sum::<f64>();
        let slope = sum(|[t, f]| t * f) / sum(|[t, _]| t * t);
        let scatter = late.rms(&late.map(|[t, _]| [t, slope * t]), 0.0) / late.mean();
        let roughness = Curve::new(self.roughness.clone());
        let profile = self.profile(samples);
        let rows = vec![
            Measured {
                quantity: "force over ρV³t",
                value: slope / SCALE,
                reference: Some(factor),
                goal: Goal::Within(0.96 * factor, 1.04 * factor),
                unit: "",
            },
            Measured {
                quantity: "largest pressure over ρV²/2",
                value: profile.largest(),
                reference: Some(pressure),
                goal: Goal::Within(0.92 * pressure, 1.08 * pressure),
                unit: "",
            },
            Measured {
                quantity: "scatter of the force",
                value: scatter,
                reference: None,
                goal: Goal::AtMost(0.05),
                unit: "",
            },
            Measured {
                quantity: "mean roughness of the pressure",
                value: roughness.mean(),
                reference: None,
                goal: Goal::AtMost(0.1),
                unit: "",
            },
        ];
        let theory = force.map(|[t, _]| [t, factor * SCALE * t]);
        let lines =
            vec![reference_line("Zhao & Faltinsen 1993", theory), measured_line("probes", force)];
        let span = profile.points().last().map_or(self.theory.wet, |point| point[0]);
        let top = Curve::new(vec![[0.0, pressure], [span, pressure]]);
        let pressures = Panel {
            title: "Mean pressure on the faces",
            x: "x/(Vt)",
            y: "pressure over ρV²/2",
            log: false,
            lines: vec![reference_line("largest", top), measured_line("probes", profile)],
        };
        let rough = vec![measured_line("particles under the wedge", roughness)];
        let panels = vec![
            over_time("Force on both sides", "force [N/m]", lines),
            pressures,
            over_time("Roughness of the pressure", "of the mean", rough),
        ];
        Findings { measured: rows, panels }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slope_is_smooth_and_alternating_values_are_rough() {
        let lattice = |value: fn(i32, i32) -> f64| {
            let place = |k: i32| (k % 20, k / 20);
            let point = |(i, j): (i32, i32)| ([f64::from(i), f64::from(j)], value(i, j));
            (0..400).map(|k| point(place(k))).collect::<Vec<_>>()
        };
        assert!(roughness(&lattice(|i, j| 10.0 + f64::from(i - 2 * j) * 0.1)) < 1e-12);
        let rough = roughness(&lattice(|i, _| if i % 2 == 0 { 1.5 } else { 0.5 }));
        // Six of eight neighbours are of the other kind.
        assert!((rough - 0.75).abs() < 1e-9, "{rough}");
    }
}
