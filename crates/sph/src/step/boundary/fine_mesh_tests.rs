//! Worlds around meshes of many triangles: the same bits on any number of threads and after a
//! resumption, and what a step costs.

use crate::step::Stepper;
use crate::world::{Fluid, World};
use hashfall_core::{Real, Vec3, vec3};
use hashfall_geometry::TriangleMesh;
use hashfall_geometry::shape::sphere_mesh;
use hashfall_search::Structures;

/// A ball with bumps, of 20 · 4ⁿ triangles.
fn bumpy(subdivisions: u32, centre: [f64; 3], radius: f64) -> TriangleMesh {
    let mut mesh = sphere_mesh(&Vec3::zeros(), 1.0, subdivisions);
    for v in &mut mesh.vertices {
        let [x, y, z] = [0, 1, 2].map(|a| f64::from(v[a]));
        let wave = (8.0 * x).sin() * (8.0 * y).sin() * (6.0 * z).cos();
        *v = vec3([x, y, z].map(|c| c * radius * (1.0 + 0.05 * wave))) + vec3(centre);
    }
    mesh
}

/// Water that stands around a ball of `subdivisions`, in a tank of 1 m, in spacings of `d` \[m\].
fn around(subdivisions: u32, d: Real, depth: Real) -> World {
    let (centre, radius) = ([0.5, 0.5, 0.35], 0.3);
    let mut builder = World::builder()
        .domain([0.0; 3], [1.0; 3])
        .spacing(d)
        .fluid(Fluid::default())
        .mesh(bumpy(subdivisions, centre, radius));
    let count = |length: Real| (length / d) as usize;
    for k in 0..count(depth) {
        for j in 0..count(1.0) {
            for i in 0..count(1.0) {
                let x = [i, j, k].map(|n| (n as Real + 0.5) * d);
                let away = (vec3(x.map(f64::from)) - vec3(centre)).norm();
                if f64::from(away) > 1.05 * radius + 0.6 * f64::from(d) {
                    builder = builder.particle(x, [0.0; 3]);
                }
            }
        }
    }
    builder.build().unwrap()
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn threads_and_resumptions_give_the_same_bits() {
    let structures = Structures::default();
    let run = |threads: usize, stops: bool| {
        on_threads(threads, || {
            let mut world = around(4, 0.05, 0.5);
            let mut stepper = Stepper::new(&structures, &mut world).unwrap();
            for step in 0..8 {
                if stops && step == 4 {
                    let memory = stepper.memory();
                    stepper = Stepper::resume(&structures, &mut world, &memory).unwrap();
                }
                stepper.step(&mut world, 10.0).unwrap();
            }
            world
        })
    };
    let once = run(1, false);
    assert!(once.solids.indexed_objects().is_empty(), "the mesh is fine");
    assert_eq!(run(4, false), once);
    assert_eq!(run(2, true), once);
}

/// Time that this thread ran \[s\].
fn seconds() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    told.split(' ').next().and_then(|n| n.parse::<f64>().ok()).map_or(f64::NAN, |n| n * 1e-9)
}

/// Peak of memory of this process \[MB\].
fn peak() -> f64 {
    let told = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = told.lines().find(|line| line.starts_with("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
    number.map_or(f64::NAN, |n| n / 1024.0)
}

#[test]
#[ignore = "a measurement of a minute, told with --nocapture"]
fn what_a_step_costs() {
    for subdivisions in [3, 5, 6, 8] {
        on_threads(1, || {
            let before = seconds();
            let mut world = around(subdivisions, 0.022, 0.33);
            let built = seconds();
            let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
            let started = seconds();
            let mut steps = Vec::new();
            for _ in 0..30 {
                stepper.step(&mut world, 10.0).unwrap();
                let start = seconds();
                stepper.neighborhood.boundary.update_shares(stepper.index.as_ref(), &world);
                steps.push(1e3 * (seconds() - start));
            }
            steps.sort_by(f64::total_cmp);
            println!(
                "{} particles, {} triangles: built in {:.2} s, started in {:.2} s; the solids of a \
                 step {:.2} ms (median of 30), {:.2} MB of fields, peak {:.0} MB",
                world.particles.len(),
                world.solids.object_count(),
                built - before,
                started - built,
                steps[15],
                stepper.neighborhood.boundary.bytes_of_fields() as f64 / 1e6,
                peak()
            );
        });
    }
}
