//! Weakly compressible SPH: pressure from Tait's equation of state.
//!
//! Becker & Teschner 2007, eq. 7 (after Batchelor): p = B ((ρ/ρ₀)^γ − 1), B = ρ₀c²/γ. Negative
//! pressures are cut off, as they would let a free surface clump.
//!
//! Symbols: c speed of sound \[m/s\], γ exponent (a whole number, 7 for water) \[–\].

use super::forces::PairForces;
use super::governor::Bounds;
use super::neighborhood::Neighborhood;
use crate::base::isa::Isa;
use crate::base::{Real, parallel, power};
use crate::world::{Wcsph, World};

/// The solver's parameters as numbers of the state, and its buffers.
#[derive(Debug)]
pub struct Tait {
    sound_speed: Real,
    exponent: u32,
    artificial_viscosity: Real,
    courant: f64,
    /// k = p/δ² \[Pa\].
    factors: Vec<Real>,
    forces: PairForces,
}

impl Tait {
    /// Takes the settings, and the instructions to compute with.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn new(settings: &Wcsph, isa: Isa) -> Self {
        Tait {
            sound_speed: settings.sound_speed as Real,
            exponent: settings.exponent,
            artificial_viscosity: settings.artificial_viscosity as Real,
            courant: settings.courant,
            factors: Vec::new(),
            forces: PairForces::on(isa),
        }
    }

    /// What limits the time step.
    pub fn bounds(&self, world: &World) -> Bounds {
        let physical = world.fluids.iter().map(|f| f64::from(f.viscosity)).fold(0.0, f64::max);
        let artificial = f64::from(self.artificial(world)) / 10.0;
        Bounds {
            sound_speed: Some(f64::from(self.sound_speed)),
            pressure_speed: 0.0,
            courant: self.courant,
            viscosity: physical + artificial,
        }
    }

    /// α c d \[m²/s\].
    fn artificial(&self, world: &World) -> Real {
        self.artificial_viscosity * self.sound_speed * world.spacing()
    }

    /// Pressures from densities.
    pub fn pressures(&mut self, world: &mut World) {
        let particles = &mut world.particles;
        let (fluids, densities, phases) = (&world.fluids, &particles.density, &particles.phase);
        parallel::fill(&mut particles.pressure, |i, pressure| {
            let rest_density = fluids[phases[i] as usize].rest_density;
            let stiffness =
                rest_density * self.sound_speed * self.sound_speed / self.exponent as Real;
            let tait = stiffness * (power(densities[i] / rest_density, self.exponent) - 1.0);
            *pressure = tait.max(0.0);
        });
        let pressures = &particles.pressure;
        self.factors.resize(pressures.len(), 0.0);
        parallel::fill(&mut self.factors, |i, factor| {
            let fraction = densities[i] / fluids[phases[i] as usize].rest_density;
            *factor = pressures[i] / (fraction * fraction);
        });
    }

    /// All accelerations at the present state.
    pub fn accelerations(&mut self, world: &mut World, near: &Neighborhood) {
        let artificial = self.artificial(world);
        self.forces.accelerations(world, near, &self.factors, artificial);
    }
}
