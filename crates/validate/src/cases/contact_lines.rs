//! Fluid with surface tension that meets solids at a contact angle: drops on plates without weight,
//! and gaps between plates in which it rises or stands lower.
//!
//! - a drop is a part of a circle of radius r, with the area r² (θ − sin θ cos θ) and its centre of
//!   mass at r (2 sin³θ/(3 (θ − sin θ cos θ)) − cos θ) above the solid: the ratio of that height
//!   to the root of the area tells the angle θ
//! - in a gap of width w the weight of what stands above the level outside is 2σ cos θ: in the mean
//!   that is 2σ cos θ/(ρ g w) high
//!
//! Both are means over the last third of the run.
//!
//! Symbols: θ through the fluid, σ tension \[N/m\], ρ density \[kg/m³\].

use super::panels::{measured_line, over_time};
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::{parallel, to_f64};
use hashfall_output::curves::Curve;
use hashfall_sph::world::World;
use std::f64::consts::PI;

/// The case of drops.
pub const SESSILE: Case = Case {
    name: "sessile_drops",
    about: "Drops on solids rest at their contact angles",
    scene: include_str!("../../scenes/sessile_drops.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Sessile::default()),
};

/// The case of gaps.
pub const RISE: Case = Case {
    name: "capillary_rise",
    about: "Fluid rises in a gap that it wets, and stands lower in one that it does not",
    scene: include_str!("../../scenes/capillary_rise.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Rise::default()),
};

/// The rows of drops: what is told, where they lie along x \[m\], and the angle of their solid
/// \[°\].
const DROPS: [(&str, f64, f64); 3] = [
    ("angle of the drop on 45°", -4.0, 45.0),
    ("angle of the drop on 90°", 0.0, 90.0),
    ("angle of the drop on 135°", 4.0, 135.0),
];

/// The height of the solids below the drops \[m\].
const SOLID: f64 = 0.5;

/// The centre of a gap \[m\], and how high it draws fluid, by Jurin \[m\].
const GAPS: [(&str, f64, f64); 2] = [
    ("rise in the gap of 30°", -2.0, 0.866_025_403_784_438_6),
    ("rise in the gap of 120°", 2.0, -0.5),
];

/// The width of the gaps \[m\].
const GAP: f64 = 0.8;

/// The height up to which the tank is open below their plates \[m\].
const OPEN: f64 = 0.3;

/// What a curve is in the mean over its last third.
pub(super) fn at_end(curve: &Curve) -> f64 {
    let end = curve.points().last().map_or(f64::NAN, |point| point[0]);
    curve.part(end * 2.0 / 3.0, f64::INFINITY).mean()
}

/// The angle \[°\] of a part of a circle with this centre of mass above its chord, over the root of
/// its area.
fn angle_of(height: f64) -> f64 {
    let height_at = |angle: f64| {
        let (sin, cos) = angle.sin_cos();
        let area = angle - sin * cos;
        (2.0 * sin.powi(3) / (3.0 * area) - cos) / area.sqrt()
    };
    let (mut low, mut high) = (1e-3, PI - 1e-3);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        let is_below = height_at(middle) < height;
        (low, high) = if is_below { (middle, high) } else { (low, middle) };
    }
    low.to_degrees()
}

#[derive(Default)]
struct Sessile {
    /// Time \[s\] and angle \[°\] of each drop.
    angles: [Vec<[f64; 2]>; DROPS.len()],
}

impl Watch for Sessile {
    fn sample(&mut self, world: &World) {
        let places = &world.particles.position;
        for ((_, middle, _), angles) in DROPS.into_iter().zip(&mut self.angles) {
            let [count, height] = parallel::sum(places.len(), |i| {
                let [x, _, z] = to_f64(&places[i]);
                let is_of_drop = (x - middle).abs() < 2.0;
                if is_of_drop { [1.0, z - SOLID] } else { [0.0; 2] }
            });
            let area = count * f64::from(world.spacing()).powi(2);
            angles.push([world.time, angle_of(height / count / area.sqrt())]);
        }
    }

    fn findings(&self, _: &Samples) -> Findings {
        let curves = self.angles.clone().map(Curve::new);
        let rows = DROPS.into_iter().zip(&curves).map(|((quantity, _, angle), curve)| Measured {
            quantity,
            value: at_end(curve),
            reference: Some(angle),
            goal: Goal::Within(angle - 2.0, angle + 2.0),
            unit: "°",
        });
        let measured = rows.collect();
        let lines = DROPS.into_iter().zip(curves);
        let lines = lines.map(|((name, ..), curve)| measured_line(name, curve)).collect();
        Findings { measured, panels: vec![over_time("Contact angles", "°", lines)] }
    }
}

#[derive(Default)]
struct Rise {
    /// Time \[s\] and how much higher than outside fluid stands \[m\], in each gap.
    rises: [Vec<[f64; 2]>; GAPS.len()],
    /// Time \[s\] and root mean square of the speed in the gaps \[m/s\].
    speeds: Vec<[f64; 2]>,
}

impl Watch for Rise {
    fn sample(&mut self, world: &World) {
        let particles = &world.particles;
        let (places, n) = (&particles.position, particles.len());
        let area = f64::from(world.spacing()).powi(2);
        let is_in_gap = |x: [f64; 3], middle: f64| (x[0] - middle).abs() < 0.5 * GAP;
        // Outside: far from all plates, in the middle of the tank.
        let is_outside = |x: [f64; 3]| x[0].abs() < 0.4;
        let level = |count: f64| count * area / GAP;
        let outside = parallel::sum(n, |i| [f64::from(u8::from(is_outside(to_f64(&places[i]))))]);
        for ((_, middle, _), rises) in GAPS.into_iter().zip(&mut self.rises) {
            let above = parallel::sum(n, |i| {
                let x = to_f64(&places[i]);
                [f64::from(u8::from(is_in_gap(x, middle) && x[2] > OPEN))]
            });
            rises.push([world.time, OPEN + level(above[0]) - level(outside[0])]);
        }
        let [count, squares] = parallel::sum(n, |i| {
            let x = to_f64(&places[i]);
            let is_inside = GAPS.iter().any(|(_, middle, _)| is_in_gap(x, *middle));
            let square = f64::from(particles.velocity[i].norm_squared());
            if is_inside { [1.0, square] } else { [0.0; 2] }
        });
        self.speeds.push([world.time, (squares / count).sqrt()]);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let curves = self.rises.clone().map(Curve::new);
        let speeds = Curve::new(self.speeds.clone());
        let rows = GAPS.into_iter().zip(&curves).map(|((quantity, _, rise), curve)| {
            let slack = 0.05 * rise.abs();
            let goal = Goal::Within(rise - slack, rise + slack);
            Measured { quantity, value: at_end(curve), reference: Some(rise), goal, unit: "m" }
        });
        let fall = GAPS[0].2.sqrt();
        let mut measured: Vec<_> = rows.collect();
        measured.push(Measured {
            quantity: "speed in the gaps at the end over √(g H)",
            value: at_end(&speeds) / fall,
            reference: None,
            goal: Goal::AtMost(1e-3),
            unit: "",
        });
        let lines = GAPS.into_iter().zip(curves);
        let lines = lines.map(|((name, ..), curve)| measured_line(name, curve)).collect();
        let panels = vec![
            over_time("Rise", "m", lines),
            over_time("Speed", "m/s", vec![measured_line("in the gaps", speeds)]),
        ];
        Findings { measured, panels }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_centre_of_mass_of_a_drop_tells_its_angle() {
        // Half a disc of radius 1, and a whole one.
        assert!((angle_of(4.0 / (3.0 * PI) / (0.5 * PI).sqrt()) - 90.0).abs() < 1e-6);
        assert!((angle_of(1.0 / PI.sqrt()) - 180.0).abs() < 0.1);
        assert!(angle_of(0.2) < angle_of(0.25));
    }
}
