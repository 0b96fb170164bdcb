//! A square of fluid that turns, free on all sides: suction holds its middle together, its corners
//! grow to arms, and its kinetic energy stays (Colagrossi 2005).
//!
//! What counts is whether it is one piece until ωt = 4, linked by pairs nearer than 1.5 spacings,
//! its nearest pair of particles then, and its energy until ωt = 8. By pairwise forces along the
//! line between two particles it keeps its angular momentum, too, up to rounding.

use super::panels::{measured_line, over_time};
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::{parallel, to_f64};
use hashfall_output::curves::Curve;
use hashfall_sph::world::{Audit, World};

/// The case of the default solver.
pub const SQUARE: Case = Case {
    name: "square_patch",
    about: "A square of fluid that turns stays one piece and keeps its energy",
    scene: include_str!("../../scenes/square_patch.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Patch::new(0.01, false)),
};

/// The case of the weakly compressible solver.
pub const WEAKLY_COMPRESSIBLE: Case = Case {
    name: "rotating_patch",
    about: "A square of fluid that turns keeps its angular momentum, weakly compressible",
    scene: include_str!("../../scenes/rotating_patch.ron"),
    is_quick: false,
    meshes: &[],
    watch: || Box::new(Patch::new(0.004, true)),
};

/// The goal of angular momentum: rounding of the state's precision.
const GOAL: f64 = if cfg!(feature = "f64") { 1e-10 } else { 1e-5 };
/// When pieces and pairs are measured \[s\]; ω = 1 1/s.
const WHOLE_UNTIL: f64 = 4.0;
/// Pairs nearer than this link what is one piece \[spacings\].
const LINK: f64 = 1.5;

struct Patch {
    /// Goal of the change of the energy \[–\].
    energy_goal: f64,
    /// Whether forces are pairwise, so that angular momentum is kept.
    is_pairwise: bool,
    /// Time \[s\] and angular momentum about the y axis \[kg m²/s\].
    angular: Vec<[f64; 2]>,
    /// Time \[s\] and kinetic energy \[J\].
    energy: Vec<[f64; 2]>,
    /// Time \[s\] and distance of the nearest pair \[spacings\].
    nearest: Vec<[f64; 2]>,
    /// Time \[s\] and count of pieces.
    pieces: Vec<[f64; 2]>,
}

impl Patch {
    fn new(energy_goal: f64, is_pairwise: bool) -> Self {
        let [angular, energy, nearest, pieces] = [const { Vec::new() }; 4];
        Patch { energy_goal, is_pairwise, angular, energy, nearest, pieces }
    }
}

/// The distance of the nearest pair \[spacings\], and the count of pieces.
fn links(places: &[[f64; 3]], spacing: f64) -> (f64, usize) {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|&i, &j| places[i][0].total_cmp(&places[j][0]));
    let mut parent: Vec<usize> = (0..places.len()).collect();
    let root = |parent: &mut [usize], mut i: usize| {
        while parent[i] != i {
            parent[i] = parent[parent[i]];
            i = parent[i];
        }
        i
    };
    let (mut nearest, mut pieces) = (f64::INFINITY, places.len());
    for (a, &i) in order.iter().enumerate() {
        let near = |j: &&usize| places[**j][0] - places[i][0] < LINK * spacing;
        for &j in order[a + 1..].iter().take_while(near) {
            let across = [0, 1, 2].map(|axis| places[j][axis] - places[i][axis]);
            let distance = across.map(|x| x * x).iter().sum::<f64>().sqrt() / spacing;
            nearest = nearest.min(distance);
            let (a, b) = (root(&mut parent, i), root(&mut parent, j));
            if distance < LINK && a != b {
                parent[a] = b;
                pieces -= 1;
            }
        }
    }
    (nearest, pieces)
}

impl Watch for Patch {
    fn sample(&mut self, world: &World) {
        let p = &world.particles;
        let [angular] = parallel::sum(p.len(), |i| {
            let ([x, _, z], [u, _, w]) = (to_f64(&p.position[i]), to_f64(&p.velocity[i]));
            [world.particle_mass(p.phase[i]) * (z * u - x * w)]
        });
        self.angular.push([world.time, angular]);
        self.energy.push([world.time, Audit::new(world).kinetic_energy]);
        let places: Vec<[f64; 3]> = p.position.iter().map(to_f64).collect();
        let (nearest, pieces) = links(&places, f64::from(world.spacing()));
        self.nearest.push([world.time, nearest]);
        self.pieces.push([world.time, pieces as f64]);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let change = |points: &[[f64; 2]]| {
            let start = points.first().map_or(f64::NAN, |point| point[1]);
            Curve::new(points.to_vec()).map(|[t, now]| [t, now / start - 1.0])
        };
        let (angular, energy) = (change(&self.angular), change(&self.energy));
        let size = |curve: &Curve| curve.map(|[t, change]| [t, change.abs()]).largest();
        let [nearest, pieces] = [&self.nearest, &self.pieces].map(|v| Curve::new(v.clone()));
        let row = |quantity, value, goal, unit| {
            let reference = None;
            Measured { quantity, value, reference, goal, unit }
        };
        let at = |curve: &Curve| curve.at(WHOLE_UNTIL).unwrap_or(f64::NAN);
        let mut rows = vec![
            row(
                "pieces until ωt = 4",
                pieces.part(0.0, WHOLE_UNTIL).largest(),
                Goal::AtMost(1.0),
                "",
            ),
            row("nearest pair at ωt = 4", at(&nearest), Goal::AtLeast(0.5), "d"),
            row("change of the kinetic energy", size(&energy), Goal::AtMost(self.energy_goal), ""),
        ];
        if self.is_pairwise {
            let value = size(&angular);
            rows.push(row("change of the angular momentum", value, Goal::AtMost(GOAL), ""));
        }
        let panel =
            |title, y, curve| over_time(title, y, vec![measured_line("all particles", curve)]);
        let panels = vec![
            panel("Change of the kinetic energy", "part of the start", energy),
            panel("Change of the angular momentum", "part of the start", angular),
            panel("Nearest pair", "spacings", nearest),
            panel("Pieces", "count", pieces),
        ];
        Findings { measured: rows, panels }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_linked_by_near_pairs() {
        let row = |from: f64, count: i32| (0..count).map(move |k| [from + f64::from(k), 0.0, 0.0]);
        let one: Vec<[f64; 3]> = row(0.0, 5).collect();
        assert_eq!(links(&one, 1.0), (1.0, 1));
        let two: Vec<[f64; 3]> = row(0.0, 5).chain(row(5.6, 3)).chain([[5.6, 0.0, 0.4]]).collect();
        assert_eq!(links(&two, 1.0), (0.4, 2));
    }
}
