//! Solids that move: pistons lift at their own speed, paddles let nobody through, and cylinders
//! that turn drag the fluid round.

use super::support::{DFSPH, RADIUS, SPACING, WCSPH, fill, usual_wcsph, world};
use hashfall_core::{Dimension, Real, Vec3, to_f64};
use hashfall_formula::Formula;
use hashfall_geometry::shape::box_mesh;
use hashfall_geometry::{Aabb, TriangleMesh};
use hashfall_search::Structures;
use hashfall_solid::{
    AxisAngle, BodySpec, ContactLaw, Keyframe, KinematicLaw, Slip, Solids, Sphere,
};
use hashfall_sph::step::{Memory, Stepper};
use hashfall_sph::world::{Audit, Density, Solver, Wcsph, World};
use std::f64::consts::PI;

const NO_TURN: AxisAngle = AxisAngle { axis: [0.0, 0.0, 1.0], degrees: 0.0 };

fn formula(text: &str) -> Formula {
    Formula::parse(text).unwrap()
}

/// Along z.
fn lift(text: &str) -> KinematicLaw {
    let shift = ["0", "0", text].map(formula);
    KinematicLaw::by_formulas([0.0; 3], shift, NO_TURN.axis, formula("0"))
}

fn solvers() -> [Solver; 3] {
    let density = Some(Density::Continuity { diffusion: 0.1 });
    [Solver::Dfsph(DFSPH), Solver::Wcsph(WCSPH), Solver::Wcsph(Wcsph { density, ..WCSPH })]
}

fn block(min: [Real; 3], max: [Real; 3]) -> TriangleMesh {
    box_mesh(&Aabb::new(Vec3::from(min), Vec3::from(max)))
}

/// The world with these meshes, each of which moves so or stands.
fn with_meshes(mut world: World, meshes: Vec<(TriangleMesh, Option<KinematicLaw>)>) -> World {
    let (meshes, motions) = meshes.into_iter().unzip();
    let Solids { domain, open, .. } = world.solids;
    world.solids =
        Solids::new(domain, vec![], meshes).with_open_axes(open).with_kinematic_laws(motions);
    world
}

/// Runs to a time, and tells of each step.
fn run(world: &mut World, until: f64, mut each: impl FnMut(&World)) -> Stepper {
    let mut stepper = Stepper::new(&Structures::default(), world).unwrap();
    while world.time < until {
        let report = stepper.step(world, until).unwrap();
        assert!(report.deepest_penetration < 0.01, "{report:?}");
        each(world);
    }
    stepper
}

fn mean(world: &World, of: impl Fn(usize) -> f64) -> f64 {
    let n = world.particles.len();
    (0..n).map(of).sum::<f64>() / n as f64
}

/// A column on a piston whose top is at 0.1 m.
fn column(solver: Solver, dimension: Dimension, motion: KinematicLaw) -> World {
    let mut world = world([0.2, 0.2, 0.8], &[1000.0], 1e-3, solver);
    let is_plane = dimension == Dimension::Two;
    if is_plane {
        world.dimension = dimension;
        world.solids = world.solids.with_open_axes([false, true, false]);
    }
    let piston = block([-0.1, -0.5, -0.3], [0.3, 0.7, 0.1]);
    let mut world = with_meshes(world, vec![(piston, Some(motion))]);
    let (y, layers) = if is_plane { (-0.5 * SPACING, 1) } else { (0.0, 8) };
    fill(&mut world, Vec3::new(0.0, y, 0.1), [8, layers, 8], 0, |_| Vec3::zeros());
    world
}

#[test]
fn a_piston_lifts_a_column_at_its_own_speed_and_keeps_its_volume() {
    for solver in [solvers()[1], Solver::Wcsph(usual_wcsph())] {
        assert_lifts(solver, 0.03);
    }
}

#[test]
#[ignore = "misses its goal of 3 mm: 4 mm"]
fn a_piston_lifts_a_column_without_shifting() {
    assert_lifts(solvers()[2], 0.03);
}

#[test]
#[ignore = "misses its goal of 0.005 m/s: 0.007 m/s"]
fn a_piston_lifts_a_column_at_its_own_speed_with_dfsph() {
    assert_lifts(Solver::Dfsph(DFSPH), 0.005);
}

/// A column rises as the piston under it, but for `tolerance` \[m/s\].
fn assert_lifts(solver: Solver, tolerance: f64) {
    for dimension in [Dimension::Two, Dimension::Three] {
        let mut world = column(solver, dimension, lift("0.1*(1 - cos(pi*t))"));
        let start = mean(&world, |i| f64::from(world.particles.position[i].z));
        let mut lowest = Real::INFINITY;
        let stepper = run(&mut world, 0.5, |world| {
            let top = 0.1 + 0.1 * (1.0 - (PI * world.time).cos()) as Real;
            let low = world.particles.position.iter().map(|x| x.z - top);
            lowest = low.fold(lowest, Real::min);
        });
        drop(stepper);
        assert!(lowest > 0.98 * world.contact_radius(), "{solver:?} {dimension:?}: {lowest}");
        let rise = mean(&world, |i| f64::from(world.particles.position[i].z)) - start;
        let speed = mean(&world, |i| f64::from(world.particles.velocity[i].z));
        let case = format!("{solver:?} {dimension:?}: rise {rise}, speed {speed}");
        assert!((rise - 0.1).abs() < 0.003, "{case}");
        assert!((speed - 0.1 * PI).abs() < tolerance, "{case}");
    }
}

#[test]
fn a_piston_does_the_work_that_the_fluid_gains() {
    let mut world = column(Solver::Dfsph(DFSPH), Dimension::Three, lift("0.1*(1 - cos(pi*t))"));
    // No walls beside it.
    world.periodic = [true, true, false];
    world.solids = world.solids.with_open_axes(world.periodic);
    let start = Audit::new(&world).energy();
    run(&mut world, 0.5, |_| ());
    let gain = Audit::new(&world).energy() - start;
    let work = world.work_of_solids().unwrap();
    // 8 kg rise by 0.1 m and have 0.3 m/s.
    assert!((gain / (8.0 * (0.981 + 0.5 * 0.01 * PI * PI)) - 1.0).abs() < 0.03, "{gain}");
    assert!((work / gain - 1.0).abs() < 0.03, "{work} {gain}");
}

/// Fluid with tension that moves at a speed along a plate that moves at another \[m/s\], after 0.05
/// s: its mean speed, and what momentum it gave to the plate over its mass \[m/s\].
fn along_a_plate(fluid: Real, plate: Real) -> [f64; 2] {
    let solver = Solver::Wcsph(Wcsph { artificial_viscosity: Some(0.0), ..WCSPH });
    let mut world = world([2.0, 0.0, 1.0], &[1000.0], 0.0, solver);
    world.solids = world.solids.with_open_axes([false, true, false]);
    (world.dimension, world.gravity) = (Dimension::Two, Vec3::zeros());
    world.support_radius = 6.0 * RADIUS;
    world.fluids[0].surface_tension = 1.0;
    let shift = [&format!("{plate:?}*t"), "0", "0"].map(formula);
    let motion = KinematicLaw::by_formulas([0.0; 3], shift, NO_TURN.axis, formula("0"));
    let plate = block([0.3, -0.5, 0.2], [1.7, 0.5, 0.4]);
    let mut world = with_meshes(world, vec![(plate, Some(motion))]);
    let corner = Vec3::new(0.75, -0.5 * SPACING, 0.4);
    fill(&mut world, corner, [20, 1, 6], 0, |_| Vec3::x() * fluid);
    let mut stepper = run(&mut world, 0.05, |_| ());
    let mass = Audit::new(&world).mass;
    [
        mean(&world, |i| f64::from(world.particles.velocity[i].x)),
        stepper.take_impulses()[1].force.x / mass,
    ]
}

#[test]
fn a_contact_line_is_dragged_by_a_plate_that_moves_and_drags_it() {
    let [still, _] = along_a_plate(0.0, 0.0);
    let [taken_along, _] = along_a_plate(1.0, 1.0);
    assert!(still.abs() < 1e-3 && (taken_along - 1.0).abs() < 1e-3, "{still} {taken_along}");
    let [slowed, given] = along_a_plate(1.0, 0.0);
    let lost = 1.0 - slowed;
    assert!(lost > 5e-3, "{lost}");
    assert!((given / lost - 1.0).abs() < 0.1, "{given} of {lost}");
}

#[test]
fn a_plate_that_pushes_water_along_a_channel_lets_nobody_through() {
    for solver in solvers() {
        // A plate of less than a spacing, at 3 m/s, into a pool that it cannot push away.
        let mut world = world([1.2, 0.1, 0.4], &[1000.0], 1e-6, solver);
        let shift = ["0.1 + 3*t", "0", "0"].map(formula);
        let motion = KinematicLaw::by_formulas([0.0; 3], shift, NO_TURN.axis, formula("0"));
        world =
            with_meshes(world, vec![(block([-0.01, -0.1, -0.1], [0.01, 0.2, 0.5]), Some(motion))]);
        fill(&mut world, Vec3::new(0.12, 0.0, 0.0), [24, 4, 6], 0, |_| Vec3::zeros());
        let n = world.particles.len();
        run(&mut world, 0.2, |world| {
            let face = 0.1 + 3.0 * world.time as Real + 0.01;
            let nearest = face + 0.98 * world.contact_radius();
            let behind = world.particles.position.iter().filter(|x| x.x < nearest);
            assert_eq!(behind.count(), 0, "{solver:?} at {} s", world.time);
        });
        assert_eq!(world.particles.len(), n);
    }
}

#[test]
fn a_paddle_that_turns_through_a_full_tank_leaves_nobody_inside() {
    for solver in solvers() {
        let mut world = world([0.4, 0.4, 0.3], &[1000.0], 1e-3, solver);
        let blade = block([0.08, 0.19, 0.05], [0.32, 0.21, 0.2]);
        let motion = KinematicLaw::spin([0.2, 0.2, 0.0], [0.0, 0.0, 1.0], 120.0);
        world = with_meshes(world, vec![(blade, Some(motion))]);
        fill(&mut world, Vec3::zeros(), [16, 16, 6], 0, |_| Vec3::zeros());
        let contact = f64::from(world.contact_radius());
        let is_clear = |p: &Vec3, time: f64| {
            let [x, y, z] = to_f64(p);
            let (sin, cos) = (4.0 * PI * time).sin_cos();
            let (u, v) = (cos * (x - 0.2) + sin * (y - 0.2), cos * (y - 0.2) - sin * (x - 0.2));
            let out = [u.abs() - 0.12, v.abs() - 0.01, (z - 0.125).abs() - 0.075];
            let gap = out.map(|c| c.max(0.0)).iter().map(|c| c * c).sum::<f64>().sqrt();
            gap > 0.98 * contact
        };
        let particles = &mut world.particles;
        for i in (0..particles.len()).rev() {
            if !is_clear(&particles.position[i], 0.0) {
                // Out of the blade, above the water.
                particles.position[i].z += 0.17;
            }
        }
        run(&mut world, 0.3, |world| {
            let inside = world.particles.position.iter().filter(|x| !is_clear(x, world.time));
            assert_eq!(inside.count(), 0, "{solver:?} at {} s", world.time);
        });
        let turned = mean(&world, |i| {
            let (x, v) = (world.particles.position[i], world.particles.velocity[i]);
            f64::from((x.x - 0.2) * v.y - (x.y - 0.2) * v.x)
        });
        assert!(turned > 0.002, "the water goes round with it: {turned} m²/s");
    }
}

/// A closed prism around a circle in the plane y = 0.
fn drum(radius: f64, sides: usize) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    for k in 0..sides {
        let (sin, cos) = (2.0 * PI * k as f64 / sides as f64).sin_cos();
        for y in [-0.5, 0.5] {
            mesh.vertices.push(Vec3::new((radius * cos) as Real, y, (radius * sin) as Real));
        }
    }
    let next = |k: u32| (k + 1) % sides as u32;
    for k in 0..sides as u32 {
        let [a, b, c, d] = [2 * k, 2 * k + 1, 2 * next(k) + 1, 2 * next(k)];
        mesh.triangles.extend([[a, b, c], [a, c, d]]);
        if k > 0 && next(k) > 0 {
            mesh.triangles.extend([[0, a, d], [1, c, b]]);
        }
    }
    mesh
}

#[test]
fn a_cylinder_that_turns_drags_the_fluid_round_as_couette_says() {
    let (inner, outer, viscosity, spin) = (0.2, 0.4, 0.05, 0.5);
    let mut world = world([1.0, 1.0, 1.0], &[1000.0], viscosity as Real, Solver::Dfsph(DFSPH));
    world.gravity = Vec3::zeros();
    world.dimension = Dimension::Two;
    let (low, high) = (Vec3::repeat(-0.5), Vec3::repeat(0.5));
    let contact = ContactLaw { slip: Slip::No, ..ContactLaw::default() };
    let ball = Sphere { centre: Vec3::zeros(), radius: inner as Real };
    let obstacles = [
        BodySpec { spheres: 1, contact, ..BodySpec::default() },
        BodySpec { meshes: 1, contact, ..BodySpec::default() },
    ];
    // Against the clock seen from y, from z to x.
    let motion = KinematicLaw::spin([0.0; 3], [0.0, 1.0, 0.0], 60.0 * spin / (2.0 * PI));
    world.solids = Solids::new(Aabb::new(low, high), vec![ball], vec![drum(outer, 96)])
        .with_open_axes([false, true, false])
        .with_bodies(&obstacles)
        .with_kinematic_laws(vec![Some(motion), None]);
    // Rings that fill the gap.
    for ring in 0..8 {
        let r = inner + (f64::from(ring) + 0.5) * f64::from(SPACING);
        let count = (2.0 * PI * r / f64::from(SPACING)).round();
        for k in 0..count as u32 {
            let (sin, cos) = (2.0 * PI * f64::from(k) / count).sin_cos();
            let x = Vec3::new((r * cos) as Real, 0.0, (r * sin) as Real);
            world.particles.push(x, Vec3::zeros(), 0, 1000.0);
        }
    }
    let r = |x: &Vec3| f64::from(x.norm());
    let mut stepper = run(&mut world, 1.0, |_| ());
    stepper.take_impulses();
    let before = world.time;
    while world.time < 1.5 {
        stepper.step(&mut world, 1.5).unwrap();
    }
    let torques = stepper.take_impulses();
    let (a, b) = (inner * inner, outer * outer);
    let expected = 4.0 * PI * 1000.0 * viscosity * spin * a * b / (b - a);
    let [on_inner, on_outer] = [1, 2].map(|body| torques[body].torque.y / (world.time - before));
    assert!((on_inner / -expected - 1.0).abs() < 0.05, "{on_inner} N m, not {}", -expected);
    assert!((on_outer / expected - 1.0).abs() < 0.05, "{on_outer} N m, not {expected}");
    let off = |i: usize| {
        let (x, v) = (world.particles.position[i], world.particles.velocity[i]);
        let r = r(&x);
        let round = f64::from(x.z * v.x - x.x * v.z) / r;
        (round - spin * a / (b - a) * (b / r - r)) / (spin * inner)
    };
    let (bias, noise) = (mean(&world, off), mean(&world, |i| off(i).powi(2)).sqrt());
    assert!(bias.abs() < 0.01 && noise < 0.1, "{bias} and {noise} of the wall's speed");
}

/// A splash onto a box and a ball, which move so.
fn splash(solver: Solver, motions: Option<[Option<KinematicLaw>; 2]>) -> World {
    let mut world = world([0.4, 0.4, 0.5], &[1000.0], 1e-3, solver);
    let domain = world.solids.domain;
    let contact = ContactLaw { slip: Slip::No, friction: 0.3, ..ContactLaw::default() };
    let ball = Sphere { centre: Vec3::new(0.28, 0.2, 0.08), radius: 0.06 };
    let obstacles = [
        BodySpec { meshes: 1, contact, ..BodySpec::default() },
        BodySpec { spheres: 1, contact, ..BodySpec::default() },
    ];
    world.solids =
        Solids::new(domain, vec![ball], vec![block([0.08, 0.1, 0.0], [0.18, 0.3, 0.06])])
            .with_bodies(&obstacles);
    if let Some(motions) = motions {
        world.solids = world.solids.with_kinematic_laws(motions.into());
    }
    fill(&mut world, Vec3::new(0.05, 0.05, 0.15), [12, 12, 8], 0, |_| -Vec3::z());
    world
}

fn moves() -> [Option<KinematicLaw>; 2] {
    let key = |time: f64, x: f64, degrees: f64| Keyframe {
        time,
        shift: [x, 0.0, 0.0],
        turn: AxisAngle { axis: [0.0, 0.0, 1.0], degrees },
    };
    let keys = [key(0.0, 0.0, 0.0), key(0.1, 0.03, 40.0), key(0.2, 0.0, 0.0)];
    [Some(KinematicLaw::through([0.13, 0.2, 0.0], &keys, true, true)), Some(lift("0.02*sin(20*t)"))]
}

#[test]
fn a_motion_of_nothing_is_none_to_the_last_bit() {
    let key = |time| Keyframe { time, shift: [0.0; 3], turn: NO_TURN };
    let still = [
        Some(lift("0*t")),
        Some(KinematicLaw::through([0.3; 3], &[key(0.0), key(1.0)], true, true)),
    ];
    for solver in solvers() {
        let (mut standing, mut still) = (splash(solver, None), splash(solver, Some(still.clone())));
        run(&mut standing, 0.15, |_| ());
        run(&mut still, 0.15, |_| ());
        assert_eq!(standing.particles, still.particles, "{solver:?}");
    }
}

#[test]
fn keys_and_formulas_of_one_motion_are_one_motion() {
    let key = |time, z| Keyframe { time, shift: [0.0, 0.0, z], turn: NO_TURN };
    let by_keys = KinematicLaw::through([0.0; 3], &[key(0.0, 0.0), key(0.5, 0.25)], false, false);
    let mut worlds = [by_keys, lift("0.25*(t/0.5)")]
        .map(|motion| column(Solver::Dfsph(DFSPH), Dimension::Three, motion));
    for world in &mut worlds {
        run(world, 0.2, |_| ());
    }
    assert_eq!(worlds[0].digest(), worlds[1].digest());
}

#[test]
fn a_run_goes_on_in_the_midst_of_a_motion_for_any_number_of_threads() {
    for solver in solvers() {
        let run = |threads, stops: &[f64]| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut world = splash(solver, Some(moves()));
                let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
                for &until in stops.iter().chain(&[0.15]) {
                    // Frames end a step, with or without a stop.
                    for frame in 1..=15 {
                        let time = 0.01 * f64::from(frame);
                        while world.time < time && time <= until {
                            stepper.step(&mut world, time).unwrap();
                        }
                    }
                    let notes = serde_json::to_string(&stepper.memory()).unwrap();
                    let memory: Memory = serde_json::from_str(&notes).unwrap();
                    // A world from the scene, with what a checkpoint has.
                    let mut next = splash(solver, Some(moves()));
                    (next.time, next.steps) = (world.time, world.steps);
                    next.particles = world.particles.clone();
                    next.open_boundaries = world.open_boundaries.clone();
                    next.solids.restore(world.solids.body_states());
                    world = next;
                    stepper = Stepper::resume(&Structures::default(), &mut world, &memory).unwrap();
                }
                (world.digest(), stepper.take_impulses())
            })
        };
        let whole = run(1, &[]);
        assert_eq!(run(1, &[0.04, 0.11]), whole, "{solver:?}");
        assert_eq!(run(3, &[]), whole, "{solver:?}");
    }
}

#[test]
fn between_a_body_and_a_wall_a_particle_is_squeezed_but_not_lost() {
    let mut world = world([0.2, 0.2, 0.4], &[1000.0], 0.0, Solver::Dfsph(DFSPH));
    let contact = world.contact_radius();
    // A press that closes all but half of what the particle needs, and opens again.
    let press = block([-0.1, -0.1, 0.2], [0.3, 0.3, 0.3]);
    let depth = 0.2 - 0.5 * f64::from(contact);
    let motion = lift(&format!("-{depth}*sin(2*pi*t)"));
    world = with_meshes(world, vec![(press, Some(motion))]);
    world.particles.push(Vec3::new(0.1, 0.1, contact), Vec3::zeros(), 0, 1000.0);
    let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
    let mut deepest: f64 = 0.0;
    while world.time < 0.5 {
        deepest = deepest.max(stepper.step(&mut world, 0.5).unwrap().deepest_penetration);
        let x = world.particles.position[0];
        assert!(x.iter().all(|c| c.is_finite()));
    }
    let x = world.particles.position[0];
    // Halfway in half of its radius, a quarter of a spacing.
    assert!((deepest - 0.1875).abs() < 0.002, "it is told: {deepest} spacings");
    assert!(x.z >= 0.99 * contact && x.z < 0.2, "below the press again: {x}");
}
