//! A bubble that rises in a heavier fluid: the first case of Hysing et al. 2009, whose three mesh
//! codes agree within 1e-3. Its figures are those of TP2D at a mesh width of 1/320.
//!
//! The bubble is what its particles are: its centre and speed are their means. Its outline is taken
//! from their sums, without a threshold. As ∫ s² cos nθ over the bubble is ∮ R⁴/4 cos nθ dθ, with
//! the distance s from its centre, such sums are the Fourier coefficients of R(θ)⁴, of which the
//! first few make a smooth outline. Circularity is the perimeter of a circle of the bubble's area
//! over that of the outline.

use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::{parallel, to_f64};
use hashfall_output::curves::Curve;
use hashfall_output::plot::{Line, Panel};
use hashfall_sph::world::World;
use std::f64::consts::{PI, TAU};

/// The case.
pub const CASE: Case = Case {
    name: "rising_bubble",
    about: "A bubble rises in a heavier fluid (Hysing et al. 2009, case 1)",
    scene: include_str!("../../scenes/rising_bubble.ron"),
    is_quick: false,
    meshes: &[],
    watch: || Box::new(Bubble::default()),
};

/// Largest speed \[m/s\], height at 3 s \[m\] and least circularity of the reference.
const SPEED: f64 = 0.2417;
const HEIGHT: f64 = 1.0813;
const CIRCULARITY: f64 = 0.9013;

/// Waves around the outline; noise of single particles is shorter.
const WAVES: usize = 8;

#[derive(Default)]
struct Bubble {
    /// Time \[s\], and height \[m\], speed \[m/s\] and circularity.
    height: Vec<[f64; 2]>,
    speed: Vec<[f64; 2]>,
    circularity: Vec<[f64; 2]>,
}

impl Watch for Bubble {
    fn sample(&mut self, world: &World) {
        let p = &world.particles;
        let of_bubble = |i: usize| p.phase[i] == 1;
        let [count, x, z, w] = parallel::sum(p.len(), |i| {
            let ([x, _, z], [_, _, w]) = (to_f64(&p.position[i]), to_f64(&p.velocity[i]));
            if of_bubble(i) { [1.0, x, z, w] } else { [0.0; 4] }
        });
        let (x, z) = (x / count, z / count);
        self.height.push([world.time, z]);
        self.speed.push([world.time, w / count]);
        let places = (0..p.len()).filter(|&i| of_bubble(i)).map(|i| {
            let at = to_f64(&p.position[i]);
            [at[0] - x, at[2] - z]
        });
        let area = f64::from(world.spacing() * world.spacing());
        self.circularity.push([world.time, circularity(places, area)]);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let curves = [&self.height, &self.speed, &self.circularity];
        let [height, speed, circularity] = curves.map(|points| Curve::new(points.clone()));
        let least = -circularity.map(|[t, c]| [t, -c]).largest();
        let measured = |quantity, value, reference: f64, part: f64, unit| Measured {
            quantity,
            value,
            reference: Some(reference),
            goal: Goal::Within(reference * (1.0 - part), reference * (1.0 + part)),
            unit,
        };
        let end = self.height.last().map_or(f64::NAN, |point| point[1]);
        let measured = vec![
            measured("largest speed of the bubble", speed.largest(), SPEED, 0.03, "m/s"),
            measured("height of its centre at 3 s", end, HEIGHT, 0.01, "m"),
            measured("its least circularity", least, CIRCULARITY, 0.02, ""),
        ];
        let panel = |title, y, curve| {
            let lines = vec![Line { label: "particles", is_reference: false, curve }];
            Panel { title, x: "time [s]", y, log: false, lines }
        };
        let panels = vec![
            panel("Speed of the bubble", "speed [m/s]", speed),
            panel("Height of its centre", "height [m]", height),
            panel("Circularity", "circularity", circularity),
        ];
        Findings { measured, panels }
    }
}

/// The circularity of what particles of an `area` each fill, by their places about its centre.
fn circularity(places: impl Iterator<Item = [f64; 2]>, area: f64) -> f64 {
    let mut sums = [[0.0; 2]; WAVES + 1];
    let mut whole = 0.0;
    for [x, z] in places {
        whole += area;
        let (square, angle) = (x * x + z * z, z.atan2(x));
        for (n, [cos, sin]) in sums.iter_mut().enumerate() {
            *cos += area * square * (n as f64 * angle).cos();
            *sin += area * square * (n as f64 * angle).sin();
        }
    }
    let radius = |angle: f64| {
        let wave = |n: usize| {
            let [cos, sin] = sums[n];
            let angle = n as f64 * angle;
            cos * angle.cos() + sin * angle.sin()
        };
        let fourth = (0.5 * wave(0) + (1..=WAVES).map(wave).sum::<f64>()) * 4.0 / PI;
        fourth.max(0.0).powf(0.25)
    };
    const SIDES: usize = 720;
    let corner = |k: usize| {
        let angle = TAU * k as f64 / SIDES as f64;
        [radius(angle) * angle.cos(), radius(angle) * angle.sin()]
    };
    let perimeter: f64 = (0..SIDES)
        .map(|k| {
            let ([x, z], [u, w]) = (corner(k), corner(k + 1));
            (u - x).hypot(w - z)
        })
        .sum();
    2.0 * (PI * whole).sqrt() / perimeter
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ScriptPaths on a lattice inside of a shape.
    fn lattice(holds: impl Fn(f64, f64) -> bool) -> Vec<[f64; 2]> {
        let line = || (-50..50).map(|k| (f64::from(k) + 0.5) * 0.02);
        line().flat_map(|x| line().map(move |z| [x, z])).filter(|&[x, z]| holds(x, z)).collect()
    }

    #[test]
    fn circles_and_ellipses_have_their_circularities() {
        let disc = lattice(|x, z| x.hypot(z) < 0.5);
        assert!((circularity(disc.into_iter(), 4e-4) - 1.0).abs() < 2e-3);
        // Semi-axes 0.7 and 0.45: perimeter by Ramanujan's formula.
        let (a, b): (f64, f64) = (0.7, 0.45);
        let ellipse = lattice(|x, z| (x / a).hypot(z / b) < 1.0);
        let h = ((a - b) / (a + b)).powi(2);
        let perimeter = PI * (a + b) * (1.0 + 3.0 * h / (10.0 + (4.0 - 3.0 * h).sqrt()));
        let exact = 2.0 * PI * (a * b).sqrt() / perimeter;
        assert!(exact < 0.97);
        assert!((circularity(ellipse.into_iter(), 4e-4) - exact).abs() < 3e-3);
    }
}
