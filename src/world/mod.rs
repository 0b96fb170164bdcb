//! The world as a value: particles, solids, settings and clock. Clone it, compare it, digest it.

mod audit;
mod particles;
mod probes;
mod rest_lattice;
mod settings;

pub use audit::Audit;
pub use particles::Particles;
pub use probes::{Axis, Probe, Probes};
pub use rest_lattice::RestLattice;
pub use settings::{Dfsph, Fluid, Frames, Output, Solver, Surface, SurfaceFormat, Wcsph};

use crate::base::digest::Digest;
use crate::base::{Real, Vec3, power};
use crate::kernel::CubicSpline;
use crate::solid::Solids;

/// Everything that a time step reads or changes.
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    /// The fluid, sorted by cells of the support radius (ties by id) after each step.
    pub particles: Particles,
    /// Materials; a particle's phase is an index into this.
    pub fluids: Vec<Fluid>,
    /// Static obstacles and walls.
    pub solids: Solids,
    /// Gravity \[m/s²\].
    pub gravity: Vec3,
    /// Particle radius r \[m\]; the spacing d is 2r, the volume d³.
    pub particle_radius: Real,
    /// Support radius h \[m\] of the kernel.
    pub support_radius: Real,
    /// How pressure is found.
    pub solver: Solver,
    /// Simulated time \[s\].
    pub time: f64,
    /// Steps taken.
    pub steps: u64,
}

impl World {
    /// The lattice spacing d = 2r \[m\].
    pub fn spacing(&self) -> Real {
        2.0 * self.particle_radius
    }

    /// The rest volume d³ of a particle \[m³\].
    pub fn particle_volume(&self) -> Real {
        power(self.spacing(), 3)
    }

    /// The smoothing kernel.
    pub fn kernel(&self) -> CubicSpline {
        CubicSpline::new(self.support_radius)
    }

    /// What makes a particle of the resting lattice count as one.
    pub fn rest_lattice(&self) -> RestLattice {
        RestLattice::of(&self.kernel(), self.spacing())
    }

    /// Mass of a particle of fluid `phase` \[kg\].
    pub fn particle_mass(&self, phase: u8) -> f64 {
        f64::from(self.fluids[phase as usize].rest_density) * f64::from(self.particle_volume())
    }

    /// Time, step count, positions and velocities by id, to the bit.
    pub fn digest(&self) -> u64 {
        let mut digest = Digest::default();
        digest.word(self.time.to_bits());
        digest.word(self.steps);
        for &i in &self.particles.order_by_id() {
            digest.word(u64::from(self.particles.id[i as usize]));
            digest.vec3(&self.particles.position[i as usize]);
            digest.vec3(&self.particles.velocity[i as usize]);
        }
        digest.value()
    }
}
