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

use crate::step::pairs::order::Order;
use crate::step::schemes::context::StageContext;
use crate::step::schemes::continuity::Continuity;
use crate::step::schemes::pair_forces::{BoundaryPressure, PairForces};
use crate::step::schemes::projection::Solved;
use crate::step::schemes::scheme::{DensityKind, PressureScheme};
use crate::step::schemes::shifting::Shifting;
use crate::step::schemes::sound::{densest, faster};
use crate::step::time_step::limits::{StepBounds, explicit_viscosity};
use crate::world::{Density, Fluid, Wcsph, World};
use hashfall_core::simd::Isa;
use hashfall_core::{Real, Vec3, parallel, power};

/// The solver's parameters as numbers of the state, and its buffers.
#[derive(Debug)]
pub struct WcsphScheme {
    sound_speed: Real,
    exponent: u32,
    artificial_viscosity: Real,
    courant: f64,
    /// P \[Pa\].
    background: Real,
    /// The same, and the speed of sound, as the settings give them.
    background_pressure: f64,
    shock_speed: f64,
    /// How many times steps of single particles may be halved.
    max_halvings: u32,
    /// Where densities go with the flow.
    continuity: Option<Continuity>,
    /// k: p/δ², where densities are sums; else p \[Pa\].
    factors: Vec<Real>,
    forces: PairForces,
    /// Where particles are shifted.
    shifting: Option<Shifting>,
}

impl WcsphScheme {
    /// Takes the settings, and the instructions to compute with.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn new(settings: &Wcsph, isa: Isa) -> Self {
        WcsphScheme {
            sound_speed: settings.sound_speed as Real,
            exponent: settings.exponent,
            artificial_viscosity: settings.artificial_viscosity as Real,
            courant: settings.courant,
            background: settings.background_pressure as Real,
            background_pressure: settings.background_pressure,
            shock_speed: settings.sound_speed,
            max_halvings: settings.individual_steps,
            continuity: match settings.density {
                Density::Summation => None,
                Density::Continuity { diffusion } => Some(Continuity::new(diffusion as Real, isa)),
            },
            factors: Vec::new(),
            forces: PairForces::new(isa).repelling(settings.interface_sharpening as Real),
            shifting: (settings.shifting > 0.0)
                .then(|| Shifting::new(settings.shifting as Real, isa)),
        }
    }

    /// α c d \[m²/s\].
    fn artificial(&self, world: &World) -> Real {
        self.artificial_viscosity * self.sound_speed * world.spacing()
    }

    /// Whether densities are sums over neighbours.
    fn sums_density(&self) -> bool {
        self.continuity.is_none()
    }
}

impl PressureScheme for WcsphScheme {
    fn bounds(&self, world: &World, fluids: &[Fluid]) -> StepBounds {
        let physical = explicit_viscosity(world, fluids);
        let artificial = f64::from(self.artificial(world)) / 10.0;
        StepBounds {
            sound_speed: Some(f64::from(self.sound_speed) * faster(world, fluids)),
            pressure_speed: 0.0,
            courant: self.courant,
            viscosity: physical + artificial,
            acceleration: None,
            fixed: None,
        }
    }

    fn density_kind(&self) -> DensityKind {
        if self.sums_density() { DensityKind::Summed } else { DensityKind::Transported }
    }

    fn max_halvings(&self) -> u32 {
        self.max_halvings
    }

    /// ρ c u + p₀.
    fn shock_pressure(&self, world: &World, speed: f64) -> f64 {
        let densest = f64::from(densest(&world.fluids));
        densest * self.shock_speed * speed + self.background_pressure
    }

    fn update_density(&mut self, world: &mut World, context: &mut StageContext<'_>) {
        if self.sums_density() {
            context.near.sum_densities(world, context.inactive);
        }
    }

    fn advance_density(&mut self, world: &mut World, context: &mut StageContext<'_>, dt: Real) {
        if let Some(continuity) = &mut self.continuity {
            let StageContext { near, pairs, .. } = context;
            continuity.advance(world, near, pairs, self.sound_speed, 0.5 * dt);
        }
    }

    fn update_pressure(&mut self, world: &mut World, _: &mut StageContext<'_>) {
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

    fn update_accelerations(&mut self, world: &mut World, context: &mut StageContext<'_>) {
        let artificial = self.artificial(world);
        let answer =
            if self.sums_density() { BoundaryPressure::Own } else { BoundaryPressure::Linear };
        self.forces.set_inactive(context.inactive);
        self.forces.accelerations(world, context, &self.factors, artificial, answer);
    }

    fn update_shifts(&mut self, world: &World, context: &mut StageContext<'_>, _: Real) -> Solved {
        if let Some(shifting) = &mut self.shifting {
            shifting.find(world, context.near, context.pairs);
        }
        Solved::default()
    }

    fn shifts(&self) -> &[Vec3] {
        self.shifting.as_ref().map_or(&[], Shifting::velocities)
    }

    fn reorder(&mut self, order: &Order) {
        self.forces.reorder(order);
    }
}
