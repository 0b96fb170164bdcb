//! The audit: what must be conserved, summed in double precision.

use super::World;
use hashfall_core::{parallel, to_f64};

/// Totals over all particles.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Audit {
    /// Mass \[kg\].
    pub mass: f64,
    /// Momentum \[kg m/s\].
    pub momentum: [f64; 3],
    /// Kinetic energy \[J\].
    pub kinetic_energy: f64,
    /// Potential energy \[J\]: −m g·x, zero at the origin, and ½ m k |x − c|² of each central
    /// force. A table of accelerations has none: the energy that it brings is not accounted for.
    pub potential_energy: f64,
    /// Largest speed \[m/s\].
    pub max_speed: f64,
    /// Particles whose centre lies outside the domain, but those in nozzles.
    pub outside: usize,
}

impl Audit {
    /// Kinetic and potential energy \[J\].
    pub fn energy(&self) -> f64 {
        self.kinetic_energy + self.potential_energy
    }

    /// Kinetic and potential energy of a particle \[J\].
    pub fn energies(world: &World, i: usize) -> [f64; 2] {
        let p = &world.particles;
        let m = world.particle_mass(p.phase[i]);
        let gravity = to_f64(&world.gravity);
        let (v, place) = (to_f64(&p.velocity[i]), to_f64(&p.position[i]));
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let springs: f64 = world.forces.iter().map(|force| force.potential(&place)).sum();
        [0.5 * m * dot(v, v), m * (springs - dot(gravity, place))]
    }

    /// Sums up a world.
    pub fn new(world: &World) -> Self {
        let p = &world.particles;
        let [mass, x, y, z, kinetic, potential, outside] = parallel::sum(p.len(), |i| {
            let m = world.particle_mass(p.phase[i]);
            let [x, y, z] = to_f64(&p.velocity[i]).map(|c| m * c);
            let [kinetic, potential] = Audit::energies(world, i);
            let outside = world.is_lost(&p.position[i]);
            [m, x, y, z, kinetic, potential, f64::from(u8::from(outside))]
        });
        let fastest = parallel::max(p.len(), 0.0, |i| f64::from(p.velocity[i].norm_squared()));
        Audit {
            mass,
            momentum: [x, y, z],
            kinetic_energy: kinetic,
            potential_energy: potential,
            max_speed: fastest.sqrt(),
            outside: outside as usize,
        }
    }
}
