//! Random small scenes of two or three fluids: densities up to a thousand times apart, surfaces and
//! interfaces that pull, viscosities from water's to pitch's, openings that fluid comes out of, sinks,
//! and solids that move. None blows up, leaks, collapses, or gains energy that nothing brought, and
//! each comes to the same bits on one thread and on two that go on from a checkpoint in the middle.

use super::draw::{Draw, vector};
use super::{DEEPEST, MOST_STEPS, budget, misplaced, seeds};
use hashfall::base::Real;
use hashfall::geometry::Interior;
use hashfall::output::checkpoint::{decode, encode};
use hashfall::output::{Checkpoint, Past, State};
use hashfall::scene::{Prepared, Source, prepare};
use hashfall::search::Structures;
use hashfall::step::{Memory, Stepper};
use hashfall::world::{Audit, World};
use rayon::ThreadPoolBuilder;
use std::ops::RangeInclusive;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Scenes of more or fewer particles are drawn again.
const PARTICLES: RangeInclusive<usize> = 100..=1200;
/// The most compression of a particle \[–\]: the limit that scenes have unless they say more.
const MOST_COMPRESSED: f64 = 0.5;
/// The most by which energy may exceed that of the start and what was brought, in parts of the
/// energy that could be set free.
const MOST_GAINED: f64 = 0.05;

impl Draw {
    /// The next scene of several fluids.
    fn phases(&mut self) -> String {
        self.flat = self.happens(0.5);
        self.d = 2.0 * self.order(0.008, 0.03);
        let (shortest, longest) = if self.flat { (16, 40) } else { (10, 16) };
        self.size = [0; 3].map(|_| self.whole(shortest, longest));
        self.periodic = [self.happens(0.15), !self.flat && self.happens(0.15), false];
        if self.flat {
            self.size[1] = 0;
        }
        let incompressible = self.happens(0.6);
        let pulls = self.happens(0.5);
        let count = self.whole(2, 3) as usize;
        let densities = self.densities(count, if incompressible { 1e3 } else { 30.0 });
        let fluids = self.layers(&densities, pulls);
        let interfaces =
            if self.happens(0.5) { self.interfaces(&densities) } else { String::new() };
        let contact = match pulls && self.happens(0.5) {
            true => format!("contact: (contact_angle: {:?}),", self.number(30.0, 150.0)),
            false => String::new(),
        };
        let (emitters, sinks) = (self.emitter(count), self.sink());
        let mover = if self.happens(0.4) { self.mover() } else { String::new() };
        let solver = if incompressible { self.dfsph() } else { self.wcsph() };
        let kernel = self.choice(&["CubicSpline", "WendlandC2"]);
        let (max, [x, y, z]) = (vector(self.metres(self.size)), self.periodic);
        let (dimensions, radius) = (if self.flat { "Two" } else { "Three" }, 0.5 * self.d);
        format!(
            "Scene(frames: (count: 1, rate: 0.5), dimensions: {dimensions},
    domain: Box(min: (0, 0, 0), max: {max}, periodic: ({x}, {y}, {z}), {contact}),
    particle_radius: {radius:?}, kernel: {kernel},
    fluids: [{fluids}],\n    interfaces: [{interfaces}],\n    solids: [{mover}],
    emitters: [{emitters}],\n    sinks: [{sinks}],\n    max_particles: 1500,
    solver: {solver},\n)\n"
        )
    }

    /// Rest densities, the first the largest \[kg/m³\].
    fn densities(&mut self, count: usize, most_apart: f64) -> Vec<f64> {
        let first = self.order(500.0, 3000.0);
        let mut all = vec![first];
        while all.len() < count {
            all.push(first / self.order(1.0, most_apart));
        }
        all
    }

    /// A bed of the first fluid, and blocks and balls of the others over it or in it.
    fn layers(&mut self, densities: &[f64], pulls: bool) -> String {
        let size = self.size;
        let level = self.whole(size[2] / 4, size[2] / 2);
        let mut fluids = String::new();
        for (name, density) in densities.iter().enumerate() {
            let viscosity = self.order(1e-6, 10.0);
            let tension = if pulls { self.tension(*density) } else { 0.0 };
            let shape = match name {
                0 => {
                    let end = vector(self.metres([size[0], size[1], level]));
                    format!("Box(min: (0, 0, 0), max: {end})")
                }
                _ if self.happens(0.3) => {
                    let centre = vector(self.metres([size[0] / 2, size[1] / 2, level]));
                    let radius = self.number(2.5, 5.0) * self.d;
                    format!("Ball(centre: {centre}, radius: {radius:?}, replaces: true)")
                }
                _ => self.block(level),
            };
            fluids += &format!(
                "(name: \"{name}\", rest_density: {density:?}, viscosity: {viscosity:?},
        surface_tension: {tension:?}, shapes: [{shape}]), "
            );
        }
        fluids
    }

    /// A block over the bed that moves.
    fn block(&mut self, level: u32) -> String {
        let size = self.size;
        let corner = [0, 1].map(|axis| self.whole(0, size[axis].saturating_sub(4)));
        let low = self.whole(level, size[2] - 3);
        let mut end = [0; 3];
        for axis in 0..2 {
            let longest = size[axis] - corner[axis];
            end[axis] = corner[axis] + self.whole(3.min(longest), longest);
        }
        end[2] = self.whole(low + 2, size[2]);
        let min = vector(self.metres([corner[0], corner[1], low]));
        let (max, velocity) = (vector(self.metres(end)), vector(self.vector(1.0)));
        format!("Box(min: {min}, max: {max}, velocity: {velocity})")
    }

    /// A tension whose waves of a few spacings go at up to about a metre a second \[N/m\].
    fn tension(&mut self, density: f64) -> f64 {
        density * self.d * self.order(1e-3, 0.5)
    }

    fn interfaces(&mut self, densities: &[f64]) -> String {
        let mut interfaces = String::new();
        for (b, &density) in densities.iter().enumerate().skip(1) {
            for a in 0..b {
                if self.happens(0.7) {
                    let tension = self.tension(density);
                    interfaces += &format!("(between: (\"{a}\", \"{b}\"), tension: {tension:?}), ");
                }
            }
        }
        interfaces
    }

    /// Perhaps an opening in the ceiling.
    fn emitter(&mut self, fluids: usize) -> String {
        if !self.happens(0.4) {
            return String::new();
        }
        let [x, y, z] = self.metres(self.size);
        let (radius, speed) = (self.number(1.5, 3.0) * self.d, self.number(0.3, 2.0));
        let (fluid, end) = (self.whole(0, fluids as u32 - 1), self.number(0.2, 1.5));
        let centre = vector([0.5 * x, 0.5 * y, z]);
        format!(
            "(fluid: \"{fluid}\", from: Disc(centre: {centre}, normal: (0, 0, -1), \
             radius: {radius:?}), speed: {speed:?}, end: {end:?})"
        )
    }

    /// Perhaps a sink in a corner of the floor.
    fn sink(&mut self) -> String {
        if !self.happens(0.25) {
            return String::new();
        }
        let edge = 3.0 * self.d;
        format!("Box(min: (0, {:?}, 0), max: ({edge:?}, {edge:?}, {edge:?}))", -edge)
    }

    /// A ball that swings in the middle, clear of all walls.
    fn mover(&mut self) -> String {
        let [x, y, z] = self.metres(self.size);
        let radius = self.number(1.5, 2.5) * self.d;
        let room = (0.5 * x.min(z) - radius - 3.0 * self.d).max(0.0);
        let (far, pace) = (self.number(0.3, 1.0) * room, self.number(2.0, 10.0));
        let way = format!("{far:.5}*sin({pace:.3}*t)");
        let translate = match self.happens(0.5) {
            true => format!("(\"{way}\", \"0\", \"0\")"),
            false => format!("(\"0\", \"0\", \"{way}\")"),
        };
        let centre = vector([0.5 * x, 0.5 * y, 0.5 * z]);
        format!(
            "SphereField(Balls(list: [(centre: {centre}, radius: {radius:?})], \
             motion: Formula(translate: {translate})))"
        )
    }
}

/// The first scene of a seed that can be run.
fn drawn(seed: u64) -> (String, Prepared) {
    let mut draw = Draw::new(seed);
    for _ in 0..1000 {
        let text = draw.phases();
        let source = Source { name: format!("seed {seed}"), text: text.clone() };
        if let Ok(scene) = prepare(&source, &[], &mut |_| unreachable!("no meshes"))
            && PARTICLES.contains(&scene.world.particles.len())
        {
            return (text, scene);
        }
    }
    panic!("seed {seed}: no scene that can be run");
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
        if seen.compressed > MOST_COMPRESSED {
            return Err(format!("is compressed by {}", seen.compressed));
        }
        if world.steps > MOST_STEPS {
            return Err(format!("stalls; the last step took {} s", step.dt));
        }
    }
    Ok(())
}

/// Runs a scene for so long \[s\]; a line of what came of it, or what is wrong.
fn run(seed: u64, duration: f64) -> Result<String, String> {
    let (text, scene) = drawn(seed);
    let fail = |time: f64, what: String| format!("seed {seed}, t = {time:.3} s: {what}\n{text}");
    let (mut world, structures) = (scene.world, Structures::default());
    let again = world.clone();
    let meshes: Vec<Interior> = Vec::new();
    let start = Audit::of(&world);
    let mut stepper =
        Stepper::new(&structures, &mut world).map_err(|blow_up| fail(0.0, blow_up.to_string()))?;
    let free = budget(&world, &start) + of_surfaces(&world);
    let mut seen = Seen::default();
    let mut middle = 0;
    for frame in 1..=20 {
        let until = duration * f64::from(frame) / 20.0;
        go_on(&mut stepper, &mut world, until, &mut seen).map_err(|what| fail(world.time, what))?;
        if let Some(what) = misplaced(&world, &meshes) {
            return Err(fail(world.time, what));
        }
        let brought = world.exchange.account.brought();
        let now = Audit::of(&world).energy() - start.energy() - brought;
        let gained = now / (free + brought.abs());
        if gained.is_nan() || gained > MOST_GAINED {
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
    let is_same =
        other.digest() == world.digest() && other.exchange.account == world.exchange.account;
    if !is_same {
        return Err(fail(duration, "two threads that go on from the middle differ".to_owned()));
    }
    let Seen { compressed, deepest, gained, rejected } = seen;
    Ok(format!(
        "seed {seed:3}: {:4} particles, {:6} steps, {rejected} taken back, compressed \
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
        let bytes = encode("", &Past::default(), &State::of(&world), &first.memory());
        let Checkpoint { state, notes: memory, .. } =
            decode::<Memory>(&bytes).map_err(|error| error.to_string())?;
        (again.time, again.steps, again.particles) = (state.time, state.steps, state.particles);
        again.exchange.account = state.account;
        again.solids.move_to(again.time);
        let mut second = Stepper::resume(&structures, &mut again, &memory)
            .map_err(|blow_up| blow_up.to_string())?;
        for frame in 11..=20 {
            go_on(&mut second, &mut again, duration * f64::from(frame) / 20.0, &mut seen)?;
        }
        Ok(again)
    })
}

/// Runs all seeds, each on a thread of its own, and tells every one that fails.
fn run_all(seeds: &[u64], duration: f64) {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    // Not a pool's: its threads would begin another seed while they wait for the thread of one.
    let work = || {
        let one = ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        while let Some(&seed) = seeds.get(next.fetch_add(1, Ordering::Relaxed)) {
            match one.install(|| run(seed, duration)) {
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
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), seeds.len(), failures.join("\n"));
}

#[test]
fn a_few_random_scenes_of_several_fluids_run() {
    run_all(&(0..4).collect::<Vec<_>>(), 0.1);
}

/// A vessel that an emitter has filled under heavy stirring, and air that is squeezed out between
/// water and a jet of it.
#[test]
fn the_scenes_that_once_burst_run() {
    run_all(&[41, 62], 0.4);
}

#[test]
#[ignore = "takes most of an hour: by hand, see the head of main.rs"]
fn a_hundred_random_scenes_of_several_fluids_run() {
    run_all(&seeds(0..100), 2.0);
}
