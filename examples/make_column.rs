//! Makes `meshes/column.obj`, the obstacle of `scenes/mesh_obstacle.ron`: a twisted, fluted column
//! on a round base, one metre tall, standing on z = 0.
//!
//! `cargo run --example make_column > meshes/column.obj`
//!
//! The side is a grid of rings; each ring is a circle whose radius waves around the axis. Discs of
//! triangles close both ends.

use std::f64::consts::TAU;
use std::fmt::Write as _;

/// Vertices of a ring.
const AROUND: usize = 96;
/// Rings from the floor to the top.
const RINGS: usize = 73;
/// Height of the column [m].
const HEIGHT: f64 = 1.0;
/// Ridges of the shaft.
const RIDGES: f64 = 6.0;
/// How far the ridges turn from the base to the top, in turns.
const TWIST: f64 = 0.45;

fn main() {
    print!("{}", column());
}

/// The text of the file.
pub fn column() -> String {
    let mut text = String::from(
        "# A twisted, fluted column, 1 m tall, z up, standing on z = 0; closed, facing outwards.\n\
         # Made by `cargo run --example make_column > meshes/column.obj`; units are metres.\n\
         # SPDX-License-Identifier: MIT OR Apache-2.0\n\
         o column\n",
    );
    for ring in 0..RINGS {
        for k in 0..AROUND {
            let [x, y, z] = point(ring as f64 / (RINGS - 1) as f64, k as f64 / AROUND as f64);
            vertex(&mut text, x, y, z);
        }
    }
    vertex(&mut text, 0.0, 0.0, 0.0);
    vertex(&mut text, 0.0, 0.0, HEIGHT);
    let at = |ring: usize, k: usize| ring * AROUND + k % AROUND + 1;
    let bottom = RINGS * AROUND + 1;
    for ring in 0..RINGS - 1 {
        for k in 0..AROUND {
            let (a, b) = (at(ring, k), at(ring, k + 1));
            let (c, d) = (at(ring + 1, k + 1), at(ring + 1, k));
            face(&mut text, a, b, c);
            face(&mut text, a, c, d);
        }
    }
    for k in 0..AROUND {
        face(&mut text, bottom, at(0, k + 1), at(0, k));
        face(&mut text, bottom + 1, at(RINGS - 1, k), at(RINGS - 1, k + 1));
    }
    text
}

/// The point of the side at a share of the height and of a turn.
fn point(height: f64, turn: f64) -> [f64; 3] {
    // 0 in the round base and top, 1 in the shaft.
    let shaft = smooth_step(0.08, 0.24, height) * (1.0 - smooth_step(0.80, 0.94, height));
    let swelling = 0.115 + 0.012 * (TAU * 0.5 * height).sin();
    let base = 0.175 - 0.02 * smooth_step(0.03, 0.08, height);
    let mean = base + (swelling - base) * shaft;
    let ridges = (RIDGES * TAU * (turn - TWIST * height)).cos();
    let radius = mean * (1.0 + 0.22 * shaft * ridges);
    let angle = TAU * turn;
    [radius * angle.cos(), radius * angle.sin(), HEIGHT * height]
}

/// 0 below `low`, 1 above `high`, smooth between.
fn smooth_step(low: f64, high: f64, x: f64) -> f64 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Four decimals are a tenth of a millimetre, and hide the last bits of `sin` and `cos`.
fn vertex(text: &mut String, x: f64, y: f64, z: f64) {
    // Adding zero turns −0 into 0.
    let tenths = |c: f64| (c * 1e4).round() / 1e4 + 0.0;
    writeln!(text, "v {} {} {}", tenths(x), tenths(y), tenths(z)).expect("strings take all text");
}

fn face(text: &mut String, a: usize, b: usize, c: usize) {
    writeln!(text, "f {a} {b} {c}").expect("strings take all text");
}
