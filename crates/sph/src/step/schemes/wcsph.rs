//! Weakly compressible SPH: pressure from Tait's equation of state.
//!
//! Becker & Teschner 2007, eq. 7 (after Batchelor): p = B ((ρ/ρ₀)^γ − 1) + P, B = ρ₀c²/γ. Densities
//! go with the flow or are sums:
//!
//! - with the flow ([`crate::step::schemes::continuity`]), pressure has either sign and acts by
//!   [`crate::step::schemes::mirrored_pressure`], particles are
//!   [shifted](crate::step::schemes::shifting), and noise is
//!   [filtered](crate::step::schemes::velocity_filter), by α √(p/ρ₀) in place of the speed of
//!   sound: waves and vortices go through it. docs/discretisation.md has what was tried;
//! - as sums, negative pressures are cut off, as they would let a free surface clump; where there
//!   is none, P keeps the fluid pressed together. Particles that approach are damped by Monaghan's
//!   artificial viscosity (1992), α c d. Single particles may take steps of their own.
//!
//! Several fluids have the same stiffness B, that of the densest, so that under the same pressure
//! they are compressed alike; sound then is faster in the lighter ones, by √(ρ₀ₘₐₓ/ρ₀). With the
//! same speed of sound in all, air at the bottom of a lake would be pressed to nothing.
//!
//! Symbols: c speed of sound in the densest fluid \[m/s\], γ exponent (a whole number, 7 for
//! water) \[–\], P background pressure \[Pa\], α artificial viscosity \[–\], d spacing \[m\].

mod settings;

use crate::step::pairs::moments::{Moments, Selection};
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::order::Order;
use crate::step::pairs::pair_data::PairData;
use crate::step::schemes::context::{HalfKick, StageContext};
use crate::step::schemes::continuity::Continuity;
use crate::step::schemes::force_sums::PressurePart;
use crate::step::schemes::mirrored_pressure::MirroredPressure;
use crate::step::schemes::pair_forces::{self, PairForces};
use crate::step::schemes::scheme::{DensityKind, PressureAction, PressureScheme};
use crate::step::schemes::shifting::Shifting;
use crate::step::schemes::sound::{densest, faster, pressure_speed};
use crate::step::schemes::velocity_filter::VelocityFilter;
use crate::step::solved::Solved;
use crate::step::time_step::limits::{StepBounds, explicit_viscosity};
use crate::world::{Density, Fluid, SolverSettings, Tait, Wcsph, World};
use hashfall_core::simd::Isa;
use hashfall_core::{Dimension, Real, Vec3, parallel, power};

/// Steps of which one has the filter, so many times as strong: noise takes longer to grow than
/// sound to cross a spacing.
const FILTER_PERIOD: u64 = 4;

/// The step that diffusion allows, times ξ c/d \[–\]: the mode that alternates from particle to
/// particle dies out at 8 ξ c/d in the plane and 12 ξ c/d in space.
const DIFFUSION_STEP: f64 = 0.13;

/// How much crowded particles may be stiffer than a lattice before steps are shorter: in calm order
/// none is above 1.15, strings of particles without shifting come to 2.5, and blew up \[–\].
const CALM_CROWDING: Real = 1.2;

/// The solver's parameters as numbers of the state, and its buffers.
#[derive(Debug)]
pub struct WcsphScheme {
    settings: Wcsph,
    tait: Tait,
    /// c \[m/s\].
    sound_speed: Real,
    /// α \[–\].
    artificial_viscosity: Real,
    /// P \[Pa\].
    background: Real,
    /// Where densities go with the flow.
    flow: Option<Flow>,
    /// k: p/δ², where densities are sums; else p \[Pa\].
    factors: Vec<Real>,
    forces: PairForces,
}

/// What densities that go with the flow need.
#[derive(Debug)]
struct Flow {
    continuity: Continuity,
    moments: Moments,
    pressure: MirroredPressure,
    filter: VelocityFilter,
    shifting: Shifting,
    /// Σ V² s² x² in a lattice \[1/m²\].
    lattice: Real,
    /// How much faster sound is over the spacing than in calm order; at least 1 \[–\].
    crowding: Real,
    /// Whether the gradients are those of the present pressures.
    has_gradients: bool,
    /// Whether the moments are those of the present velocities.
    has_velocities: bool,
}

impl Flow {
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn new(settings: &Wcsph, diffusion: f64, isa: Isa) -> Self {
        let sound_speed = settings.equation().sound_speed as Real;
        Flow {
            continuity: Continuity::new(diffusion as Real, sound_speed, isa),
            moments: Moments::new(isa),
            pressure: MirroredPressure::new(isa),
            filter: VelocityFilter::new(isa),
            shifting: Shifting::new(settings.shifting as Real, isa),
            lattice: 0.0,
            crowding: 1.0,
            has_gradients: false,
            has_velocities: false,
        }
    }

    /// Takes the surroundings of the particles at their new places.
    fn update(
        &mut self,
        world: &World,
        neighborhood: &Neighborhood,
        pairs: &mut PairData,
        has_filter: bool,
    ) {
        let selection = Selection { fit: has_filter, crowding: self.shifting.acts(world) };
        self.moments.update_some(world, neighborhood, pairs, selection);
        (self.has_gradients, self.has_velocities) = (false, true);
        if self.lattice == 0.0 {
            self.lattice = lattice_squares(world);
        }
        self.crowding =
            ((self.moments.most_squares / self.lattice).sqrt() / CALM_CROWDING).max(1.0);
    }
}

impl WcsphScheme {
    /// Takes the settings, and the instructions to compute with.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn new(settings: &Wcsph, isa: Isa) -> Self {
        WcsphScheme {
            settings: *settings,
            tait: settings.equation(),
            sound_speed: settings.equation().sound_speed as Real,
            artificial_viscosity: settings.artificial_viscosity() as Real,
            background: settings.background_pressure as Real,
            flow: match settings.density() {
                Density::Summation => None,
                Density::Continuity { diffusion } => Some(Flow::new(settings, diffusion, isa)),
            },
            factors: Vec::new(),
            forces: PairForces::new(isa).repelling(settings.interface_sharpening as Real),
        }
    }

    /// What artificial viscosity takes for a speed: that of sound between particles that approach,
    /// √(p/ρ₀) in the filter \[m/s\].
    fn damping_speed(&self, world: &World) -> Real {
        if self.sums_density() { self.sound_speed } else { pressure_speed(world) }
    }

    /// Whether the filter acts at the present places.
    fn has_filter(&self, world: &World) -> bool {
        self.artificial_viscosity > 0.0 && world.steps.is_multiple_of(FILTER_PERIOD)
    }

    /// The filter's strength in the steps that have it \[1/s\].
    fn filter_strength(&self, world: &World) -> Real {
        let strength = self.artificial_viscosity * self.damping_speed(world) / world.spacing();
        strength * FILTER_PERIOD as Real
    }

    /// Whether densities are sums over neighbours.
    fn sums_density(&self) -> bool {
        self.flow.is_none()
    }

    /// The kinematic viscosity that would allow the same step as diffusion \[m²/s\].
    fn diffusion_bound(&self, world: &World, fluids: &[Fluid]) -> f64 {
        let Density::Continuity { diffusion } = self.settings.density() else { return 0.0 };
        let d = f64::from(world.spacing());
        let dt = DIFFUSION_STEP * d / (self.tait.sound_speed * faster(world, fluids));
        0.125 * d * d * diffusion / dt
    }

    /// The accelerations where densities go with the flow.
    fn accelerate_flow(&mut self, world: &mut World, context: &mut StageContext<'_>) {
        let has_filter = self.has_filter(world);
        let strength = if has_filter { self.filter_strength(world) } else { 0.0 };
        let Some(flow) = &mut self.flow else { return };
        if !flow.has_velocities {
            flow.update(world, context.neighborhood, context.pairs, has_filter);
        }
        if self.forces.is_idle(world) {
            let body = world.body_field();
            let particles = &mut world.particles;
            let positions = &particles.position;
            // No force of a solid yet.
            let reactions = &mut *context.reactions;
            reactions.fill(&mut particles.acceleration, |i, a, _| *a = body.at(&positions[i]));
            reactions.act();
        } else if PairForces::has_morris_friction(world) {
            let moments = &flow.moments.all;
            self.forces.friction_accelerations(world, context, |i| moments[i].velocity);
        } else {
            let part = PressurePart::Repulsion;
            self.forces.accelerations(world, context, &self.factors, 0.0, part);
        }
        let StageContext { neighborhood, pairs, .. } = context;
        if has_filter {
            flow.filter.add(world, neighborhood, pairs, &flow.moments.all, strength);
        }
        flow.pressure.update(world, neighborhood, pairs, &flow.moments);
        flow.pressure.add(world, context, &flow.moments);
        flow.has_gradients = true;
    }
}

impl PressureScheme for WcsphScheme {
    fn settings(&self) -> &dyn SolverSettings {
        &self.settings
    }

    fn bounds(&self, world: &World, fluids: &[Fluid]) -> StepBounds {
        let physical = explicit_viscosity(world, fluids);
        let speed = self.artificial_viscosity * self.damping_speed(world);
        // The filter, so many times as strong at once, brakes what approaches at 16 α √(p/ρ₀)/d.
        let part = if self.sums_density() { 0.1 } else { 1.0 };
        let artificial = part * f64::from(speed * world.spacing());
        let crowding = self.flow.as_ref().map_or(1.0, |flow| f64::from(flow.crowding));
        StepBounds {
            sound_speed: Some(f64::from(self.sound_speed) * faster(world, fluids) * crowding),
            pressure_speed: 0.0,
            courant: self.settings.courant(),
            viscosity: (physical + artificial).max(self.diffusion_bound(world, fluids)),
            acceleration: None,
            fixed: None,
        }
    }

    fn density_kind(&self) -> DensityKind {
        if self.sums_density() { DensityKind::Summed } else { DensityKind::Transported }
    }

    /// ρ c u + p₀.
    fn shock_pressure(&self, world: &World, speed: f64) -> f64 {
        let densest = f64::from(densest(&world.fluids));
        densest * self.tait.sound_speed * speed + self.settings.background_pressure
    }

    fn pressure_action(&self) -> Option<PressureAction<'_>> {
        let action = |moments| PressureAction { moments, acts_along_surfaces: false };
        self.flow.as_ref().map(|flow| action(&flow.moments))
    }

    fn update_density(&mut self, world: &mut World, context: &mut StageContext<'_>) {
        let StageContext { neighborhood, pairs, bodies, inactive, .. } = context;
        let has_filter = self.has_filter(world);
        match &mut self.flow {
            None => neighborhood.sum_densities(world, inactive),
            Some(flow) => {
                flow.update(world, neighborhood, pairs, has_filter);
                bodies.find_films(world, neighborhood, false);
            }
        }
    }

    fn advance_density(&mut self, world: &mut World, context: &mut StageContext<'_>, dt: Real) {
        let Some(flow) = &mut self.flow else { return };
        let StageContext { neighborhood, pairs, .. } = context;
        let all = &flow.moments.all;
        // Diffusion goes with the places before the step, at which pressures are known.
        if std::mem::take(&mut flow.has_gradients) {
            let known = flow.pressure.known();
            flow.continuity.advance_and_diffuse(world, neighborhood, pairs, all, known, dt);
        } else if flow.has_velocities {
            Continuity::advance_by_moments(world, all, 0.5 * dt);
        } else {
            flow.continuity.advance(world, neighborhood, pairs, all, 0.5 * dt);
        }
    }

    fn first_half_kick(&mut self, world: &mut World, _: &mut StageContext<'_>, kick: HalfKick) {
        if let Some(flow) = &mut self.flow {
            flow.has_velocities = false;
        }
        pair_forces::kick(world, 0.5 * kick.dt);
    }

    fn update_pressure(&mut self, world: &mut World, _: &mut StageContext<'_>) {
        let sums_density = self.sums_density();
        let particles = &mut world.particles;
        let (fluids, densities, phases) = (&world.fluids, &particles.density, &particles.phase);
        let square = self.sound_speed * self.sound_speed;
        let stiffness = densest(fluids) * square / self.tait.exponent as Real;
        self.factors.resize(densities.len(), 0.0);
        parallel::fill_both(&mut particles.pressure, &mut self.factors, |i, pressure, factor| {
            let fraction = densities[i] / fluids[phases[i] as usize].rest_density;
            let tait = stiffness * (power(fraction, self.tait.exponent) - 1.0) + self.background;
            *pressure = if sums_density { tait.max(0.0) } else { tait };
            *factor = if sums_density { *pressure / (fraction * fraction) } else { *pressure };
        });
    }

    fn update_accelerations(&mut self, world: &mut World, context: &mut StageContext<'_>) {
        if !self.sums_density() {
            return self.accelerate_flow(world, context);
        }
        let artificial = self.artificial_viscosity * self.sound_speed * world.spacing();
        self.forces.set_inactive(context.inactive);
        self.forces.accelerations(world, context, &self.factors, artificial, PressurePart::All);
    }

    fn update_shifts(&mut self, world: &World, context: &mut StageContext<'_>, dt: Real) -> Solved {
        let Some(flow) = &mut self.flow else { return Solved::default() };
        let StageContext { neighborhood, pairs, .. } = context;
        flow.shifting.find(world, neighborhood, pairs, &flow.moments, dt)
    }

    fn shifts(&self) -> &[Vec3] {
        self.flow.as_ref().map_or(&[], |flow| flow.shifting.velocities())
    }

    fn reorder(&mut self, order: &Order) {
        self.forces.reorder(order);
    }
}

/// Σ V² s² x² of a particle in a lattice \[1/m²\].
fn lattice_squares(world: &World) -> Real {
    let (kernel, d) = (world.kernel(), world.spacing());
    let width = (world.support_radius / d) as isize + 1;
    let across = if world.dimension == Dimension::Two { 0..=0 } else { -width..=width };
    let mut sum = 0.0;
    for y in across {
        for x in -width..=width {
            for z in -width..=width {
                let r = d * ((x * x + y * y + z * z) as Real).sqrt();
                let push = world.particle_volume() * kernel.slope_over_r(r) * r;
                sum += push * push;
            }
        }
    }
    sum
}
