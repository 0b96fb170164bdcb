//! Periodic sides: fluid that leaves on one side comes in on the other, and sees across it.
//!
//! Particles within h of a periodic side have images, *ghosts*, displaced by the domain's length.
//! Ghosts stand behind the particles in what loops over pairs read ([`super::pair_data`]), so that
//! these loops need not know of them; they have no list of their own.

use crate::world::World;
use hashfall_core::{Real, Vec3, parallel};

/// The images of the particles near periodic sides.
#[derive(Debug, Default)]
pub struct Ghosts {
    /// The particle that each is an image of, and how far it is displaced \[m\].
    images: Vec<(u32, Vec3)>,
    /// Places of particles and images.
    positions: Vec<Vec3>,
}

impl Ghosts {
    /// Finds the images of a world whose particles are within its domain.
    pub fn find(&mut self, world: &World) {
        let (particles, h) = (&world.particles, world.support_radius);
        let (min, max) = (world.solids.domain.min, world.solids.domain.max);
        self.images.clear();
        self.positions.clear();
        self.positions.extend_from_slice(&particles.position);
        for axis in (0..3).filter(|&axis| world.periodic[axis]) {
            let length = max[axis] - min[axis];
            // Ghosts have images along further axes: of edges and corners.
            for i in 0..self.positions.len() {
                let x = self.positions[i];
                let (source, offset) = match i.checked_sub(particles.len()) {
                    None => (i as u32, Vec3::zeros()),
                    Some(image) => self.images[image],
                };
                let mut add = |shift: Real| {
                    let mut moved = offset;
                    moved[axis] += shift;
                    self.images.push((source, moved));
                    self.positions.push(particles.position[source as usize] + moved);
                };
                if x[axis] < min[axis] + h {
                    add(length);
                }
                if x[axis] > max[axis] - h {
                    add(-length);
                }
            }
        }
    }

    /// Places of the particles, and then of their images \[m\].
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// The particle that `j`, one of `particles` or an image behind them, is or shows.
    pub fn particle(&self, j: u32, particles: usize) -> usize {
        (j as usize).checked_sub(particles).map_or(j, |image| self.images[image].0) as usize
    }

    /// The particle that each ghost is an image of, and how far it is displaced \[m\].
    pub fn offsets(&self) -> &[(u32, Vec3)] {
        &self.images
    }
}

/// Brings particles that left on a periodic side back in on the other.
pub fn wrap(world: &mut World) {
    let before = world.has_periodic_fall().then(|| world.potential_energy());
    let (min, max) = (world.solids.domain.min, world.solids.domain.max);
    let axes = (0..3).filter(|&axis| world.periodic[axis]);
    for axis in axes {
        let (low, high) = (min[axis], max[axis]);
        let length = high - low;
        parallel::fill(&mut world.particles.position, |_, x| {
            let place = &mut x[axis];
            if *place < low || *place >= high {
                let turns = ((*place - low) / length).floor();
                let inside = *place - turns * length;
                // Rounding may leave it on the upper side, or just below the lower.
                *place = if inside < high { inside.max(low) } else { low };
            }
        });
    }
    if let Some(before) = before {
        world.open_boundaries.budget.outside.forces += world.potential_energy() - before;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_have_three_images_and_sides_one() {
        let mut world = crate::step::tests::box_of_one(Vec3::new(0.01, 0.5, 0.99));
        world.periodic = [true, true, true];
        let mut ghosts = Ghosts::default();
        ghosts.find(&world);
        let mut places: Vec<[Real; 3]> =
            ghosts.positions()[1..].iter().map(|&x| x.into()).collect();
        places.iter_mut().flatten().for_each(|x| *x = (*x * 100.0).round() / 100.0);
        assert_eq!(places, [[1.01, 0.5, 0.99], [0.01, 0.5, -0.01], [1.01, 0.5, -0.01]]);
    }

    #[test]
    fn what_leaves_comes_back_in() {
        for x in [-0.25, 1.25, -3.75, 1.0, -1e-9, 7.5] {
            let mut world = crate::step::tests::box_of_one(Vec3::new(x, x, 0.5));
            world.periodic = [true, false, false];
            wrap(&mut world);
            let place = world.particles.position[0];
            assert!((0.0..1.0).contains(&place.x), "{x}: {place}");
            let turns = place.x - x;
            assert!((turns - turns.round()).abs() < 1e-6, "{x}: {place}");
            assert_eq!(place.y, x);
        }
    }
}
