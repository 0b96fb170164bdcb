//! Fluid on surfaces that deform: held, they are solids to it; moved, they are those bodies; and
//! what they do is what it gains.

use super::support::{DFSPH, RADIUS, SPACING, WCSPH, fill, world};
use hashfall_bodies::Wrench;
use hashfall_core::{Real, Vec3, to_f64};
use hashfall_geometry::shape::{box_mesh, sphere_mesh};
use hashfall_geometry::{Aabb, Point, TriangleMesh};
use hashfall_search::Structures;
use hashfall_solid::{AxisAngle, BodySpec, ContactLaw, Keyframe, KinematicLaw, Slip, Solids};
use hashfall_sph::step::Stepper;
use hashfall_sph::world::{Audit, Solver, World};

/// A square sheet around (`half`, `half`) of `n` × `n` cells, at the height that `z` tells.
fn sheet(n: u32, half: Real, z: impl Fn(Real, Real) -> Real) -> TriangleMesh {
    let at = |k: u32| 2.0 * half * k as Real / n as Real;
    let places = (0..=n).flat_map(|j| (0..=n).map(move |i| (at(i), at(j))));
    let vertices = places.map(|(x, y)| Vec3::new(x, y, z(x, y))).collect();
    let mut triangles = Vec::new();
    for (j, i) in (0..n).flat_map(|j| (0..n).map(move |i| (j, i))) {
        let a = j * (n + 1) + i;
        triangles.extend([[a, a + 1, a + n + 2], [a, a + n + 2, a + n + 1]]);
    }
    TriangleMesh { vertices, triangles }
}

/// The world with a mesh that is a sheet or full, and deforms, moves, or stands.
fn with_mesh(
    mut world: World,
    mesh: &TriangleMesh,
    contact: ContactLaw,
    [is_sheet, deforms]: [bool; 2],
    law: Option<KinematicLaw>,
) -> World {
    let Solids { domain, open, .. } = world.solids;
    let spec = BodySpec { meshes: 1, contact, ..BodySpec::default() };
    world.solids = Solids::new(domain, vec![], vec![mesh.clone()])
        .with_open_axes(open)
        .with_bodies(&[spec])
        .with_hollow(vec![is_sheet])
        .with_kinematic_laws(vec![law])
        .with_deforming(&[deforms]);
    world
}

/// Gives the vertices of a mesh that deforms these velocities \[m/s\].
fn set_velocities(world: &mut World, velocity: impl Fn(&Point) -> Point) {
    let places = world.solids.deforming_positions(0).unwrap().to_vec();
    let velocities: Vec<Point> = places.iter().map(velocity).collect();
    world.solids.place_deforming(0, &places, &velocities).unwrap();
}

/// Takes so many steps; the sum of what body 1 was given.
fn steps(world: &mut World, count: u64) -> Wrench {
    let mut stepper = Stepper::new(&Structures::default(), world).unwrap();
    while world.steps < count {
        let report = stepper.step(world, f64::INFINITY).unwrap();
        assert!(report.unconfined_penetration < 0.01, "{report:?}");
    }
    stepper.take_impulses()[1]
}

/// How far particles of the same id are apart at the most \[m\].
fn apart(a: &World, b: &World) -> f64 {
    let (first, second) = (a.particles.order_by_id(), b.particles.order_by_id());
    let between = |(i, j): (&u32, &u32)| {
        let [x, y] = [&a.particles.position[*i as usize], &b.particles.position[*j as usize]];
        f64::from((x - y).norm())
    };
    first.iter().zip(&second).map(between).fold(0.0, f64::max)
}

fn sticky() -> ContactLaw {
    ContactLaw { slip: Slip::No, friction: 0.3, ..ContactLaw::default() }
}

#[test]
fn water_on_a_held_curved_sheet_and_a_ball_is_that_on_solids_to_the_bit() {
    let dome = |x: Real, y: Real| {
        let (x, y) = (x - 0.2, y - 0.2);
        0.12 - 0.8 * (x * x + y * y) + 0.01 * (40.0 * x).sin()
    };
    let ball = sphere_mesh(&Vec3::repeat(0.2), 0.08, 2);
    for (mesh, is_sheet, low) in [(sheet(14, 0.2, dome), true, 0.14), (ball, false, 0.285)] {
        for solver in [Solver::Dfsph(DFSPH), Solver::Wcsph(WCSPH)] {
            let start = |deforms| {
                let mut world = world([0.4, 0.4, 0.8], &[1000.0], 1e-3, solver);
                fill(&mut world, Vec3::new(0.0, 0.0, low), [16, 16, 8], 0, |_| -Vec3::z());
                with_mesh(world, &mesh, sticky(), [is_sheet, deforms], None)
            };
            let [mut stands, mut held] = [false, true].map(start);
            let impulses = [steps(&mut stands, 100), steps(&mut held, 100)];
            assert_eq!(stands.digest(), held.digest(), "{solver:?}, sheet: {is_sheet}");
            assert_eq!(impulses[0], impulses[1]);
            // It carries the water, or the water carries it.
            assert!(impulses[0].force.z.abs() > 0.5, "{impulses:?}");
            assert_eq!(held.work_of_solids(), Some(0.0));
        }
    }
}

/// Through 0.05 m along a direction in a second, and on.
fn along(way: [f64; 3]) -> KinematicLaw {
    let turn = AxisAngle { axis: [0.0, 0.0, 1.0], degrees: 0.0 };
    let keys = [(0.0, [0.0; 3]), (1.0, way)].map(|(time, shift)| Keyframe { time, shift, turn });
    KinematicLaw::through([0.0; 3], &keys, false, false)
}

#[test]
fn a_plate_that_is_moved_vertex_by_vertex_is_that_plate() {
    // Through all of the tank: at rims they turn particles away on other ways.
    let space = Aabb::new(Vec3::new(0.1, -0.2, -0.3), Vec3::new(0.15, 0.6, 1.0));
    let (plate, inside) = (box_mesh(&space), space.grown(RADIUS));
    let way = [0.6, 0.1, 0.2];
    for solver in [Solver::Dfsph(DFSPH), Solver::Wcsph(WCSPH)] {
        for contact in [ContactLaw::default(), sticky()] {
            let start = |deforms: bool| {
                let mut world = world([0.4, 0.4, 0.8], &[1000.0], 1e-3, solver);
                fill(&mut world, Vec3::zeros(), [16, 16, 12], 0, |_| Vec3::zeros());
                let law = (!deforms).then(|| along(way));
                let mut world = with_mesh(world, &plate, contact, [false, deforms], law);
                let places = world.particles.position.clone();
                world.particles.remove(|i| inside.contains(&places[i]));
                if deforms {
                    set_velocities(&mut world, |_| Point::from(way));
                }
                world
            };
            let [mut rigid, mut soft] = [false, true].map(start);
            let count = if matches!(solver, Solver::Dfsph(_)) { 25 } else { 150 };
            let impulses = [&mut rigid, &mut soft].map(|world| steps(world, count));
            let off = apart(&rigid, &soft);
            let case = format!("{solver:?} {contact:?}: {off}, {impulses:?}");
            assert!(off < 1e-3 * f64::from(SPACING), "{case}");
            let push = |k: usize| impulses[k].force;
            assert!((push(0) - push(1)).norm() < 2e-3 * push(0).norm(), "{case}");
            let [a, b] = [&rigid, &soft].map(|world| world.work_of_solids().unwrap());
            // Forces act at both ends of a step, where the wrench on the whole takes their mean.
            assert!(a > 0.0 && (b / a - 1.0).abs() < 5e-3, "{case}: works {a} {b}");
        }
    }
}

/// A column in a box without walls, on a piston whose top is at 0.1 m, which is moved vertex by
/// vertex.
fn column() -> World {
    let mut world = world([0.2, 0.2, 0.8], &[1000.0], 1e-3, Solver::Dfsph(DFSPH));
    world.periodic = [true, true, false];
    world.solids = world.solids.with_open_axes(world.periodic);
    fill(&mut world, Vec3::new(0.0, 0.0, 0.1), [8, 8, 8], 0, |_| Vec3::zeros());
    let piston = box_mesh(&Aabb::new(Vec3::new(-0.1, -0.5, -0.3), Vec3::new(0.3, 0.7, 0.1)));
    with_mesh(world, &piston, ContactLaw::default(), [false, true], None)
}

#[test]
fn a_piston_that_is_a_deforming_mesh_compresses_nothing_and_does_what_the_fluid_gains() {
    let mut world = column();
    let start = Audit::new(&world).energy();
    let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
    let (mut compressed, mut deepest): (f64, f64) = (0.0, 0.0);
    while world.time < 0.5 {
        // It lifts by 0.1 (1 − cos πt) m.
        let speed = 0.1 * PI * (PI * world.time).sin();
        let places = world.solids.deforming_positions(0).unwrap().to_vec();
        let velocities = vec![Point::z() * speed; places.len()];
        world.solids.place_deforming(0, &places, &velocities).unwrap();
        let report = stepper.step(&mut world, 0.5).unwrap();
        compressed = compressed.max(report.density_error_max);
        deepest = deepest.max(report.deepest_penetration);
    }
    let gain = Audit::new(&world).energy() - start;
    let work = world.work_of_solids().unwrap();
    let height = |world: &World| {
        let all = world.particles.position.iter().map(|x| f64::from(x.z));
        all.sum::<f64>() / world.particles.len() as f64
    };
    let top = world.solids.deforming_positions(0).unwrap().iter().map(|x| x.z).fold(0.0, f64::max);
    assert!(compressed < 0.01 && deepest < 0.01, "{compressed} {deepest}");
    assert!((height(&world) - top - 0.1).abs() < 0.003, "{} over {top}", height(&world));
    assert!((work / gain - 1.0).abs() < 0.03, "{work} {gain}");
}

const PI: f64 = std::f64::consts::PI;

#[test]
fn a_membrane_that_bulges_lifts_the_water_over_it_and_does_the_work() {
    // The floor of a box is a sheet under water that rises to a dome.
    let mut world = world([0.4, 0.4, 0.6], &[1000.0], 1e-3, Solver::Dfsph(DFSPH));
    fill(&mut world, Vec3::new(0.0, 0.0, 0.05), [16, 16, 8], 0, |_| Vec3::zeros());
    let flat = sheet(16, 0.2, |_, _| 0.05);
    let mut world = with_mesh(world, &flat, ContactLaw::default(), [true, true], None);
    let start = Audit::new(&world).energy();
    let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
    let mut compressed: f64 = 0.0;
    while world.time < 0.3 {
        let rate = 0.04 * PI / 0.6 * (PI * world.time / 0.6).cos();
        let bulge = |x: &Point| (PI * x.x / 0.4).sin() * (PI * x.y / 0.4).sin();
        set_velocities(&mut world, |x| Point::z() * (rate * bulge(x)));
        let report = stepper.step(&mut world, 0.3).unwrap();
        assert!(report.unconfined_penetration < 0.02, "{report:?}");
        compressed = compressed.max(report.density_error_max);
    }
    // Nobody is under the sheet.
    let under = |x: &Vec3| {
        let [x, y, z] = to_f64(x);
        z < 0.05 + 0.04 * (PI * x / 0.4).sin() * (PI * y / 0.4).sin()
    };
    let passed = world.particles.position.iter().filter(|x| under(x)).count();
    assert_eq!(passed, 0);
    let gain = Audit::new(&world).energy() - start;
    let work = world.work_of_solids().unwrap();
    println!("compressed by {compressed}, gain {gain} J, work {work} J");
    assert!(compressed < 0.05, "{compressed}");
    assert!(gain > 0.0 && work > 0.98 * gain && work < 1.15 * gain, "{work} {gain}");
}
