//! Divergence-free SPH: pressures that hold the fluid at rest density, by two projections a step.
//!
//! Bender & Koschier, Divergence-Free SPH for Incompressible and Viscous Fluids (2017),
//! algorithm 1: before the particles move, pressures make the density after the move at most the
//! rest density; at their new places, others take what would compress them out of the velocities.
//! Deviations:
//!
//! - Both act for half a step, each with half of the other forces, as RATTLE (Andersen 1983) does
//!   with constraints: the step is the same backwards, free fall is exact to second order, and both
//!   solutions are the pressure, so each is the guess for the next. The original gives the whole
//!   weight of the fluid to the first.
//! - What is compressed already comes apart, and errors count, over the *horizon*: the step that
//!   speeds and forces would allow, not the shorter one after a rejection, at the end of a frame,
//!   under high pressure or in thick fluid. Taken back in the step itself, the same compression
//!   makes a speed that grows as steps get shorter; and an error that is small over a short step is
//!   a large force. Forces of viscosity do not count where it is implicit: those against what is
//!   left of an error would end the horizon, which lets the error grow, and a pool of thick fluid
//!   burst. Nor does the horizon end earlier where a fluid is light: air that is squeezed out of a
//!   gap would have the water around it burst.
//! - Where emitters force fluid in, it yields a little to pressure ([`crate::step::inflow::pump`]).
//! - Where they ask for the number of neighbours to leave free surfaces alone, here a particle may
//!   be compressed as far as it is below rest density.
//!
//! Particles that approach may be slowed by Monaghan's artificial viscosity
//! ([`crate::step::schemes::pair_forces`]): without any, what noise the lattice has at the start
//! never comes to rest.

use crate::step::inflow::pump;
use crate::step::schemes::context::{HalfKick, StageContext};
use crate::step::schemes::pair_forces::{self, BoundaryPressure, PairForces};
use crate::step::schemes::projection::{Projection, Solved, Target, Tolerance};
use crate::step::schemes::scheme::{DensityKind, PressureScheme};
use crate::step::time_step::limits::{self, StepBounds};
use crate::world::{Dfsph, Fluid, World};
use hashfall_core::simd::Isa;
use hashfall_core::timer::Stage;
use hashfall_core::{Real, parallel};

/// The most compression taken back over the horizon \[–\]: more would tear particles apart.
const MAX_CORRECTION: Real = 0.02;

/// The longest horizon, in steps: as many as rejections may cut a step into.
const MAX_HORIZON_RATIO: f64 = 1.0 / limits::MIN_STEP_RATIO;

/// How far a projection looks.
#[derive(Clone, Copy, Debug)]
struct Span {
    /// The step \[s\].
    dt: Real,
    /// The horizon \[s\].
    horizon: f64,
}

impl Span {
    /// The horizon, in steps.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn horizon_ratio(self) -> Real {
        (self.horizon / f64::from(self.dt)).clamp(1.0, MAX_HORIZON_RATIO) as Real
    }
}

/// The solver's settings and buffers.
#[derive(Debug)]
pub struct DfsphScheme {
    settings: Dfsph,
    projection: Projection,
    forces: PairForces,
    /// No pressure: forces are body forces and viscosity.
    no_factors: Vec<Real>,
}

impl DfsphScheme {
    /// Takes the settings, and the instructions to compute with.
    pub fn new(settings: &Dfsph, isa: Isa) -> Self {
        DfsphScheme {
            settings: *settings,
            projection: Projection::new(isa),
            forces: PairForces::new(isa),
            no_factors: Vec::new(),
        }
    }

    /// What limits it but for pressure and viscosity, with this largest `acceleration` \[m/s²\].
    fn bounds_by_motion(&self, acceleration: Option<f64>) -> StepBounds {
        StepBounds {
            sound_speed: None,
            pressure_speed: 0.0,
            courant: self.settings.courant,
            viscosity: 0.0,
            acceleration,
            fixed: None,
        }
    }

    /// α c d \[m²/s\], with c = √(p/ρ₀) in place of the speed of sound.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn artificial(&self, world: &World, pressure_speed: Real) -> Real {
        self.settings.artificial_viscosity as Real * pressure_speed * world.spacing()
    }

    /// The horizon \[s\], with the [strongest force](limits::strongest_force) that counts
    /// \[m/s²\], if not of all of them.
    fn horizon(&self, world: &World, force: Option<f64>) -> f64 {
        limits::horizon(world, &self.bounds_by_motion(force))
    }

    /// Half a kick, and pressures that leave this mean `error`, correct at most `max_correction`,
    /// and leave what is pressed compressed by `compliance` \[1/Pa\].
    fn project(
        &mut self,
        world: &mut World,
        context: &mut StageContext<'_>,
        kick: HalfKick,
        (max_correction, compliance): (Real, Real),
        error: f64,
    ) -> Solved {
        let dt = kick.dt;
        let span = Span { dt, horizon: self.horizon(world, kick.explicit_force) };
        let StageContext { near, pairs, reactions, .. } = context;
        let target = Target {
            dt,
            half_dt: 0.5 * dt,
            horizon_ratio: span.horizon_ratio(),
            max_correction,
            compliance,
        };
        pair_forces::kick(world, target.half_dt);
        let mut pressures = std::mem::take(&mut world.particles.pressure);
        let tolerance = Tolerance { error, max_iterations: self.settings.max_iterations };
        let solved = self.projection.solve(world, near, pairs, (target, tolerance), &mut pressures);
        self.projection.finish(world, near, target, &pressures, reactions);
        world.particles.pressure = pressures;
        solved
    }
}

impl PressureScheme for DfsphScheme {
    fn bounds(&self, world: &World, _: &[Fluid]) -> StepBounds {
        let pressure_speed = pressure_speed(world);
        let artificial = f64::from(self.artificial(world, pressure_speed)) / 10.0;
        StepBounds {
            pressure_speed: f64::from(pressure_speed),
            viscosity: limits::explicit_viscosity(world, &world.fluids) + artificial,
            ..self.bounds_by_motion(None)
        }
    }

    fn density_kind(&self) -> DensityKind {
        DensityKind::Summed
    }

    fn has_projection(&self) -> bool {
        true
    }

    fn update_density(&mut self, world: &mut World, context: &mut StageContext<'_>) {
        context.near.sum_densities(world, context.inactive);
    }

    /// Takes the surroundings of the particles at their new places.
    fn update_pressure(&mut self, world: &mut World, context: &mut StageContext<'_>) {
        self.projection.update(world, context.near, context.pairs);
    }

    /// The accelerations by body forces and viscosity.
    fn update_accelerations(&mut self, world: &mut World, context: &mut StageContext<'_>) {
        self.no_factors.clear();
        self.no_factors.resize(world.particles.len(), 0.0);
        let artificial = self.artificial(world, pressure_speed(world));
        let answer = BoundaryPressure::Own;
        let factors = &self.no_factors;
        self.forces.accelerations(world, context, factors, artificial, answer);
    }

    /// Half a kick, and pressures so that no density is above that at rest after the step.
    fn first_half_kick(
        &mut self,
        world: &mut World,
        context: &mut StageContext<'_>,
        kick: HalfKick,
    ) -> Solved {
        let error = self.settings.max_density_error;
        let compliance = pump::compliance(world, self, error);
        self.project(world, context, kick, (MAX_CORRECTION, compliance), error)
    }

    /// Half a kick, and pressures that take out of the velocities what compresses the fluid.
    fn second_half_kick(
        &mut self,
        world: &mut World,
        context: &mut StageContext<'_>,
        kick: HalfKick,
    ) -> Solved {
        let error = self.settings.max_divergence_error;
        self.project(world, context, kick, (0.0, 0.0), error)
    }

    fn kick_stage(&self) -> Stage {
        Stage::Pressure
    }
}

/// How fast pressure can drive the fluid \[m/s\]: √(p/ρ₀) with p the mean of pressures that weighs
/// each by itself. Of a deep tank that is two thirds of the largest, but no single particle, thrown
/// against a wall, makes steps short for all: the shorter they are, the larger its pressure is.
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
fn pressure_speed(world: &World) -> Real {
    let particles = &world.particles;
    let [squares, sum] = parallel::sum(particles.len(), |i| {
        let rest_density = world.fluids[usize::from(particles.phase[i])].rest_density;
        let square = f64::from(particles.pressure[i] / rest_density);
        [square * square, square]
    });
    if sum > 0.0 { (squares / sum).sqrt() as Real } else { 0.0 }
}
