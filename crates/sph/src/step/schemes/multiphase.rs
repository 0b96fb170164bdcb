//! Multi-phase SPH with averaged forces: the model of Onderik & Ďurikovič 2008, §3.
//!
//! With masses m = ρ₀V, volumes Vⱼ = mⱼ/ρⱼ and xᵢⱼ = xᵢ − xⱼ:
//!
//! - density and pressure, eq. 7: ρᵢ = Σⱼ mⱼ W(xᵢⱼ), P = kρ₀/γ ((ρ/ρ₀)^γ − 1). With γ = 1 this is
//!   the gas equation, P = k(ρ − ρ₀). Pressures below zero are kept: they draw fluid together.
//! - pressure, eq. 8a: ρᵢ aᵢ = −Σⱼ Vⱼ (Pᵢ + Pⱼ)/2 ∇W, by the slope of *spiky*
//! - viscosity, eq. 8b: ρᵢ aᵢ = Σⱼ Vⱼ (μᵢ + μⱼ)/2 (vⱼ − vᵢ) ∇²W, by the third kernel
//! - tension, eq. 8c and 9: ρᵢ aᵢ = −σ ∇²C ∇C/|∇C|, C = Σⱼ Vⱼ cⱼ W with *poly6*
//! - wet friction: aᵢ = −w vᵢ along the nearest surface, within a spacing of it
//!
//! All but tension are equal and opposite for a pair.
//!
//! Deviations, and what the source leaves open. Eq. 9 gives a force; read as one per volume it
//! has the units of one, and is that of Müller et al. 2003. Against the air c = 1 in all fluids;
//! where two fluids meet, each sees c = 1 in the other, so that free surfaces do not count as
//! interfaces. Where |∇C| is less than a sixth of what it is at a flat surface, 1.2/h, its
//! direction is noise, and there is no tension. k is the same for both equations, the square of
//! the speed of sound at rest. Solids add nothing to sums: particles meet their surfaces without
//! bouncing, by the drift of all solvers, which projects them onto planes and misses none.
//!
//! Symbols: k stiffness \[m²/s²\], γ exponent \[–\], μ = ρ₀ν dynamic viscosity \[Pa s\], σ tension
//! \[N/m\], C colour \[–\], w rate of wet friction \[1/s\], h support radius \[m\].

mod settings;

use crate::step::boundary::reactions::Reactions;
use crate::step::pairs::inactive::is_inactive;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::pairs::pair_sum::{self, PairSum, displacement, dot};
use crate::step::schemes::context::StageContext;
use crate::step::schemes::scheme::{DensityKind, PressureScheme};
use crate::step::time_step::limits::StepBounds;
use crate::world::{BodyField, Fluid, Multiphase, SolverSettings, World};
use hashfall_core::kernel::{Mueller, Shape, SmoothingKernel};
use hashfall_core::simd::{F32x8, Isa};
use hashfall_core::{Length, Real, Vec3, parallel, power};

/// Least |∇C| with a direction, times h \[–\].
const MIN_GRADIENT: Real = 0.2;

/// Σ Vⱼ ∇²W of the viscosity kernel where there is fluid all around, times h² \[–\].
const DIFFUSION: f64 = 15.0;

/// The solver, with its buffers.
#[derive(Debug)]
pub struct MultiphaseScheme {
    settings: Multiphase,
    isa: Isa,
    /// σ of each fluid with each; with itself, that with the air \[N/m\].
    tensions: Vec<Real>,
    accelerations: Vec<Vec3>,
}

impl MultiphaseScheme {
    /// Takes the settings, and the instructions to compute with.
    pub fn new(settings: &Multiphase, isa: Isa) -> Self {
        MultiphaseScheme {
            settings: *settings,
            isa,
            tensions: Vec::new(),
            accelerations: Vec::new(),
        }
    }

    fn note(&mut self, world: &World, neighborhood: &Neighborhood, pairs: &mut PairData) {
        let (p, fluids) = (&world.particles, &world.fluids);
        let fluid = |i: usize| &fluids[usize::from(p.phase[i])];
        pairs.set_scalars(|i| p.pressure[i]);
        pairs.set_vectors(|i| {
            let v = &p.velocity[i];
            [v.x, v.y, v.z, fluid(i).rest_density * neighborhood.volume / p.density[i]]
        });
        pairs.set_extras(|i| {
            let viscosity = fluid(i).viscosity * fluid(i).rest_density;
            [viscosity, Real::from(p.phase[i]), 0.0, 0.0]
        });
        self.tensions.clear();
        self.tensions.resize(fluids.len() * fluids.len(), 0.0);
        for (k, fluid) in fluids.iter().enumerate() {
            self.tensions[k * (fluids.len() + 1)] = fluid.surface_tension;
        }
        for interface in &world.interfaces {
            let [a, b] = interface.fluids.map(usize::from);
            self.tensions[a * fluids.len() + b] = interface.tension;
            self.tensions[b * fluids.len() + a] = interface.tension;
        }
    }

    /// Writes the accelerations, with wet friction, whose forces solids take.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn write_accelerations(
        &self,
        world: &mut World,
        neighborhood: &Neighborhood,
        inactive: &[bool],
        reactions: &mut Reactions,
    ) {
        let rate = self.settings.wet_friction as Real;
        let (reach, volume) = (world.spacing(), world.particle_volume());
        let (p, fluids, solids) = (&mut world.particles, &world.fluids, &world.solids);
        let (positions, velocities, phases) = (&p.position, &p.velocity, &p.phase);
        reactions.fill(&mut p.acceleration, |i, acceleration, account| {
            let is_inactive = is_inactive(inactive, i);
            if !is_inactive {
                *acceleration = self.accelerations[i];
            }
            if rate == 0.0 || neighborhood.boundary.distance[i] >= reach {
                return;
            }
            if let Some((acting, sliding)) = neighborhood.boundary.slides(i, velocities[i], solids)
            {
                let drag = sliding * -rate;
                if !is_inactive {
                    *acceleration += drag;
                }
                let mass = fluids[usize::from(phases[i])].rest_density * volume;
                account.add(acting, positions[i], drag * mass);
            }
        });
        reactions.act();
    }
}

impl PressureScheme for MultiphaseScheme {
    fn settings(&self) -> &dyn SolverSettings {
        &self.settings
    }

    /// What limits the time step of particles of these fluids, eq. 12: sound crosses a part of the
    /// support radius, not of the spacing, and so does momentum that diffuses. Wet friction, which
    /// is explicit, may stop a particle but not turn it round: dt ≤ 1/w, as by a viscosity of
    /// w d²/8.
    fn bounds(&self, world: &World, fluids: &[Fluid]) -> StepBounds {
        let reach = f64::from(world.support_radius / world.spacing());
        let most = |of: fn(&Fluid) -> Real| fluids.iter().map(of).fold(0.0, Real::max);
        let diffusing =
            f64::from(most(|fluid| fluid.viscosity)) * DIFFUSION / (8.0 * reach * reach);
        let friction = self.settings.wet_friction * f64::from(world.spacing()).powi(2) / 8.0;
        StepBounds {
            sound_speed: Some(f64::from(most(|fluid| fluid.stiffness)).sqrt()),
            pressure_speed: 0.0,
            courant: self.settings.courant * reach,
            viscosity: diffusing.max(friction),
            acceleration: None,
            fixed: self.settings.time_step,
        }
    }

    fn density_kind(&self) -> DensityKind {
        DensityKind::MassSummed
    }

    /// ρ c u, where each fluid has its own speed of sound, the root of its stiffness.
    fn shock_pressure(&self, world: &World, speed: f64) -> f64 {
        let impedance = |fluid: &Fluid| fluid.rest_density * fluid.stiffness.sqrt();
        f64::from(world.fluids.iter().map(impedance).fold(0.0, Real::max)) * speed
    }

    /// Densities, eq. 7.
    fn update_density(&mut self, world: &mut World, context: &mut StageContext<'_>) {
        let Shape::Mueller(kernel) = world.kernel().shape else { return };
        let StageContext { neighborhood, pairs, inactive, .. } = context;
        let p = &mut world.particles;
        let (fluids, phases) = (&world.fluids, &p.phase);
        pairs.set_scalars(|i| fluids[usize::from(phases[i])].rest_density * neighborhood.volume);
        let sum = Densities { kernel, pairs, inactive };
        pair_sum::for_all(self.isa, &neighborhood.lists, pairs, &sum, &mut p.density);
    }

    /// Pressures from densities, eq. 7.
    fn update_pressure(&mut self, world: &mut World, _: &mut StageContext<'_>) {
        let exponent = self.settings.exponent as u32;
        let (p, fluids) = (&mut world.particles, &world.fluids);
        parallel::fill(&mut p.pressure, |i, pressure| {
            *pressure = pressure_at(p.density[i], &fluids[usize::from(p.phase[i])], exponent);
        });
    }

    /// All accelerations at the present state.
    fn update_accelerations(&mut self, world: &mut World, context: &mut StageContext<'_>) {
        let StageContext { neighborhood, pairs, reactions, inactive, .. } = context;
        let Shape::Mueller(kernel) = world.kernel().shape else { return };
        self.note(world, neighborhood, pairs);
        self.accelerations.resize(world.particles.len(), Vec3::zeros());
        let (isa, pairs, tensions) = (self.isa, &**pairs, &self.tensions);
        let (body, fluids) = (world.body_field(), world.fluids.len());
        let threshold = MIN_GRADIENT / world.support_radius;
        let out = &mut self.accelerations;
        if world.interfaces.is_empty() {
            let sum = Forces::<false> {
                kernel,
                pairs,
                inactive,
                tensions,
                fluids,
                threshold,
                world,
                body,
            };
            pair_sum::for_all(isa, &neighborhood.lists, pairs, &sum, out);
        } else {
            let sum = Forces::<true> {
                kernel,
                pairs,
                inactive,
                tensions,
                fluids,
                threshold,
                world,
                body,
            };
            pair_sum::for_all(isa, &neighborhood.lists, pairs, &sum, out);
        }
        self.write_accelerations(world, neighborhood, inactive, reactions);
    }
}

/// P of a density \[Pa\].
fn pressure_at(density: Real, fluid: &Fluid, exponent: u32) -> Real {
    let Fluid { rest_density, stiffness, .. } = *fluid;
    stiffness * rest_density / exponent as Real * (power(density / rest_density, exponent) - 1.0)
}

/// Sums densities. Points carry m.
struct Densities<'a> {
    kernel: Mueller,
    pairs: &'a PairData,
    inactive: &'a [bool],
}

/// Σ mⱼ Wᵢⱼ.
impl PairSum<4, 1> for Densities<'_> {
    type Out = Real;

    #[inline(always)]
    fn add<V: F32x8>(&self, [sum]: &mut [V; 1], particle: &[V; 4], other: &[V; 4], slope: V) {
        let x = displacement(particle, other);
        let weight = dot(x, x).map(|square| self.kernel.value(square.sqrt()));
        // An idle lane has no slope, and the slope of others is below zero.
        *sum += slope.select_negative(other[3] * weight);
    }

    #[inline(always)]
    fn is_inactive(&self, i: usize) -> bool {
        is_inactive(self.inactive, i)
    }

    #[inline(always)]
    fn finish(&self, i: usize, [sum]: [Real; 1], out: &mut Real) {
        if self.is_inactive(i) {
            return;
        }
        *out = sum + self.pairs.point(i)[3] * self.kernel.value(0.0);
    }
}

/// All forces. Points carry P, vectors are the velocity and V, extras μ and the number of the
/// fluid; several fluids have tension between them if `MEETING`.
struct Forces<'a, const MEETING: bool> {
    kernel: Mueller,
    pairs: &'a PairData,
    inactive: &'a [bool],
    tensions: &'a [Real],
    fluids: usize,
    /// Least |∇C| with a direction \[1/m\].
    threshold: Real,
    world: &'a World,
    body: BodyField,
}

/// Pressure and viscosity; ∇C and ∇²C against the air; σ∇C and σ∇²C against other fluids, and ∇C
/// against all of them that pull.
impl<const MEETING: bool> PairSum<12, 17> for Forces<'_, MEETING> {
    type Out = Vec3;

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 17], particle: &[V; 12], other: &[V; 12], slope: V) {
        let x = displacement(particle, other);
        let square = dot(x, x);
        let volume = other[7];
        let half = particle[0].splat(0.5);
        let pressure = half * volume * (particle[3] + other[3]) * slope;
        let diffusion = square.map(|square| self.kernel.laplacian(square.sqrt()));
        let viscosity = half * volume * (particle[8] + other[8]) * diffusion;
        let (steep, curved) = self.kernel.poly6_slope_and_laplacian(square);
        let (steep, curved) = (volume * steep, volume * curved);
        // An idle lane has no slope, and the slope of others is below zero.
        let curved = slope.select_negative(curved);
        for a in 0..3 {
            sums[a] += pressure * x[a];
            sums[3 + a] += viscosity * (other[4 + a] - particle[4 + a]);
            sums[6 + a] += steep * x[a];
        }
        sums[9] += curved;
        if MEETING {
            let fluid = particle[9].to_array()[0];
            let with = &self.tensions[fluid as usize * self.fluids..];
            let tension = other[9].map(|of| if of == fluid { 0.0 } else { with[of as usize] });
            let pulls = steep * tension.map(|tension| Real::from(u8::from(tension > 0.0)));
            for a in 0..3 {
                sums[10 + a] += tension * steep * x[a];
                sums[14 + a] += pulls * x[a];
            }
            sums[13] += tension * curved;
        }
    }

    #[inline(always)]
    fn is_inactive(&self, i: usize) -> bool {
        is_inactive(self.inactive, i)
    }

    #[inline(always)]
    fn finish(&self, i: usize, sums: [Real; 17], out: &mut Vec3) {
        if self.is_inactive(i) {
            return;
        }
        let p = &self.world.particles;
        let vector = |k: usize| Vec3::new(sums[k], sums[k + 1], sums[k + 2]);
        let phase = usize::from(p.phase[i]);
        let with = &self.tensions[phase * self.fluids..][..self.fluids];
        let self_term = self.pairs.vector(i)[3] * self.kernel.poly6_laplacian_within();
        let mut force = vector(3) - vector(0);
        if vector(6).length() > self.threshold {
            force += pull(vector(6), sums[9] + self_term) * with[phase];
        }
        if MEETING && vector(14).length() > self.threshold {
            force += pull(vector(10), sums[13]);
        }
        *out = self.body.at(&p.position[i]) + force * (1.0 / p.density[i]);
    }
}

/// −∇²C ∇C/|∇C|, eq. 9.
#[inline(always)]
fn pull(gradient: Vec3, laplacian: Real) -> Vec3 {
    gradient.try_normalize(0.0).map_or(Vec3::zeros(), |direction| direction * -laplacian)
}

#[cfg(test)]
mod tests;
