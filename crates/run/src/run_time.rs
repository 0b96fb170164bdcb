//! How much CPU time a run will take on this machine, from trials of about a second of it: what
//! else runs makes a clock on the wall go on, and not the time that this process computes.
//!
//! Two things are unknown before a run: how many steps it takes, and what a step costs. Fast fluid
//! makes steps short, and pressure that builds up makes them dear, and neither is there at the
//! start. So the scene runs ahead with fewer and larger particles, as a *pilot*, which takes a part
//! of a second to the end, as the cost of a scene goes with d⁻⁴ of its spacing d. At each of its
//! states the governor is asked which step the spacing of the scene itself would allow. What a
//! particle costs in a step, and in an iteration of the pressures, the first steps of the scene
//! itself tell; what they do not, as of a scene without particles at its start, or of fluid that
//! falls freely, the pilot tells, too.
//!
//! Pressures of the shipped scenes take as many iterations in the pilot as in the scene, within a
//! tenth for five of seven. The time to write files is left out.

use super::plan::{Plan, extract_surfaces};
use super::step_cost::{Cost, Timer, iterations, tries};
use cpu_time::ProcessTime;
use hashfall_core::Real;
use hashfall_elastic::{StableSubstep, SubstepBuffer};
use hashfall_sph::step::{Limit, StepError, StepReport, Stepper};
use hashfall_sph::world::{Elastic, ElasticSolver, World};
use std::time::Duration;

/// CPU time for the pilot's steps, and for the first steps of the scene itself.
const PILOT: Duration = Duration::from_millis(500);
const FIRST_STEPS: Duration = Duration::from_millis(250);
/// The most of these steps.
const MAX_FIRST_STEPS: usize = 12;
/// Iterations of a pressure solve there, times particles, at the most: the first solve of a million
/// particles takes two hundred, of which three tell as much.
const FIRST_ITERATIONS: f64 = 3e6;
/// The first part of a run of elastic bodies alone: in frames, and in substeps at the least, as a
/// shorter part costs as much.
const FIRST_PART: f64 = 1.0 / 65536.0;
const FIRST_SUBSTEPS: f64 = 16.0;
/// Finer particles splash faster: where speed limits the steps, they take so many more than the
/// pilot foresees, in the mean of the shipped scenes.
const FASTER: f64 = 1.15;
/// Frames of the pilot whose surfaces are timed.
const SURFACES: u32 = 4;

/// How long a run takes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RunTime {
    /// CPU time of all threads on this machine \[s\].
    pub cpu_seconds: f64,
    /// Steps.
    pub steps: f64,
    /// The part of the run that the pilot has seen; the rest is taken to be as its last third.
    pub seen: f64,
}

impl Plan {
    /// How long the run will take; `pilot` is the same scene with larger particles, or as it is.
    /// `first_surface` is the CPU time that the surface of the start took. `None` if the scene
    /// cannot be stepped.
    ///
    /// # Errors
    /// Of a scene without fluid, why the trial ended.
    pub fn run_time(
        &self,
        pilot: Plan,
        first_surface: Duration,
    ) -> Result<Option<RunTime>, StepError> {
        if self.world.fluids.is_empty() {
            return self.run_time_without_fluid();
        }
        Ok(self.run_time_of_fluid(pilot, first_surface))
    }

    /// How long a run with fluid takes.
    fn run_time_of_fluid(&self, pilot: Plan, first_surface: Duration) -> Option<RunTime> {
        let course = Course::of_pilot(pilot, self.world.particle_radius)?;
        let cost = match (self.first_steps(), course.cost) {
            (Some(first), Some(pilot)) => first.with_iterations_of(pilot),
            (first, pilot) => first.or(pilot)?,
        };
        let tail = course.tail();
        let mut run = RunTime { cpu_seconds: 0.0, steps: 0.0, seen: 0.0 };
        for frame in 1..=self.frames.count {
            let leg = course.legs.get(frame as usize - 1).unwrap_or(&tail);
            let of_particle = leg.tries * cost.particle + leg.iterations * cost.iteration;
            run.cpu_seconds += self.particles_at(frame) * of_particle;
            run.steps += leg.steps;
        }
        let start = self.world.particles.len() as f64;
        let frames = f64::from(self.frames.count) + 1.0;
        run.cpu_seconds += frames
            * match self.surface {
                Some(_) if start > 0.0 => first_surface.as_secs_f64() * course.surface_growth,
                Some(_) => self.most_particles() / 2.0 * course.surface_of_particle,
                None => 0.0,
            };
        run.seen = course.legs.len() as f64 / f64::from(self.frames.count);
        Some(run)
    }

    /// How long elastic bodies alone take: the run itself, as far as it gets in the time of a
    /// pilot, and the rest as its last part. Parts grow to whole steps, each twice as long as the
    /// one before: of stiff bodies a frame may take hours.
    fn run_time_without_fluid(&self) -> Result<Option<RunTime>, StepError> {
        let mut world = self.world.clone();
        let Ok(mut stepper) = Stepper::new(&self.structures, &mut world) else { return Ok(None) };
        let (frame, end) = (1.0 / self.frames.rate, self.frames.time(self.frames.count));
        let (begun, mut run) =
            (ProcessTime::now(), RunTime { cpu_seconds: 0.0, steps: 0.0, seen: 1.0 });
        let mut part = first_part(&world, frame);
        for until in (1..=self.frames.count).map(|frame| self.frames.time(frame)) {
            while world.time < until {
                let (from, start) = (world.time, ProcessTime::now());
                let whole = stepper.stable_step(&world).0;
                stepper.step(&mut world, until.min(from + part))?;
                let (cpu, simulated) = (start.elapsed().as_secs_f64(), world.time - from);
                run.cpu_seconds += cpu;
                run.steps += simulated / whole.min(frame);
                part *= 2.0;
                if begun.elapsed() > PILOT {
                    let left = end - world.time;
                    run.cpu_seconds += left * cpu / simulated;
                    run.steps += left / whole.min(frame);
                    run.seen = world.time / end;
                    return Ok(Some(run));
                }
            }
        }
        Ok(Some(run))
    }

    /// What the first steps cost; `None` if there are none, or no particles in them.
    fn first_steps(&self) -> Option<Cost> {
        let mut world = self.world.clone();
        let few = (FIRST_ITERATIONS / world.particles.len() as f64).ceil();
        world.solver.settings_mut().limit_iterations(few.max(1.0));
        let mut stepper = Stepper::new(&self.structures, &mut world).ok()?;
        let end = self.frames.time(self.frames.count);
        let (begun, mut timer, mut taken) = (ProcessTime::now(), Timer::default(), 0);
        while taken < MAX_FIRST_STEPS && begun.elapsed() < FIRST_STEPS && world.time < end {
            if timer.step(&mut stepper, &mut world, end).is_none() {
                break;
            }
            taken += 1;
        }
        timer.least
    }
}

/// How long the first part of a run of elastic bodies alone is \[s\]: an implicit step costs the
/// same however short it is.
fn first_part(world: &World, frame: f64) -> f64 {
    let Some(Elastic { system, state, solver, .. }) = &world.elastic else { return frame };
    let ElasticSolver::Symplectic(settings) = solver else { return frame };
    let stable = StableSubstep::new(system, state, &mut SubstepBuffer::default());
    (FIRST_SUBSTEPS * settings.substep(stable.dt)).max(FIRST_PART * frame).min(frame)
}

/// A frame of the pilot, in steps of the scene itself.
#[derive(Clone, Copy, Debug, Default)]
struct Leg {
    /// Steps, those that are tried, and their iterations.
    steps: f64,
    tries: f64,
    iterations: f64,
}

/// What the pilot saw.
struct Course {
    /// The frames that it came through.
    legs: Vec<Leg>,
    cost: Option<Cost>,
    /// Mean time of a surface, in that of the first, and of a particle of it \[s\].
    surface_growth: f64,
    surface_of_particle: f64,
}

impl Course {
    /// Runs ahead until the end or until its time is over, for particles of this radius.
    fn of_pilot(mut pilot: Plan, radius: Real) -> Option<Course> {
        let mut stepper = Stepper::new(&pilot.structures, &mut pilot.world).ok()?;
        let (mut legs, mut timer) = (Vec::new(), Timer::default());
        let mut surfaces = vec![pilot.timed_surface()];
        let every = (pilot.frames.count / SURFACES).max(1);
        let interval = 1.0 / pilot.frames.rate;
        let faster = if pilot.world.particle_radius > radius { FASTER } else { 1.0 };
        let mut leg = Leg::default();
        // Of a pilot without a step nothing is learnt: its time begins with the first.
        let begun = ProcessTime::now();
        'frames: for frame in 1..=pilot.frames.count {
            let until = pilot.frames.time(frame);
            while pilot.world.time < until {
                if begun.elapsed() > PILOT {
                    break 'frames;
                }
                let (coarse, (fine, limit)) = stable_steps(&stepper, &mut pilot.world, radius);
                let Some(step) = timer.step(&mut stepper, &mut pilot.world, until) else {
                    break 'frames;
                };
                // A step that was taken back is shorter than what the governor allows.
                let part = if step.limit == Limit::Rejection { step.dt / coarse } else { 1.0 };
                let more = if limit == Limit::Speed { faster } else { 1.0 };
                leg.add(&step, more * step.dt / (fine * part).min(interval));
            }
            legs.push(leg.of_a_frame());
            leg = Leg::default();
            if frame % every == 0 {
                surfaces.push(pilot.timed_surface());
            }
        }
        if legs.is_empty() {
            // Less than a frame: it continues as it began.
            let part = (pilot.world.time * pilot.frames.rate).max(f64::MIN_POSITIVE);
            let whole = |x: f64| x / part;
            let Leg { steps, tries, iterations } = leg;
            legs.push(Leg {
                steps: whole(steps),
                tries: whole(tries),
                iterations: whole(iterations),
            });
        }
        let [first, sum] = [surfaces[0].0, surfaces.iter().map(|it| it.0).sum::<f64>()];
        let each: f64 = surfaces.iter().map(|(time, count)| time / count.max(1.0)).sum();
        let count = surfaces.len() as f64;
        let growth = if first > 0.0 { sum / count / first } else { 1.0 };
        let (cost, surface_of_particle) = (timer.least, each / count);
        Some(Course { legs, cost, surface_growth: growth, surface_of_particle })
    }

    /// The mean of the last third: what comes after it is taken to be alike.
    fn tail(&self) -> Leg {
        let last = &self.legs[self.legs.len() * 2 / 3..];
        let mean = |of: fn(&Leg) -> f64| last.iter().map(of).sum::<f64>() / last.len() as f64;
        Leg {
            steps: mean(|leg| leg.steps),
            tries: mean(|leg| leg.tries),
            iterations: mean(|leg| leg.iterations),
        }
    }
}

impl Leg {
    /// Adds a step of the pilot, which stands for this number of steps of the scene itself.
    fn add(&mut self, step: &StepReport, count: f64) {
        self.steps += count;
        self.tries += count * tries(step);
        self.iterations += count * iterations(step);
    }

    /// The last step of a frame is cut to end there: a part of a step is one.
    fn of_a_frame(self) -> Leg {
        let more = self.steps.ceil().max(1.0) / self.steps.max(f64::MIN_POSITIVE);
        Leg {
            steps: self.steps * more,
            tries: self.tries * more,
            iterations: self.iterations * more,
        }
    }
}

/// The step that a state allows by its own spacing, and that of particles of this radius with what
/// limits it.
fn stable_steps(stepper: &Stepper, world: &mut World, radius: Real) -> (f64, (f64, Limit)) {
    let coarse = stepper.stable_step(world).0;
    let before = (world.particle_radius, world.support_radius);
    world.support_radius *= radius / world.particle_radius;
    world.particle_radius = radius;
    let fine = stepper.stable_step(world);
    (world.particle_radius, world.support_radius) = before;
    (coarse, fine)
}

impl Plan {
    /// The time that a surface of the present state takes \[s\], and its particles.
    fn timed_surface(&self) -> (f64, f64) {
        let Some(settings) = &self.surface else { return (0.0, 0.0) };
        let begun = ProcessTime::now();
        let surfaces = extract_surfaces(&self.world, settings);
        drop(surfaces);
        (begun.elapsed().as_secs_f64(), self.world.particles.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Observer, Requests, RunProgress};
    use hashfall_scene::{Source, prepare};

    struct Nobody;

    impl Observer for Nobody {
        fn frame(&mut self, _: &RunProgress) {}
        fn step(&mut self, _: &RunProgress) {}
    }

    /// A dam that breaks, of particles of this radius.
    fn dam(radius: f64) -> Plan {
        let text = format!(
            "Scene(
                frames: (count: 10, rate: 20.0),
                domain: Box(min: (0, 0, 0), max: (1, 0.3, 1)),
                particle_radius: {radius},
                fluids: [(name: \"water\", rest_density: 1000, viscosity: 1e-6,
                          shapes: [Box(min: (0, 0, 0), max: (0.3, 0.3, 0.6))])],
                surface: None,
            )"
        );
        let source = Source { name: String::new(), text };
        Plan::from(&prepare(&source, &[], &mut |_| unreachable!("no mesh")).unwrap())
    }

    #[test]
    fn steps_of_elastic_bodies_alone_are_as_long_as_frames() {
        for solver in ["Symplectic()", "Implicit()"] {
            let text = format!(
                "Scene(
                    frames: (count: 5, rate: 50.0),
                    domain: Box(min: (0, 0, 0), max: (1, 1, 1)),
                    elastic: [(
                        name: \"cloth\",
                        shape: Sheet(origin: (0.3, 0.3, 0.5), u: (0.4, 0, 0), v: (0, 0.4, 0),
                                     cells: (4, 4)),
                        material: Shell(density: 300, thickness: 0.002, young_modulus: 1e4,
                                        poisson_ratio: 0.3),
                    )],
                    elastic_solver: {solver},
                )"
            );
            let source = Source { name: String::new(), text };
            let plan =
                Plan::from(&prepare(&source, &[], &mut |_| unreachable!("no mesh")).unwrap());
            let time = plan.run_time(plan.clone(), Duration::ZERO).unwrap().unwrap();
            assert!(
                (time.steps - 5.0).abs() < 1e-6 && time.cpu_seconds > 0.0,
                "{solver}: {time:?}"
            );
        }
    }

    /// Steps and their number are of the physics, and not of this machine.
    #[test]
    fn a_coarse_pilot_foresees_the_steps() {
        let (report, _) = dam(0.03).run(None, &mut Nobody, &Requests::default());
        let taken = report.steps as f64;
        for radius in [0.03, 0.05] {
            let time = dam(0.03).run_time(dam(radius), Duration::ZERO).unwrap().unwrap();
            assert!(time.cpu_seconds > 0.0 && time.seen > 0.0 && time.seen <= 1.0, "{time:?}");
            // A machine that is busy sees less of the run, and guesses the rest.
            let factor = if time.seen == 1.0 { 1.35 } else { 3.0 };
            let ratio = time.steps / taken;
            assert!((1.0 / factor..factor).contains(&ratio), "{radius}: {ratio}, {time:?}");
        }
    }
}
