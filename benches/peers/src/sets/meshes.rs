//! The mesh of task T2, and places around it.
//!
//! A torus of radii 1 and 0.4 with eight waves along it, in 400 × 125 quads of two triangles: as
//! fine everywhere as a mesh for a simulation is, with edges of about [`EDGE`].

use super::{Point, Random};
use std::f64::consts::TAU;

/// Around which edges are.
pub const EDGE: f64 = 0.02;

/// Quads along and around the torus.
const QUADS: [usize; 2] = [400, 125];

/// How far particles close to the mesh are from it at most.
const NEAR: f64 = 2.0 * EDGE;

/// The point at two angles, as parts of the whole.
fn on_torus([u, v]: [f64; 2]) -> Point {
    let (u, v) = (u * TAU, v * TAU);
    let tube = 0.4 * (1.0 + 0.1 * (8.0 * u).sin());
    let from_axis = 1.0 + tube * v.cos();
    [from_axis * u.cos(), from_axis * u.sin(), tube * v.sin()]
}

/// The corners of each triangle.
pub fn triangles() -> impl Iterator<Item = [Point; 3]> {
    let [along, around] = QUADS;
    let corner = move |i: usize, j: usize| {
        on_torus([(i % along) as f64 / along as f64, (j % around) as f64 / around as f64])
    };
    let quads = (0..along).flat_map(move |i| (0..around).map(move |j| [i, j]));
    quads.flat_map(move |[i, j]| {
        let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
        [[a, b, c], [a, c, d]]
    })
}

/// Places anywhere in the box around the mesh.
pub fn around(count: usize) -> Vec<Point> {
    let mut random = Random(15);
    let mut place = || {
        let [x, y, z] = random.point(-1.0, 1.0);
        [1.44 * x, 1.44 * y, 0.44 * z]
    };
    (0..count).map(|_| place()).collect()
}

/// Places close to the mesh.
pub fn near(count: usize) -> Vec<Point> {
    let mut random = Random(16);
    let mut place = || {
        let on_mesh = on_torus([random.unit(), random.unit()]);
        let by = random.point(-NEAR, NEAR);
        [0, 1, 2].map(|axis| on_mesh[axis] + by[axis])
    };
    (0..count).map(|_| place()).collect()
}
