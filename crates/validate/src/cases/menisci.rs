//! Menisci at walls: water at rest under gravity in four tanks, whose walls have contact angles of
//! 30, 60, 90 and 120°.
//!
//! Far from the other wall the height z over the level outside and the distance x from the wall are
//! tied by the balance of weight and curvature (Landau & Lifshitz, Fluid Mechanics, §61): with the
//! capillary length ℓ = √(σ/(ρg)) and ζ = z/ℓ,
//!
//! - x/ℓ = X(ζ) − X(ζ₀),  X(ζ) = arcosh(2/ζ) − √(4 − ζ²),  ζ₀ = √(2(1 − sin θ)),
//!
//! and below the level for θ > 90°. Levels are those of the volume in strips of two spacings along
//! both walls; the height at the wall is that of the curve which fits them best from the second
//! strip on. It is the mean over the last third of the run.
//!
//! Symbols: θ through the fluid, σ tension \[N/m\], ρ density \[kg/m³\], g \[m/s²\].

use super::contact_lines::at_end;
use super::panels::{measured_line, over_time};
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::{parallel, to_f64};
use hashfall_output::curves::Curve;
use hashfall_sph::world::World;

/// The case.
pub const CASE: Case = Case {
    name: "menisci",
    about: "Water climbs walls that it wets, and sinks at one that it does not",
    scene: include_str!("../../scenes/menisci.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Menisci::default()),
};

/// The tanks: what is told, the middle \[m\], and how high water climbs their walls \[m\].
const TANKS: [(&str, f64, f64); 4] = [
    ("climb at a wall of 30°", -13.2, 1.0),
    ("climb at a wall of 60°", -4.4, 0.517_638_090_205_041_5),
    ("climb at a wall of 90°", 4.4, 0.0),
    ("climb at a wall of 120°", 13.2, -0.517_638_090_205_041_5),
];

/// Half of the width of a tank \[m\].
const HALF_WIDTH: f64 = 4.0;

/// Strips along each wall, and their width \[m\].
const STRIPS: usize = 20;
const STRIP: f64 = HALF_WIDTH / STRIPS as f64;

/// The strips to which curves are fitted, and those that tell the level outside.
const NEAR: std::ops::Range<usize> = 1..10;
const FAR: std::ops::Range<usize> = 15..STRIPS;

/// The heights at the wall that are tried, up to this \[m\] in steps of this \[m\].
const HIGHEST: f64 = 1.3;
const STEP: f64 = 0.005;

/// X of a height over ℓ = 1 m.
fn far(z: f64) -> f64 {
    (2.0 / z).acosh() - (4.0 - z * z).sqrt()
}

/// The height \[m\] at a distance from a wall \[m\] at which it is that, with ℓ = 1 m.
fn height(wall: f64, distance: f64) -> f64 {
    let size = wall.abs();
    if size == 0.0 {
        return 0.0;
    }
    let (mut low, mut high) = (1e-6, size);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        let is_nearer = far(middle) - far(size) < distance;
        (low, high) = if is_nearer { (low, middle) } else { (middle, high) };
    }
    0.5 * (low + high) * wall.signum()
}

/// The height at the wall of the curve that fits these levels of strips best.
fn climb(levels: &[f64; STRIPS]) -> f64 {
    let at = |strip: usize| (strip as f64 + 0.5) * STRIP;
    let misfit = |wall: f64| {
        let off = |strip: usize| levels[strip] - height(wall, at(strip));
        let outside = FAR.map(off).sum::<f64>() / FAR.len() as f64;
        NEAR.map(|strip| (off(strip) - outside).powi(2)).sum::<f64>()
    };
    let tries = (HIGHEST / STEP) as i32;
    let walls = (-tries..=tries).map(|k| f64::from(k) * STEP);
    let best = walls.map(|wall| (misfit(wall), wall)).min_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or(f64::NAN, |(_, wall)| wall)
}

#[derive(Default)]
struct Menisci {
    /// Time \[s\] and climb \[m\] in each tank.
    climbs: [Vec<[f64; 2]>; TANKS.len()],
    /// Time \[s\] and root mean square of the speed in all of them \[m/s\].
    speeds: Vec<[f64; 2]>,
}

impl Watch for Menisci {
    fn sample(&mut self, world: &World) {
        let (particles, area) = (&world.particles, f64::from(world.spacing()).powi(2));
        for ((_, middle, _), climbs) in TANKS.into_iter().zip(&mut self.climbs) {
            let mut levels = [0.0; STRIPS];
            for x in &particles.position {
                let from_wall = HALF_WIDTH - (to_f64(x)[0] - middle).abs();
                if (0.0..HALF_WIDTH).contains(&from_wall) {
                    let strip = ((from_wall / STRIP) as usize).min(STRIPS - 1);
                    levels[strip] += area / (2.0 * STRIP);
                }
            }
            climbs.push([world.time, climb(&levels)]);
        }
        let [squares] =
            parallel::sum(particles.len(), |i| [f64::from(particles.velocity[i].norm_squared())]);
        self.speeds.push([world.time, (squares / particles.len() as f64).sqrt()]);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let curves = self.climbs.clone().map(Curve::new);
        let speeds = Curve::new(self.speeds.clone());
        let rows = TANKS.into_iter().zip(&curves).map(|((quantity, _, climb), curve)| {
            // Of a flat surface, 5 % of the climb at 60°.
            let slack = 0.05 * if climb == 0.0 { TANKS[1].2 } else { climb.abs() };
            let goal = Goal::Within(climb - slack, climb + slack);
            Measured { quantity, value: at_end(curve), reference: Some(climb), goal, unit: "m" }
        });
        let mut measured: Vec<_> = rows.collect();
        measured.push(Measured {
            quantity: "speed at the end over √(g ℓ)",
            value: at_end(&speeds),
            reference: None,
            goal: Goal::AtMost(1e-3),
            unit: "",
        });
        let lines = TANKS.into_iter().zip(curves);
        let lines = lines.map(|((name, ..), curve)| measured_line(name, curve)).collect();
        let panels = vec![
            over_time("Climb", "m", lines),
            over_time("Speed", "m/s", vec![measured_line("in all tanks", speeds)]),
        ];
        Findings { measured, panels }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// z″ = z (1 + z′²)^(3/2), and the slope at the wall, of 30°.
    #[test]
    fn heights_balance_weight_and_curvature() {
        let z = |x: f64| height(1.0, x);
        let step = 1e-2;
        for x in [0.1, 0.5, 1.5] {
            let slope = (z(x + step) - z(x - step)) / (2.0 * step);
            let bend = (z(x + step) - 2.0 * z(x) + z(x - step)) / (step * step);
            let balance = z(x) * (1.0 + slope * slope).powf(1.5);
            assert!((bend / balance - 1.0).abs() < 0.01, "{x}: {bend} for {balance}");
        }
        let slope = (z(2e-4) - z(1e-4)) / 1e-4;
        assert!((slope + 30.0_f64.to_radians().tan().recip()).abs() < 0.01, "{slope}");
    }

    #[test]
    fn a_climb_is_found_again_from_levels() {
        for wall in [1.0, 0.4, 0.0, -0.5] {
            let level = |k: usize| 1.2 + height(wall, (k as f64 + 0.5) * STRIP);
            let found = climb(&std::array::from_fn(level));
            assert!((found - wall).abs() < 1.5 * STEP, "{found} for {wall}");
        }
    }
}
