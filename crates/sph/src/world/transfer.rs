//! Particles that come into a world and leave it, with what the budget notes of them.

use super::{Audit, Budget, Emitter, World};
use hashfall_core::{Real, Vec3, parallel, vec3};

impl World {
    /// Whether a particle at `x` is where none belongs: outside the domain, and neither in a nozzle
    /// nor held by a body that goes through a wall, which leaves it no room inside.
    pub fn is_lost(&self, x: &Vec3) -> bool {
        let d = f64::from(self.spacing());
        let is_around = |emitter: &Emitter| emitter.is_around(x, d);
        !self.solids.domain.contains(x)
            && !self.open_boundaries.emitters.iter().any(is_around)
            && !self.solids.is_near_moving(x, self.particle_radius)
    }

    /// Mass of all particles that came in, and of all that went out \[kg\].
    pub fn masses_exchanged(&self) -> [f64; 2] {
        let Budget { emitted, removed, .. } = &self.open_boundaries.budget;
        [emitted, removed].map(|counts| {
            let masses = counts
                .iter()
                .enumerate()
                .map(|(phase, &n)| n as f64 * self.particle_mass(phase as u8));
            masses.fold(0.0, |sum, mass| sum + mass)
        })
    }

    /// Kinetic and potential energy of a particle \[J\].
    pub fn energy_of(&self, i: usize) -> f64 {
        let [kinetic, potential] = Audit::energies(self, i);
        kinetic + potential
    }

    /// Takes out the particles for which `is_gone` holds, and notes them.
    pub fn remove_particles(&mut self, is_gone: &[bool]) {
        let gone: Vec<usize> = (0..is_gone.len()).filter(|&i| is_gone[i]).collect();
        let [energy] = parallel::sum(gone.len(), |k| [self.energy_of(gone[k])]);
        for i in gone {
            self.open_boundaries.budget.removed[usize::from(self.particles.phase[i])] += 1;
        }
        self.open_boundaries.budget.energy -= energy;
        self.particles.remove(|i| is_gone[i]);
    }

    /// Adds a particle of emitter `e` at `x`, in its nozzle or free, with part `pace` of its speed,
    /// and notes it.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn emit(&mut self, e: usize, x: Vec3, speed_ratio: f64, birth: f64, is_in_nozzle: bool) {
        let Emitter { phase, velocity, .. } = self.open_boundaries.emitters[e];
        let rest_density = self.fluids[usize::from(phase)].rest_density;
        let particles = &mut self.particles;
        particles.push(x, vec3(velocity.map(|v| v * speed_ratio)), phase, rest_density);
        let last = particles.len() - 1;
        particles.birth[last] = birth as Real;
        particles.in_nozzle[last] = if is_in_nozzle { e as u8 + 1 } else { 0 };
        let budget = &mut self.open_boundaries.budget;
        budget.emitted[usize::from(phase)] += 1;
        let energy = self.energy_of(last);
        let above = energy - self.particle_mass(phase) * self.lowest_potential();
        let budget = &mut self.open_boundaries.budget;
        budget.energy += energy;
        budget.outside.supplied += above;
    }
}
