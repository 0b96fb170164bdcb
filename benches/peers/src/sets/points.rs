//! Point sets of task T1: neighbours within a radius.
//!
//! Set A, and set B = A with every coordinate displaced, stand for two time steps.
//!
//! Symbols: r radius, d spacing (1 in lattices).

use super::{Order, Point, Random, cell_order, count_label, morton_order};
use clap::ValueEnum;
use std::f64::consts::PI;

/// How the points of a set lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Family {
    /// A jittered lattice, r = 2 d: water.
    Lat,
    /// Uniform in a cube of density 1, with 30 neighbours expected.
    Uni,
    /// Uniform in a square, with 2 neighbours expected.
    Sp2k2,
    /// Uniform in a square, with 5 neighbours expected.
    Sp2k5,
    /// Nine tenths a lattice, the rest scattered over 10 000 cells a side.
    Spray,
}

/// Two time steps of a set.
pub struct PointSet {
    /// Family, count and order.
    pub name: String,
    /// r.
    pub radius: f32,
    /// Whether all points have z = 0.
    pub is_flat: bool,
    /// Set A and set B.
    pub sides: [Vec<[f32; 3]>; 2],
}

/// Points before they are ordered and moved.
struct Scatter {
    points: Vec<Point>,
    radius: f64,
    /// Largest displacement from A to B along an axis.
    reach: f64,
    seed: u64,
    is_flat: bool,
}

impl PointSet {
    /// The set of `count` points; lattices take the next smaller block that they can fill.
    pub fn new(family: Family, count: usize, order: Order) -> Self {
        let mut set = scatter(family, count);
        Random(set.seed + 1).shuffle(&mut set.points);
        let moved = set.moved();
        let sides = match order {
            Order::Shuffled => [set.points.clone(), moved],
            Order::Cells => [set.points.clone(), moved].map(|side| {
                let order = cell_order(side.iter().copied(), set.radius);
                order.into_iter().map(|i| side[i]).collect()
            }),
            Order::Sorted => {
                let low = set.lowest();
                let order = morton_order(set.points.iter().copied(), low, set.radius);
                [&set.points, &moved].map(|side| order.iter().map(|&i| side[i]).collect())
            }
        };
        let label = format!("{family:?}").to_lowercase();
        PointSet {
            name: format!("{label}, {} points, {}", count_label(set.points.len()), order.label()),
            radius: set.radius as f32,
            is_flat: set.is_flat,
            sides: sides.map(|side| side.iter().map(|p| p.map(|x| x as f32)).collect()),
        }
    }
}

impl Scatter {
    fn moved(&self) -> Vec<Point> {
        let mut random = Random(self.seed + 2);
        let axes = if self.is_flat { 2 } else { 3 };
        let mut displaced = |mut p: Point| {
            p[..axes].iter_mut().for_each(|x| *x += random.real(-self.reach, self.reach));
            p
        };
        self.points.iter().map(|&p| displaced(p)).collect()
    }

    fn lowest(&self) -> Point {
        let lower = |a: Point, b: &Point| [0, 1, 2].map(|axis| a[axis].min(b[axis]));
        self.points.iter().fold([f64::MAX; 3], lower)
    }
}

fn scatter(family: Family, count: usize) -> Scatter {
    let scatter =
        |points, radius, reach, seed, is_flat| Scatter { points, radius, reach, seed, is_flat };
    match family {
        Family::Lat => scatter(lattice(&mut Random(42), block(count), 0.0), 2.0, 0.05, 42, false),
        Family::Uni => {
            let mut random = Random(142);
            let side = (count as f64).cbrt();
            let points = (0..count).map(|_| random.point(0.0, side)).collect();
            scatter(points, (30.0 * 3.0 / (4.0 * PI)).cbrt(), 0.05, 142, false)
        }
        Family::Sp2k2 => flat(count, 2.0),
        Family::Sp2k5 => flat(count, 5.0),
        Family::Spray => {
            let mut random = Random(342);
            let [x, y, z] = block(count);
            let mut points = lattice(&mut random, [x, y, z * 9 / 10], 10_000.0);
            points.extend((points.len()..count).map(|_| random.point(0.0, 20_000.0)));
            scatter(points, 2.0, 0.05, 342, false)
        }
    }
}

/// Uniform in the square of side 2²⁰, with `neighbors` expected.
fn flat(count: usize, neighbors: f64) -> Scatter {
    const SIDE: f64 = 1_048_576.0;
    let mut random = Random(242);
    let points = (0..count).map(|_| [random.real(0.0, SIDE), random.real(0.0, SIDE), 0.0]);
    let points = points.collect();
    let radius = (neighbors * SIDE * SIDE / (PI * count as f64)).sqrt();
    Scatter { points, radius, reach: 0.025 * radius, seed: 242, is_flat: true }
}

/// Points along each axis of a lattice of about `count` points.
fn block(count: usize) -> [usize; 3] {
    match count {
        100_000 => [50, 50, 40],
        5_000_000 => [200, 200, 125],
        _ => {
            let side = (1..).take_while(|n| n * n * n <= count).count();
            [side, side, count / (side * side)]
        }
    }
}

/// A lattice of spacing 1, jittered by ±0.1, x fastest.
fn lattice(random: &mut Random, [nx, ny, nz]: [usize; 3], low: f64) -> Vec<Point> {
    let places = (0..nx * ny * nz).map(|n| [n % nx, n / nx % ny, n / (nx * ny)]);
    places.map(|place| place.map(|n| low + n as f64 + 0.5 + random.real(-0.1, 0.1))).collect()
}
