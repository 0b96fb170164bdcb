//! From a scene to its first steps: what is built of a small one can be told, estimated and begun.

use super::scene::{read, read_file, refused, show, typed};
use hashfall_run::{End, Observer, Plan, Requests, Resumed, RunProgress};
use hashfall_scene::{Prepared, Size, Source, prepare, prepare_to_resume};
use hashfall_sph::world::Solver;
use hashfall_surface::SurfaceSettings;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A scene may well ask for millions of particles, but not here.
const LARGEST: Size = Size { places: 1000.0, balls: 200.0, triangles: 500 };
/// Solids of a scene, each of which every particle may be near.
const MAX_BODIES: usize = 50;
/// Samples of a surface's field, and visits to its vertices.
const MAX_SURFACE_WORK: f64 = 2e5;
/// Iterations for the pressures of a step.
const MAX_ITERATIONS: u32 = 20;
/// Steps that are taken.
const STEPS: u64 = 2;

/// Builds a scene, if it is small, and takes its first steps.
pub fn plan(bytes: &[u8]) -> bool {
    let Some(checked) = read(bytes) else { return false };
    let Size { places, balls, triangles } = checked.size();
    if places > LARGEST.places || balls > LARGEST.balls || triangles > LARGEST.triangles {
        return false;
    }
    match checked.build() {
        Ok(scene) => {
            show(&scene.warnings);
            assert!(scene.world.particles.len() as f64 <= places);
            assert_eq!(
                scene.particles_per_fluid.iter().sum::<usize>(),
                scene.world.particles.len()
            );
            reads_back(&scene);
            resumes(bytes);
            begin(Plan::from(&scene));
            true
        }
        Err(faults) => {
            refused(&faults);
            false
        }
    }
}

/// The scene as it is written into a run's folder gives the same world.
fn reads_back(scene: &Prepared) {
    let source = Source { name: "resolved.ron".to_owned(), text: scene.resolved.clone() };
    let mut read_copy = |name: &str| read_file(name.trim_start_matches("meshes/"));
    let again = prepare(&source, &[], &mut read_copy);
    let again = again.unwrap_or_else(|faults| panic!("{}\n{faults:?}", scene.resolved));
    assert_eq!(again.world.digest(), scene.world.digest(), "{}", scene.resolved);
}

/// A run of the scene goes on with its options, or is told why it cannot.
fn resumes(bytes: &[u8]) {
    let Some((source, options)) = typed(bytes) else { return };
    if !options.is_empty()
        && let Err(faults) = prepare_to_resume(&source, &options, &mut read_file)
    {
        refused(&faults);
    }
}

/// Estimates the plan, and takes its first steps.
pub fn begin(mut plan: Plan) {
    let solids = &plan.world.solids;
    assert!(plan.memory_at_work() > 0);
    if solids.body_count() > MAX_BODIES {
        return;
    }
    plan.surface = plan.surface.filter(|surface| work(surface, &plan) < MAX_SURFACE_WORK);
    if let Solver::Dfsph(solver) = &mut plan.world.solver {
        solver.max_iterations = solver.max_iterations.min(f64::from(MAX_ITERATIONS));
    }
    if let Ok(estimate) = plan.clone().estimate() {
        assert!(estimate.first_time_step > 0.0 && estimate.memory > 0, "{estimate:?}");
    }
    // The first frame's surface is the estimate's.
    plan.surface = None;
    first_steps(plan, None);
}

/// Begins a run, or goes on with it, for a few steps.
pub fn first_steps(plan: Plan, resumed: Option<Resumed>) {
    let before = resumed.as_ref().map_or(0, |_| plan.world.steps);
    let mut clock = Clock { last: before.saturating_add(STEPS), ..Clock::default() };
    let requests = Requests { stop: clock.is_over.clone(), ..Requests::default() };
    let (_, end) = plan.run_from(resumed, None, &mut clock, &requests);
    assert!(!matches!(end, End::Unwritable(_)), "{end:?}");
}

/// How much is to be done for a surface.
fn work(surface: &SurfaceSettings, plan: &Plan) -> f64 {
    let world = &plan.world;
    let across = f64::from(world.support_radius / world.particle_radius) / surface.cell;
    let rounds = 1 + surface.smoothing + surface.normals_iterations();
    world.particles.len() as f64 * across.powi(3) * f64::from(rounds)
}

/// Ends a run after its first steps.
#[derive(Default)]
struct Clock {
    last: u64,
    is_over: Arc<AtomicBool>,
}

impl Observer for Clock {
    fn frame(&mut self, _: &RunProgress) {}

    fn step(&mut self, progress: &RunProgress) {
        self.is_over.store(progress.steps >= self.last, Ordering::Relaxed);
    }
}
