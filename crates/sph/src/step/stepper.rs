//! The stepper: the search structures, the pressure scheme, the force terms and all buffers.

use crate::step::bodies::coupling::BodyCoupling;
use crate::step::boundary::broad_phase;
use crate::step::boundary::drift::DriftBuffer;
use crate::step::boundary::reactions::{Reactions, received};
use crate::step::elastic::{ElasticStage, step_without_fluid};
use crate::step::guard::{self, BlowUp};
use crate::step::inflow::nozzles::Nozzles;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::order::Order;
use crate::step::pairs::pair_data::PairData;
use crate::step::schemes::registry::new_scheme;
use crate::step::schemes::scheme::PressureScheme;
use crate::step::setup::Setup;
use crate::step::snapshot::Snapshot;
use crate::step::solved::IterationCounts;
use crate::step::step_error::StepError;
use crate::step::terms::custom_force::CustomForce;
use crate::step::terms::registry::new_terms;
use crate::step::terms::term::ForceTerm;
use crate::step::time_step::growth::StepGrowth;
use crate::step::time_step::individual_steps::IndividualSteps;
use crate::step::time_step::limits::{self, Limit, StepBounds, StepLength};
use crate::step::time_step::state_bounds::{StateBounds, compression};
use crate::world::World;
use hashfall_bodies::Wrench;
use hashfall_core::simd::Isa;
use hashfall_core::timer::StageTimes;
use hashfall_core::{Real, Vec3};
use hashfall_search::{BoxIndex, FindNeighbors, Structures, WrongNeighbors};

/// Advances a [`World`]; owns the search structures and all buffers.
///
/// Between steps the world is sorted, its densities belong to its positions, and positions and
/// velocities belong to the same instant.
#[derive(Debug)]
pub struct Stepper {
    /// Time spent in each stage so far.
    pub times: StageTimes,
    pub(super) structures: Structures,
    pub(super) isa: Isa,
    /// What all that follows was made for.
    pub(super) setup: Setup,
    pub(super) search: Box<dyn FindNeighbors>,
    /// The cell size of the search \[m\].
    pub(super) cell_size: Real,
    /// The broad phase over all objects of the solids.
    pub(super) index: Box<dyn BoxIndex>,
    pub(super) order: Order,
    pub(super) neighborhood: Neighborhood,
    pub(super) pairs: PairData,
    pub(super) scheme: Box<dyn PressureScheme>,
    /// In the order in which they act, custom forces first.
    pub(super) terms: Vec<Box<dyn ForceTerm>>,
    /// How many of them are custom forces.
    pub(super) custom_forces: usize,
    pub(super) buffers: Vec<DriftBuffer>,
    pub(super) reactions: Reactions,
    pub(super) bodies: BodyCoupling,
    pub(super) nozzles: Nozzles,
    /// If the world has elastic bodies.
    pub(super) elastic: Option<ElasticStage>,
    /// The state before the step under way; between steps what the last one left, but for
    /// particles.
    pub(super) snapshot: Snapshot,
    /// Why the last of the longer steps that were tried in its place failed.
    pub(super) rejection: Option<BlowUp>,
    pub(super) growth: StepGrowth,
    pub(super) iterations: IterationCounts,
    /// Of the present state.
    pub(super) state_bounds: StateBounds,
    pub(super) individual: IndividualSteps,
    /// Whether the accelerations came from a checkpoint, with all custom forces in them.
    pub(super) is_resumed: bool,
    /// Whether a force was added since the accelerations were found.
    pub(super) has_new_force: bool,
    /// Whether the snapshot has the particles that the last step left.
    pub(super) is_watched: bool,
    /// Of custom forces, at the present places \[W\].
    pub(super) custom_power: f64,
    /// The energy inside the world before a caller changes it \[J\].
    pub(super) energy_before_changes: f64,
    /// Whether the last step failed midway, so that nothing but the world says what there is.
    pub(super) has_failed: bool,
}

impl Stepper {
    /// Indexes the solids and brings the world into the state between steps: sorted, with its
    /// densities, pressures and accelerations, and the nozzles of its emitters full. The clock
    /// stays.
    ///
    /// # Errors
    /// If the world [cannot be stepped](World::validate), or its forces are not finite.
    pub fn new(structures: &Structures, world: &mut World) -> Result<Self, StepError> {
        world.validate()?;
        let isa = Isa::current();
        Nozzles::default().open(world, new_scheme(&world.solver, isa).as_ref());
        Self::with_isa(isa, structures, world)
    }

    /// As [`Stepper::new`], with this instruction set; nozzles stay as they are.
    pub(super) fn with_isa(
        isa: Isa,
        structures: &Structures,
        world: &mut World,
    ) -> Result<Self, StepError> {
        let scheme = new_scheme(&world.solver, isa);
        let cell_size = structures.neighbors.cell_size(world.support_radius);
        guard::check(world, cell_size)?;
        guard::check_motions(world, world.time)?;
        world.solids.move_to(world.time);
        world.renew_contact()?;
        world.place_elastic_surfaces();
        let mut stepper = Stepper {
            times: StageTimes::default(),
            structures: *structures,
            isa,
            setup: Setup::new(world),
            search: structures.neighbors.structure(),
            cell_size,
            index: broad_phase::index(structures.broad_phase, &world.solids, world.support_radius),
            order: Order::default(),
            neighborhood: Neighborhood::new(world, isa),
            pairs: PairData::default(),
            terms: new_terms(world, scheme.as_ref(), isa),
            custom_forces: 0,
            individual: IndividualSteps::new(scheme.settings().halvings()),
            scheme,
            buffers: Vec::new(),
            reactions: Reactions::new(world.solids.body_count()),
            bodies: BodyCoupling::new(world),
            nozzles: Nozzles::default(),
            elastic: ElasticStage::new(structures, world)?,
            snapshot: Snapshot::default(),
            rejection: None,
            growth: StepGrowth::default(),
            iterations: IterationCounts::default(),
            state_bounds: StateBounds::default(),
            is_resumed: false,
            has_new_force: false,
            is_watched: false,
            custom_power: 0.0,
            energy_before_changes: 0.0,
            has_failed: false,
        };
        // In Ahmad's mode particles find triangles as vertices do.
        stepper.rasterise(world.hashes_vertices());
        stepper.update_surroundings(world);
        stepper.update_forces(world);
        guard::check(world, cell_size)?;
        stepper.state_bounds = StateBounds::new(world, compression(world).0);
        stepper.snapshot.save(world);
        Ok(stepper)
    }

    /// Adds a force to those of the world: `force(world, accelerations)` adds to the acceleration
    /// of each particle \[m/s²\]. Particles stand in the order of `world.particles`, which changes
    /// from step to step; their `id`s stay. [`forces`](crate::step::forces) has some that are
    /// ready.
    ///
    /// The stepper calls `force` when particles have moved and densities are known, at the time
    /// `world.time`; the half kicks before and after use what it gives. A step that is rolled back
    /// calls it again, so it should depend on the world alone. Without such forces nothing is
    /// called. A stepper that [resumes](Stepper::resume) needs the forces that the one before had;
    /// they are no part of checkpoints.
    ///
    /// ```
    /// use hashfall_core::Vec3;
    /// use hashfall_search::Structures;
    /// use hashfall_sph::step::Stepper;
    /// use hashfall_sph::world::{Fluid, World};
    ///
    /// let builder = World::builder().gravity([0.0; 3]).fluid(Fluid::default());
    /// let mut world = builder.particle([0.5; 3], [0.0; 3]).build()?;
    /// let mut stepper = Stepper::new(&Structures::default(), &mut world)?;
    /// // A wind of 2 m/s² along x.
    /// stepper.add_force(|_: &World, accelerations: &mut [Vec3]| {
    ///     accelerations.iter_mut().for_each(|a| a.x += 2.0);
    /// });
    /// while world.time < 0.1 {
    ///     stepper.step(&mut world, 0.1)?;
    /// }
    /// assert!((world.particles.velocity[0].x - 0.2).abs() < 1e-4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_force<F>(&mut self, force: F)
    where
        F: FnMut(&World, &mut [Vec3]) + Send + 'static,
    {
        self.terms.insert(0, Box::new(CustomForce::new(force)));
        self.custom_forces += 1;
        self.has_new_force |= !self.is_resumed;
    }

    /// The first list of neighbours that was found to be wrong, if the search is
    /// [verified](hashfall_search::NeighborChoice::is_verified).
    pub fn wrong_neighbors(&self) -> Option<WrongNeighbors> {
        self.search.fault()
    }

    /// From now on triangles of surfaces that deform look for particles by rasterisation, as in
    /// Ahmad's article, if that is on; else particles look for the boxes of triangles. Both give
    /// the same bits. It is on from the start where elastic bodies collide by a
    /// [spatial hash](crate::world::ContactMode::SpatialHash).
    pub fn rasterise(&mut self, is_on: bool) {
        self.neighborhood.boundary.rasterise(is_on);
    }

    /// Searches by another structure from now on.
    #[cfg(any(test, feature = "testing"))]
    pub fn search_by(&mut self, search: Box<dyn FindNeighbors>) {
        self.search = search;
    }

    /// Why a longer step failed that was tried in place of the last one, if it did.
    pub fn rejection(&self) -> Option<&BlowUp> {
        self.rejection.as_ref()
    }

    /// The step that the present state allows \[s\], and what limits it. If a caller has moved
    /// particles since the last step, neighbours are still those of before.
    pub fn stable_step(&self, world: &World) -> (f64, Limit) {
        let StepLength { dt, limit } = self.stable_time_step(world);
        (dt, limit)
    }

    /// The time step that the present state allows, with what bounds it.
    pub(super) fn stable_time_step(&self, world: &World) -> StepLength {
        if world.fluids.is_empty() {
            return step_without_fluid(world, f64::INFINITY);
        }
        let bounds = self.scheme.bounds(world, &world.fluids);
        let of_term = self.implicit_state().map(|state| state.max_acceleration);
        let bounds = StepBounds { acceleration: of_term.or(bounds.acceleration), ..bounds };
        // Nothing is known of how fast a custom force changes along the path of a lone particle.
        let neighborhood = (self.custom_forces == 0).then_some(&self.neighborhood);
        let stable = limits::stable_step(world, &bounds, neighborhood);
        let of_terms = self.terms.iter().filter_map(|term| term.max_step());
        let by_bodies = match stable.limit {
            Limit::Fixed => f64::INFINITY,
            _ => self.bodies.longest_step(world),
        };
        let others = of_terms.chain([StepLength::new(by_bodies, Limit::Viscosity)]);
        others.fold(stable, StepLength::min)
    }

    /// What the fluid gave to each body since this was asked last: momentum \[N s\] and angular
    /// momentum about the origin \[N m s\], in the plane for a metre of depth. Bodies are the walls
    /// together, then the obstacles.
    pub fn take_impulses(&mut self) -> Vec<Wrench> {
        self.reactions.take()
    }

    /// The same of the last step alone; it may be asked for again.
    pub fn step_impulses(&self) -> Vec<Wrench> {
        self.reactions.of_step().iter().map(received).collect()
    }
}
