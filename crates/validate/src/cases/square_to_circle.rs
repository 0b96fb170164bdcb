//! A square of fluid becomes a circle by surface tension, and rests: what is left of its kinetic
//! energy is noise.

use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::{parallel, to_f64};
use hashfall_output::curves::Curve;
use hashfall_output::plot::{Line, Panel};
use hashfall_sph::world::{Audit, World};

/// The case.
pub const CASE: Case = Case {
    name: "square_to_circle",
    about: "A square of fluid becomes a circle by surface tension, and rests",
    scene: include_str!("../../scenes/square_to_circle.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Square::default()),
};

#[derive(Default)]
struct Square {
    /// Time \[s\] and kinetic energy \[J\].
    energy: Vec<[f64; 2]>,
    /// Time \[s\], and largest less least radius of the sectors over their mean \[–\].
    unroundness: Vec<[f64; 2]>,
}

impl Watch for Square {
    fn sample(&mut self, world: &World) {
        self.energy.push([world.time, Audit::new(world).kinetic_energy]);
        self.unroundness.push([world.time, unroundness(world)]);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let energy = Curve::new(self.energy.clone());
        let last = |points: &[[f64; 2]]| points.last().map_or(f64::NAN, |point| point[1]);
        let measured = vec![
            Measured {
                quantity: "kinetic energy at the end over the largest",
                value: last(&self.energy) / energy.largest(),
                reference: None,
                goal: Goal::AtMost(0.01),
                unit: "",
            },
            Measured {
                quantity: "difference of the radii at the end over their mean",
                value: last(&self.unroundness),
                reference: None,
                goal: Goal::AtMost(0.04),
                unit: "",
            },
        ];
        let line = |curve| vec![Line { label: "particles", is_reference: false, curve }];
        let panel =
            |title, y, curve| Panel { title, x: "time [s]", y, log: false, lines: line(curve) };
        let radii = Curve::new(self.unroundness.clone());
        let panels = vec![
            panel("Kinetic energy", "energy [J]", energy),
            panel("Difference of the radii over their mean", "difference", radii),
        ];
        Findings { measured, panels }
    }
}

/// Difference of the outermost particles' distances from the centre between sectors, over the mean.
fn unroundness(world: &World) -> f64 {
    const SECTORS: usize = 36;
    let p = &world.particles;
    let [x, z] = parallel::sum(p.len(), |i| {
        let [x, _, z] = to_f64(&p.position[i]);
        [x, z]
    });
    let centre = [x / p.len() as f64, z / p.len() as f64];
    let mut radii = [0.0_f64; SECTORS];
    for at in &p.position {
        let [x, _, z] = to_f64(at);
        let (x, z) = (x - centre[0], z - centre[1]);
        let turn = 0.5 + z.atan2(x) / std::f64::consts::TAU;
        let sector = ((turn * SECTORS as f64) as usize).min(SECTORS - 1);
        radii[sector] = radii[sector].max(x.hypot(z));
    }
    let (least, most) = radii.iter().fold((f64::MAX, 0.0_f64), |(a, b), r| (a.min(*r), b.max(*r)));
    (most - least) / (radii.iter().sum::<f64>() / SECTORS as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_is_not_round() {
        let world = CASE.prepare(&[]).unwrap().world;
        // From the middle of an edge to a corner, 0.5 and 0.7, of sectors 10 degrees wide.
        let found = unroundness(&world);
        assert!((0.3..0.4).contains(&found), "{found}");
    }
}
