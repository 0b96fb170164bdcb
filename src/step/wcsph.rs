//! Weakly compressible SPH: pressure from Tait's equation of state.
//!
//! Becker & Teschner 2007, eq. 7 (after Batchelor): p = B ((ρ/ρ₀)^γ − 1), B = ρ₀c²/γ. Negative
//! pressures are cut off, as they would let a free surface clump.
//!
//! Symbols: c speed of sound \[m/s\], γ exponent (a whole number, 7 for water) \[–\].

use super::continuity::Continuity;
use super::forces::{PairForces, SolidAnswer};
use super::governor::Bounds;
use super::neighborhood::Neighborhood;
use super::reactions::Reactions;
use super::shifting::Shifting;
use crate::base::isa::Isa;
use crate::base::{Real, Vec3, parallel, power};
use crate::world::{Density, Wcsph, World};

/// The solver's parameters as numbers of the state, and its buffers.
#[derive(Debug)]
pub struct Tait {
    sound_speed: Real,
    exponent: u32,
    artificial_viscosity: Real,
    courant: f64,
    /// Where densities go with the flow.
    continuity: Option<Continuity>,
    /// k: p/δ², where densities are sums; else p \[Pa\].
    factors: Vec<Real>,
    forces: PairForces,
    /// Where particles are shifted.
    shifting: Option<Shifting>,
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
            continuity: match settings.density {
                Density::Summation => None,
                Density::Continuity { diffusion } => Some(Continuity::new(diffusion as Real, isa)),
            },
            factors: Vec::new(),
            forces: PairForces::on(isa),
            shifting: (settings.shifting > 0.0)
                .then(|| Shifting::new(settings.shifting as Real, isa)),
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

    /// Half of a step of `dt` \[s\] for densities that go with the flow.
    pub fn advance_density(&mut self, world: &mut World, near: &Neighborhood, dt: Real) {
        if let Some(continuity) = &mut self.continuity {
            continuity.advance(world, near, self.sound_speed, 0.5 * dt);
        }
    }

    /// Whether densities are sums over neighbours.
    pub fn sums_density(&self) -> bool {
        self.continuity.is_none()
    }

    /// Finds with what velocities particles move beside their own.
    pub fn find_shifts(&mut self, world: &World, near: &Neighborhood) {
        if let Some(shifting) = &mut self.shifting {
            shifting.find(world, near);
        }
    }

    /// The velocities with which particles move beside their own \[m/s\]; none if they do not.
    pub fn shifts(&self) -> &[Vec3] {
        self.shifting.as_ref().map_or(&[], Shifting::velocities)
    }

    /// Pressures from densities.
    pub fn pressures(&mut self, world: &mut World) {
        let sums_density = self.sums_density();
        let particles = &mut world.particles;
        let (fluids, densities, phases) = (&world.fluids, &particles.density, &particles.phase);
        parallel::fill(&mut particles.pressure, |i, pressure| {
            let rest_density = fluids[phases[i] as usize].rest_density;
            let stiffness =
                rest_density * self.sound_speed * self.sound_speed / self.exponent as Real;
            let tait = stiffness * (power(densities[i] / rest_density, self.exponent) - 1.0);
            *pressure = if sums_density { tait.max(0.0) } else { tait };
        });
        let pressures = &particles.pressure;
        self.factors.resize(pressures.len(), 0.0);
        parallel::fill(&mut self.factors, |i, factor| {
            let fraction = densities[i] / fluids[phases[i] as usize].rest_density;
            *factor =
                if sums_density { pressures[i] / (fraction * fraction) } else { pressures[i] };
        });
    }

    /// All accelerations at the present state.
    pub fn accelerations(
        &mut self,
        world: &mut World,
        near: &Neighborhood,
        reactions: &mut Reactions,
    ) {
        let artificial = self.artificial(world);
        let answer = if self.sums_density() { SolidAnswer::Own } else { SolidAnswer::Linear };
        self.forces.accelerations(world, near, reactions, &self.factors, artificial, answer);
    }
}
