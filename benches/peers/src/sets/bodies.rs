//! Body sets of task T3: spheres at random places that fill a tenth of space (Poirrier 2009, §6).
//!
//! Of one size, or of diameters from 2⁻⁵ to 1, uniform in their logarithm. Set B is another draw:
//! nothing of set A is of use.

use super::boxes::Box3;
use super::{Random, count_label};
use clap::ValueEnum;
use std::f64::consts::PI;

/// The part of space that the spheres fill.
const FILLED: f64 = 0.1;

/// Sizes of the spheres.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Sizes {
    /// All the same.
    Equal,
    /// Over five octaves.
    Mixed,
}

/// Two time steps of bodies.
pub struct BodySet {
    /// Sizes and count.
    pub name: String,
    /// Set A and set B.
    pub sides: [Vec<Box3>; 2],
}

impl BodySet {
    /// The set of `count` bodies.
    pub fn new(sizes: Sizes, count: usize) -> Self {
        let label = match sizes {
            Sizes::Equal => "equal spheres",
            Sizes::Mixed => "spheres over five octaves",
        };
        let name = format!("{} {label}, a tenth of space filled", count_label(count));
        BodySet { name, sides: [11, 12].map(|seed| spheres(sizes, count, Random(seed))) }
    }
}

fn spheres(sizes: Sizes, count: usize, mut random: Random) -> Vec<Box3> {
    let mut diameter = || match sizes {
        Sizes::Equal => 1.0,
        Sizes::Mixed => f64::powf(2.0, random.real(-5.0, 0.0)),
    };
    let diameters: Vec<f64> = (0..count).map(|_| diameter()).collect();
    let volume: f64 = diameters.iter().map(|d| PI / 6.0 * d * d * d).sum();
    let side = (volume / FILLED).cbrt();
    let mut sphere = |d: &f64| {
        let centre = random.point(0.0, side);
        let corner = |sign: f64| centre.map(|x| (x + sign * d / 2.0) as f32);
        Box3 { min: corner(-1.0), max: corner(1.0) }
    };
    diameters.iter().map(&mut sphere).collect()
}
