//! Cloths of task T5: how those of task T4 move, substep by substep.
//!
//! Two waves go through a cloth, so that motion goes on for ever, and each substep starts where
//! the one before ended. The greater one takes what lies together along; the phase of the other is
//! that of places at rest, and so parts that lie on each other slide and come nearer.

use super::Point;
use super::cloths::{Lie, Mesh, name};
use std::f64::consts::TAU;

/// How far nodes go along each axis in a substep, with what is near and relative to it, in edges.
const STRIDES: [f64; 2] = [0.02, 0.003];
/// Phases for each edge along two axes, of both waves.
const WAVES: [[f64; 2]; 2] = [[0.2, 0.1], [0.7, 0.3]];

/// A cloth that moves.
pub struct MotionSet {
    /// How it lies, and the count of triangles.
    pub name: String,
    /// Where it starts.
    pub mesh: Mesh,
    /// Where nodes are where each substep of a round starts.
    pub places: Vec<Vec<Point>>,
}

impl MotionSet {
    /// A cloth of about `count` triangles, and so many substeps in a round.
    pub fn new(lie: Lie, count: usize, round: usize) -> Self {
        let mesh = Mesh::new(lie, count);
        let radii = STRIDES.map(|stride| stride * round as f64 / TAU);
        let at = |substep: usize| {
            let angle = TAU * substep as f64 / round as f64;
            let wave = |number: usize, x: &Point, a: usize| {
                let [along, across] = WAVES[number];
                let phase = along * x[a] + across * x[(a + 1) % 3] + a as f64;
                radii[number] * (phase + angle).sin()
            };
            let place = |(x, rest): (&Point, &Point)| {
                [0, 1, 2].map(|a| x[a] + wave(0, x, a) + wave(1, rest, a))
            };
            mesh.nodes.iter().zip(&mesh.rest).map(place).collect()
        };
        let places = (0..round).map(at).collect();
        let name = format!("{}, {round} substeps", name(lie, mesh.triangles.len()));
        MotionSet { name, mesh, places }
    }
}
