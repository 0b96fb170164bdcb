//! Makes `meshes/impeller.obj`, what turns in `scenes/stirrer.ron`: three pitched blades on a shaft,
//! about the z axis, the blades from z = 0 up to 8 cm.
//!
//! `cargo run --example make_impeller > meshes/impeller.obj`
//!
//! The blades are a three-armed section that turns as it rises; its rings have as many vertices as
//! those of the shaft above it, and fans of triangles close both ends.

use std::f64::consts::TAU;
use std::fmt::Write as _;

const BLADES: usize = 3;
/// From the axis to a blade's tip [m].
const RADIUS: f64 = 0.13;
/// Half of a blade's thickness [m].
const HALF: f64 = 0.014;
/// Height of the blades [m].
const HEIGHT: f64 = 0.08;
/// How far a blade turns from its lower edge to its upper one, in turns.
const PITCH: f64 = -0.09;
/// Rings of the blades.
const RINGS: usize = 13;
/// Vertices along a side of a blade.
const ALONG: usize = 9;
/// Vertices of a ring.
const AROUND: usize = BLADES * 2 * ALONG;
/// Radius of the shaft, and where it ends [m].
const SHAFT: f64 = 0.013;
const TOP: f64 = 0.36;

fn main() {
    print!("{}", impeller());
}

/// The text of the file.
pub fn impeller() -> String {
    let mut text = String::from(
        "# Three pitched blades on a shaft about z, 26 cm across; closed, facing outwards.\n\
         # Made by `cargo run --example make_impeller > meshes/impeller.obj`; units are metres.\n\
         # SPDX-License-Identifier: MIT OR Apache-2.0\n\
         o impeller\n",
    );
    for ring in 0..RINGS {
        let share = ring as f64 / (RINGS - 1) as f64;
        for k in 0..AROUND {
            let (x, y) = turned(section(k), TAU * PITCH * (share - 0.5));
            vertex(&mut text, x, y, HEIGHT * share);
        }
    }
    // The shaft, from the same angles.
    for z in [HEIGHT, TOP] {
        for k in 0..AROUND {
            let (x, y) = turned(section(k), TAU * PITCH * 0.5);
            let scale = SHAFT / x.hypot(y);
            vertex(&mut text, x * scale, y * scale, z);
        }
    }
    let rings = RINGS + 2;
    vertex(&mut text, 0.0, 0.0, 0.0);
    vertex(&mut text, 0.0, 0.0, TOP);
    let at = |ring: usize, k: usize| ring * AROUND + k % AROUND + 1;
    let bottom = rings * AROUND + 1;
    for ring in 0..rings - 1 {
        for k in 0..AROUND {
            let (a, b) = (at(ring, k), at(ring, k + 1));
            let (c, d) = (at(ring + 1, k + 1), at(ring + 1, k));
            face(&mut text, a, b, c);
            face(&mut text, a, c, d);
        }
    }
    for k in 0..AROUND {
        face(&mut text, bottom, at(0, k + 1), at(0, k));
        face(&mut text, bottom + 1, at(rings - 1, k), at(rings - 1, k + 1));
    }
    text
}

/// A vertex of the section: of each blade its right side outwards, then its left side inwards.
fn section(k: usize) -> (f64, f64) {
    let (blade, place) = (k / (2 * ALONG), k % (2 * ALONG));
    // Where the sides of two blades meet, nearly: each has its own vertex there.
    let root = 1.1 * HALF / (TAU / (2 * BLADES) as f64).tan();
    let (step, side) = if place < ALONG { (place, -HALF) } else { (2 * ALONG - 1 - place, HALF) };
    let out = root + (RADIUS - root) * step as f64 / (ALONG - 1) as f64;
    turned((out, side), TAU * blade as f64 / BLADES as f64)
}

fn turned((x, y): (f64, f64), angle: f64) -> (f64, f64) {
    let (sin, cos) = angle.sin_cos();
    (cos * x - sin * y, sin * x + cos * y)
}

/// Five decimals are a hundredth of a millimetre, and hide the last bits of `sin` and `cos`.
fn vertex(text: &mut String, x: f64, y: f64, z: f64) {
    // Adding zero turns −0 into 0.
    let rounded = |c: f64| (c * 1e5).round() / 1e5 + 0.0;
    writeln!(text, "v {} {} {}", rounded(x), rounded(y), rounded(z))
        .expect("strings take all text");
}

fn face(text: &mut String, a: usize, b: usize, c: usize) {
    writeln!(text, "f {a} {b} {c}").expect("strings take all text");
}
