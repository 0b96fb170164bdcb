//! Probes in worlds whose readings are known in closed form.

use super::{Axis, Face, Probe, Probes, SolidReference};
use crate::world::{Density, Fluid, OpenBoundaries, Particles, Solver, Wcsph, World};
use hashfall_core::kernel::KernelKind;
use hashfall_core::parallel::with_threads;
use hashfall_core::{Dimension, Real, Vec3, vec3};
use hashfall_geometry::shape::box_mesh;
use hashfall_geometry::{Aabb, TriangleMesh};
use hashfall_solid::{KinematicLaw, Solids};
use nalgebra::{Matrix3, Vector3};

const D: Real = 0.1;

/// Lattices of spacing d, each by its lowest corner and counts, in a box of 2 m whose floor
/// lies at −0.5 m; pressure is 100 Pa per metre of x and 1000 per metre below z = 1 m.
fn world(blocks: &[([f64; 3], [usize; 3])]) -> World {
    let mut particles = Particles::default();
    for &(corner, [nx, ny, nz]) in blocks {
        for n in 0..nx * ny * nz {
            let place = [n % nx, n / nx % ny, n / (nx * ny)].map(|k| (k as Real + 0.5) * D);
            particles.push(vec3(corner) + Vec3::from(place), Vec3::zeros(), 0, 1000.0);
        }
    }
    let pressure = |x: &Vec3| 100.0 * x.x + 1000.0 * (1.0 - x.z);
    particles.pressure = particles.position.iter().map(pressure).collect();
    let fluid = Fluid {
        name: "water".into(),
        rest_density: 1000.0,
        viscosity: 0.0,
        surface_tension: 0.0,
        stiffness: 0.0,
    };
    let domain = Aabb::new(Vec3::new(0.0, 0.0, -0.5), Vec3::new(2.0, 2.0, 2.0));
    World {
        dimension: Dimension::Three,
        kernel: KernelKind::CubicSpline,
        free_bodies: Vec::new(),
        rigid: None,
        elastic: None,
        periodic: [false; 3],
        forces: vec![],
        particles,
        fluids: vec![fluid],
        solids: Solids::new(domain, vec![], vec![]),
        gravity: Vec3::zeros(),
        frame: None,
        particle_radius: D / 2.0,
        support_radius: 2.0 * D,
        solver: Solver::Wcsph(Wcsph {
            sound_speed: Some(10.0),
            exponent: 7.0,
            artificial_viscosity: Some(0.0),
            courant: Some(0.4),
            density: Some(Density::Summation),
            shifting: 0.0,
            background_pressure: 0.0,
            interface_sharpening: 0.0,
            individual_steps: 0.0,
        }),
        interfaces: Vec::new(),
        open_boundaries: OpenBoundaries::default(),
        viscosity: Default::default(),
        time: 0.0,
        steps: 0,
    }
}

/// A pool of 12 × 12 × 10 particles on z = 0.
const POOL: ([f64; 3], [usize; 3]) = ([0.0; 3], [12, 12, 10]);

fn read(probe: Probe, world: &World) -> f64 {
    probe.read(world)[0]
}

fn pressure(world: &World, at: [f64; 3]) -> f64 {
    read(Probe::Pressure { name: String::new(), at, on: None }, world)
}

fn height_of(blocks: &[([f64; 3], [usize; 3])], x: f64) -> f64 {
    read(Probe::Height { name: String::new(), x, y: 0.6 }, &world(blocks))
}

fn close(found: f64, exact: f64, error: f64) {
    assert!((found - exact).abs() <= error, "{found} for {exact}");
}

#[test]
fn a_linear_pressure_is_exact_to_the_walls_and_corners() {
    let world = world(&[POOL]);
    for at in [[0.55, 0.65, 0.45], [0.5, 0.6, 0.4], [0.6, 0.6, 0.0], [0.0; 3], [0.0, 0.31, 0.07]] {
        let exact = 100.0 * at[0] + 1000.0 * (1.0 - at[2]);
        close(pressure(&world, at), exact, 1e-6 * 1000.0);
    }
    assert_eq!(pressure(&world, [0.6, 0.6, 1.5]), 0.0, "no particle is near");
    assert_eq!(pressure(&world, [0.6, 0.6, 1.16]), 0.0, "the air does not pull");
}

#[test]
fn the_force_on_a_wall_is_the_integral_of_the_pressure() {
    let world = world(&[POOL]);
    let over =
        Face::Rectangle { centre: [0.0, 0.6, 0.5], normal: [1.0, 0.0, 0.0], size: (0.4, 0.8) };
    let force = read(Probe::Force { name: String::new(), over, on: None }, &world);
    // The points lie 0.02 d off the wall, where the pressure is higher by 0.2 Pa.
    close(force, 0.4 * 0.8 * (500.0 + 0.2), 1e-3);
    let over = Face::Disc { centre: [0.6, 0.6, 0.0], normal: [0.0, 0.0, 3.0], radius: 0.15 };
    let mean = read(Probe::MeanPressure { name: String::new(), over, on: None }, &world);
    close(mean, 60.0 + 1000.0 - 2.0, 1e-3);
}

#[test]
fn a_linear_velocity_has_three_columns() {
    let mut world = world(&[POOL]);
    let flow = |x: &Vec3| Vec3::new(2.0 * x.z, -x.x, 0.5);
    world.particles.velocity = world.particles.position.iter().map(flow).collect();
    let probe = Probe::Velocity { name: "V".into(), at: [0.3, 0.4, 0.0], on: None };
    let columns: Vec<String> = probe.columns().into_iter().map(|column| column.name).collect();
    assert_eq!(columns, ["V_x", "V_y", "V_z"]);
    let v = probe.read(&world);
    v.iter().zip([0.0, -0.3, 0.5]).for_each(|(v, exact)| close(*v, exact, 1e-6));
}

/// Pools of two pressures on both sides of a plate of 0.04 d.
fn parted() -> World {
    let mut world = world(&[([0.0; 3], [6, 8, 8]), ([0.604, 0.0, 0.0], [6, 8, 4])]);
    let plate = Aabb::new(Vec3::new(0.6, -0.1, -0.6), Vec3::new(0.604, 2.1, 2.1));
    world.solids = solids(vec![box_mesh(&plate)]);
    let pressure = |x: &Vec3| if x.x < 0.602 { 3000.0 } else { 1000.0 };
    world.particles.pressure = world.particles.position.iter().map(pressure).collect();
    world
}

fn solids(meshes: Vec<TriangleMesh>) -> Solids {
    let domain = Aabb::new(Vec3::new(0.0, 0.0, -0.5), Vec3::new(2.0, 2.0, 2.0));
    Solids::new(domain, vec![], meshes)
}

#[test]
fn beside_a_thin_wall_a_probe_reads_its_own_side() {
    let world = parted();
    for (x, exact) in [(0.55, 3000.0), (0.59, 3000.0), (0.6, 3000.0), (0.614, 1000.0)] {
        close(pressure(&world, [x, 0.4, 0.2]), exact, 1e-3);
    }
    for (x, towards, exact) in [(0.6, -1.0, 3000.0), (0.604, 1.0, 1000.0)] {
        let (centre, normal) = ([x, 0.4, 0.2], [towards, 0.0, 0.0]);
        let over = Face::Disc { centre, normal, radius: 0.1 };
        close(
            read(Probe::MeanPressure { name: String::new(), over, on: None }, &world),
            exact,
            1e-3,
        );
    }
    for (x, level) in [(0.55, 0.8), (0.654, 0.4)] {
        let gauge = Probe::Height { name: String::new(), x, y: 0.4 };
        close(read(gauge, &world), level, 0.3 * f64::from(D));
    }
}

#[test]
fn a_probe_rides_on_a_solid() {
    let mut world = world(&[POOL]);
    let block = Aabb::new(Vec3::new(1.5, 0.3, 0.3), Vec3::new(1.7, 0.6, 0.6));
    let law = KinematicLaw::spin([0.8, 0.5, 0.5], [0.0, 1.0, 0.0], 60.0);
    world.solids = solids(vec![box_mesh(&block)]).with_kinematic_laws(vec![Some(law)]);
    let on = || Some(SolidReference::Index(0));
    let probe = Probe::Pressure { name: String::new(), at: [1.1, 0.5, 0.5], on: on() };
    // Half a turn about (0.8, 0.5) takes the point to x = 0.5, and the normal to −x.
    world.solids.begin_step(0.5, 0.5);
    world.solids.move_bodies();
    world.solids.end_step();
    close(read(probe, &world), 50.0 + 500.0, 1e-3);
    let over = Face::Disc { centre: [1.1, 0.5, 0.5], normal: [1.0, 0.0, 0.0], radius: 0.1 };
    let mean = read(Probe::MeanPressure { name: String::new(), over, on: on() }, &world);
    close(mean, 50.0 + 500.0 - 0.2, 1e-3);
}

#[test]
fn a_probe_rides_on_a_body_that_is_where_its_state_is() {
    let mut world = world(&[POOL]);
    let block = Aabb::new(Vec3::new(1.5, 0.3, 0.3), Vec3::new(1.7, 0.6, 0.6));
    let law = KinematicLaw::driven([0.8, 0.5, 0.5]);
    world.solids = solids(vec![box_mesh(&block)]).with_kinematic_laws(vec![Some(law)]);
    let names = [Some("block")];
    let on = Some(SolidReference::Name("block".into()));
    let probe = Probe::Pressure { name: String::new(), at: [1.1, 0.5, 0.5], on };
    let mut probes = Probes { list: vec![probe], ..Probes::default() };
    assert_eq!(probes.list[0].solid(), None);
    probes.set_indices(&names);
    assert_eq!(probes.list[0].solid(), Some(0));
    // Half a turn, a little higher.
    let mut state = *world.solids.body_state(1).unwrap();
    let turn = Matrix3::from_diagonal(&Vector3::new(-1.0, 1.0, -1.0));
    state.orientation = turn.into();
    state.position.z += 0.1;
    world.solids.set_body_state(1, state).unwrap();
    close(probes.read(&world)[0], 50.0 + 400.0, 1e-3);
}

#[test]
fn in_the_plane_probes_are_exact_as_well() {
    let mut world = world(&[([0.0, -0.05, 0.0], [12, 1, 10])]);
    world.dimension = Dimension::Two;
    world.particles.position.iter_mut().for_each(|x| x.y = 0.0);
    close(pressure(&world, [0.3, 0.0, 0.0]), 1030.0, 1e-3);
    let over =
        Face::Rectangle { centre: [0.0, 0.0, 0.5], normal: [1.0, 0.0, 0.0], size: (7.0, 0.8) };
    let force = read(Probe::Force { name: String::new(), over, on: None }, &world);
    close(force, 0.8 * 500.2, 1e-3);
}

#[test]
fn the_level_of_a_pool_is_the_top_of_its_lattice() {
    for x in [0.5, 0.55, 0.62] {
        let level = height_of(&[POOL], x);
        assert!((level - 1.0).abs() < 0.01 * f64::from(D), "at {x}: {level}");
    }
    assert_eq!(height_of(&[POOL], 1.7), -0.5, "a dry line shows the floor");
    assert_eq!(height_of(&[], 0.5), -0.5);
}

#[test]
fn a_level_is_the_same_beside_a_wall_as_in_the_middle() {
    let pool = [([0.0, 0.0, -0.5], [20, 20, 10])];
    let middle = height_of(&pool, 1.0);
    for x in [0.0, 0.02, 0.05, 0.1, 0.19, 1.9, 1.98, 2.0] {
        close(height_of(&pool, x), middle, 0.01 * f64::from(D));
    }
    let world = world(&pool);
    let corner = Probe::Height { name: String::new(), x: 2.0, y: 0.0 };
    close(read(corner, &world), middle, 0.01 * f64::from(D));
}

#[test]
fn spray_and_what_lies_over_trapped_air_do_not_count() {
    let drop = ([0.5, 0.5, 1.5], [1, 1, 1]);
    let blob = ([0.3, 0.3, 1.5], [6, 6, 4]);
    assert!((height_of(&[POOL, drop], 0.55) - 1.0).abs() < 1e-3);
    assert!((height_of(&[POOL, blob], 0.6) - 1.0).abs() < 1e-3);
    assert_eq!(height_of(&[drop], 0.55), -0.5, "a drop alone is no water level");
    assert!((height_of(&[blob], 0.6) - 1.9).abs() < 0.01, "a blob alone is the lowest stretch");
}

#[test]
fn a_front_is_the_outermost_particle_and_its_radius() {
    let world = world(&[POOL, ([1.5, 0.0, 0.9], [1, 1, 1])]);
    let front = |axis, below| read(Probe::Front { name: String::new(), axis, below }, &world);
    let is_about = |a: f64, b: f64| (a - b).abs() < 1e-6;
    assert!(is_about(front(Axis::X, None), 1.6), "{}", front(Axis::X, None));
    assert!(is_about(front(Axis::X, Some(0.9)), 1.2) && is_about(front(Axis::Z, None), 1.0));
    assert_eq!(front(Axis::Z, Some(0.0)), -0.5, "no particle is that low");
}

#[test]
fn any_number_of_threads_reads_the_same() {
    let world = world(&[POOL, ([1.2, 0.0, 0.0], [5, 12, 3])]);
    let name = || String::new();
    let list = vec![
        Probe::Pressure { name: name(), at: [0.61, 0.57, 0.33], on: None },
        Probe::Height { name: name(), x: 1.21, y: 0.6 },
        Probe::Front { name: name(), axis: Axis::Y, below: None },
    ];
    let probes = Probes { rate: 1.0, list };
    let read = |threads| with_threads(threads, || probes.read(&world));
    assert_eq!([read(2), read(5)], [read(1), read(1)]);
}

#[test]
fn the_next_sample_comes_after_any_time() {
    let probes = Probes { rate: 30.0, list: vec![] };
    for k in 0..3000 {
        let sample = f64::from(k) / 30.0;
        assert_eq!(probes.time_after(sample), f64::from(k + 1) / 30.0);
        let just_before = f64::from_bits(sample.to_bits().saturating_sub(1));
        assert!(k == 0 || probes.time_after(just_before) == sample);
    }
}
