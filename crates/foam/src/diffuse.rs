//! Diffuse particles: spray, foam and bubbles, an array for each quantity.

use hashfall_core::cell::key_of_point;
use hashfall_core::{Real, Vec3, parallel};
use hashfall_search::CellSort;

/// What a diffuse particle is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// In the air.
    #[default]
    Spray = 0,
    /// On the surface.
    Foam = 1,
    /// In the fluid.
    Bubble = 2,
}

impl Kind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Kind; 3] = [Kind::Spray, Kind::Foam, Kind::Bubble];

    /// The kind of this number.
    pub fn from_number(number: u32) -> Option<Kind> {
        Kind::ALL.get(number as usize).copied()
    }
}

/// Diffuse particles.
///
/// This is all that continues from frame to frame: a computation that reads it back continues to
/// the same bits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diffuse {
    /// Ids, in the order of emission.
    pub ids: Vec<u32>,
    /// Positions \[m\].
    pub positions: Vec<Vec3>,
    /// Velocities \[m/s\].
    pub velocities: Vec<Vec3>,
    /// What they are.
    pub kinds: Vec<Kind>,
    /// Time since emission \[s\].
    pub ages: Vec<Real>,
    /// What is left of their lifetime \[s\]; 0 if it does not pass.
    pub lifetimes: Vec<Real>,
    /// Radii \[m\].
    pub radii: Vec<Real>,
    /// The id of the next.
    pub next_id: u32,
}

/// One diffuse particle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Particle {
    pub position: Vec3,
    pub velocity: Vec3,
    pub kind: Kind,
    pub age: Real,
    pub lifetime: Real,
    pub radius: Real,
}

impl Diffuse {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// How many there are of each kind, in the order of [`Kind::ALL`].
    pub fn counts(&self) -> [usize; 3] {
        Kind::ALL.map(|kind| self.kinds.iter().filter(|it| **it == kind).count())
    }

    /// Whether all arrays have the same length, ids come once and are below the next, and all
    /// numbers are finite and in bounds: what is read from a file may have any.
    pub fn is_sound(&self) -> bool {
        let n = self.len();
        let lengths = [
            self.positions.len(),
            self.velocities.len(),
            self.kinds.len(),
            self.ages.len(),
            self.lifetimes.len(),
            self.radii.len(),
        ];
        let vectors = self.positions.iter().chain(&self.velocities);
        let numbers = self.ages.iter().chain(&self.lifetimes).chain(&self.radii);
        let mut ids = self.ids.clone();
        ids.sort_unstable();
        lengths.iter().all(|length| *length == n)
            && vectors.flat_map(|v| v.iter()).all(|x| x.is_finite())
            && numbers.clone().all(|x| x.is_finite() && *x >= 0.0)
            && self.radii.iter().all(|radius| *radius > 0.0)
            && ids.windows(2).all(|pair| pair[0] < pair[1])
            && ids.last().is_none_or(|last| *last < self.next_id)
    }

    /// Appends a particle and gives it an id.
    pub(crate) fn push(&mut self, particle: Particle) {
        let Particle { position, velocity, kind, age, lifetime, radius } = particle;
        self.ids.push(self.next_id);
        self.positions.push(position);
        self.velocities.push(velocity);
        self.kinds.push(kind);
        self.ages.push(age);
        self.lifetimes.push(lifetime);
        self.radii.push(radius);
        self.next_id += 1;
    }

    /// Keeps the particles for which this holds, in their order.
    pub(crate) fn retain(&mut self, keeps: &[bool]) {
        fn kept<T>(all: &mut Vec<T>, keeps: &[bool]) {
            let mut keeps = keeps.iter();
            all.retain(|_| keeps.next().copied().unwrap_or(true));
        }
        kept(&mut self.ids, keeps);
        kept(&mut self.positions, keeps);
        kept(&mut self.velocities, keeps);
        kept(&mut self.kinds, keeps);
        kept(&mut self.ages, keeps);
        kept(&mut self.lifetimes, keeps);
        kept(&mut self.radii, keeps);
    }

    /// Puts the particles in the order of their cells of edge `h` \[m\]: those that are near each
    /// other read the same fluid.
    pub(crate) fn sort_by_cell(&mut self, h: Real) {
        let mut keys = vec![0; self.len()];
        parallel::fill(&mut keys, |i, key| *key = key_of_point(&self.positions[i], h));
        let mut sorter = CellSort::default();
        sorter.sort(&keys);
        let order: Vec<u32> = (0..self.len()).map(|place| sorter.at(place).1).collect();
        self.permute(&order);
    }

    /// Puts the particles in the order of their ids, as files have them.
    pub fn sort_by_id(&mut self) {
        if self.ids.is_sorted() {
            return;
        }
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        rayon::slice::ParallelSliceMut::par_sort_unstable_by_key(&mut order[..], |&i| {
            self.ids[i as usize]
        });
        self.permute(&order);
    }

    fn permute(&mut self, order: &[u32]) {
        fn permuted<T: Copy + Default + Send + Sync>(all: &mut Vec<T>, order: &[u32]) {
            let mut new = vec![T::default(); order.len()];
            parallel::fill(&mut new, |place, item| *item = all[order[place] as usize]);
            *all = new;
        }
        permuted(&mut self.ids, order);
        permuted(&mut self.positions, order);
        permuted(&mut self.velocities, order);
        permuted(&mut self.kinds, order);
        permuted(&mut self.ages, order);
        permuted(&mut self.lifetimes, order);
        permuted(&mut self.radii, order);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;

    #[test]
    fn orders_keep_each_particle_whole() {
        let mut random = Random::new(5);
        let mut all = Diffuse::default();
        for _ in 0..2000 {
            let position = random.vec3(-1.0, 1.0);
            let (velocity, age) = (position * 2.0, position.x.abs());
            let particle = Particle { position, velocity, age, radius: 0.1, ..Particle::default() };
            all.push(particle);
        }
        let before = all.clone();
        assert!(all.is_sound());
        all.sort_by_cell(0.3);
        assert_ne!(all, before);
        assert!(all.is_sound());
        assert!((0..2000).all(|i| all.velocities[i] == all.positions[i] * 2.0));
        all.sort_by_id();
        assert_eq!(all, before);
        let keeps: Vec<bool> = (0..2000).map(|i| i % 3 == 0).collect();
        all.retain(&keeps);
        assert_eq!((all.len(), all.next_id, all.ids[5]), (667, 2000, 15));
        assert_eq!(all.positions[5], before.positions[15]);
        all.ids[5] = all.ids[4];
        assert!(!all.is_sound());
    }
}
