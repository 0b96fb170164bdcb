//! Makes the vessels of `scenes/hourglass.ron` and `scenes/boat.ron`: closed meshes with walls that
//! have a thickness, z up, in metres.
//!
//! `cargo run --example make_vessels hourglass > meshes/hourglass.obj`
//! `cargo run --example make_vessels boat > meshes/boat.obj`
//!
//! Each is a grid of vertices. The hourglass is a profile turned by half a turn about z: up the
//! inside, over the rim and down the outside. The boat has sections across x: down the outside
//! of one side and up the other, the same inside, then a strip along the rim from the one to the
//! other.

use std::f64::consts::TAU;
use std::fmt::Write as _;

/// Vertices around half of the hourglass.
const AROUND: usize = 33;
/// Rings of its inside.
const RINGS: usize = 33;
/// Radii of its bulbs and of its neck, its height and the thickness of its wall [m].
const BULB: f64 = 0.12;
const NECK: f64 = 0.042;
const HEIGHT: f64 = 0.5;
const GLASS: f64 = 0.014;

/// Length, width and height of the boat, and the thickness of its planks [m].
const LENGTH: f64 = 0.5;
const BEAM: f64 = 0.22;
const DEPTH: f64 = 0.12;
const PLANKS: f64 = 0.02;
/// Sections of the boat, and vertices of each.
const SECTIONS: usize = 17;
const ACROSS: usize = 13;

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("hourglass") => print!("{}", hourglass()),
        Some("boat") => print!("{}", boat()),
        _ => eprintln!("hourglass or boat?"),
    }
}

/// A mesh on its way to a file.
#[derive(Default)]
struct Mesh {
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[usize; 3]>,
}

impl Mesh {
    /// Two triangles between two edges that run the same way; a corner may be in both.
    fn strip(&mut self, [a, b]: [usize; 2], [c, d]: [usize; 2]) {
        self.triangles.extend([[a, b, d], [a, d, c]]);
    }

    fn obj(&self, name: &str, about: &str) -> String {
        let mut text = format!(
            "# {about}\n\
             # Made by `cargo run --example make_vessels {name} > meshes/{name}.obj`.\n\
             # SPDX-License-Identifier: MIT OR Apache-2.0\n\
             o {name}\n",
        );
        for [x, y, z] in &self.vertices {
            let _ = writeln!(text, "v {x:.6} {y:.6} {z:.6}");
        }
        for corners in &self.triangles {
            let [a, b, c] = corners.map(|k| k + 1);
            let _ = writeln!(text, "f {a} {b} {c}");
        }
        text
    }
}

/// Two bulbs without ends, one above the other, cut open at y = 0.
pub fn hourglass() -> String {
    let inside = |ring: usize| {
        let share = ring as f64 / (RINGS - 1) as f64;
        // Narrow in the middle: a cosine to the fourth power.
        let narrow = (0.5 * TAU * (share - 0.5)).cos().powi(4);
        (BULB - (BULB - NECK) * narrow, HEIGHT * share)
    };
    let up = (0..RINGS).map(inside);
    let down = (0..RINGS).rev().map(|ring| (inside(ring).0 + GLASS, inside(ring).1));
    let profile: Vec<(f64, f64)> = up.chain(down).collect();
    let mut mesh = Mesh::default();
    for (radius, z) in &profile {
        mesh.vertices.extend((0..AROUND).map(|k| {
            let (sin, cos) = (0.5 * TAU * k as f64 / (AROUND - 1) as f64).sin_cos();
            [radius * cos, if k == AROUND - 1 { 0.0 } else { radius * sin }, *z]
        }));
    }
    for ring in 0..profile.len() {
        let [here, next] = [ring, (ring + 1) % profile.len()].map(|ring| ring * AROUND);
        for k in 0..AROUND - 1 {
            // Seen from the axis, the inside goes up: it faces inwards.
            mesh.strip([here + k, next + k], [here + k + 1, next + k + 1]);
        }
    }
    // The two faces of the cut.
    for ring in 0..RINGS - 1 {
        let [inner, outer] = [ring, profile.len() - 1 - ring].map(|ring| ring * AROUND);
        let last = AROUND - 1;
        mesh.strip([outer, outer - AROUND], [inner, inner + AROUND]);
        let [a, b] = [inner + last, inner + AROUND + last];
        mesh.strip([a, b], [outer + last, outer - AROUND + last]);
    }
    mesh.obj("hourglass", "Half an hourglass without ends: two bulbs and a neck, 0.5 m high [m].")
}

/// An open hull, its keel on z = 0.
pub fn boat() -> String {
    let mut mesh = Mesh::default();
    let hull = |length: f64, half_beam: f64, keel: f64| {
        let mut vertices = Vec::new();
        for i in 0..SECTIONS {
            let along = 2.0 * i as f64 / (SECTIONS - 1) as f64 - 1.0;
            // Full amidships, blunt at both ends.
            let fullness = 0.25 + 0.75 * (1.0 - along.powi(4)).sqrt();
            for j in 0..ACROSS {
                let turn = 0.5 * TAU * j as f64 / (ACROSS - 1) as f64;
                let (sin, cos) = turn.sin_cos();
                // A section between an ellipse and a rectangle.
                let [y, z] = [cos.signum() * cos.abs().powf(0.6), sin.abs().powf(0.6)];
                let depth = (DEPTH - keel) * fullness.sqrt();
                vertices.push([
                    0.5 * length * along,
                    half_beam * fullness * if j == ACROSS / 2 { 0.0 } else { y },
                    DEPTH - depth * if j == 0 || j == ACROSS - 1 { 0.0 } else { z },
                ]);
            }
        }
        vertices
    };
    mesh.vertices.extend(hull(LENGTH, 0.5 * BEAM, 0.0));
    let inner = mesh.vertices.len();
    mesh.vertices.extend(hull(LENGTH - 2.0 * PLANKS, 0.5 * BEAM - PLANKS, PLANKS));
    let at = |first: usize, i: usize, j: usize| first + i * ACROSS + j;
    let last = SECTIONS - 1;
    for i in 0..last {
        for j in 0..ACROSS - 1 {
            let corners = |first| {
                [[i, j], [i + 1, j], [i, j + 1], [i + 1, j + 1]].map(|[i, j]| at(first, i, j))
            };
            let [a, b, c, d] = corners(0);
            mesh.strip([a, b], [c, d]);
            let [a, b, c, d] = corners(inner);
            mesh.strip([c, d], [a, b]);
        }
        // The rim along both sides.
        mesh.strip([at(inner, i, 0), at(inner, i + 1, 0)], [at(0, i, 0), at(0, i + 1, 0)]);
        let side = ACROSS - 1;
        mesh.strip(
            [at(0, i, side), at(0, i + 1, side)],
            [at(inner, i, side), at(inner, i + 1, side)],
        );
    }
    // The flat ends, outside and inside, and the rim above them.
    for (i, is_bow) in [(0, false), (last, true)] {
        let mut add = |[a, b, c]: [usize; 3]| {
            mesh.triangles.push(if is_bow { [a, b, c] } else { [a, c, b] });
        };
        for j in 1..ACROSS - 1 {
            add([at(0, i, 0), at(0, i, j + 1), at(0, i, j)]);
            add([at(inner, i, 0), at(inner, i, j), at(inner, i, j + 1)]);
        }
        let side = ACROSS - 1;
        add([at(0, i, 0), at(inner, i, 0), at(0, i, side)]);
        add([at(inner, i, 0), at(inner, i, side), at(0, i, side)]);
    }
    mesh.obj("boat", "An open boat, 0.5 m long, with planks of 2 cm, its keel on z = 0 [m].")
}
