//! Makes the leaf of `scenes/drops_on_leaf.ron`: a closed mesh, z up, in metres, from its stem at
//! the origin along x.
//!
//! `cargo run --example make_leaf > meshes/leaf.obj`
//!
//! An upper and a lower side, each a grid along the leaf and across it, and a rim between both. It
//! hangs down like a bent rod, and rises from its midrib to both of its edges, so that what falls
//! on it gathers in the middle and runs off at the tip.

use std::f64::consts::PI;

/// Length, half of the largest width, thickness, and how far the tip hangs below the stem [m].
const LENGTH: f64 = 0.03;
const HALF_WIDTH: f64 = 0.0075;
const THICKNESS: f64 = 0.001;
const SAG: f64 = 0.0075;
/// Half of the width at stem and tip [m].
const TIP: f64 = 0.0012;
/// How steep it rises from its midrib [–].
const RISE: f64 = 0.3;
/// Vertices along it and across it.
const ALONG: usize = 31;
const ACROSS: usize = 13;

fn main() {
    println!("# A leaf, 3 cm long, that hangs down from its stem [m].");
    println!("# Made by `cargo run --example make_leaf > meshes/leaf.obj`.");
    println!("# SPDX-License-Identifier: MIT OR Apache-2.0");
    println!("o leaf");
    for thickness in [0.0, THICKNESS] {
        for k in 0..ALONG * ACROSS {
            let [x, y, z] = upper(k / ACROSS, k % ACROSS);
            println!("v {x:.6} {y:.6} {:.6}", z - thickness);
        }
    }
    for [a, b, c] in triangles() {
        println!("f {} {} {}", a + 1, b + 1, c + 1);
    }
}

/// A vertex of the upper side [m].
fn upper(i: usize, j: usize) -> [f64; 3] {
    let along = i as f64 / (ALONG - 1) as f64;
    let across = 2.0 * j as f64 / (ACROSS - 1) as f64 - 1.0;
    let half_width = HALF_WIDTH * (PI * along.powf(0.8)).sin().max(0.0).powf(0.7);
    let sag = SAG * along * (0.45 + 0.55 * along);
    let rise = RISE * across.abs() * half_width;
    [along * LENGTH, across * half_width.max(TIP), rise - sag]
}

/// Of both sides, and of the rim, seen from outside against the clock.
fn triangles() -> Vec<[usize; 3]> {
    let lower = ALONG * ACROSS;
    let mut triangles = Vec::new();
    let mut quad = |[a, b, c, d]: [usize; 4]| triangles.extend([[a, b, c], [a, c, d]]);
    for i in 0..ALONG - 1 {
        for j in 0..ACROSS - 1 {
            let a = i * ACROSS + j;
            let corners = [a, a + ACROSS, a + ACROSS + 1, a + 1];
            quad(corners);
            let [a, b, c, d] = corners.map(|k| k + lower);
            quad([a, d, c, b]);
        }
    }
    // Around the edge of the upper side.
    let right = (0..ALONG).map(|i| i * ACROSS);
    let tip = (1..ACROSS).map(|j| (ALONG - 1) * ACROSS + j);
    let left = (0..ALONG - 1).rev().map(|i| i * ACROSS + ACROSS - 1);
    let stem = (1..ACROSS - 1).rev();
    let edge: Vec<usize> = right.chain(tip).chain(left).chain(stem).collect();
    for (k, &a) in edge.iter().enumerate() {
        let b = edge[(k + 1) % edge.len()];
        quad([a, a + lower, b + lower, b]);
    }
    triangles
}
