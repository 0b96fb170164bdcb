//! Weakly compressible SPH: pressure from Tait's equation of state.
//!
//! Becker & Teschner 2007, eq. 7 (after Batchelor): p = B ((ρ/ρ₀)^γ − 1) + P, B = ρ₀c²/γ. Negative
//! pressures are cut off, as they would let a free surface clump; where there is none, P keeps the
//! fluid pressed together.
//!
//! Several fluids have the same stiffness B, that of the densest, so that under the same pressure
//! they are compressed alike; sound then is faster in the lighter ones, by √(ρ₀ₘₐₓ/ρ₀). With the
//! same speed of sound in all, air at the bottom of a lake would be pressed to nothing.
//!
//! Symbols: c speed of sound in the densest fluid \[m/s\], γ exponent (a whole number, 7 for
//! water) \[–\], P background pressure \[Pa\].

use crate::step::boundary::reactions::Reactions;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::order::Order;
use crate::step::schemes::continuity::Continuity;
use crate::step::schemes::pair_forces::{PairForces, SolidAnswer};
use crate::step::schemes::shifting::Shifting;
use crate::step::time_step::limits::{Bounds, explicit_viscosity};
use crate::world::{Density, Fluid, Wcsph, World};
use hashfall_core::simd::Isa;
use hashfall_core::{Real, Vec3, parallel, power};

/// The solver's parameters as numbers of the state, and its buffers.
#[derive(Debug)]
pub struct Tait {
    sound_speed: Real,
    exponent: u32,
    artificial_viscosity: Real,
    courant: f64,
    /// P \[Pa\].
    background: Real,
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
            background: settings.background_pressure as Real,
            continuity: match settings.density {
                Density::Summation => None,
                Density::Continuity { diffusion } => Some(Continuity::new(diffusion as Real, isa)),
            },
            factors: Vec::new(),
            forces: PairForces::on(isa).repelling(settings.interface_repulsion as Real),
            shifting: (settings.shifting > 0.0)
                .then(|| Shifting::new(settings.shifting as Real, isa)),
        }
    }

    /// What limits the time step of particles of these fluids.
    pub fn bounds(&self, world: &World, fluids: &[Fluid]) -> Bounds {
        let physical = explicit_viscosity(world, fluids);
        let artificial = f64::from(self.artificial(world)) / 10.0;
        Bounds {
            sound_speed: Some(f64::from(self.sound_speed) * faster(world, fluids)),
            pressure_speed: 0.0,
            courant: self.courant,
            viscosity: physical + artificial,
            acceleration: None,
            fixed: None,
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
        let square = self.sound_speed * self.sound_speed;
        let stiffness = densest(fluids) * square / self.exponent as Real;
        parallel::fill(&mut particles.pressure, |i, pressure| {
            let rest_density = fluids[phases[i] as usize].rest_density;
            let tait = stiffness * (power(densities[i] / rest_density, self.exponent) - 1.0)
                + self.background;
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

    /// Goes with the particles into a new order.
    pub fn follow(&mut self, order: &Order) {
        self.forces.follow(order);
    }

    /// All accelerations at the present state.
    pub fn accelerations(
        &mut self,
        world: &mut World,
        near: &Neighborhood,
        idle: &[bool],
        reactions: &mut Reactions,
    ) {
        let artificial = self.artificial(world);
        let answer = if self.sums_density() { SolidAnswer::Own } else { SolidAnswer::Linear };
        self.forces.keep_of(idle);
        self.forces.accelerations(world, near, reactions, &self.factors, artificial, answer);
    }
}

/// ρ₀ₘₐₓ \[kg/m³\].
fn densest(fluids: &[Fluid]) -> Real {
    fluids.iter().map(|fluid| fluid.rest_density).fold(0.0, Real::max)
}

/// c² in each fluid \[m²/s²\], with that in the densest given \[m/s\].
pub fn squared_sound_speeds(
    fluids: &[Fluid],
    sound_speed: Real,
) -> impl Iterator<Item = Real> + '_ {
    let densest = densest(fluids);
    fluids.iter().map(move |fluid| sound_speed * sound_speed * (densest / fluid.rest_density))
}

/// How much faster than in the densest fluid sound is in the lightest of these `fluids`.
fn faster(world: &World, fluids: &[Fluid]) -> f64 {
    let least = fluids.iter().map(|fluid| fluid.rest_density).fold(Real::INFINITY, Real::min);
    (f64::from(densest(&world.fluids)) / f64::from(least)).sqrt()
}
