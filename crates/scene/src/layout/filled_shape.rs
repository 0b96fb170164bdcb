//! A shape of fluid with the positions of its particles.

use super::velocity_field::Field;
use crate::model::{FluidShape, GivenParticles, Jitter};
use hashfall_fill::region::Region;
use hashfall_fill::uneven::Filling;

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
    /// The velocity field that it starts with.
    pub field: Field<'a>,
    /// The particles that a file gives.
    pub given: Option<&'a GivenParticles>,
    /// Lowest and highest corner of the box around it \[m\].
    pub bounds: [[f64; 3]; 2],
    /// Places on the lattice, x fastest, then y, then z \[m\].
    pub points: Vec<[f64; 3]>,
    /// Numbers of the shapes that these places were taken over from; none if it laid its own.
    pub sources: Vec<u32>,
    /// Of given particles, the number of each place among them.
    pub indices: Vec<u32>,
    /// So many places it had before others took theirs.
    pub laid: usize,
    /// What was asked for, and how it is given.
    pub filling: Filling,
    /// Square of the largest speed at these places \[m²/s²\].
    pub max_speed_squared: f64,
}

impl FilledShape<'_> {
    /// The velocity at the `k`-th place, or one beside it, at the start \[m/s\], under gravity `g`
    /// straight down \[m/s²\].
    pub fn velocity(&self, k: usize, x: &[f64; 3], g: f64) -> [f64; 3] {
        let start = self.shape.start();
        let added = self.field.velocity(x, g);
        let own = self.given(k, |given| &given.velocities).copied().unwrap_or([0.0; 3]);
        [0, 1, 2].map(|a| start.velocity[a] + added[a] + own[a])
    }

    /// What a file tells of the `k`-th particle, if it does.
    pub fn given<T>(&self, k: usize, of: impl Fn(&GivenParticles) -> &Vec<T>) -> Option<&T> {
        of(self.given?).get(*self.indices.get(k)? as usize)
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
