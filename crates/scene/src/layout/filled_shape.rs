//! A shape of fluid with the positions of its particles.

use super::region::Region;
use crate::model::{FluidShape, Jitter};

/// A shape with the places of its particles.
pub struct FilledShape<'a> {
    /// Key path of the shape.
    pub path: String,
    /// Number of its fluid.
    pub phase: u8,
    /// What the scene says of it.
    pub shape: &'a FluidShape,
    /// What it is in space; `None` for particles without a region.
    pub region: Option<Box<dyn Region + 'a>>,
    /// Lowest and highest corner of the box around it \[m\].
    pub bounds: [[f64; 3]; 2],
    /// Places on the lattice, x fastest, then y, then z \[m\].
    pub points: Vec<[f64; 3]>,
    /// Numbers of the shapes that these places were taken over from; none if it laid its own.
    pub sources: Vec<u32>,
    /// So many places it had on its own lattice.
    pub laid: usize,
    /// Square of the largest speed at these places \[m²/s²\].
    pub max_speed_squared: f64,
}

impl FilledShape<'_> {
    /// The velocity at a place at the start \[m/s\], under gravity `g` straight down \[m/s²\].
    pub fn velocity(&self, x: &[f64; 3], g: f64) -> [f64; 3] {
        let start = self.shape.start();
        let added = start.initial_velocity.velocity(x, g);
        [0, 1, 2].map(|a| start.velocity[a] + added[a])
    }

    /// How its particles are displaced.
    pub fn jitter(&self) -> Option<Jitter> {
        self.shape.start().jitter
    }

    /// Whether a place lies inside.
    pub fn contains(&self, x: &[f64; 3]) -> bool {
        self.region.as_ref().is_some_and(|region| region.contains(x))
    }
}
