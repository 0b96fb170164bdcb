//! Whitewater: diffuse particle-frames a minute, of a million diffuse particles in a million
//! particles of fluid, reading and writing of frames included.
//!
//! The fluid is a block of 100³ particles that is sheared at up to 4 m/s among 2000 balls, at 50
//! frames a second: eight substeps to a frame.

use hashfall_core::Values;
use hashfall_core::parallel::with_threads;
use hashfall_core::rng::RandomStream;
use hashfall_core::{Dimension, Real, Vec3, vec3};
use hashfall_foam::{
    Acceleration, Diffuse, FluidFrame, FoamScene, FoamSettings, FoamStepper, FrameBodies, Kind,
    LimitSearch, Limits, Periodicity, PotentialSums, Resolution, RunFrame, Surroundings,
};
use hashfall_geometry::Aabb;
use hashfall_input::{AttributeFilter, Format, read};
use hashfall_output::{ParticleFrame, foam, vtp};
use hashfall_solid::{Solids, Sphere};
use hashfall_sph::world::Particles;
use std::time::Instant;

const SIDE: u32 = 100;
const D: f64 = 0.01;
const RATE: f64 = 50.0;
const FRAMES: u32 = 4;

fn domain() -> Aabb {
    Aabb::new(vec3([-1.0, 0.0, 0.0]), vec3([3.0, 1.0, 2.0]))
}

fn resolution() -> Resolution {
    Resolution { dimension: Dimension::Three, spacing: D as Real, support_radius: 2.0 * D as Real }
}

/// A frame of the fluid as a file.
fn file(number: u32) -> Vec<u8> {
    let time = f64::from(number) / RATE;
    let mut particles = Particles::default();
    for k in 0..SIDE * SIDE * SIDE {
        let at = [k % SIDE, k / SIDE % SIDE, k / (SIDE * SIDE)].map(|n| (f64::from(n) + 0.5) * D);
        let speed = 8.0 * (at[2] - 0.5);
        let x = vec3([at[0] + speed * time, at[1], at[2]]);
        particles.push(x, vec3([speed, 0.0, 0.0]), 0, 1000.0);
    }
    vtp::particles(&ParticleFrame { particles: &particles, radius: 0.005, time }).into_bytes()
}

fn frame(number: u32, bytes: &[u8]) -> RunFrame {
    let filter = AttributeFilter::Named(["id", "velocity"].map(str::to_owned).into());
    let cloud = read(bytes, Format::VtkXml, &filter).expect("a file of ours");
    let values =
        |name: &str| cloud.attributes.iter().find(|it| it.name == name).map(|it| &it.values);
    let (Some(Values::Labels(ids)), Some(Values::Vectors(velocities))) =
        (values("id"), values("velocity"))
    else {
        panic!("a file of ours")
    };
    let time = f64::from(number) / RATE;
    let fluid = FluidFrame::new(time, ids.to_vec(), cloud.positions.clone(), velocities.to_vec());
    RunFrame { number, fluid: fluid.expect("finite"), bodies: FrameBodies::default() }
}

fn balls() -> Vec<Sphere> {
    let mut random = RandomStream::new(3);
    let mut ball = || {
        let centre = [random.between(-1.0, 3.0), random.number(), random.number()];
        Sphere { centre: vec3(centre), radius: random.between(0.01, 0.02) as Real }
    };
    (0..2000).map(|_| ball()).collect()
}

/// A million diffuse particles in and above the fluid.
fn diffuse(solids: &Solids) -> Diffuse {
    let mut random = RandomStream::new(5);
    let mut all = Diffuse::default();
    while all.len() < 1_000_000 {
        let x = vec3([random.number(), random.number(), 1.2 * random.number()]);
        if solids.spheres().iter().any(|ball| (x - ball.centre).norm() < ball.radius + 0.002) {
            continue;
        }
        all.ids.push(all.next_id);
        all.positions.push(x);
        all.velocities.push(Vec3::zeros());
        all.kinds.push(Kind::Foam);
        all.ages.push(0.0);
        all.lifetimes.push(0.0);
        all.radii.push(random.between(0.0005, 0.0015) as Real);
        all.next_id += 1;
    }
    all
}

fn gravity(_time: f64) -> Acceleration<'static> {
    Box::new(|_, _| Vec3::z() * -9.81)
}

fn measure(threads: usize) {
    let files: Vec<Vec<u8>> = (0..=FRAMES).map(file).collect();
    let solids = Solids::new(domain(), balls(), vec![]);
    let start = diffuse(&solids);
    let clock = Instant::now();
    let periodicity = Periodicity::new(domain(), [false; 3]);
    let around = Surroundings::new(solids.clone(), resolution().support_radius);
    let (mut sums, mut search) = (PotentialSums::new(resolution()), LimitSearch::default());
    for (number, bytes) in (0..).zip(&files) {
        search.add(&sums.compute(&frame(number, bytes).fluid, &periodicity, &around));
    }
    let first_pass = clock.elapsed().as_secs_f64();
    // Little is emitted, so that there are a million all the time.
    let limits = Limits { trapped_air: [0.3, 1.0], ..search.limits(9.81, 0.02) };
    let scene = FoamScene {
        resolution: resolution(),
        solids,
        periodic: [false; 3],
        gravity: 9.81,
        forces: &gravity,
        drain_boxes: vec![],
        drain_balls: vec![],
        emitters: vec![],
    };
    let settings =
        FoamSettings { lifetime: None, max_particles: 1_000_000, ..FoamSettings::default() };
    let mut stepper = FoamStepper::new(scene, settings, limits, frame(0, &files[0]), start)
        .expect("no bodies are driven");
    let clock = Instant::now();
    let (mut total, mut substeps) = (0, 0);
    for number in 1..=FRAMES {
        let bytes = &files[number as usize];
        substeps += stepper.advance(frame(number, bytes)).expect("no bodies are driven");
        total += stepper.diffuse().len();
        let time = f64::from(number) / RATE;
        let diffuse = stepper.diffuse();
        for content in [foam::vtp(diffuse, time), foam::ply(diffuse)] {
            content.write_to(&mut std::io::sink()).expect("a sink takes all");
        }
    }
    let seconds = clock.elapsed().as_secs_f64();
    let rate = |seconds: f64| total as f64 / seconds * 60.0 / 1e6;
    println!(
        "{threads} threads: {total} particle-frames, {substeps} substeps, {seconds:.1} s: {:.1} M \
         a minute; {:.1} M with the first pass of {first_pass:.1} s",
        rate(seconds),
        rate(seconds + first_pass)
    );
}

fn main() {
    for threads in [1, 2] {
        with_threads(threads, || measure(threads));
    }
}
