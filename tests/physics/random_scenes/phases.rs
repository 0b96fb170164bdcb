//! Random small scenes of two or three fluids: densities up to a thousand times apart, surfaces and
//! interfaces that pull, viscosities from water's to pitch's, openings that fluid comes out of, sinks,
//! solids that move, and time steps of the particles' own. None blows up, leaks, collapses, or gains
//! energy that nothing brought, and each comes to the same bits on one thread and on two that go on
//! from a checkpoint in the middle.

mod draw;

use self::draw::Kind;
use super::draw::Draw;
use super::{CUBE, DEEPEST, MAX_STEPS, budget, misplaced, seeds};
use hashfall_core::Real;
use hashfall_geometry::Interior;
use hashfall_output::checkpoint::{decode, encode};
use hashfall_output::{Checkpoint, History, State};
use hashfall_scene::{Prepared, Source, prepare};
use hashfall_search::Structures;
use hashfall_sph::step::{Memory, Stepper};
use hashfall_sph::world::{Audit, World};
use rayon::ThreadPoolBuilder;
use std::ops::RangeInclusive;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Scenes of more or fewer particles are drawn again.
const PARTICLES: RangeInclusive<usize> = 100..=1200;
/// The most compression of a particle \[–\]: the limit that scenes have unless they say more.
const MAX_COMPRESSED: f64 = 0.5;
/// The most by which energy may exceed that of the start and what was brought, in parts of the
/// energy that could be set free.
const MAX_GAINED: f64 = 0.05;

/// A scene to run.
struct Drawn {
    name: String,
    text: String,
    prepared: Prepared,
}

impl Drawn {
    /// Of this text, unless it is refused.
    fn of(name: &str, text: &str) -> Result<Self, String> {
        let source = Source { name: name.to_owned(), text: text.to_owned() };
        let prepared = prepare(&source, &[], &mut |_| Ok(CUBE.into()));
        let prepared = prepared.map_err(|diagnostics| {
            let messages: Vec<_> = diagnostics.into_iter().map(|d| d.message).collect();
            messages.join("; ")
        })?;
        Ok(Drawn { name: name.to_owned(), text: text.to_owned(), prepared })
    }

    /// The first of a seed that can be run.
    fn by(seed: u64, kind: Kind) -> Self {
        let (mut draw, mut refusal) = (Draw::new(seed), String::new());
        for _ in 0..1000 {
            let text = draw.phases(kind);
            match Drawn::of(&format!("{kind:?} {seed}"), &text) {
                Ok(drawn) if PARTICLES.contains(&drawn.prepared.world.particles.len()) => {
                    return drawn;
                }
                Ok(_) => {}
                Err(why) => refusal = format!("{why}\n{text}"),
            }
        }
        panic!("seed {seed}: no scene that can be run; the last to be refused: {refusal}");
    }
}

/// What surfaces could set free: as if each particle had one of its own \[J\].
fn of_surfaces(world: &World) -> f64 {
    let strongest = world.fluids.iter().map(|fluid| fluid.surface_tension);
    let strongest =
        strongest.chain(world.interfaces.iter().map(|i| i.tension)).fold(0.0, Real::max);
    let d = f64::from(world.spacing());
    f64::from(strongest) * d * d * world.particles.len() as f64
}

/// What is seen of a run as it goes.
#[derive(Default)]
struct Seen {
    compressed: f64,
    deepest: f64,
    gained: f64,
    rejected: u32,
}

/// Goes on to a time \[s\].
fn go_on(
    stepper: &mut Stepper,
    world: &mut World,
    until: f64,
    seen: &mut Seen,
) -> Result<(), String> {
    while world.time < until {
        let step = stepper.step(world, until).map_err(|blow_up| blow_up.to_string())?;
        seen.compressed = seen.compressed.max(step.density_error_max);
        seen.deepest = seen.deepest.max(step.deepest_penetration);
        seen.rejected += step.rejected;
        if seen.compressed > MAX_COMPRESSED {
            return Err(format!("is compressed by {}", seen.compressed));
        }
        if world.steps > MAX_STEPS {
            return Err(format!("stalls; the last step took {} s", step.dt));
        }
    }
    Ok(())
}

/// Runs a scene for so long \[s\]; a line of what came of it, or what is wrong.
fn run(Drawn { name, text, prepared }: Drawn, duration: f64) -> Result<String, String> {
    let fail = |time: f64, what: String| format!("{name}, t = {time:.3} s: {what}\n{text}");
    let (mut world, structures) = (prepared.world, Structures::default());
    let again = world.clone();
    let start = Audit::new(&world);
    let mut stepper =
        Stepper::new(&structures, &mut world).map_err(|blow_up| fail(0.0, blow_up.to_string()))?;
    let free = budget(&world, &start) + of_surfaces(&world);
    let net_at_start = world.net_energy();
    let mut seen = Seen::default();
    let mut middle = 0;
    for frame in 1..=20 {
        let until = duration * f64::from(frame) / 20.0;
        go_on(&mut stepper, &mut world, until, &mut seen).map_err(|what| fail(world.time, what))?;
        // Where they are now.
        let meshes: Vec<Interior> =
            world.solids.meshes().iter().map(|mesh| Interior::new(mesh)).collect();
        if let Some(what) = misplaced(&world, &meshes) {
            return Err(fail(world.time, what));
        }
        let supplied = world.open_boundaries.budget.outside.supplied;
        let gained = (world.net_energy() - net_at_start) / (free + supplied);
        if gained.is_nan() || gained > MAX_GAINED {
            return Err(fail(world.time, format!("gains {gained} of its energy")));
        }
        seen.gained = seen.gained.max(gained);
        if frame == 10 {
            middle = world.digest();
        }
    }
    if seen.deepest > DEEPEST {
        return Err(fail(world.time, format!("{} d deep in a solid", seen.deepest)));
    }
    let other = resumed(again, duration, middle).map_err(|what| fail(duration, what))?;
    let is_same = other.digest() == world.digest()
        && other.open_boundaries.budget == world.open_boundaries.budget;
    if !is_same {
        return Err(fail(duration, "two threads that go on from the middle differ".to_owned()));
    }
    let Seen { compressed, deepest, gained, rejected } = seen;
    Ok(format!(
        "{name}: {:4} particles, {:6} steps, {rejected} taken back, compressed \
         {compressed:.3}, gains {gained:+.4}, {deepest:.4} d deep",
        world.particles.len(),
        world.steps
    ))
}

/// The world at the end of a run on two threads that stops in the `middle`, where it has that digest,
/// and goes on from the bytes of its checkpoint.
fn resumed(mut world: World, duration: f64, middle: u64) -> Result<World, String> {
    let pool = ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
    pool.install(|| {
        let (structures, mut seen) = (Structures::default(), Seen::default());
        let mut again = world.clone();
        let mut first =
            Stepper::new(&structures, &mut world).map_err(|blow_up| blow_up.to_string())?;
        for frame in 1..=10 {
            go_on(&mut first, &mut world, duration * f64::from(frame) / 20.0, &mut seen)?;
        }
        if world.digest() != middle {
            return Err("two threads differ from one".to_owned());
        }
        let bytes = encode("", &History::default(), &State::from_world(&world), &first.memory());
        let Checkpoint { state, notes: memory, .. } =
            decode::<Memory>(&bytes).map_err(|error| error.to_string())?;
        (again.time, again.steps, again.particles) = (state.time, state.steps, state.particles);
        again.open_boundaries.budget = state.account;
        again.solids.restore(&state.bodies);
        let mut second = Stepper::resume(&structures, &mut again, &memory)
            .map_err(|blow_up| blow_up.to_string())?;
        for frame in 11..=20 {
            go_on(&mut second, &mut again, duration * f64::from(frame) / 20.0, &mut seen)?;
        }
        Ok(again)
    })
}

/// Runs all seeds of a kind.
fn run_all(seeds: &[u64], kind: Kind, duration: f64) {
    let draws: Vec<_> = seeds.iter().map(|&seed| move || Drawn::by(seed, kind)).collect();
    run_each(&draws, duration);
}

/// Runs all that these draw, each on a thread of its own, and tells every one that fails.
fn run_each<D: Fn() -> Drawn + Sync>(draws: &[D], duration: f64) {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    // Not a pool's: its threads would begin another seed while they wait for the thread of one.
    let work = || {
        let one = ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        while let Some(draw) = draws.get(next.fetch_add(1, Ordering::Relaxed)) {
            match one.install(|| run(draw(), duration)) {
                Ok(line) => println!("{line}"),
                Err(failure) => {
                    println!("{failure}");
                    failures.lock().unwrap().push(failure);
                }
            }
        }
    };
    thread::scope(|scope| {
        (0..rayon::current_num_threads()).for_each(|_| {
            scope.spawn(work);
        });
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), draws.len(), failures.join("\n"));
}

#[test]
fn a_few_random_scenes_of_several_fluids_run() {
    run_all(&[0, 1, 2, 3], Kind::Balls, 0.1);
}

#[test]
fn a_few_with_tumbling_cubes_run() {
    run_all(&[0, 1, 2], Kind::Cubes, 0.1);
}

#[test]
fn a_few_with_individual_steps_run() {
    run_all(&[0, 1, 2, 3], Kind::IndividualSteps, 0.1);
}

#[test]
fn the_scenes_that_once_burst_run() {
    let scenes = [
        ("a full vessel", include_str!("phases/once_burst/full_vessel.ron")),
        ("squeezed air", include_str!("phases/once_burst/squeezed_air.ron")),
        ("a pool of thick fluid", include_str!("phases/once_burst/thick_fluid.ron")),
    ];
    run_each(&scenes.map(|(name, text)| move || Drawn::of(name, text).unwrap()), 0.8);
}

#[test]
#[ignore = "takes most of an hour: by hand, see the head of main.rs"]
fn a_hundred_random_scenes_of_several_fluids_run() {
    run_all(&seeds(0..100), Kind::Balls, 2.0);
}

#[test]
#[ignore = "takes half an hour: by hand, see the head of main.rs"]
fn thirty_with_tumbling_cubes_run() {
    run_all(&seeds(0..30), Kind::Cubes, 2.0);
}

#[test]
#[ignore = "takes some minutes: by hand, see the head of main.rs"]
fn thirty_with_individual_steps_run() {
    run_all(&seeds(0..30), Kind::IndividualSteps, 2.0);
}
