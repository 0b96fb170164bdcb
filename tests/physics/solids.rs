//! What solids do to the fluid and the fluid to them: friction, bounces, drag, and forces that
//! balance.

use super::support::{DFSPH, RADIUS, SPACING, WCSPH, fill, run_with, usual_wcsph, world};
use hashfall_bodies::Wrench;
use hashfall_core::{Dimension, Real, Vec3};
use hashfall_geometry::shape::{box_mesh, sphere_mesh};
use hashfall_geometry::{Aabb, Point};
use hashfall_search::{NeighborKind, Structures};
use hashfall_solid::{BodySpec, ContactAngle, ContactLaw, RoundSolid, Slip, Solids, Sphere};
use hashfall_sph::step::Stepper;
use hashfall_sph::world::{Audit, Density, Fluid, Solver, ViscositySolver, Wcsph, World};

const SOLVERS: [Solver; 2] = [Solver::Wcsph(WCSPH), Solver::Dfsph(DFSPH)];
const FLOWING: Density = Density::Continuity { diffusion: 0.1 };
const VISCOSITIES: [ViscositySolver; 2] = [ViscositySolver::Explicit, ViscositySolver::Implicit];
const PLAIN: ContactLaw = ContactLaw {
    slip: Slip::Free,
    friction: 0.0,
    restitution: 0.0,
    velocity: [0.0; 3],
    contact_angle: ContactAngle::new(90.0),
};

/// A lone particle on the floor of a box of 4 m whose walls all act like this.
fn lone(solver: Solver, walls: ContactLaw, velocity: Vec3) -> World {
    let mut world = world([4.0; 3], &[1000.0], 0.0, solver);
    world.solids = world.solids.with_walls([walls; 6]);
    let start = Vec3::new(1.0, 1.0, world.contact_radius());
    world.particles.push(start, velocity, 0, 1000.0);
    world
}

#[test]
fn a_particle_that_slides_stops_after_the_way_of_coulomb() {
    let walls = ContactLaw { friction: 0.4, ..PLAIN };
    let velocity = Vec3::new(1.2, 0.9, 0.0);
    // v²/(2 μ g) for 1.5 m/s, after v/(μ g) = 0.38 s.
    let way = 1.5 * 1.5 / (2.0 * 0.4 * 9.81);
    for solver in SOLVERS {
        let mut world = lone(solver, walls, velocity);
        let start = world.particles.position[0];
        run_with(NeighborKind::SortedCells, &mut world, 0.5);
        let moved = (world.particles.position[0] - start) / way;
        assert!((moved.x - 0.8).abs() < 0.01 && (moved.y - 0.6).abs() < 0.01, "{moved}");
        assert_eq!(world.particles.velocity[0].xy().norm(), 0.0, "it stays where it stopped");
    }
}

#[test]
fn a_belt_takes_a_particle_along_at_its_own_speed() {
    let walls = ContactLaw { friction: 0.4, velocity: [0.5, 0.0, 0.0], ..PLAIN };
    for solver in SOLVERS {
        let mut world = lone(solver, PLAIN, Vec3::zeros());
        let [x, y, z] = [[PLAIN; 2], [PLAIN; 2], [walls, PLAIN]];
        world.solids = world.solids.with_walls([x[0], x[1], y[0], y[1], z[0], z[1]]);
        run_with(NeighborKind::SortedCells, &mut world, 0.1);
        let early = world.particles.velocity[0].x;
        assert!((early / (0.4 * 9.81 * 0.1) - 1.0).abs() < 0.06, "speeds up by μ g: {early}");
        run_with(NeighborKind::SortedCells, &mut world, 0.3);
        let v = world.particles.velocity[0].xy() - Vec3::new(0.5, 0.0, 0.0).xy();
        assert!(v.norm() < 1e-5, "{v}");
    }
}

#[test]
fn a_bounce_reaches_the_height_that_restitution_leaves() {
    let walls = ContactLaw { restitution: 0.7, ..PLAIN };
    for solver in SOLVERS {
        let mut world = lone(solver, walls, Vec3::new(0.3, 0.0, 0.0));
        let floor = world.particles.position[0].z;
        world.particles.position[0].z += 1.0;
        let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
        let fall = (2.0 / 9.81_f64).sqrt();
        let mut peaks = [0.0 as Real; 2];
        // Up to the second impact, then up to the third.
        for (peak, until) in peaks.iter_mut().zip([fall * 2.4, fall * (2.4 + 0.98)]) {
            while world.time < until {
                stepper.step(&mut world, until).unwrap();
                if world.time > 1.05 * fall {
                    *peak = peak.max(world.particles.position[0].z - floor);
                }
            }
        }
        assert!((peaks[0] / 0.49 - 1.0).abs() < 0.01, "{solver:?}: {peaks:?}");
        assert!((peaks[1] / 0.2401 - 1.0).abs() < 0.02, "{solver:?}: {peaks:?}");
        assert!((world.particles.velocity[0].x - 0.3).abs() < 1e-6);
    }
}

/// A layer of fluid in the plane between walls that fluid may stick to and that move apart.
fn between_walls(slip: Slip, speed: f64, layers: usize, solver: Solver) -> World {
    let (length, height) = (10.0 * SPACING, layers as Real * SPACING);
    let mut world = world([length, 0.0, height], &[1000.0], 0.02, solver);
    (world.dimension, world.gravity) = (Dimension::Two, Vec3::zeros());
    world.periodic = [true, false, false];
    let wall = |sign: f64| ContactLaw { slip, velocity: [sign * speed, 0.0, 0.0], ..PLAIN };
    let walls = [PLAIN, PLAIN, PLAIN, PLAIN, wall(-1.0), wall(1.0)];
    let solids = Solids::new(world.solids.domain, vec![], vec![]);
    world.solids = solids.with_open_axes([true, true, false]).with_walls(walls);
    fill(&mut world, Vec3::zeros(), [10, 1, layers], 0, |_| Vec3::zeros());
    world.particles.position.iter_mut().for_each(|x| x.y = 0.0);
    world
}

/// The largest error of the velocity between walls that move apart, over their speed against each
/// other, once it is linear.
fn error_between_walls(solver: Solver) -> f64 {
    let mut world = between_walls(Slip::No, 0.01, 10, solver);
    let height = f64::from(world.solids.domain.max.z);
    // The slowest mode fades as exp(−π² ν t/H²).
    let until = 8.0 * height * height / (9.87 * 0.02);
    run_with(NeighborKind::SortedCells, &mut world, until);
    let p = &world.particles;
    let errors = p.position.iter().zip(&p.velocity).map(|(x, v)| {
        let exact = 0.01 * (2.0 * f64::from(x.z) / height - 1.0);
        (f64::from(v.x) - exact).abs() / 0.02
    });
    errors.fold(0.0, f64::max)
}

#[test]
fn between_walls_that_move_apart_the_velocity_becomes_linear() {
    let error = error_between_walls(Solver::Wcsph(WCSPH));
    assert!(error < 0.005, "{error}");
}

#[test]
#[ignore = "misses its goal of 0.005: 0.0061"]
fn between_walls_that_move_apart_dfsph_is_as_near_to_linear() {
    let error = error_between_walls(Solver::Dfsph(DFSPH));
    assert!(error < 0.005, "{error}");
}

/// Heavy fluid below and light, thinner fluid above: both have the same shear stress.
#[test]
fn two_layers_between_walls_that_move_apart_share_the_shear_stress() {
    for (solver, viscosity) in
        SOLVERS.into_iter().flat_map(|solver| VISCOSITIES.map(|viscosity| (solver, viscosity)))
    {
        let mut world = between_walls(Slip::No, 0.01, 16, solver);
        let light = Fluid { rest_density: 1.0, viscosity: 0.2, ..world.fluids[0].clone() };
        world.fluids.push(light);
        world.viscosity = viscosity;
        let middle = 0.5 * f64::from(world.solids.domain.max.z);
        let [below, above] = [0, 1].map(|k| {
            f64::from(world.fluids[k].rest_density) * f64::from(world.fluids[k].viscosity)
        });
        let share = (above - below) / (above + below);
        let exact = |z: f64| {
            let between = 0.01 * share;
            let wall = if z < middle { -0.01 } else { 0.01 };
            between + (wall - between) * ((z - middle) / middle).abs()
        };
        let p = &mut world.particles;
        for i in 0..p.len() {
            let is_above = f64::from(p.position[i].z) > middle;
            (p.phase[i], p.density[i]) = if is_above { (1, 1.0) } else { (0, 1000.0) };
            p.velocity[i].x = exact(f64::from(p.position[i].z)) as Real;
        }
        // The light layer comes to its profile in a few of H²/(π² ν).
        run_with(NeighborKind::SortedCells, &mut world, 8.0 * middle * middle / (9.87 * 0.2));
        let p = &world.particles;
        for (x, v) in p.position.iter().zip(&p.velocity) {
            let error = (f64::from(v.x) - exact(f64::from(x.z))) / 0.02;
            assert!(error.abs() < 0.03, "{solver:?}, {viscosity:?} at {} m: off by {error}", x.z);
        }
    }
}

#[test]
fn walls_that_slip_take_nothing_along() {
    for solver in SOLVERS {
        let mut world = between_walls(Slip::Free, 0.01, 6, solver);
        run_with(NeighborKind::SortedCells, &mut world, 0.05);
        assert!(world.particles.velocity.iter().all(|v| v.norm() < 1e-5));
    }
}

#[test]
fn drag_does_not_swing_at_the_longest_step_that_viscosity_allows() {
    for solver in SOLVERS {
        let mut world = between_walls(Slip::No, 0.0, 1, solver);
        // One layer between two walls, a quarter of the way up: drag alone.
        world.particles.position.iter_mut().for_each(|x| x.z = RADIUS);
        world.particles.velocity.iter_mut().for_each(|v| v.x = 1e-3);
        world.fluids[0].viscosity = 10.0;
        let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
        let mut last = 1e-3;
        for _ in 0..20 {
            let step = stepper.step(&mut world, 1.0).unwrap();
            assert_eq!(step.limit.name(), "viscosity");
            let v = world.particles.velocity[0].x;
            assert!((0.0..0.8 * last).contains(&v), "{v} after {last}");
            last = v;
        }
    }
}

/// Water thrown over a ball, a mesh and a box, all of which rub, stick or give back.
fn thrown(solver: Solver) -> World {
    let mut world = world([0.4, 0.4, 0.5], &[1000.0, 600.0], 1e-3, solver);
    let rough = ContactLaw { slip: Slip::No, friction: 0.3, ..PLAIN };
    let lively = ContactLaw { restitution: 0.6, ..PLAIN };
    let ball = Sphere { centre: Vec3::new(0.1, 0.1, 0.08), radius: 0.07 };
    let mesh = sphere_mesh(&Vec3::new(0.3, 0.28, 0.05), 0.07, 2);
    let slab = box_mesh(&Aabb::new(Vec3::new(0.25, 0.0, 0.0), Vec3::new(0.4, 0.1, 0.15)));
    let obstacles = [
        BodySpec { meshes: 1, contact: rough, ..BodySpec::default() },
        BodySpec { spheres: 1, contact: lively, ..BodySpec::default() },
        BodySpec { meshes: 1, contact: PLAIN, ..BodySpec::default() },
    ];
    let floor = ContactLaw { velocity: [0.5, -0.2, 0.0], ..rough };
    world.solids = Solids::new(world.solids.domain, vec![ball], vec![mesh, slab])
        .with_walls([PLAIN, lively, rough, PLAIN, floor, PLAIN])
        .with_bodies(&obstacles);
    let thrown = |_: &Vec3| Vec3::new(1.0, 0.5, -2.0);
    fill(&mut world, Vec3::new(0.0, 0.0, 0.2), [8, 16, 9], 0, thrown);
    fill(&mut world, Vec3::new(0.2, 0.0, 0.2), [8, 16, 9], 1, thrown);
    world
}

/// Linear and angular momentum about the origin.
fn momentum(world: &World) -> Wrench {
    let (mut sums, p) = (Wrench::default(), &world.particles);
    for i in 0..p.len() {
        let m = world.particle_mass(p.phase[i]);
        let [x, v] = [&p.position[i], &p.velocity[i]].map(|v| v.map(f64::from));
        sums += Wrench::from_force_at(v * m, &x);
    }
    sums
}

#[test]
fn what_the_bodies_receive_is_what_the_fluid_loses() {
    for solver in
        SOLVERS.into_iter().chain([Solver::Wcsph(Wcsph { density: Some(FLOWING), ..WCSPH })])
    {
        let mut world = thrown(solver);
        let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
        let (before, mass) = (momentum(&world), Audit::new(&world).mass);
        while world.time < 0.1 {
            stepper.step(&mut world, 0.1).unwrap();
        }
        let (after, bodies) = (momentum(&world), stepper.take_impulses());
        assert_eq!(bodies.len(), 4);
        let strength = |wrench: &Wrench| wrench.force.abs().sum();
        assert!(bodies.iter().all(|wrench| strength(wrench) > 0.05), "{bodies:?}");
        let scale: f64 = bodies.iter().map(strength).sum();
        for axis in 0..3 {
            let weight = mass * f64::from(world.gravity[axis]) * 0.1;
            let received: f64 = bodies.iter().map(|wrench| wrench.force[axis]).sum();
            let error = (after.force[axis] - before.force[axis] - weight + received) / scale;
            assert!(error.abs() < 1e-4, "axis {axis}: {error} of {bodies:?}");
        }
    }
}

/// Runs to a time; returns the mean forces on the bodies.
fn forces_until(stepper: &mut Stepper, world: &mut World, until: f64) -> Vec<Wrench> {
    let start = world.time;
    while world.time < until {
        stepper.step(world, until).unwrap();
    }
    let impulses = stepper.take_impulses().into_iter();
    impulses.map(|impulse| impulse / (until - start)).collect()
}

#[test]
fn still_water_lies_on_the_floor_with_its_weight() {
    let lively = ContactLaw { restitution: 0.8, friction: 0.3, ..PLAIN };
    for (solver, walls) in SOLVERS.into_iter().flat_map(|s| [(s, PLAIN), (s, lively)]) {
        let side = 8.0 * SPACING;
        let mut world = world([side, side, 0.6], &[1000.0], 1e-2, solver);
        world.solids = world.solids.with_walls([walls; 6]);
        fill(&mut world, Vec3::zeros(), [8, 8, 12], 0, |_| Vec3::zeros());
        let weight = 9.81 * Audit::new(&world).mass;
        let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
        forces_until(&mut stepper, &mut world, 0.5);
        let [walls] = forces_until(&mut stepper, &mut world, 0.9)[..] else { panic!("walls") };
        assert!((-walls.force.z / weight - 1.0).abs() < 0.01, "{} of {weight} N", -walls.force.z);
        let motion = Audit::new(&world).kinetic_energy;
        assert!(motion < 0.02, "at rest, but for {motion} J in 12 kg, {solver:?}, {walls:?}");
        // Its torque is that of the weight at the middle.
        let torque = weight * 0.5 * f64::from(side);
        assert!((-walls.torque.x / torque - 1.0).abs() < 0.01, "{walls:?}, {torque} N m");
        assert!((walls.torque.y / torque - 1.0).abs() < 0.01, "{walls:?}, {torque} N m");
    }
}

/// What still water does to a ball of 5.6 spacings across that lies in it, over what Archimedes
/// says, and what the floor carries, over what it should. The rest of the lattice that the ball is
/// cut from closes slowly.
fn lift_of_a_ball(solver: Solver) -> [f64; 2] {
    let side = 12.0 * SPACING;
    let mut world = world([side, side, 0.6], &[1000.0], 1e-6, solver);
    let centre = Vec3::new(0.5 * side, 0.5 * side, 0.18);
    let mut full = world.clone();
    fill(&mut full, Vec3::zeros(), [12, 12, 14], 0, |_| Vec3::zeros());
    let outside = |x: &&Vec3| (*x - centre).norm() > 0.07 + RADIUS;
    for x in full.particles.position.iter().filter(outside) {
        world.particles.push(*x, Vec3::zeros(), 0, 1000.0);
    }
    let ball = Sphere { centre, radius: 0.07 };
    world.solids = Solids::new(world.solids.domain, vec![ball], vec![]);
    bearing(&mut world, 4.0 / 3.0 * std::f64::consts::PI * 0.07_f64.powi(3))
}

/// What still water lifts a solid of this volume \[m³\] with, over what Archimedes says, and what
/// the floor carries, over what it should.
fn bearing(world: &mut World, volume: f64) -> [f64; 2] {
    let mut stepper = Stepper::new(&Structures::default(), world).unwrap();
    forces_until(&mut stepper, world, 0.7);
    let forces = forces_until(&mut stepper, world, 1.0);
    let lift = 1000.0 * 9.81 * volume;
    let weight = 9.81 * Audit::new(world).mass;
    [forces[1].force.z / lift, -forces[0].force.z / (weight + forces[1].force.z)]
}

#[test]
fn still_water_lifts_a_ball_as_archimedes_says() {
    assert_lifts_a_ball(usual_wcsph());
}

#[test]
#[ignore = "misses its goal of 8 %: 1.22 of the lift"]
fn still_water_lifts_a_ball_as_archimedes_says_without_shifting() {
    assert_lifts_a_ball(Wcsph { density: Some(FLOWING), ..WCSPH });
}

fn assert_lifts_a_ball(solver: Wcsph) {
    let [lift, floor] = lift_of_a_ball(Solver::Wcsph(solver));
    assert!((lift - 1.0).abs() < 0.08, "{lift} of its lift");
    assert!((floor - 1.0).abs() < 0.01, "the floor carries {floor} of what it should");
}

#[test]
fn the_floor_under_a_ball_in_still_water_carries_what_it_should() {
    let [_, floor] = lift_of_a_ball(Solver::Dfsph(DFSPH));
    assert!((floor - 1.0).abs() < 0.01, "the floor carries {floor} of what it should");
}

/// Pressures that alternate from particle to particle take 5.3 to 8.2 % off the lift, by viscosity.
#[test]
#[ignore = "misses its goal of 8 %: 0.919 of the lift"]
fn still_water_lifts_a_ball_as_archimedes_says_with_dfsph() {
    let [lift, _] = lift_of_a_ball(Solver::Dfsph(DFSPH));
    assert!((lift - 1.0).abs() < 0.08, "{lift} of its lift");
}

/// A cylinder, a capsule, a cone and a frustum, which lie askew in still water.
#[test]
fn still_water_lifts_solids_of_revolution_as_archimedes_says() {
    let side = 12.0 * SPACING;
    let middle = Point::new(f64::from(side) * 0.5, f64::from(side) * 0.5, 0.18);
    let half = Point::new(0.4, 0.3, 0.6).normalize() * 0.06;
    let (from, to) = (middle - half, middle + half);
    let solids = [
        RoundSolid::cylinder(from, to, 0.06),
        RoundSolid::capsule(middle - half * 0.6, middle + half * 0.6, 0.06),
        RoundSolid::cone(from - half * 0.3, to + half * 0.5, 0.09, 0.0),
        RoundSolid::cone(from, to, 0.08, 0.04),
    ];
    for solid in solids {
        let mut world = world([side, side, 0.6], &[1000.0], 1e-6, Solver::Wcsph(usual_wcsph()));
        let mut full = world.clone();
        fill(&mut full, Vec3::zeros(), [12, 12, 14], 0, |_| Vec3::zeros());
        let outside = |x: &&Vec3| {
            let at = Point::from(hashfall_core::to_f64(x));
            solid.signed_distance(&at) > f64::from(RADIUS)
        };
        for x in full.particles.position.iter().filter(outside) {
            world.particles.push(*x, Vec3::zeros(), 0, 1000.0);
        }
        world.solids = Solids::new(world.solids.domain, vec![], vec![]).with_rounds(vec![solid]);
        let [lift, floor] = bearing(&mut world, solid.volume());
        println!("{:?}: {lift:.3} of its lift, floor {floor:.4}", solid.meridian());
        assert!((lift - 1.0).abs() < 0.08, "{solid:?}: {lift} of its lift");
        assert!((floor - 1.0).abs() < 0.01, "{solid:?}: the floor carries {floor}");
    }
}
