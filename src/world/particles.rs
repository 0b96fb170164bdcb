//! Particles as a structure of arrays: one entry per particle in each.

use crate::base::{Real, Vec3, parallel};

/// The fluid's state. All arrays have the same length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Particles {
    /// Centres \[m\].
    pub position: Vec<Vec3>,
    /// Velocities \[m/s\].
    pub velocity: Vec<Vec3>,
    /// Accelerations at the current time \[m/s²\].
    pub acceleration: Vec<Vec3>,
    /// Densities with the solids' part \[kg/m³\].
    pub density: Vec<Real>,
    /// The fluid's own part of density / rest density \[–\]; the surface is made from it.
    pub fluid_fraction: Vec<Real>,
    /// Pressures \[Pa\].
    pub pressure: Vec<Real>,
    /// Number given at the start, 0..n, never reused.
    pub id: Vec<u32>,
    /// Which fluid: an index into the world's fluids.
    pub phase: Vec<u8>,
}

impl Particles {
    /// Adds a particle at rest pressure and density; its id is its place in the order of adding.
    pub fn push(&mut self, position: Vec3, velocity: Vec3, phase: u8, rest_density: Real) {
        self.id.push(self.len() as u32);
        self.position.push(position);
        self.velocity.push(velocity);
        self.acceleration.push(Vec3::zeros());
        self.density.push(rest_density);
        self.fluid_fraction.push(1.0);
        self.pressure.push(0.0);
        self.phase.push(phase);
    }

    /// Becomes a copy of `other`, in the memory that it has.
    pub fn copy_from(&mut self, other: &Particles) {
        // Named one by one: a field that is added must be copied, too.
        let Particles {
            position,
            velocity,
            acceleration,
            density,
            fluid_fraction,
            pressure,
            id,
            phase,
        } = other;
        copy(&mut self.position, position);
        copy(&mut self.velocity, velocity);
        copy(&mut self.acceleration, acceleration);
        copy(&mut self.density, density);
        copy(&mut self.fluid_fraction, fluid_fraction);
        copy(&mut self.pressure, pressure);
        copy(&mut self.id, id);
        copy(&mut self.phase, phase);
    }

    /// Number of particles.
    pub fn len(&self) -> usize {
        self.position.len()
    }

    /// Whether there is no particle.
    pub fn is_empty(&self) -> bool {
        self.position.is_empty()
    }

    /// Whether the ids are 0..n, in any order.
    pub fn has_each_id_once(&self) -> bool {
        let mut seen = vec![false; self.len()];
        let mut first = |id: u32| {
            let seen = seen.get_mut(id as usize);
            seen.is_some_and(|seen| !std::mem::replace(seen, true))
        };
        self.id.iter().all(|&id| first(id))
    }

    /// The place of each id: `order[id]` is the index of the particle with that id.
    pub fn order_by_id(&self) -> Vec<u32> {
        let mut order = vec![0; self.len()];
        for (i, &id) in self.id.iter().enumerate() {
            order[id as usize] = i as u32;
        }
        order
    }
}

/// Writes `from` over `to`.
fn copy<T: Copy + Default + Send + Sync>(to: &mut Vec<T>, from: &[T]) {
    to.resize(from.len(), T::default());
    parallel::fill(to, |i, value| *value = from[i]);
}
