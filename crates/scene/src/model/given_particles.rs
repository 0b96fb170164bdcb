//! Particles that a file gives, where they are placed.

/// Particles of a file, placed in the scene. What the file does not tell of is empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GivenParticles {
    /// Their places \[m\].
    pub positions: Vec<[f64; 3]>,
    /// Their velocities \[m/s\].
    pub velocities: Vec<[f64; 3]>,
    /// Their densities \[kg/m³\].
    pub densities: Vec<f64>,
    /// Their pressures \[Pa\].
    pub pressures: Vec<f64>,
    /// Their numbers in the file, from 0.
    pub numbers: Vec<usize>,
}

impl GivenParticles {
    /// Those of these indices, in their order.
    pub fn select(&self, indices: &[usize]) -> Self {
        fn chosen<T: Copy>(all: &[T], indices: &[usize]) -> Vec<T> {
            indices.iter().filter_map(|&i| all.get(i).copied()).collect()
        }
        GivenParticles {
            positions: chosen(&self.positions, indices),
            velocities: chosen(&self.velocities, indices),
            densities: chosen(&self.densities, indices),
            pressures: chosen(&self.pressures, indices),
            numbers: chosen(&self.numbers, indices),
        }
    }
}
