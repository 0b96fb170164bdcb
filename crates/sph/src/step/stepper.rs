//! One time step: `Stepper::attempt` is the table of contents; [`Stepper::step`] makes attempts
//! until one is good.
//!
//! ```text
//! dt → push → drift & collide → exchange → order → neighbours → solids → density → settle
//! ```
//!
//! To *push* is to give the velocities with which particles move, to *settle* to bring them to the
//! instant of the new positions: half a kick each, with the forces found in between (leapfrog).
//! Weakly compressible, pressure is one of the forces; divergence-free, it is what holds the
//! density in the first half and takes divergence out of the velocities in the second. Between
//! steps the world is sorted, its densities belong to its positions, and positions and velocities
//! to the same instant.

use crate::step::boundary::reactions::Wrench;
use crate::step::guard::BlowUp;
use crate::step::report::StepReport;
use crate::step::schemes::projection::Solved;
use crate::step::time_step::limits::Limit;

use crate::step::boundary::drift::{Deepest, DriftBuffer, Obstacles};
use crate::step::boundary::{broad_phase, drift};
use crate::step::guard;
use crate::step::inflow::nozzles;
use crate::step::inflow::nozzles::Nozzles;
use crate::step::pairs::ghosts;
use crate::step::schemes::ballistic::Ballistic;
use crate::step::schemes::dfsph::{Incompressible, Span};
use crate::step::schemes::pair_forces;
use crate::step::time_step::limits::{self, Bounds, Caution, Extremes, compression};
use crate::world::{Fluid, Solver, World};

use crate::step::boundary::reactions::Reactions;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::order::Order;
use crate::step::schemes::multiphase::Multiphase;
use crate::step::schemes::wcsph::Tait;
use crate::step::snapshot::Kept;
use crate::step::terms::implicit_viscosity::Viscosity;
use crate::step::terms::tension::Tension;
use crate::step::time_step::individual_steps::Individual;
use hashfall_core::Real;
use hashfall_core::simd::Isa;
use hashfall_core::timer::{Stage, StageTimes};
use hashfall_search::{BoxIndex, FindNeighbors, Structures, WrongNeighbors};
use std::slice::from_ref;

/// Viscosity is solved for at most for so long a step \[s\]: nothing may limit that of a fluid at
/// rest.
const LONGEST: f64 = 1e3;

/// How pressures are found, with all that needs.
#[derive(Debug)]
pub enum Pressures {
    Tait(Tait),
    Incompressible(Incompressible),
    Averaged(Multiphase),
    Absent(Ballistic),
}

impl Pressures {
    /// What bounds a step of particles of these `fluids` by the accelerations that they have.
    pub fn bounds(&self, world: &World, fluids: &[Fluid]) -> Bounds {
        match self {
            Pressures::Tait(tait) => tait.bounds(world, fluids),
            Pressures::Incompressible(solver) => solver.bounds(world),
            Pressures::Averaged(solver) => solver.bounds(world, fluids),
            Pressures::Absent(solver) => solver.bounds(),
        }
    }
}

/// Advances a world; owns the search structures and all buffers.
#[derive(Debug)]
pub struct Stepper {
    /// Time spent in each stage so far.
    pub times: StageTimes,
    pub(super) search: Box<dyn FindNeighbors>,
    /// Of the search \[m\].
    pub(super) cell_size: Real,
    pub(super) index: Box<dyn BoxIndex>,
    pub(super) order: Order,
    pub(super) near: Neighborhood,
    pub(super) solver: Pressures,
    /// Where surfaces pull.
    pub(super) tension: Option<Tension>,
    /// Viscosity, where it is implicit.
    pub(super) viscosity: Option<Viscosity>,
    pub(super) buffers: Vec<DriftBuffer>,
    pub(super) reactions: Reactions,
    pub(super) nozzles: Nozzles,
    pub(super) kept: Kept,
    pub(super) caution: Caution,
    pub(super) extremes: Extremes,
    /// Steps of the particles' own.
    pub(super) individual: Individual,
}

impl Stepper {
    /// Indexes the solids and brings the world into the state between steps: sorted, with its
    /// densities, pressures and accelerations, and the nozzles of its emitters full. The clock
    /// stays.
    ///
    /// # Errors
    /// If the world holds something that is not finite.
    pub fn new(structures: &Structures, world: &mut World) -> Result<Self, BlowUp> {
        Nozzles::default().open(world);
        Self::on(Isa::current(), structures, world)
    }

    /// As [`Stepper::new`], with these simd.
    pub(super) fn on(isa: Isa, structures: &Structures, world: &mut World) -> Result<Self, BlowUp> {
        let cell_size = structures.neighbors.cell_size(world.support_radius);
        guard::check(world, cell_size)?;
        guard::check_motions(world, world.time)?;
        world.solids.move_to(world.time);
        let solver = match &world.solver {
            Solver::Wcsph(settings) => Pressures::Tait(Tait::new(settings, isa)),
            Solver::Dfsph(settings) => {
                Pressures::Incompressible(Incompressible::new(settings, isa))
            }
            Solver::Multiphase(settings) => Pressures::Averaged(Multiphase::new(settings, isa)),
            Solver::Ballistic(settings) => Pressures::Absent(Ballistic::new(settings)),
        };
        let mut stepper = Stepper {
            times: StageTimes::default(),
            search: structures.neighbors.structure(),
            cell_size,
            index: broad_phase::index(structures.broad_phase, &world.solids, world.support_radius),
            order: Order::default(),
            near: Neighborhood::of(world, isa),
            solver,
            tension: Tension::of(world, isa),
            viscosity: Viscosity::of(world, isa),
            buffers: Vec::new(),
            reactions: Reactions::of(world.solids.body_count()),
            nozzles: Nozzles::default(),
            kept: Kept::default(),
            caution: Caution::default(),
            extremes: Extremes::default(),
            individual: Individual::new(world.solver.halvings()),
        };
        stepper.look_around(world);
        stepper.find_forces(world);
        guard::check(world, cell_size)?;
        stepper.extremes = Extremes::of(world, compression(world).0);
        Ok(stepper)
    }

    /// The first list of neighbours that was found to be wrong, if the search is
    /// [verified](hashfall_search::NeighborChoice::is_verified).
    pub fn wrong_neighbors(&self) -> Option<WrongNeighbors> {
        self.search.fault()
    }

    /// Searches by another structure from now on.
    #[cfg(any(test, feature = "testing"))]
    pub fn search_by(&mut self, search: Box<dyn FindNeighbors>) {
        self.search = search;
    }

    /// The step that the present state allows \[s\], and what limits it.
    pub fn stable_step(&self, world: &World) -> (f64, Limit) {
        let bounds = Bounds {
            acceleration: self.viscosity.as_ref().map(|v| v.outlook().strongest),
            ..self.solver.bounds(world, &world.fluids)
        };
        let stable = limits::stable_step(world, &bounds);
        match self.viscosity.as_ref().map(Viscosity::longest_step) {
            Some(longest) if longest < stable.0 => (longest, Limit::Viscosity),
            _ => stable,
        }
    }

    /// Takes one step, at most to the time `until` \[s\], on which the last step lands exactly. A
    /// step that makes the state jump is taken back and halved ([`Limit::Rejection`]).
    ///
    /// # Errors
    /// If the state has become something that is not finite, by the shortest step as well.
    pub fn step(&mut self, world: &mut World, until: f64) -> Result<StepReport, BlowUp> {
        let (mut stable, remaining) = (self.stable_step(world), until - world.time);
        if self.individual.is_on() {
            let bounds =
                world.fluids.iter().map(|fluid| self.solver.bounds(world, from_ref(fluid)));
            stable.0 = self.individual.longest(world, bounds, stable.0);
        }
        let (whole, _) = limits::trim(stable, remaining);
        let (mut dt, mut limit) = limits::trim(self.caution.cut(stable), remaining);
        let kept = &mut self.kept;
        self.times.time(Stage::Integrate, || kept.keep(world));
        let coming = limits::coming(world, whole);
        let before = Extremes { speed: self.extremes.speed.max(coming), ..self.extremes };
        // Steps of a given length stay so.
        let is_given = stable.1 == Limit::Fixed;
        let (mut rejected, mut halved, mut resting) = (0, 0, Vec::new());
        loop {
            let taken = self.attempt(world, (dt, limit), until);
            // Where no step at all is allowed, no half of it is shorter.
            let is_last = is_given || dt < 2.0 * limits::SHORTEST * whole || dt == 0.0;
            let stalled = match &taken {
                Ok((report, _)) => self.nozzles.stalled(world, &self.near.lists, report),
                Err(_) if is_last => self.nozzles.pushing().collect(),
                Err(_) => Vec::new(),
            };
            if !stalled.is_empty() {
                resting.extend(stalled);
                self.take_back(world);
                nozzles::rest(world, &resting);
                rejected += 1;
                continue;
            }
            match taken {
                Ok((report, extremes))
                    if is_last || !extremes.jump_from(&before, dt, world.spacing().into()) =>
                {
                    world.exchange.account.work += world.solids.work(self.reactions.of_step());
                    self.reactions.end_step();
                    self.caution.note(dt, halved);
                    self.extremes = extremes;
                    return Ok(StepReport { rejected, ..report });
                }
                Err(blow_up) if is_last => return Err(blow_up),
                _ => self.take_back(world),
            }
            nozzles::rest(world, &resting);
            (rejected, halved) = (rejected + 1, halved + 1);
            (dt, limit) = (0.5 * dt, Limit::Rejection);
        }
    }

    /// Takes a step of this length.
    pub(super) fn attempt(
        &mut self,
        world: &mut World,
        (dt, limit): (f64, Limit),
        until: f64,
    ) -> Result<(StepReport, Extremes), BlowUp> {
        let remaining = until - world.time;
        let end = if dt >= remaining { until } else { world.time + dt };
        guard::check_motions(world, end)?;
        world.solids.begin_step(end, dt);
        self.near.solids.take_velocities(world);
        self.reactions.begin_step();
        self.times.time(Stage::Integrate, || self.nozzles.begin(world, dt));
        let (whole, mut dt) = (dt, dt);
        let mut deepest = Deepest::default();
        if self.individual.is_on() {
            dt = self.individual.begin(world, &self.near, whole);
            deepest = self.take_short_steps(world, dt)?;
        }
        let density = self.push(world, dt as Real);
        self.times.time(Stage::Collide, || {
            world.solids.move_bodies();
            broad_phase::renew(self.index.as_mut(), &world.solids);
        });
        deepest = deepest.or(self.drift(world, dt as Real));
        world.time = end;
        world.solids.end_step();
        world.steps += 1;
        self.times.time(Stage::Integrate, || self.nozzles.exchange(world));
        // Before the search, whose cells are for finite points within reach, and after the forces.
        guard::check(world, self.cell_size)?;
        self.look_around(world);
        let divergence = self.settle(world, dt as Real);
        guard::check(world, self.cell_size)?;
        let (density_error_max, density_error_mean) = compression(world);
        let deepest_penetration = f64::from(deepest.depth / world.spacing());
        let report = StepReport {
            dt: whole,
            limit,
            rejected: 0,
            density_error_max,
            density_error_mean,
            deepest_penetration,
            deepest_particle: deepest.particle,
            density,
            divergence,
            viscosity: self.viscosity.as_ref().map(Viscosity::solved).unwrap_or_default(),
        };
        Ok((report, Extremes::of(world, density_error_max)))
    }

    /// What the fluid gave to each body since this was asked last: momentum \[N s\] and angular
    /// momentum about the origin \[N m s\], in the plane for a metre of depth. Bodies are the walls
    /// together, then the obstacles.
    pub fn take_impulses(&mut self) -> Vec<Wrench> {
        self.reactions.take()
    }

    /// Gives the velocities with which the particles move.
    pub(super) fn push(&mut self, world: &mut World, dt: Real) -> Solved {
        let solved = self.half_kick(world, dt, Incompressible::hold_density);
        self.advance_density(world, dt);
        solved
    }

    /// Moves the particles, with contacts; returns the deepest penetration that is left.
    pub(super) fn drift(&mut self, world: &mut World, dt: Real) -> Deepest {
        if let Pressures::Tait(tait) = &mut self.solver {
            self.times.time(Stage::Forces, || tait.find_shifts(world, &self.near));
        }
        let around = &self.near.solids;
        self.times.time(Stage::Collide, || {
            let obstacles = Obstacles { index: self.index.as_ref(), around };
            let shifts = match &self.solver {
                Pressures::Tait(tait) => tait.shifts(),
                Pressures::Incompressible(_) | Pressures::Averaged(_) | Pressures::Absent(_) => &[],
            };
            let reactions = &mut self.reactions;
            drift::drift(world, &obstacles, shifts, reactions, &mut self.buffers, dt)
        })
    }

    /// Sorts the world and finds each particle's surroundings and density.
    pub(super) fn look_around(&mut self, world: &mut World) {
        self.sort(world);
        self.look(world);
    }

    /// Sorts the world; returns whether anything moved.
    pub(super) fn sort(&mut self, world: &mut World) -> bool {
        self.times.time(Stage::Search, || {
            ghosts::wrap(world);
            self.order.sort(&mut world.particles, world.support_radius)
        })
    }

    /// Finds each particle's surroundings and density; of those who are idle, the solids alone.
    pub(super) fn look(&mut self, world: &mut World) {
        let (near, idle) = (&mut self.near, &self.individual.idle);
        let interact = !matches!(self.solver, Pressures::Absent(_));
        self.times.time(Stage::Search, || {
            if interact {
                near.find(self.search.as_mut(), world, idle);
            }
        });
        self.times.time(Stage::Solids, || near.solids.look(self.index.as_ref(), world));
        let sums_density = match &self.solver {
            Pressures::Tait(tait) => tait.sums_density(),
            Pressures::Incompressible(_) => true,
            Pressures::Averaged(_) | Pressures::Absent(_) => false,
        };
        self.times.time(Stage::Density, || {
            if interact {
                near.evaluate(world, idle);
            }
            if sums_density {
                near.sum_densities(world, idle);
            }
            if let Pressures::Averaged(solver) = &mut self.solver {
                solver.sum_densities(world, near, idle);
            }
            if let Some(tension) = &mut self.tension {
                tension.look(world, near);
            }
        });
    }

    /// Half a step of densities that go with the flow.
    fn advance_density(&mut self, world: &mut World, dt: Real) {
        if let Pressures::Tait(tait) = &mut self.solver {
            self.times.time(Stage::Density, || tait.advance_density(world, &self.near, dt));
        }
    }

    /// Brings velocities, pressures and forces to the instant of the positions.
    pub(super) fn settle(&mut self, world: &mut World, dt: Real) -> Solved {
        self.advance_density(world, dt);
        self.find_and_correct(world);
        self.half_kick(world, dt, Incompressible::stop_compression)
    }

    /// Half a kick, with the pressures that `project` finds where they are not among the forces.
    pub(super) fn half_kick<P>(&mut self, world: &mut World, dt: Real, project: P) -> Solved
    where
        P: FnOnce(&mut Incompressible, &mut World, &Neighborhood, &mut Reactions, Span) -> Solved,
    {
        let reactions = &mut self.reactions;
        reactions.kick(f64::from(0.5 * dt));
        match &mut self.solver {
            Pressures::Tait(_) | Pressures::Averaged(_) | Pressures::Absent(_) => {
                self.times.time(Stage::Integrate, || pair_forces::kick(world, 0.5 * dt));
                Solved::default()
            }
            Pressures::Incompressible(solver) => {
                let near = &self.near;
                let force = self.viscosity.as_ref().map(|v| v.outlook().force);
                self.times.time(Stage::Pressure, || {
                    let span = Span { dt, horizon: solver.horizon(world, force) };
                    project(solver, world, near, reactions, span)
                })
            }
        }
    }

    /// Adds viscosity to the forces, where it is implicit, for the step that they allow.
    fn find_viscosity(&mut self, world: &mut World) {
        let Some(mut viscosity) = self.viscosity.take() else { return };
        let (dt, _) = limits::stable_step(world, &self.solver.bounds(world, &world.fluids));
        let projected = matches!(self.solver, Pressures::Incompressible(_));
        let (near, reactions) = (&self.near, &mut self.reactions);
        self.times.time(Stage::Forces, || {
            viscosity.add(world, near, reactions, projected, dt.min(LONGEST) as Real);
        });
        self.viscosity = Some(viscosity);
    }

    /// The forces at the present positions.
    pub(super) fn find_forces(&mut self, world: &mut World) {
        let (times, near, reactions) = (&mut self.times, &self.near, &mut self.reactions);
        let idle = &self.individual.idle;
        match &mut self.solver {
            Pressures::Tait(tait) => {
                times.time(Stage::Pressure, || tait.pressures(world));
                times.time(Stage::Forces, || tait.accelerations(world, near, idle, reactions));
            }
            Pressures::Incompressible(solver) => {
                times.time(Stage::Pressure, || solver.look(world, near));
                times.time(Stage::Forces, || solver.accelerations(world, near, reactions));
            }
            Pressures::Averaged(solver) => {
                times.time(Stage::Pressure, || solver.pressures(world));
                times.time(Stage::Forces, || solver.accelerations(world, near, idle, reactions));
            }
            Pressures::Absent(solver) => {
                times.time(Stage::Forces, || solver.accelerations(world));
            }
        }
        if let Some(tension) = &mut self.tension {
            times.time(Stage::Forces, || tension.pull(world, near, reactions));
        }
        // What is held neither limits the step nor is moved by it.
        nozzles::hold(world);
        self.find_viscosity(world);
    }
}
