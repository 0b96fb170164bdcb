//! Divergence-free SPH: an incompressible fluid by one projection a step.
//!
//! Bender & Koschier, Divergence-Free SPH for Incompressible and Viscous Fluids (2017), hold
//! density and divergence by two projections a step, both by velocities. Here the step is the
//! midpoint rule about the places that the particles drift to: half a kick with the mean pressure
//! over the step before, but for what is rough in it ([`crate::step::schemes::kept_pressure`]), the
//! drift, and half a kick whose pressure makes the velocity free of divergence
//! ([`crate::step::schemes::projection`]). Volume is held by displacements
//! ([`crate::step::schemes::displacement`]), and noise is filtered
//! ([`crate::step::schemes::velocity_filter`]).
//!
//! docs/discretisation.md has what was tried, and what it gave.

use crate::step::bodies::coupling::BodyCoupling;
use crate::step::inflow::pump;
use crate::step::pairs::moment::Moment;
use crate::step::pairs::moments::Moments;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::schemes::contact;
use crate::step::schemes::context::{HalfKick, StageContext};
use crate::step::schemes::displacement::{Displacement, Drift};
use crate::step::schemes::pair_forces;
use crate::step::schemes::projection::{Projection, Target, Tolerance};
use crate::step::schemes::scheme::{DensityKind, PressureAction, PressureScheme};
use crate::step::schemes::sound::pressure_speed;
use crate::step::schemes::surface_change::Places;
use crate::step::schemes::velocity_filter::VelocityFilter;
use crate::step::solved::{Solved, Spent};
use crate::step::time_step::limits::{self, StepBounds};
use crate::world::{
    Dfsph, Feature, Fluid, Refusal, SolverSettings, WholeNumber, World, WorldError, at_least_one,
    not_negative, positive,
};
use hashfall_core::kernel::KernelKind;
use hashfall_core::simd::Isa;
use hashfall_core::timer::Stage;
use hashfall_core::{Dimension, Real, Vec3};

/// The longest horizon, in steps: as many as rejections may cut a step into.
const MAX_HORIZON_RATIO: f64 = 1.0 / limits::MIN_STEP_RATIO;

/// Stronger than order needs inside, so that particles do not line up along walls: with 0.4 a lid
/// drives a cavity an eighth too slowly. Weaker along surfaces: with 1.5 drops are torn there.
const DRIFT: Drift = Drift { inside: 1.2, along_surface: 0.4, is_relative: true };

/// The solver's settings and buffers.
#[derive(Debug)]
pub struct DfsphScheme {
    settings: Dfsph,
    moments: Moments,
    projection: Projection,
    displacement: Displacement,
    filter: VelocityFilter,
    /// The forces by which the present pressures act, where viscosity asks for them \[N/m³\].
    pressure_forces: Vec<Vec3>,
    /// Whether accelerations have the pressure in them.
    has_pressure: bool,
    /// The largest acceleration but for pressure \[m/s²\].
    max_acceleration: f64,
    /// Both at the start of the step.
    at_start: (bool, f64),
}

impl DfsphScheme {
    /// Takes the settings, and the instructions to compute with.
    pub fn new(settings: &Dfsph, isa: Isa) -> Self {
        DfsphScheme {
            settings: *settings,
            moments: Moments::new(isa),
            projection: Projection::new(isa),
            displacement: Displacement::new(isa, DRIFT),
            filter: VelocityFilter::new(isa),
            pressure_forces: Vec::new(),
            has_pressure: false,
            max_acceleration: 0.0,
            at_start: (false, 0.0),
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

    /// α c/d \[1/s\], with c = √(p/ρ₀) in place of the speed of sound.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn artificial(&self, world: &World) -> Real {
        self.settings.artificial_viscosity as Real * pressure_speed(world) / world.spacing()
    }

    /// The horizon over dt: errors count over the step that speeds and forces would allow, not the
    /// shorter one after a rejection or at the end of a frame. An error that is small over a short
    /// step is a large force.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn horizon_ratio(&self, world: &World, neighborhood: &Neighborhood, kick: HalfKick) -> Real {
        let bounds = self.bounds_by_motion(kick.explicit_force);
        let horizon = limits::horizon(world, &bounds, neighborhood);
        (horizon / f64::from(kick.dt)).clamp(1.0, MAX_HORIZON_RATIO) as Real
    }

    /// Half a kick, and the pressures after which the velocity has no divergence.
    fn project(
        &mut self,
        world: &mut World,
        context: &mut StageContext<'_>,
        kick: HalfKick,
    ) -> Solved {
        let error = self.settings.max_divergence_error;
        let half_dt = 0.5 * kick.dt;
        let target = Target {
            dt: kick.dt,
            half_dt,
            horizon_ratio: self.horizon_ratio(world, context.neighborhood, kick),
            compliance: pump::compliance(world, self, error),
        };
        let tolerance = Tolerance { error, max_iterations: self.settings.max_iterations as u32 };
        self.max_acceleration = limits::largest(&world.particles.acceleration);
        let moments = &self.moments;
        let solved = self.projection.solve(world, context, moments, target, tolerance);
        pair_forces::kick(world, half_dt);
        self.projection.add_reactions(world, context, moments, Some(half_dt));
        context.bodies.take_impulses(world, context.reactions);
        contact::apply_friction(world, context, moments, half_dt);
        contact::stop_at_solids(world, context, kick.dt);
        solved
    }

    /// From now on solids push as the pressure that stays does.
    fn hold(&mut self, world: &World, context: &mut StageContext<'_>) {
        self.projection.add_reactions(world, context, &self.moments, None);
        self.has_pressure = true;
    }
}

impl SolverSettings for Dfsph {
    fn name(&self) -> &'static str {
        "Dfsph"
    }

    fn validate(&self) -> Result<(), WorldError> {
        positive("max_density_error", self.max_density_error)?;
        positive("max_divergence_error", self.max_divergence_error)?;
        at_least_one("max_iterations", self.max_iterations)?;
        not_negative("artificial_viscosity", self.artificial_viscosity)
    }

    fn whole_numbers(&self) -> Vec<WholeNumber> {
        let (value, help) = (self.max_iterations, "a whole number, as 200.0");
        vec![WholeNumber { key: "max_iterations", value, help }]
    }

    /// The slopes of Müller's kernels do not belong to that of the density.
    fn refuses_kernel(&self, kernel: KernelKind) -> Option<Refusal> {
        (kernel == KernelKind::Mueller).then_some(Refusal {
            message: "`Dfsph` does not support the kernel `Mueller`, whose density and pressure \
                      use different functions",
            help: "kernel: CubicSpline or WendlandC2, or solver: Wcsph()",
        })
    }

    fn refuses(&self, feature: Feature) -> Option<Refusal> {
        (feature == Feature::RandomPositions).then_some(Refusal::RANDOM_POSITIONS)
    }

    fn has_interactions(&self) -> bool {
        true
    }

    fn limit_iterations(&mut self, most: f64) {
        self.max_iterations = self.max_iterations.min(most);
    }

    fn courant(&self) -> f64 {
        self.courant
    }

    fn default_support(&self, dimension: Dimension, _: KernelKind) -> f64 {
        if dimension == Dimension::Two { 5.0 } else { 4.0 }
    }

    /// Half of where a layer at a wall rests.
    fn contact_radius(&self) -> f64 {
        0.5
    }

    /// Its steps are long: viscosity is a term of its own.
    fn has_pairwise_viscosity(&self) -> bool {
        false
    }

    fn is_incompressible(&self) -> bool {
        true
    }

    /// Displacements lift fluid, but where it fills the domain it cannot rise.
    fn energy_keys(&self, is_full: bool) -> Vec<&'static str> {
        let keys = ["max_divergence_error", "max_density_error"];
        keys[..if is_full { 1 } else { 2 }].to_vec()
    }

    fn keeps_pair_coefficients(&self) -> bool {
        true
    }
}

impl PressureScheme for DfsphScheme {
    fn settings(&self) -> &dyn SolverSettings {
        &self.settings
    }

    fn bounds(&self, world: &World, _: &[Fluid]) -> StepBounds {
        let d = f64::from(world.spacing());
        let artificial = f64::from(self.artificial(world)) * d * d / 10.0;
        StepBounds {
            pressure_speed: f64::from(pressure_speed(world)),
            viscosity: limits::explicit_viscosity(world, &world.fluids) + artificial,
            ..self.bounds_by_motion(self.max_acceleration())
        }
    }

    fn density_kind(&self) -> DensityKind {
        DensityKind::Summed
    }

    fn update_density(&mut self, world: &mut World, context: &mut StageContext<'_>) {
        context.neighborhood.sum_densities(world, context.inactive);
    }

    /// Takes the surroundings of the particles at their new places.
    fn update_pressure(&mut self, world: &mut World, context: &mut StageContext<'_>) {
        let StageContext { neighborhood, pairs, bodies, .. } = context;
        self.moments.update(world, neighborhood, pairs);
        self.projection.forget_places();
        bodies.find_films(world, neighborhood, true);
    }

    /// The accelerations by body forces, viscosity and the filter.
    fn update_accelerations(&mut self, world: &mut World, context: &mut StageContext<'_>) {
        self.has_pressure = false;
        let strength = self.artificial(world);
        let StageContext { neighborhood, pairs, reactions, .. } = context;
        let body = world.body_field();
        let particles = &mut world.particles;
        let positions = &particles.position;
        // No force of a solid yet.
        reactions.fill(&mut particles.acceleration, |i, a, _| *a = body.at(&positions[i]));
        reactions.act();
        self.filter.add(world, neighborhood, pairs, &self.moments.all, strength);
        self.pressure_forces.clear();
    }

    fn pressure_action(&self) -> Option<PressureAction<'_>> {
        let moments = &self.moments;
        Some(PressureAction { moments, acts_along_surfaces: !moments.is_full })
    }

    fn velocity_moments(&self) -> Option<&[Moment]> {
        Some(&self.moments.all)
    }

    fn capillary_pressures(&mut self) -> Option<&mut Vec<Real>> {
        Some(&mut self.projection.capillary)
    }

    fn find_pressure_forces(&mut self, world: &World, context: &mut StageContext<'_>) {
        let StageContext { neighborhood, pairs, bodies, .. } = context;
        let known = self.projection.known_forces(world, neighborhood, pairs, &self.moments);
        self.pressure_forces.clear();
        self.pressure_forces.extend(known.iter().map(|known| -known.force));
        if BodyCoupling::is_needed(world) {
            self.projection.press_bodies(world, neighborhood, &self.moments, bodies);
            bodies.note_pressing(world);
        }
    }

    fn pressure_forces(&self) -> &[Vec3] {
        &self.pressure_forces
    }

    /// Half a kick with the pressure that was left at these places; before the first step it is
    /// found now, and all of it acts.
    fn first_half_kick(
        &mut self,
        world: &mut World,
        context: &mut StageContext<'_>,
        kick: HalfKick,
    ) {
        self.at_start = (self.has_pressure, self.max_acceleration);
        if !self.has_pressure {
            self.project(world, context, kick);
            self.hold(world, context);
            return;
        }
        pair_forces::kick(world, 0.5 * kick.dt);
        contact::apply_friction(world, context, &self.moments, 0.5 * kick.dt);
        contact::stop_at_solids(world, context, kick.dt);
    }

    fn second_half_kick(
        &mut self,
        world: &mut World,
        context: &mut StageContext<'_>,
        kick: HalfKick,
    ) -> Solved {
        let solved = self.project(world, context, kick);
        let (moments, acceleration) = (&self.moments, self.max_acceleration);
        self.projection.keep_mean_pressure(world, context, moments, kick.dt, acceleration);
        self.hold(world, context);
        solved
    }

    fn stops_at_solids(&self) -> bool {
        true
    }

    fn kick_stage(&self) -> Stage {
        Stage::Pressure
    }

    fn take_spent(&mut self) -> Spent {
        std::mem::take(&mut self.projection.spent)
    }

    fn update_shifts(&mut self, world: &World, context: &mut StageContext<'_>, dt: Real) -> Solved {
        let StageContext { neighborhood, pairs, .. } = context;
        let error = self.settings.max_density_error;
        let places = Places { moments: &self.moments, terms: self.projection.self_terms() };
        self.displacement.find(world, neighborhood, pairs, places, dt, error)
    }

    fn shifts(&self) -> &[Vec3] {
        self.displacement.velocities()
    }

    fn max_acceleration(&self) -> Option<f64> {
        self.has_pressure.then_some(self.max_acceleration)
    }

    fn rollback(&mut self) {
        (self.has_pressure, self.max_acceleration) = self.at_start;
    }

    fn resume(&mut self, max_acceleration: Option<f64>) {
        self.has_pressure = max_acceleration.is_some();
        self.max_acceleration = max_acceleration.unwrap_or_default();
    }
}
