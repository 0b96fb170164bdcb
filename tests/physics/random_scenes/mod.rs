//! Random small scenes, which all must run: none blows up, leaks, collapses, or gains energy.
//!
//! A seed draws the space (a box, walls or periodic sides, the plane), one to three fluids in blocks
//! and balls, solids, gravity or a central force, solver, kernel and all their numbers, from ranges
//! as wide as are meant to work. What `prepare` refuses is drawn again. [`phases`] draws fluids that
//! differ and pull at each other. The full sets run by hand:
//!
//! ```sh
//! cargo test --release --test physics random_scenes -- --ignored --nocapture
//! SEEDS=17,18 cargo test --release --test physics random_scenes -- --ignored --nocapture
//! ```

mod closed;
mod draw;
mod phases;

use draw::{Draw, vector};
use hashfall_core::{Vec3, to_f64};
use hashfall_geometry::{Interior, Point};
use hashfall_scene::{Prepared, Source, prepare};
use hashfall_search::Structures;
use hashfall_sph::step::Stepper;
use hashfall_sph::world::{Audit, World};
use rayon::prelude::*;
use std::ops::{Range, RangeInclusive};

/// The most by which kinetic and potential energy may exceed those of the start, in parts of the
/// energy that could be set free: [`budget`].
const MAX_GAINED: f64 = 0.02;
/// How deep a centre may lie beyond where contact holds it, in spacings.
const DEEPEST: f64 = 0.1;
/// The most compression of a particle \[–\]: of an impact, not of fluid that gives way.
const MAX_COMPRESSED: f64 = 0.3;
/// A run of more steps than this stalls.
const MAX_STEPS: u64 = 100_000;
/// Scenes of more or fewer particles are drawn again.
const PARTICLES: RangeInclusive<usize> = 100..=3000;

/// A cube of edge 1 m about the origin, as an OBJ file.
const CUBE: &str = "\
v -.5 -.5 -.5\nv .5 -.5 -.5\nv .5 .5 -.5\nv -.5 .5 -.5\nv -.5 -.5 .5\nv .5 -.5 .5\nv .5 .5 .5
v -.5 .5 .5\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

impl Draw {
    /// The next scene.
    fn scene(&mut self) -> String {
        self.flat = self.happens(0.3);
        self.d = 2.0 * self.order(0.008, 0.05);
        let (shortest, longest) = if self.flat { (12, 48) } else { (10, 24) };
        self.size = [0; 3].map(|_| self.whole(shortest, longest));
        self.periodic = [0; 3].map(|_| self.happens(0.25));
        if self.flat {
            (self.size[1], self.periodic[1]) = (0, false);
        }
        let radius = 0.5 * self.d;
        let support = match self.happens(0.5) {
            true => "None".to_owned(),
            false => format!("Some({:?})", radius * self.number(3.2, 6.0)),
        };
        let incompressible = self.happens(0.5);
        let kernels = ["CubicSpline", "WendlandC2", "Mueller"];
        let kernel = self.choice(if incompressible { &kernels[..2] } else { &kernels });
        let (gravity, forces) = self.forces();
        let fluids = self.fluids();
        let solids = self.solids();
        let solver = if incompressible { self.dfsph() } else { self.wcsph() };
        let (max, [x, y, z]) = (self.metres(self.size), self.periodic);
        let dimensions = if self.flat { "Two" } else { "Three" };
        format!(
            "Scene(frames: (count: 1, rate: 50.0), dimensions: {dimensions}, gravity: {},
    domain: Box(min: (0, 0, 0), max: {}, periodic: ({x}, {y}, {z})),
    particle_radius: {radius:?}, support_radius: {support}, kernel: {kernel},
    forces: [{forces}],\n    fluids: [{fluids}],\n    solids: [{solids}],
    solver: {solver},\n)\n",
            vector(gravity),
            vector(max),
        )
    }

    /// Gravity, not along periodic axes, along which it would do work for ever; and perhaps a
    /// central force, where nothing is periodic.
    fn forces(&mut self) -> ([f64; 3], String) {
        let mut gravity = match self.whole(0, 3) {
            0 => self.vector(12.0),
            1 => [0.0; 3],
            _ => [0.0, 0.0, -9.81],
        };
        (0..3).filter(|&axis| self.periodic[axis]).for_each(|axis| gravity[axis] = 0.0);
        let central = self.periodic == [false; 3] && self.happens(0.2);
        let forces = match central {
            true => {
                let (centre, stiffness) = (vector(self.place(2)), self.order(1.0, 50.0));
                format!("Central(centre: {centre}, stiffness: {stiffness:?})")
            }
            false => String::new(),
        };
        (gravity, forces)
    }

    fn fluids(&mut self) -> String {
        let mut fluids = String::new();
        for name in 0..self.whole(1, 3) {
            let rest_density = self.order(200.0, 4000.0);
            let viscosity = if self.happens(0.2) { 0.0 } else { self.order(1e-6, 1e-1) };
            let mut shapes = String::new();
            for _ in 0..self.whole(1, 2) {
                shapes += &self.shape();
            }
            fluids += &format!(
                "(name: \"{name}\", rest_density: {rest_density:?}, viscosity: {viscosity:?},
        shapes: [{shapes}]), "
            );
        }
        fluids
    }

    /// A block or a ball on the lattice.
    fn shape(&mut self) -> String {
        let mut start = match self.happens(0.5) {
            true => format!("velocity: {}", vector(self.vector(2.0))),
            false => "velocity: (0, 0, 0)".to_owned(),
        };
        if self.happens(0.2) {
            let amount = self.number(0.0, 0.1);
            start += &format!(", jitter: Some((seed: {}, amount: {amount:?}))", self.whole(0, 99));
        }
        if self.happens(0.3) {
            let radius = self.number(2.5, 6.0) * self.d;
            return format!(
                "Ball(centre: {}, radius: {radius:?}, {start}), ",
                vector(self.place(3))
            );
        }
        let size = self.size;
        let corner = size.map(|n| self.whole(0, n.saturating_sub(3)));
        let mut end = [0; 3];
        for axis in 0..3 {
            let longest = size[axis] - corner[axis];
            end[axis] = corner[axis] + self.whole(3.min(longest), longest);
        }
        let (min, max) = (vector(self.metres(corner)), vector(self.metres(end)));
        format!("Box(min: {min}, max: {max}, {start}), ")
    }

    /// Up to three balls, tilted cubes and solids of revolution.
    fn solids(&mut self) -> String {
        let mut solids = String::new();
        for _ in 0..self.whole(0, 3) {
            let (mut centre, size) = (self.place(0), self.number(1.0, 5.0) * self.d);
            // Solids are not repeated: none may come near a periodic side.
            for axis in (0..3).filter(|&axis| self.periodic[axis]) {
                let length = f64::from(self.size[axis]) * self.d;
                let reach = (size + 4.0 * self.d).min(0.5 * length);
                centre[axis] = centre[axis].clamp(reach, length - reach);
            }
            let place = centre;
            let centre = vector(centre);
            solids += &match self.flat || self.happens(0.5) {
                true => format!("SphereField(List([(centre: {centre}, radius: {size:?})])), "),
                false => {
                    let along = self.vector(1.0);
                    let (axis, degrees) = (vector(along), self.number(0.0, 90.0));
                    let cube = format!(
                        "Mesh(path: \"cube.obj\", scale: {size:?}, translate: {centre},
        rotate: (axis: {axis}, degrees: {degrees:?})), "
                    );
                    round(place, along, size, degrees).unwrap_or(cube)
                }
            };
        }
        solids
    }

    fn wcsph(&mut self) -> String {
        let density = match self.happens(0.4) {
            true => format!("Continuity(diffusion: {:?})", self.number(0.02, 0.2)),
            false => "Summation".to_owned(),
        };
        let exponent = self.choice(&["1.0", "7.0"]);
        format!(
            "Wcsph(exponent: {exponent}, artificial_viscosity: {:?}, courant: {:?}, density: {density})",
            self.number(0.02, 0.3),
            self.number(0.2, 0.4),
        )
    }

    fn dfsph(&mut self) -> String {
        format!(
            "Dfsph(artificial_viscosity: {:?}, courant: {:?}, max_density_error: {:?})",
            self.number(0.0, 0.1),
            self.number(0.2, 0.5),
            self.order(1e-5, 1e-3),
        )
    }
}

/// For a third of the angles a solid of revolution of about this size instead of a cube, which the
/// angle tells the kind and the slenderness of.
fn round(centre: [f64; 3], along: [f64; 3], size: f64, degrees: f64) -> Option<String> {
    let (kind, slender) = ((degrees - 60.0) / 10.0, degrees.fract());
    let name = ["Cylinder", "Capsule", "Cone"].get(usize::try_from(kind.floor() as i64).ok()?)?;
    let length = along.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-3);
    let end =
        |side: f64| vector([0, 1, 2].map(|a| centre[a] + side * 0.5 * size * along[a] / length));
    let (from, to, radius) = (end(-1.0), end(1.0), size * (0.1 + 0.4 * slender));
    Some(format!("{name}(from: {from}, to: {to}, radius: {radius:?}), "))
}

/// The first scene of a seed that can be run, and in which something moves.
fn drawn(seed: u64) -> (String, Prepared) {
    let mut draw = Draw::new(seed);
    for _ in 0..1000 {
        let text = draw.scene();
        let source = Source { name: format!("seed {seed}"), text: text.clone() };
        let prepared = prepare(&source, &[], &mut |_| Ok(CUBE.into()));
        match prepared {
            Ok(scene)
                if PARTICLES.contains(&scene.world.particles.len())
                    && budget(&scene.world, &Audit::new(&scene.world)) > 0.0 =>
            {
                return (text, scene);
            }
            _ => {}
        }
    }
    panic!("seed {seed}: no scene that can be run");
}

/// The energy that could be set free: that of motion, of a fall through the whole domain, and of
/// what is compressed where sound is slow \[J\].
fn budget(world: &World, start: &Audit) -> f64 {
    let p = &world.particles;
    let extent = world.solids.domain.max - world.solids.domain.min;
    let fall: f64 = (0..3).map(|a| f64::from(world.gravity[a].abs() * extent[a])).sum();
    let compressed: f64 = match world.solver.settings().tait() {
        None => 0.0,
        Some(tait) => (0..p.len())
            .map(|i| {
                let rest = world.fluids[usize::from(p.phase[i])].rest_density;
                let error = f64::from((p.density[i] / rest - 1.0).max(0.0));
                world.particle_mass(p.phase[i]) * 0.5 * (tait.sound_speed * error).powi(2)
            })
            .sum(),
    };
    let springs = if world.forces.is_empty() { 0.0 } else { start.potential_energy.abs() };
    start.kinetic_energy + start.mass * fall + compressed + springs
}

/// Whether a place is in a solid; `meshes` are the world's.
fn is_in_solid(world: &World, meshes: &[Interior], x: &Vec3) -> bool {
    let (spheres, rounds) = (world.solids.spheres(), world.solids.rounds());
    rounds.iter().any(|round| round.contains(&Point::from(to_f64(x))))
        || spheres.iter().any(|s| (x - s.centre).norm() < s.radius)
        || meshes.iter().any(|mesh| mesh.contains(x))
}

/// What is wrong with where particles are.
fn misplaced(world: &World, meshes: &[Interior]) -> Option<String> {
    let outside = Audit::new(world).outside;
    let is_inside = |x: &&Vec3| is_in_solid(world, meshes, x);
    let inside = world.particles.position.iter().filter(is_inside).count();
    (outside + inside > 0).then(|| format!("{outside} outside the domain, {inside} in solids"))
}

/// Runs a scene for so long \[s\]; a line of what came of it, or what is wrong.
fn run(seed: u64, duration: f64) -> Result<String, String> {
    let (text, scene) = drawn(seed);
    let mut world = scene.world;
    let fail = |time: f64, what: String| format!("seed {seed}, t = {time:.3} s: {what}\n{text}");
    let meshes: Vec<Interior> =
        world.solids.meshes().iter().map(|mesh| Interior::new(mesh)).collect();
    let energy = |audit: &Audit| audit.kinetic_energy + audit.potential_energy;
    let start = Audit::new(&world);
    let mut stepper = Stepper::new(&Structures::default(), &mut world)
        .map_err(|blow_up| fail(0.0, blow_up.to_string()))?;
    let budget = budget(&world, &start);
    let (mut deepest, mut gained, mut frame) = (0.0, f64::MIN, 0);
    let (mut rejected, mut capped, mut compressed) = (0, 0, 0.0);
    while world.time < duration {
        frame += 1;
        let until = (f64::from(frame) * 0.02).min(duration);
        while world.time < until {
            let step = stepper.step(&mut world, until);
            let step = step.map_err(|error| fail(world.time, error.to_string()))?;
            deepest = f64::max(deepest, step.deepest_penetration);
            compressed = f64::max(compressed, step.density_error_max);
            rejected += step.rejected;
            capped += u32::from(step.density.capped || step.divergence.capped);
            if compressed > MAX_COMPRESSED {
                return Err(fail(world.time, format!("is compressed by {compressed}")));
            }
            if world.steps > MAX_STEPS {
                return Err(fail(world.time, format!("stalls; the last step took {} s", step.dt)));
            }
        }
        if let Some(what) = misplaced(&world, &meshes) {
            return Err(fail(world.time, what));
        }
        let now = (energy(&Audit::new(&world)) - energy(&start)) / budget;
        if now.is_nan() || now > MAX_GAINED {
            return Err(fail(world.time, format!("gains {now} of its energy")));
        }
        gained = f64::max(gained, now);
    }
    if deepest > DEEPEST {
        return Err(fail(world.time, format!("{deepest} d deep in a solid")));
    }
    Ok(format!(
        "seed {seed:3}: {:4} particles, {:6} steps, {rejected} taken back, {capped} given up, \
         compressed {compressed:.3}, gains {gained:+.4}, {deepest:.4} d deep",
        world.particles.len(),
        world.steps
    ))
}

/// Runs all seeds and tells every one that fails.
fn run_all(seeds: &[u64], duration: f64) {
    let failures: Vec<String> = seeds
        .par_iter()
        .filter_map(|&seed| match run(seed, duration) {
            Ok(line) => {
                println!("{line}");
                None
            }
            Err(failure) => {
                println!("{failure}");
                Some(failure)
            }
        })
        .collect();
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), seeds.len(), failures.join("\n"));
}

#[test]
fn a_dozen_random_scenes_run() {
    run_all(&(0..12).collect::<Vec<_>>(), 0.3);
}

/// 28: a place where the density near a mesh jumps stalled the steps that led to it. 86: what was
/// compressed came apart as much in a step cut to a 32nd as in a whole one. 179: a wide kernel, for
/// which the pressure's iterations took too long steps to converge.
#[test]
fn scenes_that_once_failed_run() {
    for (seed, duration) in [(28, 1.6), (86, 0.34), (179, 0.1)] {
        run_all(&[seed], duration);
    }
}

/// The seeds that `SEEDS` lists, else these.
fn seeds(all: Range<u64>) -> Vec<u64> {
    match std::env::var("SEEDS") {
        Ok(list) => list.split(',').map(|seed| seed.parse().unwrap()).collect(),
        Err(_) => all.collect(),
    }
}

#[test]
#[ignore = "takes some minutes: by hand, see the head"]
fn two_hundred_random_scenes_run() {
    run_all(&seeds(0..200), 2.0);
}
