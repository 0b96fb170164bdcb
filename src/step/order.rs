//! The world's order: particles sorted by cells of the support radius, ties by id.
//!
//! Neighbours in space become neighbours in memory, and the order, and with it every sum, is the
//! same whatever search structure or thread count is used. Particles move less than a cell in a
//! step, so the arrays are nearly sorted already and often need no move at all.

use crate::base::cell::{cell_key, cell_of};
use crate::base::{Real, Vec3, parallel};
use crate::world::Particles;
use rayon::prelude::*;

/// Sorts particles; keeps its buffers between steps.
#[derive(Debug, Default)]
pub struct Order {
    places: Vec<Place>,
    reals: Vec<Real>,
    vectors: Vec<Vec3>,
    ids: Vec<u32>,
    phases: Vec<u8>,
}

/// Where a particle belongs, and where it is.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    cell: u64,
    id: u32,
    index: u32,
}

impl Place {
    fn rank(&self) -> (u64, u32) {
        (self.cell, self.id)
    }
}

impl Order {
    /// Sorts all arrays of `particles` by cell of size `support_radius`, then by id.
    pub fn sort(&mut self, particles: &mut Particles, support_radius: Real) {
        let n = particles.len();
        self.places.resize(n, Place::default());
        parallel::fill(&mut self.places, |i, place| {
            let cell = cell_key(cell_of(&particles.position[i], support_radius));
            *place = Place { cell, id: particles.id[i], index: i as u32 };
        });
        if self.places.is_sorted_by_key(Place::rank) {
            return;
        }
        // Ranks are unique, so an unstable sort has one outcome, and needs no second buffer.
        self.places.par_sort_unstable_by_key(Place::rank);
        let places = &self.places;
        gather(places, &mut particles.position, &mut self.vectors);
        gather(places, &mut particles.velocity, &mut self.vectors);
        gather(places, &mut particles.acceleration, &mut self.vectors);
        gather(places, &mut particles.density, &mut self.reals);
        gather(places, &mut particles.fluid_fraction, &mut self.reals);
        gather(places, &mut particles.pressure, &mut self.reals);
        gather(places, &mut particles.id, &mut self.ids);
        gather(places, &mut particles.phase, &mut self.phases);
    }
}

/// Puts `values` into the order of `places`, through a buffer that is swapped with it.
fn gather<T>(places: &[Place], values: &mut Vec<T>, buffer: &mut Vec<T>)
where
    T: Copy + Default + Send + Sync,
{
    buffer.resize(values.len(), T::default());
    parallel::fill(buffer, |i, value| *value = values[places[i].index as usize]);
    std::mem::swap(values, buffer);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn particles_come_in_order_of_cells_and_ties_of_id_with_all_their_arrays() {
        let mut particles = Particles::default();
        let xs: [Real; 5] = [2.5, 0.5, -0.5, 0.25, 2.25];
        for (k, x) in xs.into_iter().enumerate() {
            particles.push(Vec3::new(x, 0.0, 0.0), Vec3::new(0.0, x, 0.0), k as u8, x);
        }
        let mut order = Order::default();
        for _ in 0..2 {
            order.sort(&mut particles, 1.0);
            assert_eq!(particles.id, [2, 1, 3, 0, 4]);
            assert_eq!(particles.phase, [2, 1, 3, 0, 4]);
            for i in 0..5 {
                let x = xs[particles.id[i] as usize];
                assert_eq!(particles.position[i].x, x);
                assert_eq!(particles.velocity[i].y, x);
                assert_eq!(particles.density[i], x);
            }
        }
    }
}
