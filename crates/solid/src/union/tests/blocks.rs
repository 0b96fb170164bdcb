//! Boxes that are turned, and λ of their unions by rays.

use crate::precision::{to_point, to_vec3};
use crate::{PlaneTable, SolidLayers};
use hashfall_core::kernel::{Kernel, KernelKind};
use hashfall_core::{Real, Vec3, vec3};
use hashfall_geometry::random::Random;
use hashfall_geometry::shape::box_mesh;
use hashfall_geometry::{Aabb, Point, TriangleMesh};
use nalgebra::{Rotation3, Unit};
use std::f64::consts::TAU;

pub const H: f64 = 0.04;

/// A box that is turned.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    pub centre: Point,
    pub half: Point,
    pub turn: Rotation3<f64>,
}

impl Block {
    pub fn new(min: [f64; 3], max: [f64; 3]) -> Self {
        let [min, max] = [min, max].map(|corner| Point::from(corner) * H);
        Block { centre: (min + max) * 0.5, half: (max - min) * 0.5, turn: Rotation3::identity() }
    }

    /// Turned about the origin.
    pub fn turned(self, turn: &Rotation3<f64>) -> Self {
        Block { centre: turn * self.centre, turn: turn * self.turn, ..self }
    }

    pub fn mesh(&self) -> TriangleMesh {
        let half = vec3(self.half.into());
        let mut mesh = box_mesh(&Aabb::new(-half, half));
        let place = |x: &Vec3| to_vec3(&(self.turn * to_point(x) + self.centre));
        mesh.vertices = mesh.vertices.iter().map(place).collect();
        mesh
    }

    /// From where to where the ray from `x` along `ray` is in the box.
    pub fn interval(&self, x: &Point, ray: &Point) -> [f64; 2] {
        let back = self.turn.inverse();
        let (x, ray) = (back * (x - self.centre), back * ray);
        let (mut first, mut last) = (0.0, f64::INFINITY);
        for axis in 0..3 {
            let ends = [-1.0, 1.0].map(|side| (side * self.half[axis] - x[axis]) / ray[axis]);
            first = f64::max(first, ends[0].min(ends[1]));
            last = f64::min(last, ends[0].max(ends[1]));
        }
        [first, last]
    }

    /// Negative inside.
    pub fn distance(&self, x: &Point) -> f64 {
        let beyond = (self.turn.inverse() * (x - self.centre)).abs() - self.half;
        beyond.map(|c| c.max(0.0)).norm() + beyond.max().min(0.0)
    }
}

pub fn table() -> PlaneTable {
    PlaneTable::new(&layers())
}

pub fn layers() -> SolidLayers {
    let kernel = Kernel::new(KernelKind::CubicSpline, hashfall_core::Dimension::Three, H as Real);
    SolidLayers::new(kernel, 0.5 * H as Real)
}

/// λ of a union of blocks along rays, each summed over where it is in one of them.
pub fn by_rays(table: &PlaneTable, blocks: &[Block], x: &Point) -> f64 {
    let rays = 10_000;
    let so_far = |r: f64| {
        let [value, slope] = table.at(r);
        (value - r * slope) / TAU
    };
    let along = |k: usize| {
        let height = 1.0 - (2 * k + 1) as f64 / rays as f64;
        let (sin, cos) = (k as f64 * TAU * 0.381_966_011_250_105).sin_cos();
        let flat = (1.0 - height * height).sqrt();
        let ray = Point::new(flat * cos, flat * sin, height);
        let mut intervals: Vec<[f64; 2]> =
            blocks.iter().map(|block| block.interval(x, &ray)).filter(|[a, b]| a < b).collect();
        intervals.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let (mut sum, mut end) = (0.0, 0.0);
        for [first, last] in intervals {
            let first = f64::max(first, end);
            if first < last {
                sum += so_far(first) - so_far(last);
                end = last;
            }
        }
        sum
    };
    (0..rays).map(along).sum::<f64>() * 2.0 * TAU / rays as f64
}

pub fn random_turn(random: &mut Random) -> Rotation3<f64> {
    Rotation3::from_axis_angle(&Unit::new_normalize(random.direction()), random.number(0.0, TAU))
}

/// A name and blocks that overlap or touch, drawn anew each time.
pub fn pairs(random: &mut Random) -> Vec<(&'static str, Vec<Block>)> {
    let mut size = || random.number(0.6, 1.6);
    let [a, b, c, d] = std::array::from_fn(|_| size());
    let first = Block::new([-a, -b, -c], [a, b, c]);
    let beside = Block::new([a, -d, -b], [a + b, d, a]);
    let flush = Block::new([-b, -a, 0.0], [a + 0.7, d, c]);
    let tilt = 10f64.powf(random.number(-7.0, -1.0));
    let tilted = Rotation3::from_axis_angle(&Unit::new_normalize(random.direction()), tilt);
    let mut cases = vec![
        ("touching", vec![first, beside]),
        ("flush", vec![first, flush]),
        ("nested", vec![first, Block::new([-0.3; 3], [0.4, 0.5, 0.2])]),
        ("twice", vec![first, first]),
        ("standing", vec![first, Block::new([-0.4, -0.3, c], [0.2, 0.5, c + d])]),
        ("three", vec![first, beside, Block::new([a - 0.3, -0.3, c], [a + 0.4, 0.4, c + b])]),
        ("almost coplanar", vec![first, beside.turned(&tilted)]),
        ("almost flush", vec![first, flush.turned(&tilted)]),
    ];
    let turn = random_turn(random);
    for (_, blocks) in &mut cases {
        blocks.iter_mut().for_each(|block| *block = block.turned(&turn));
    }
    let mut crossed = flush.turned(&random_turn(random));
    crossed.centre = random.direction() * H;
    cases.push(("crossed", vec![first, crossed]));
    let corner = crossed.turn * crossed.half.map(|c| 0.8 * c);
    crossed.centre = Point::new(0.0, 0.0, c * H) + corner;
    cases.push(("a corner in a face", vec![first, crossed]));
    cases
}

pub fn beside(random: &mut Random, blocks: &[Block]) -> Point {
    loop {
        let x = random.point(-3.5 * H, 3.5 * H);
        let least = blocks.iter().map(|b| b.distance(&x)).fold(f64::INFINITY, f64::min);
        if (0.15 * H..0.7 * H).contains(&least) {
            return x;
        }
    }
}
