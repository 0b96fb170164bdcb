//! Fields of balls: how they are arranged.

use super::domain::Region;
use super::solid_keys::solid;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Arrangement of the balls of a field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum SphereField {
    /// Random diameters at random positions.
    Random(RandomField),
    /// A list of balls.
    List(Vec<SphereModel>),
    /// A list of balls with a common contact law and motion.
    Balls(BallsModel),
    /// Equal balls on a lattice.
    Lattice(LatticeField),
}

impl SphereField {
    /// Number of balls.
    pub fn count(&self) -> f64 {
        match self {
            SphereField::Random(field) => f64::from(field.count),
            SphereField::List(list) => list.len() as f64,
            SphereField::Balls(balls) => balls.list.len() as f64,
            SphereField::Lattice(field) => field.counts.iter().map(|&n| f64::from(n)).product(),
        }
    }
}

// The distribution is in `hashfall_fill::sphere_field`.
solid! {
    /// Balls of random diameters at random positions.
    RandomField as "Random" {
        /// Seed of the random field.
        seed: u64,
        /// Number of balls.
        #[schemars(range(min = 1))]
        count: u32,
        /// Minimum and maximum diameter \[m\].
        diameter: (f64, f64),
        /// Distribution of the diameters.
        #[serde(default)]
        sizes: SizeLaw,
        /// Box that contains the balls.
        region: Region,
        /// Whether balls may overlap.
        #[serde(default)]
        overlap: bool,
    }
    /// Motion of all balls as one rigid body, or, if it is free, of each by itself.
    motion
}

/// Distribution of the diameters of random balls between their bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum SizeLaw {
    /// Density proportional to D⁻³, so that each octave has the same expected surface area.
    #[default]
    EqualAreas,
    /// All diameters are equally likely.
    Uniform,
}

/// One ball.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Sphere", deny_unknown_fields)]
pub struct SphereModel {
    /// Centre \[m\].
    pub centre: [f64; 3],
    /// Radius \[m\].
    #[schemars(range(min = 1e-6, max = 1e6))]
    pub radius: f64,
}

solid! {
    /// A list of balls.
    BallsModel as "Balls" {
        /// The balls.
        list: Vec<SphereModel>,
    }
    /// Motion of all balls as one rigid body, or, if it is free, of each by itself.
    motion
}

solid! {
    /// Equal balls on a lattice.
    LatticeField as "Lattice" {
        /// Centre of the ball with the lowest coordinates \[m\].
        min: [f64; 3],
        /// Distance between centres along each axis \[m\].
        #[schemars(inner(range(min = 1e-6, max = 1e6)))]
        spacing: [f64; 3],
        /// Number of balls along each axis.
        #[schemars(inner(range(min = 1)))]
        counts: [u32; 3],
        /// Diameter \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        diameter: f64,
    }
    /// Motion of all balls as one rigid body, or, if it is free, of each by itself.
    motion
}
