//! Large cases, run by hand: `cargo test --release -p hashfall-elastic experiments -- --ignored
//! --nocapture`, each by its name. Small ones of the same kind run always.

use super::world::{World, body, crossings, empty, springs};
use crate::fixing::Fixing;
use crate::meshing::{sheet, spring_lattice};
use crate::system::BodySpec;
use hashfall_core::Vec3;
use hashfall_core::geometry::random::Random;
use hashfall_geometry::{Aabb, Point, RoundSolid};
use hashfall_solid::{BodySpec as SolidSpec, ContactLaw, KinematicLaw, Solids};
use std::time::Instant;

/// A sheet of 1 m by 0.25 m whose short edges are turned against each other, `turns` in 1 s.
fn twisted(cells: [u32; 2], turns: f64) -> World {
    let (u, v) = (Point::x(), Point::y() * 0.25);
    let mesh = sheet(Point::new(-0.5, -0.125, 0.0), u, v, cells).unwrap();
    let edge = 1.0 / f64::from(cells[0]);
    let mut spec = body("cloth", mesh, &springs(60.0, 0.01 * edge, 0.2 * edge), 0.2);
    for j in 0..=cells[1] {
        for (solid, i) in [(0, 0), (1, cells[0])] {
            let node = j * (cells[0] + 1) + i;
            let local = spec.mesh.nodes[node as usize];
            spec.fixings.push((node, Fixing::Tied { body: solid, local }));
        }
    }
    let rpm = turns / 2.0 * 60.0;
    let law = |rpm| KinematicLaw::spin([0.0; 3], [1.0, 0.0, 0.0], rpm);
    let domain = Aabb::new(Vec3::repeat(-5.0), Vec3::repeat(5.0));
    let solids = Solids::new(domain, vec![], vec![])
        .with_bodies(&[SolidSpec::default(); 2])
        .with_kinematic_laws(vec![Some(law(rpm)), Some(law(-rpm))])
        .with_open_axes([true; 3]);
    World::new(vec![spec], solids, 0.0)
}

/// Runs a world and tells how it goes; nothing may cross.
fn run(world: &mut World, steps: u32, dt: f64, every: u32) {
    let started = Instant::now();
    for step in 1..=steps {
        world.step(dt);
        if step % every == 0 {
            let crossed = crossings(world);
            let account = world.account();
            println!(
                "{:.3} s: {} substeps, {:.1} s, kinetic {:.4}, elastic {:.4}, {crossed} crossings, \
                 {:?}",
                world.time,
                world.substeps,
                started.elapsed().as_secs_f64(),
                account.kinetic,
                account.elastic,
                world.counts
            );
            assert_eq!(crossed, 0);
        }
    }
}

#[test]
fn a_small_sheet_is_twisted_twice() {
    let mut world = twisted([24, 6], 8.0);
    run(&mut world, 50, 0.02, 10);
    assert!(world.counts.contacts > 100, "{:?}", world.counts);
}

#[test]
#[ignore = "minutes: a cloth of 10⁴ triangles, twisted ten times"]
fn twist() {
    let mut world = twisted([144, 36], 10.0);
    println!("{} triangles", world.stepper.system().bodies()[0].surface.len());
    run(&mut world, 100, 0.01, 2);
}

/// A square sheet that is pulled towards its middle from all sides by a force field.
fn crumpled(cells: u32) -> World {
    let (u, v) = (Point::x(), Point::y());
    let mesh = sheet(Point::new(-0.5, -0.5, 0.0), u, v, [cells, cells]).unwrap();
    let thickness = 0.2 / f64::from(cells);
    let spec = body("cloth", mesh, &springs(60.0, 0.05 * thickness, thickness), 0.2);
    let mut world = World::new(vec![spec], empty(), 0.0);
    let mut random = Random::new(8);
    for (x, v) in world.state.position.iter().zip(&mut world.state.velocity) {
        *v = -x * 3.0 + random.point(-0.1, 0.1);
    }
    world.pull = 60.0;
    world
}

#[test]
#[ignore = "minutes: a cloth of 10⁴ triangles, crumpled to a ball"]
fn crumple() {
    let mut world = crumpled(71);
    run(&mut world, 100, 0.01, 2);
}

/// A number of lattices of springs, thrown into a box.
fn lattices(count: u32, cells: u32) -> World {
    let mut random = Random::new(2);
    let edge = 0.15;
    let bodies = (0..count).map(|number| {
        let (i, j, k) = (number % 3, number / 3 % 3, number / 9);
        let jitter = random.point(-0.02, 0.02);
        let low = Point::new(f64::from(i), f64::from(j), f64::from(k)) * 0.25;
        let axes = [Point::x() * edge, Point::y() * edge, Point::z() * edge];
        let mesh = spring_lattice(low + jitter + Point::new(0.1, 0.1, 0.25), axes, [cells; 3]);
        let name = format!("body {number}");
        let spec = body(&name, mesh.unwrap(), &springs(2000.0, 1e-4, 0.01), 0.4);
        BodySpec { velocity: random.point(-2.0, 2.0), ..spec }
    });
    let law = ContactLaw { friction: 0.4, ..ContactLaw::default() };
    let domain = Aabb::new(Vec3::zeros(), Vec3::new(0.85, 0.85, 2.0));
    let bar = RoundSolid::capsule(Point::new(-0.2, 0.4, 0.1), Point::new(1.2, 0.4, 0.1), 0.05);
    let solids = Solids::new(domain, vec![], vec![]).with_rounds(vec![bar]).with_walls([law; 6]);
    World::new(bodies.collect(), solids, 9.81)
}

#[test]
fn lattices_of_springs_fall_in_a_heap() {
    let mut world = lattices(5, 2);
    run(&mut world, 40, 0.01, 10);
    assert!(world.counts.contacts > 1000, "{:?}", world.counts);
}

#[test]
#[ignore = "minutes: thirty bodies, 10⁴ substeps"]
fn thirty_bodies() {
    let mut world = lattices(30, 4);
    println!("{} nodes", world.state.position.len());
    while world.substeps < 10_000 {
        run(&mut world, 10, 0.01, 10);
    }
}

#[test]
#[ignore = "minutes: the time of a substep by the number of triangles"]
fn scale() {
    for cells in [71, 224, 707] {
        let size = f64::from(cells) / 71.0;
        let layer = |number: u32| {
            let (u, v) = (Point::x() * size, Point::y() * size);
            let edge = 1.0 / 71.0;
            // One lies on the floor, and the other falls on it at once.
            let low = Point::new(0.0, 0.0, (0.1 + 0.21 * f64::from(number)) * edge);
            let mesh = sheet(low, u, v, [cells / 2, cells]).unwrap();
            body(&format!("layer {number}"), mesh, &springs(60.0, 1e-3, 0.2 * edge), 0.2)
        };
        let domain = Aabb::new(Vec3::new(-0.1, -0.1, 0.0), Vec3::repeat(20.0));
        let solids = Solids::new(domain, vec![], vec![]);
        let mut world = World::new(vec![layer(0), layer(1)], solids, 9.81);
        let triangles: usize =
            world.stepper.system().bodies().iter().map(|body| body.surface.len()).sum();
        let nodes = world.state.velocity.len();
        world.state.velocity[nodes / 2..].iter_mut().for_each(|v| v.z = -0.5);
        world.step(0.01);
        let (started, before) = (Instant::now(), world.substeps);
        world.counts = Default::default();
        world.step(0.01);
        let substeps = (world.substeps - before) as f64;
        println!(
            "{triangles} triangles: {:.3} ms a substep of {substeps}, {:?}",
            started.elapsed().as_secs_f64() * 1e3 / substeps,
            world.counts
        );
        assert!(world.counts.contacts > 0);
    }
}
