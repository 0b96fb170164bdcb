//! A square cavity whose lid moves along itself, at rest in the end: velocities on its two centre
//! lines beside those of Ghia, Ghia & Shin (1982), Tables I and II.
//!
//! The velocity at a place of the table is that of a quadratic function, fitted with least squares
//! to the particles nearer than 2.5 spacings at all samples of the last seconds. The table's ends
//! are walls and are left out.
//!
//! Symbols: u velocity along x on the upright centre line, v velocity along z on the level one
//! \[of the lid's\].

use super::panels::{measured_line, reference_line};
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::to_f64;
use hashfall_output::curves::Curve;
use hashfall_output::plot::Panel;
use hashfall_sph::world::World;
use nalgebra::{Matrix6, Vector6};

/// The case of Re = 100.
pub const CASE: Case = Case {
    name: "lid_driven_cavity",
    about: "Water in a cavity whose lid moves turns as that of Ghia et al. at Re = 100",
    scene: include_str!("../../scenes/lid_driven_cavity.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Cavity::new("u100", "v100", 17.0, 0.006)),
};

/// The case of Re = 1000.
pub const THOUSAND: Case = Case {
    name: "lid_driven_cavity_1000",
    about: "Water in a cavity whose lid moves turns as that of Ghia et al. at Re = 1000",
    scene: include_str!("../../scenes/lid_driven_cavity_1000.ron"),
    is_quick: false,
    meshes: &[],
    watch: || Box::new(Cavity::new("u1000", "v1000", 45.0, 0.02)),
};

/// The table.
const TABLE: &str = include_str!("../../data/ghia_1982.csv");
/// The middle of the cavity, whose edge is 1 m, and the reach of a fit \[spacings\].
const MIDDLE: f64 = 0.5;
const REACH: f64 = 2.5;

/// A place of the table, and the sums of the fit there.
struct Station {
    /// Its x and z \[m\].
    at: [f64; 2],
    normal: Matrix6<f64>,
    right: Vector6<f64>,
}

impl Station {
    fn new(at: [f64; 2]) -> Self {
        Station { at, normal: Matrix6::zeros(), right: Vector6::zeros() }
    }

    /// Counts a particle at a place \[m\] with a value, if it is near.
    fn add(&mut self, place: [f64; 2], spacing: f64, value: f64) {
        let [x, z] = [0, 1].map(|axis| (place[axis] - self.at[axis]) / spacing);
        let q = x.hypot(z) / REACH;
        if q < 1.0 {
            let basis = Vector6::new(1.0, x, z, x * x, x * z, z * z);
            let weight = (1.0 - q) * (1.0 - q);
            self.normal += weight * basis * basis.transpose();
            self.right += weight * value * basis;
        }
    }

    /// The fitted value; NaN if too few particles were near.
    fn value(&self) -> f64 {
        self.normal.lu().solve(&self.right).map_or(f64::NAN, |fit| fit[0])
    }
}

/// A centre line: the table's values along it, and its places.
struct CentreLine {
    quantity: &'static str,
    title: &'static str,
    /// The axis of the velocity that is compared: 0 for x, 2 for z.
    axis: usize,
    table: Curve,
    stations: Vec<Station>,
}

impl CentreLine {
    fn new(quantity: &'static str, title: &'static str, axis: usize, table: Curve) -> Self {
        let within = table.part(1e-6, 1.0 - 1e-6);
        let station =
            |&[s, _]: &[f64; 2]| Station::new(if axis == 0 { [MIDDLE, s] } else { [s, MIDDLE] });
        let stations = within.points().iter().map(station).collect();
        CentreLine { quantity, title, axis, table: within, stations }
    }

    /// The measured values along it.
    fn curve(&self) -> Curve {
        let pairs = self.table.points().iter().zip(&self.stations);
        Curve::new(pairs.map(|([s, _], station)| [*s, station.value()]).collect())
    }
}

struct Cavity {
    lines: [CentreLine; 2],
    /// From when on velocities are taken \[s\].
    from: f64,
    /// Goal of the errors \[of the lid's velocity\].
    most: f64,
}

impl Cavity {
    fn new(u: &str, v: &str, from: f64, most: f64) -> Self {
        let upright = Curve::from_csv(TABLE, "z", u);
        let level = Curve::from_csv(TABLE, "x", v);
        let lines = [
            CentreLine::new("RMS error of u", "Velocity u on the upright centre line", 0, upright),
            CentreLine::new("RMS error of v", "Velocity v on the level centre line", 2, level),
        ];
        Cavity { lines, from, most }
    }
}

impl Watch for Cavity {
    fn sample(&mut self, world: &World) {
        if world.time < self.from {
            return;
        }
        let (p, spacing) = (&world.particles, f64::from(world.spacing()));
        for (position, velocity) in p.position.iter().zip(&p.velocity) {
            let ([x, _, z], velocity) = (to_f64(position), to_f64(velocity));
            for line in &mut self.lines {
                for station in &mut line.stations {
                    station.add([x, z], spacing, velocity[line.axis]);
                }
            }
        }
    }

    fn findings(&self, _: &Samples) -> Findings {
        let row = |line: &CentreLine| Measured {
            quantity: line.quantity,
            value: line.curve().rms(&line.table, 0.0),
            reference: None,
            goal: Goal::AtMost(self.most),
            unit: "of the lid's",
        };
        let panel = |line: &CentreLine| Panel {
            title: line.title,
            x: "place on the line [m]",
            y: "velocity",
            log: false,
            lines: vec![
                reference_line("Ghia et al. 1982", line.table.clone()),
                measured_line("particles", line.curve()),
            ],
        };
        let measured = self.lines.iter().map(row).collect();
        Findings { measured, panels: self.lines.iter().map(panel).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_that_of_ghia() {
        for (cavity, least) in [
            (Cavity::new("u100", "v100", 0.0, 1.0), -0.2109),
            (Cavity::new("u1000", "v1000", 0.0, 1.0), -0.38289),
        ] {
            let [u, v] = &cavity.lines;
            assert_eq!((u.stations.len(), v.stations.len()), (15, 15));
            let lowest = u.table.points().iter().map(|p| p[1]).fold(f64::INFINITY, f64::min);
            assert_eq!(lowest, least);
        }
    }

    #[test]
    fn a_quadratic_velocity_is_found_beside_a_wall() {
        let field = |[x, z]: [f64; 2]| 0.3 - x + 2.0 * x * z + 40.0 * z * z;
        let spacing = 0.02;
        let mut station = Station::new([0.5, 0.9766]);
        for k in 0..2500 {
            let place = [k % 50, k / 50].map(|i| spacing * (f64::from(i) + 0.5));
            station.add(place, spacing, field(place));
        }
        assert!((station.value() - field(station.at)).abs() < 1e-9, "{}", station.value());
        assert!(Station::new([0.5, 0.5]).value().is_nan());
    }
}
