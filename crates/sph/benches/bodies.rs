//! Bodies that the fluid moves: what 1000 of them with 500 triangles cost among 100k particles:
//! `cargo bench -p hashfall-sph --bench bodies -- [rain|heap]… [--steps 20] [--skip 20]
//! [--threads 1,2] [--bodies 1000] [--rings 14] [--only free|standing]`.
//!
//! Round meshes stand in layers in a tank of water. In *rain* they are apart and fall by their
//! weight; in *heap* they lie on each other, each layer in the hollows of the one below. Both run
//! twice: with bodies that move freely, and with the same solids standing still. Told are ms a
//! step, by stage, and the part of the steps that is not there where solids stand.

use hashfall_core::timer::{Stage, StageTimes};
use hashfall_core::{Real, Vec3};
use hashfall_geometry::TriangleMesh;
use hashfall_rigid::{Amount, Material, RigidSettings, Shape, mesh_mass};
use hashfall_search::Structures;
use hashfall_solid::KinematicLaw;
use hashfall_sph::step::{ContactSummary, Stepper};
use hashfall_sph::world::{Dfsph, Fluid, FreeBody, RigidContact, Solver, World};
use nalgebra::Vector3;
use rayon::ThreadPoolBuilder;
use std::error::Error;
use std::f64::consts::PI;
use std::time::Instant;

/// The spacing \[m\], and the radius of bodies.
const SPACING: f64 = 0.01;
const RADIUS: f64 = 2.0 * SPACING;

/// A mesh has so many meridians more than rings of corners: 2 · 18 · 14 triangles if these are 14.
const MORE_MERIDIANS: u32 = 4;

/// What the command line asks for.
struct Options {
    cases: Vec<String>,
    steps: usize,
    skipped: usize,
    threads: Vec<usize>,
    bodies: usize,
    rings: u32,
    /// Which of the two runs there are, if not both.
    only: Option<String>,
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut found = Options {
        cases: vec![],
        steps: 20,
        skipped: 20,
        threads: vec![1, 2],
        bodies: 1000,
        rings: 14,
        only: None,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("`{word}` needs a value"));
        match word.as_str() {
            "--bench" => {}
            "--steps" => found.steps = value()?.parse()?,
            "--skip" => found.skipped = value()?.parse()?,
            "--bodies" => found.bodies = value()?.parse()?,
            "--only" => found.only = Some(value()?),
            "--rings" => found.rings = value()?.parse()?,
            "--threads" => {
                let numbers = value()?.split(',').map(str::parse).collect::<Result<_, _>>();
                found.threads = numbers?;
            }
            "rain" | "heap" => found.cases.push(word),
            _ => return Err(format!("there is no option or case `{word}`").into()),
        }
    }
    if found.cases.is_empty() {
        found.cases = ["rain", "heap"].map(String::from).to_vec();
    }
    Ok(found)
}

/// A closed round mesh.
fn pebble(centre: &Vector3<f64>, rings: u32) -> TriangleMesh {
    let meridians = rings + MORE_MERIDIANS;
    let at = |x: f64, y: f64, z: f64| {
        let x = centre + Vector3::new(x, y, z) * RADIUS;
        Vec3::new(x.x as Real, x.y as Real, x.z as Real)
    };
    let mut vertices = vec![at(0.0, 0.0, -1.0), at(0.0, 0.0, 1.0)];
    for ring in 1..=rings {
        let (sin, cos) = (PI * f64::from(ring) / f64::from(rings + 1)).sin_cos();
        for k in 0..meridians {
            let (y, x) = (2.0 * PI * f64::from(k) / f64::from(meridians)).sin_cos();
            vertices.push(at(sin * x, sin * y, -cos));
        }
    }
    let corner = |ring: u32, k: u32| 2 + ring * meridians + k % meridians;
    let mut triangles = Vec::new();
    for k in 0..meridians {
        triangles.push([0, corner(0, k + 1), corner(0, k)]);
        triangles.push([1, corner(rings - 1, k), corner(rings - 1, k + 1)]);
        for ring in 1..rings {
            let [a, b] = [corner(ring - 1, k), corner(ring - 1, k + 1)];
            let [c, d] = [corner(ring, k), corner(ring, k + 1)];
            triangles.extend([[a, b, d], [a, d, c]]);
        }
    }
    TriangleMesh { vertices, triangles }
}

/// The places of bodies, and the extent of the tank \[m\].
fn places(case: &str, count: usize) -> (Vec<Vector3<f64>>, Vector3<f64>) {
    let side = 60.0 * SPACING;
    let (pitch, rise, lowest) = match case {
        "heap" => (2.02 * RADIUS, 1.43 * RADIUS, 1.001 * RADIUS),
        _ => (2.9 * RADIUS, 2.2 * RADIUS, 3.0 * RADIUS),
    };
    let across = ((side - 2.1 * RADIUS) / pitch) as usize + 1;
    let mut found = Vec::new();
    for layer in 0.. {
        let shift = if layer % 2 == 1 { 0.5 * pitch } else { 0.0 };
        let across = across - layer % 2;
        for k in 0..across * across {
            if found.len() == count {
                return (found, Vector3::new(side, side, 1.2 * side));
            }
            let [i, j] = [k % across, k / across].map(|k| k as f64 * pitch + 1.05 * RADIUS + shift);
            found.push(Vector3::new(i, j, lowest + layer as f64 * rise));
        }
    }
    unreachable!()
}

fn world(case: &str, options: &Options, is_free: bool) -> Result<World, Box<dyn Error>> {
    let (places, extent) = places(case, options.bodies);
    let real = |x: f64| x as Real;
    let depth = 36.0 * SPACING;
    let mut builder = World::builder()
        .solver(Solver::Dfsph(Dfsph::default()))
        .spacing(real(SPACING))
        .domain([0.0; 3], extent.map(real).into())
        .fluid(Fluid { viscosity: 0.0, ..Fluid::default() });
    for place in &places {
        builder = builder.mesh(pebble(place, options.rings));
    }
    let block = [extent.x, extent.y, depth].map(real);
    let mut world = builder.block([0.0; 3], block).build()?;
    if !is_free {
        return Ok(world);
    }
    let mesh = pebble(&Vector3::zeros(), options.rings);
    let corners: Vec<_> = mesh.vertices.iter().map(|x| x.map(f64::from)).collect();
    let shape = Shape::convex_hull(&corners)?;
    let mass = mesh_mass(&mesh, Amount::Density(2000.0))?;
    let laws = places.iter().map(|place| Some(KinematicLaw::driven((*place).into())));
    world.solids = world.solids.with_kinematic_laws(laws.collect());
    let bodies = (1..=places.len()).map(|k| FreeBody::new(k, mass.mass, mass.inertia));
    world.free_bodies = bodies.collect();
    let materials = vec![Material { friction: 0.4, restitution: 0.0 }; places.len()];
    let shapes = vec![shape; places.len()];
    world.rigid = Some(RigidContact::new(&world, &shapes, &materials, RigidSettings::default())?);
    Ok(world)
}

/// The time of a step \[ms\], and of its stages; how contact was solved in the last one.
fn measure(
    world: &World,
    options: &Options,
    threads: usize,
) -> Result<(f64, StageTimes, ContactSummary), Box<dyn Error>> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
    let mut world = world.clone();
    let mut stepper = pool.install(|| Stepper::new(&Structures::default(), &mut world))?;
    let mut contact = ContactSummary::default();
    let mut run = |steps: usize| {
        let mut step = |_| stepper.step(&mut world, 1e9).map(|report| contact = report.contact);
        pool.install(|| (0..steps).try_for_each(&mut step)).map(|()| stepper.times)
    };
    let before = run(options.skipped)?;
    let start = Instant::now();
    let after = run(options.steps)?;
    let taken = 1e3 * start.elapsed().as_secs_f64() / options.steps as f64;
    Ok((taken, after.since(&before), contact))
}

fn stages(times: &StageTimes, steps: usize) -> String {
    let taken = |stage: &Stage| 1e3 * times.of(*stage).as_secs_f64() / steps as f64;
    let shares = Stage::ALL.iter().filter(|stage| taken(stage) >= 0.05);
    shares
        .map(|stage| format!("{} {:.1}", stage.name(), taken(stage)))
        .collect::<Vec<_>>()
        .join(", ")
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    for case in &options.cases {
        let worlds = [false, true].map(|is_free| world(case, &options, is_free));
        let [standing, free] = worlds;
        let worlds = [standing?, free?];
        for &threads in &options.threads {
            let mut times = Vec::new();
            for (world, name) in worlds.iter().zip(["standing", "free"]) {
                if options.only.as_ref().is_some_and(|only| only != name) {
                    continue;
                }
                let (taken, of_stages, contact) = measure(world, &options, threads)?;
                let shares = stages(&of_stages, options.steps);
                let count = world.particles.len();
                println!(
                    "{case}, {count} particles, threads {threads}, {name}: {taken:.1} ms a step; \
                     {shares}",
                );
                if contact.points > 0 {
                    println!("{contact:?}");
                }
                times.push(taken);
            }
            if let [standing, free] = times[..] {
                let part = 100.0 * (1.0 - standing / free);
                println!("{case}, threads {threads}: free bodies are {part:.0} % of a step");
            }
        }
    }
    Ok(())
}
