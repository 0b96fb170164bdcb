//! Particles as a structure of arrays: one entry per particle in each.

use hashfall_core::{Real, Vec3, parallel};
use rayon::slice::ParallelSliceMut;

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
    /// Number given when it came into being, never given again.
    pub id: Vec<u32>,
    /// Which fluid: an index into the world's fluids.
    pub phase: Vec<u8>,
    /// When it came into the world, out of its emitter if it has one \[s\].
    pub birth: Vec<Real>,
    /// Whose nozzle it still is in: one more than the number of the emitter; 0 if it is free.
    pub in_nozzle: Vec<u8>,
    /// The id of the next to come: above all that were given.
    pub next_id: u32,
}

impl Particles {
    /// Adds a free particle at rest pressure and density, there since the start; its id is its
    /// place in the order of adding.
    pub fn push(&mut self, position: Vec3, velocity: Vec3, phase: u8, rest_density: Real) {
        self.id.push(self.next_id);
        self.next_id += 1;
        self.position.push(position);
        self.velocity.push(velocity);
        self.acceleration.push(Vec3::zeros());
        self.density.push(rest_density);
        self.fluid_fraction.push(1.0);
        self.pressure.push(0.0);
        self.phase.push(phase);
        self.birth.push(0.0);
        self.in_nozzle.push(0);
    }

    /// Removes the particles for which `is_gone` holds; the others keep their order and their ids.
    pub fn remove(&mut self, is_gone: impl Fn(usize) -> bool) {
        let mut left = 0;
        for i in 0..self.len() {
            if !is_gone(i) {
                self.copy_within(i, left);
                left += 1;
            }
        }
        self.truncate(left);
    }

    /// Writes particle `from` over particle `to`.
    fn copy_within(&mut self, from: usize, to: usize) {
        self.position[to] = self.position[from];
        self.velocity[to] = self.velocity[from];
        self.acceleration[to] = self.acceleration[from];
        self.density[to] = self.density[from];
        self.fluid_fraction[to] = self.fluid_fraction[from];
        self.pressure[to] = self.pressure[from];
        self.id[to] = self.id[from];
        self.phase[to] = self.phase[from];
        self.birth[to] = self.birth[from];
        self.in_nozzle[to] = self.in_nozzle[from];
    }

    /// Keeps the first `count`.
    fn truncate(&mut self, count: usize) {
        self.position.truncate(count);
        self.velocity.truncate(count);
        self.acceleration.truncate(count);
        self.density.truncate(count);
        self.fluid_fraction.truncate(count);
        self.pressure.truncate(count);
        self.id.truncate(count);
        self.phase.truncate(count);
        self.birth.truncate(count);
        self.in_nozzle.truncate(count);
    }

    /// How long each has been in the world at `time` \[s\]; 0 in a nozzle.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn ages(&self, time: f64) -> Vec<Real> {
        (0..self.len()).map(|i| self.age(i, time)).collect()
    }

    /// The age of one \[s\].
    pub fn age(&self, i: usize, time: f64) -> Real {
        match self.in_nozzle[i] {
            0 => ((time - f64::from(self.birth[i])) as Real).max(0.0),
            _ => 0.0,
        }
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
            birth,
            in_nozzle,
            next_id,
        } = other;
        parallel::together(&mut [
            &mut || copy(&mut self.position, position),
            &mut || copy(&mut self.velocity, velocity),
            &mut || copy(&mut self.acceleration, acceleration),
            &mut || copy(&mut self.density, density),
            &mut || copy(&mut self.fluid_fraction, fluid_fraction),
            &mut || copy(&mut self.pressure, pressure),
            &mut || copy(&mut self.id, id),
            &mut || copy(&mut self.phase, phase),
            &mut || copy(&mut self.birth, birth),
            &mut || copy(&mut self.in_nozzle, in_nozzle),
        ]);
        self.next_id = *next_id;
    }

    /// Number of particles.
    pub fn len(&self) -> usize {
        self.position.len()
    }

    /// Whether all arrays have the same length.
    pub fn has_equal_lengths(&self) -> bool {
        let vectors = [self.velocity.len(), self.acceleration.len()];
        let reals = [&self.density, &self.fluid_fraction, &self.pressure, &self.birth];
        let others = [self.id.len(), self.phase.len(), self.in_nozzle.len()];
        let mut lengths = vectors.into_iter().chain(reals.map(Vec::len)).chain(others);
        lengths.all(|length| length == self.len())
    }

    /// Whether there is no particle.
    pub fn is_empty(&self) -> bool {
        self.position.is_empty()
    }

    /// Whether no id is there twice, and all are below the next to come.
    pub fn has_each_id_once(&self) -> bool {
        let mut ids = self.id.clone();
        ids.sort_unstable();
        let is_below = ids.last().is_none_or(|&last| last < self.next_id);
        is_below && ids.windows(2).all(|pair| pair[0] < pair[1])
    }

    /// The indices of the particles in order of their ids.
    pub fn order_by_id(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        if self.next_id as usize == self.len() {
            // None is missing: each id is a place.
            for (i, &id) in self.id.iter().enumerate() {
                order[id as usize] = i as u32;
            }
        } else {
            order.par_sort_unstable_by_key(|&i| self.id[i as usize]);
        }
        order
    }
}

/// Writes `from` over `to`.
fn copy<T: Copy + Default + Send + Sync>(to: &mut Vec<T>, from: &[T]) {
    to.resize(from.len(), T::default());
    parallel::fill(to, |i, value| *value = from[i]);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six particles of which two are gone.
    fn with_gaps() -> Particles {
        let mut particles = Particles::default();
        for k in 0..6_u8 {
            particles.push(Vec3::x() * Real::from(k), Vec3::zeros(), k, 1.0);
        }
        particles.remove(|i| i == 1 || i == 4);
        particles
    }

    #[test]
    fn ids_of_the_gone_are_not_given_again() {
        let mut particles = with_gaps();
        assert_eq!(particles.id, [0, 2, 3, 5]);
        assert_eq!(particles.phase, [0, 2, 3, 5]);
        assert_eq!(particles.position[3].x, 5.0);
        particles.push(Vec3::zeros(), Vec3::zeros(), 0, 1.0);
        assert_eq!((particles.id[4], particles.next_id), (6, 7));
        assert!(particles.has_each_id_once());
        particles.id.swap(0, 3);
        assert_eq!(particles.order_by_id(), [3, 1, 2, 0, 4]);
    }

    #[test]
    fn ids_that_are_there_twice_or_were_not_given_yet_are_seen() {
        for id in [2, 6, u32::MAX] {
            let mut particles = with_gaps();
            particles.id[1] = id;
            assert_eq!(particles.has_each_id_once(), id == 2);
            particles.id[0] = id;
            assert!(!particles.has_each_id_once());
        }
    }

    #[test]
    fn age_counts_from_birth_and_not_in_a_nozzle() {
        let mut particles = with_gaps();
        particles.birth[1] = 0.5;
        particles.birth[2] = 3.0;
        particles.in_nozzle[3] = 1;
        assert_eq!(particles.ages(2.0), [2.0, 1.5, 0.0, 0.0]);
    }
}
