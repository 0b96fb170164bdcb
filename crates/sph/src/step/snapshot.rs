//! The state before a step, to which a step that fails is rolled back.
//!
//! It holds what a step changes: particles, the states of bodies, elastic nodes and meshes that
//! deform, the account of what came and went, and the clock. Settings and shapes are not copied.

use crate::step::same_bits::has_same_bits;
use crate::step::setup::Change;
use crate::world::{Budget, OutsideWork, Particles, World};
use hashfall_elastic::ElasticState;
use hashfall_geometry::Point;
use hashfall_rigid::RigidSnapshot;
use hashfall_solid::BodyState;

/// What a step changes of a world; its buffers are reused.
#[derive(Debug, Default)]
pub struct Snapshot {
    particles: Particles,
    budget: Budget,
    bodies: Vec<BodyState>,
    /// Empty if bodies touch nothing.
    contact: RigidSnapshot,
    /// Empty if there are no elastic bodies.
    elastic: ElasticState,
    /// Of each mesh that deforms: places and velocities.
    deforming: Vec<[Vec<Point>; 2]>,
    time: f64,
    steps: u64,
    /// How many particles there were when the rest was saved.
    count: usize,
}

impl Snapshot {
    /// Copies the present state.
    pub fn save(&mut self, world: &World) {
        self.save_particles(world);
        self.save_rest(world);
    }

    /// Copies the particles.
    pub fn save_particles(&mut self, world: &World) {
        self.particles.copy_from(&world.particles);
    }

    /// Copies all but the particles.
    pub fn save_rest(&mut self, world: &World) {
        self.count = world.particles.len();
        self.budget.copy_from(&world.open_boundaries.budget);
        self.bodies.clear();
        self.bodies.extend_from_slice(world.solids.body_states());
        if let Some(contact) = &world.rigid {
            self.contact.clone_from(&contact.state);
        }
        if let Some(elastic) = &world.elastic {
            self.elastic.position.clone_from(&elastic.state.position);
            self.elastic.velocity.clone_from(&elastic.state.velocity);
        }
        self.deforming.resize_with(world.solids.deforming_meshes().count(), Default::default);
        for (saved, state) in self.deforming.iter_mut().zip(world.solids.deforming_states()) {
            for (saved, state) in saved.iter_mut().zip(state) {
                saved.clear();
                saved.extend_from_slice(state);
            }
        }
        (self.time, self.steps) = (world.time, world.steps);
    }

    /// The work from outside that was noted then.
    pub fn outside_work(&self) -> &OutsideWork {
        &self.budget.outside
    }

    /// Writes the copy back.
    pub fn restore(&self, world: &mut World) {
        world.particles.copy_from(&self.particles);
        world.open_boundaries.budget.copy_from(&self.budget);
        (world.time, world.steps) = (self.time, self.steps);
        world.solids.restore(&self.bodies);
        if let Some(contact) = &mut world.rigid {
            contact.state.clone_from(&self.contact);
        }
        if let Some(elastic) = &mut world.elastic {
            elastic.state.position.clone_from(&self.elastic.position);
            elastic.state.velocity.clone_from(&self.elastic.velocity);
        }
        world.solids.restore_deforming(&self.deforming);
    }

    /// Whether the particles of a world are those that were saved, to the bit.
    pub fn has_same_particles(&self, world: &World) -> bool {
        has_same_bits(&self.particles, &world.particles)
    }

    /// Whether a world has as many particles as when the rest was saved, and all of them are of
    /// fluids and emitters that are there.
    pub fn fits_particles(&self, world: &World) -> bool {
        let p = &world.particles;
        let max = |numbers: &[u8]| numbers.iter().fold(0, |max, x| *x.max(&max));
        p.len() == self.count
            && p.has_equal_lengths()
            && (p.is_empty() || usize::from(max(&p.phase)) < world.fluids.len())
            && usize::from(max(&p.in_nozzle)) <= world.open_boundaries.emitters.len()
    }

    /// How the state of a world differs beside its particles, whose settings are the same.
    pub fn change(&self, world: &World) -> Change {
        let is_same_contact = world.rigid.as_ref().is_none_or(|it| it.state == self.contact);
        let is_same_elastic = world.elastic.as_ref().is_none_or(|it| it.state == self.elastic);
        let is_same_state = self.time.to_bits() == world.time.to_bits()
            && is_same_contact
            && is_same_elastic
            && self
                .deforming
                .iter()
                .map(|it| it.each_ref().map(|x| &x[..]))
                .eq(world.solids.deforming_states());
        if !is_same_state {
            return Change::State;
        }
        let is_same_account =
            self.budget == world.open_boundaries.budget && self.steps == world.steps;
        let of_account = if is_same_account { Change::Nothing } else { Change::Input };
        self.change_of_bodies(world).max(of_account)
    }

    /// How the states of bodies differ: velocities of driven bodies are the caller's.
    fn change_of_bodies(&self, world: &World) -> Change {
        let states = world.solids.body_states();
        if states == self.bodies {
            return Change::Nothing;
        }
        if states.len() != self.bodies.len() {
            return Change::State;
        }
        let is_free =
            |obstacle: usize| world.free_bodies.iter().any(|free| free.body == obstacle + 1);
        let is_input = |((new, old), obstacle): ((&BodyState, &BodyState), usize)| {
            new == old
                || ((new.position, new.orientation) == (old.position, old.orientation)
                    && !is_free(obstacle))
        };
        let mut all = states.iter().zip(&self.bodies).zip(world.solids.moving_obstacles());
        if all.all(is_input) { Change::Input } else { Change::State }
    }
}

#[cfg(test)]
mod tests {
    use crate::step::StepError;
    use crate::step::stepper::Stepper;
    use crate::step::tests::{DFSPH, WCSPH, splash};
    use crate::step::time_step::limits::{Limit, StepLength};
    use crate::world::{Density, Emitter, OpenBoundaries, Particles, Sink, Solver, World};
    use hashfall_core::{Real, Vec3};
    use hashfall_formula::Formula;
    use hashfall_search::Structures;
    use hashfall_solid::KinematicLaw;

    type Steps = Stepper;

    /// A splash under way, with its stepper.
    fn under_way(solver: Solver, periodic: [bool; 3]) -> (World, Steps) {
        let mut world = splash(solver);
        world.periodic = periodic;
        world.solids = world.solids.with_open_axes(periodic);
        let mut stepper = Steps::new(&Structures::default(), &mut world).unwrap();
        for _ in 0..15 {
            stepper.step(&mut world, 10.0).unwrap();
        }
        (world, stepper)
    }

    #[test]
    fn a_step_that_was_taken_back_leaves_no_trace() {
        let Solver::Wcsph(wcsph) = WCSPH else { unreachable!("by its name") };
        let density = Some(Density::Continuity { diffusion: 0.1 });
        let flowing = Solver::Wcsph(crate::world::Wcsph { density, ..wcsph });
        for (solver, periodic) in [
            (WCSPH, [false; 3]),
            (flowing, [true, false, false]),
            (DFSPH, [false; 3]),
            (DFSPH, [true, true, false]),
        ] {
            let (mut world, mut stepper) = under_way(solver, periodic);
            let (mut other, mut steady) = under_way(solver, periodic);
            assert_eq!(world, other);
            let dt = stepper.stable_step(&world).0;
            stepper.snapshot.save(&world);
            // Far too long, so that much is changed.
            stepper.try_step(&mut world, StepLength::new(20.0 * dt, Limit::Frame), 10.0).unwrap();
            assert_ne!(world.digest(), other.digest());
            stepper.rollback(&mut world);
            assert_eq!(world, other, "{solver:?}");
            for _ in 0..3 {
                let half = StepLength::new(0.5 * dt, Limit::Frame);
                let again = stepper.try_step(&mut world, half, 10.0).unwrap();
                let first = steady.try_step(&mut other, half, 10.0).unwrap();
                assert_eq!((again.0, &world), (first.0, &other), "{solver:?}");
            }
        }
    }

    #[test]
    fn bodies_of_a_step_that_was_taken_back_are_where_they_were() {
        for solver in [WCSPH, DFSPH] {
            let start = || {
                let mut world = splash(solver);
                let motion = KinematicLaw::spin([0.15, 0.2, 0.0], [0.0, 0.0, 1.0], 60.0);
                world.solids = world.solids.with_kinematic_laws(vec![Some(motion)]);
                let mut stepper = Steps::new(&Structures::default(), &mut world).unwrap();
                for _ in 0..15 {
                    stepper.step(&mut world, 10.0).unwrap();
                }
                (world, stepper)
            };
            let ((mut world, mut stepper), (mut other, mut steady)) = (start(), start());
            let dt = stepper.stable_step(&world).0;
            stepper.snapshot.save(&world);
            stepper.try_step(&mut world, StepLength::new(20.0 * dt, Limit::Frame), 10.0).unwrap();
            assert_ne!(world.solids, other.solids);
            stepper.rollback(&mut world);
            assert_eq!(world, other, "{solver:?}");
            // The next step would count those of the try, too.
            let tried = std::mem::take(&mut stepper.iterations);
            assert_eq!(tried.divergence > 0, solver == DFSPH);
            for _ in 0..3 {
                let again = stepper.step(&mut world, 10.0).unwrap();
                let first = steady.step(&mut other, 10.0).unwrap();
                assert_eq!((again, &world), (first, &other), "{solver:?}");
            }
        }
    }

    #[test]
    fn a_motion_that_ends_in_no_number_ends_the_run_and_tells_which() {
        let formula = |text| Formula::parse(text).unwrap();
        let shift = ["0.1*sqrt(0.05 - t)", "0", "0"].map(formula);
        let motion = KinematicLaw::by_formulas([0.0; 3], shift, [0.0, 0.0, 1.0], formula("0"));
        let mut world = splash(DFSPH);
        world.solids = world.solids.with_kinematic_laws(vec![Some(motion)]);
        let mut stepper = Steps::new(&Structures::default(), &mut world).unwrap();
        let error = (0..1000).find_map(|_| stepper.step(&mut world, 1.0).err()).unwrap();
        let StepError::BlowUp(blow_up) = error else { panic!("{error}") };
        assert_eq!(blow_up.solid, Some(0));
        assert!(blow_up.to_string().contains("`solids[0]` has a motion that is not finite"));
        assert!(world.time <= 0.05 && world.time > 0.04, "{}", world.time);
    }

    #[test]
    fn a_stepper_that_starts_in_the_midst_goes_on_as_the_one_before() {
        let Solver::Wcsph(wcsph) = WCSPH else { unreachable!("by its name") };
        let density = Some(Density::Continuity { diffusion: 0.1 });
        let flowing = Solver::Wcsph(crate::world::Wcsph { density, shifting: 5.0, ..wcsph });
        for (solver, periodic, speed) in [
            (WCSPH, [false; 3], 1.0),
            (flowing, [true, false, false], 1.0),
            (DFSPH, [true, true, false], 1.0),
            (DFSPH, [false; 3], 60.0),
        ] {
            let mut world = splash(solver);
            world.periodic = periodic;
            world.solids = world.solids.with_open_axes(periodic);
            world.particles.velocity.iter_mut().for_each(|v| *v *= speed);
            let mut first = Steps::new(&Structures::default(), &mut world).unwrap();
            let mut rejected = 0;
            for step in 0..40 {
                let mut other = world.clone();
                let written = serde_json::to_string(&first.memory()).unwrap();
                let memory = serde_json::from_str(&written).unwrap();
                let mut second =
                    Steps::resume(&Structures::default(), &mut other, &memory).unwrap();
                assert_eq!(second.memory(), memory);
                let report = first.step(&mut world, 10.0).unwrap();
                rejected += report.rejected;
                assert_eq!(second.step(&mut other, 10.0).unwrap(), report, "{solver:?}");
                assert_eq!(other, world, "{solver:?}, step {step}");
                assert_eq!(second.memory(), first.memory(), "{solver:?}, step {step}");
            }
            assert!(speed == 1.0 || rejected > 0, "no step was taken back");
        }
    }

    /// A jet against a splash, which a sink drains.
    fn fountain(solver: Solver) -> World {
        let mut world = splash(solver);
        let place = |k: usize| Vec3::new(0.3 + (k % 3) as Real * 0.025, 0.35, 0.0);
        let emitter = Emitter {
            phase: 1,
            places: (0..3).map(place).collect(),
            normal: [0.0, 0.0, 1.0],
            velocity: [0.0, 0.0, 3.0],
            start: 0.0,
            end: f64::INFINITY,
            depth: 2,
            tunnel: vec![],
            rim: vec![],
        };
        let sink = Sink::Box { min: [0.0, 0.0, 0.3], max: [0.1, 0.4, 0.4] };
        world.open_boundaries = OpenBoundaries::new(vec![emitter], vec![sink], None, 2);
        world
    }

    #[test]
    fn who_came_and_went_in_a_step_that_was_taken_back_is_as_before() {
        for (solver, steps) in [(WCSPH, 60), (DFSPH, 8)] {
            let start = || {
                let mut world = fountain(solver);
                let stepper = Steps::new(&Structures::default(), &mut world).unwrap();
                (world, stepper)
            };
            let ((mut world, mut stepper), (mut other, mut steady)) = (start(), start());
            assert_eq!(world.open_boundaries.budget.emitted, [0, 6], "the nozzle is full");
            let mut came = 0;
            for _ in 0..steps {
                let dt = stepper.stable_step(&world).0;
                stepper.snapshot.save(&world);
                stepper
                    .try_step(&mut world, StepLength::new(8.0 * dt, Limit::Frame), 10.0)
                    .unwrap();
                came += world.open_boundaries.budget.all_emitted()
                    - other.open_boundaries.budget.all_emitted();
                stepper.rollback(&mut world);
                assert_eq!(world, other, "{solver:?}");
                stepper.step(&mut world, 10.0).unwrap();
                steady.step(&mut other, 10.0).unwrap();
                assert_eq!(world, other, "{solver:?}");
            }
            assert!(
                came > 0 && world.open_boundaries.budget.all_removed() > 0,
                "{solver:?}: {came}"
            );
        }
    }

    #[test]
    fn a_fountain_is_the_same_for_any_number_of_threads() {
        let run = |threads| {
            hashfall_core::parallel::with_threads(threads, || {
                let mut world = fountain(DFSPH);
                let mut stepper = Steps::new(&Structures::default(), &mut world).unwrap();
                for _ in 0..40 {
                    stepper.step(&mut world, 10.0).unwrap();
                }
                world
            })
        };
        assert_eq!(run(3), run(1));
    }

    #[test]
    fn an_impact_is_taken_back_the_same_for_any_number_of_threads() {
        let run = |threads| {
            hashfall_core::parallel::with_threads(threads, || {
                let mut world = splash(DFSPH);
                // Its halves fly into each other.
                let middle = world.particles.position.iter().map(|x| x.x).sum::<Real>()
                    / world.particles.len() as Real;
                let Particles { position, velocity, .. } = &mut world.particles;
                for (x, v) in position.iter().zip(velocity) {
                    v.x = if x.x < middle { 100.0 } else { -100.0 };
                }
                let mut stepper = Steps::new(&Structures::default(), &mut world).unwrap();
                let mut steps = Vec::new();
                for _ in 0..30 {
                    let step = stepper.step(&mut world, 10.0).unwrap();
                    steps.push((step.rejected, step.dt.to_bits()));
                }
                assert!(steps.iter().any(|step| step.0 > 0), "{steps:?}");
                (steps, world.digest())
            })
        };
        assert_eq!(run(3), run(1));
    }

    #[test]
    fn a_state_beyond_mending_ends_the_run_and_tells_where() {
        let (mut world, mut stepper) = under_way(WCSPH, [false; 3]);
        let (steps, id) = (world.steps, world.particles.id[7]);
        stepper.add_force(move |world: &World, accelerations: &mut [Vec3]| {
            let particle = world.particles.id.iter().position(|other| *other == id).unwrap();
            accelerations[particle].x = Real::NAN;
        });
        let error = stepper.step(&mut world, 10.0).unwrap_err();
        let StepError::BlowUp(blow_up) = error else { panic!("{error}") };
        assert_eq!((blow_up.step, blow_up.particle), (steps + 1, id), "{blow_up}");
    }
}
