//! Random scenes: free bodies of any density and shape in water, in space and in the plane. None
//! leaks particles, gains energy, jams or stalls.

use crate::step::bodies::lab::{mesh, stepper, water, with_material};
use crate::world::{Dfsph, FreeBody, PLANE_LOCKS, Solver, World};
use hashfall_core::geometry::random::Random;
use hashfall_core::{Dimension, Real, Vec3};
use hashfall_geometry::{Point, RoundSolid};
use hashfall_rigid::{
    Amount, MassProperties, Material, Shape, ball_mass, capsule_mass, cuboid_mass, cylinder_mass,
    disc_mass,
};
use hashfall_solid::{BodySpec, KinematicLaw};
use nalgebra::{Isometry3, Matrix3, UnitQuaternion, Vector3};
use std::f64::consts::FRAC_PI_2;

/// Spacing, and the side of the tank \[m\].
const D: f64 = 0.05;
const SIDE: f64 = 16.0 * D;

const G: f64 = 9.81;

/// How long a scene runs \[s\], and steps that it may take.
const TIME: f64 = 0.35;
const MAX_STEPS: u32 = 1500;

/// What a scene may gain of the energy that all of it has above the floor \[–\].
const MAX_GAIN: f64 = 0.01;

/// Of bodies \[kg/m³\]: from 0.05 to 5 times that of water.
const DENSITIES: [f64; 10] =
    [50.0, 80.0, 150.0, 300.0, 500.0, 800.0, 1000.0, 1500.0, 2700.0, 5000.0];

#[derive(Clone, Copy)]
enum Kind {
    Ball,
    Box,
    Cylinder,
    Capsule,
}

/// A body before the world is made.
struct Draft {
    kind: Kind,
    centre: Point,
    /// Half a box, or radius and half a height as its first and last \[m\].
    half: Vector3<f64>,
    density: f64,
}

impl Draft {
    fn reach(&self) -> f64 {
        match self.kind {
            Kind::Capsule => self.half.x + self.half.z,
            Kind::Ball => self.half.x,
            _ => self.half.norm(),
        }
    }

    fn shape(&self, dimension: Dimension) -> (Shape, MassProperties) {
        let Draft { kind, half, .. } = *self;
        let amount = Amount::Density(self.density);
        let (shape, mass) = match kind {
            Kind::Ball if dimension == Dimension::Two => {
                (Shape::ball(half.x), disc_mass(half.x, amount))
            }
            Kind::Ball => (Shape::ball(half.x), ball_mass(half.x, amount)),
            Kind::Box => (Shape::cuboid(half), cuboid_mass(half, amount)),
            Kind::Cylinder => {
                (Shape::cylinder(half.z, half.x), cylinder_mass(half.z, half.x, amount))
            }
            Kind::Capsule => (Shape::capsule(half.z, half.x), capsule_mass(half.z, half.x, amount)),
        };
        let (mut shape, mut mass) = (shape.unwrap(), mass.unwrap());
        if dimension == Dimension::Two && matches!(kind, Kind::Box) {
            // For a metre of depth.
            let depth = 2.0 * half.y;
            (mass.mass, mass.inertia) = (mass.mass / depth, mass.inertia / depth);
        }
        if matches!(kind, Kind::Cylinder | Kind::Capsule) {
            // Lying along x.
            let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), FRAC_PI_2);
            shape = shape.placed(&Isometry3::from_parts(Vector3::zeros().into(), turn));
            let turn = turn.to_rotation_matrix().into_inner();
            mass.inertia = turn * mass.inertia * turn.transpose();
        }
        (shape, mass)
    }
}

/// Bodies apart from each other and from all walls.
fn drafts(random: &mut Random, dimension: Dimension) -> Vec<Draft> {
    let count = random.number(1.0, 5.0) as usize;
    let kinds = [Kind::Ball, Kind::Box, Kind::Cylinder, Kind::Capsule];
    let is_plane = dimension == Dimension::Two;
    let mut found: Vec<Draft> = Vec::new();
    for _ in 0..200 {
        if found.len() == count {
            break;
        }
        let kinds = if is_plane { &kinds[..2] } else { &kinds[..] };
        let kind = kinds[random.number(0.0, kinds.len() as f64) as usize];
        let half = random.point(1.3 * D, 3.0 * D);
        let centre = random.point(0.0, SIDE);
        let centre = if is_plane { Point::new(centre.x, 0.0, centre.z) } else { centre };
        let density = DENSITIES[random.number(0.0, DENSITIES.len() as f64) as usize];
        let draft = Draft { kind, centre, half: Vector3::from(half), density };
        let reach = draft.reach() + 0.1 * D;
        let is_inside = |x: &f64| *x > reach && *x < SIDE - reach;
        let is_in_tank = if is_plane {
            [centre.x, centre.z].iter().all(is_inside)
        } else {
            centre.iter().all(is_inside)
        };
        let is_apart =
            |it: &Draft| (it.centre - centre).norm() > it.reach() + draft.reach() + 0.1 * D;
        if is_in_tank && found.iter().all(is_apart) {
            found.push(draft);
        }
    }
    found
}

fn scene(seed: u64) -> World {
    let mut random = Random::new(seed);
    let is_plane = random.number(0.0, 1.0) < 0.5;
    let dimension = if is_plane { Dimension::Two } else { Dimension::Three };
    let mut drafts = drafts(&mut random, dimension);
    // As solids have them: balls, solids of revolution, meshes.
    let order = |draft: &Draft| match draft.kind {
        Kind::Ball => 0,
        Kind::Cylinder | Kind::Capsule => 1,
        Kind::Box => 2,
    };
    drafts.sort_by_key(order);
    let across = if is_plane { 0.0 } else { SIDE };
    let depth = random.number(0.3, 0.8) * SIDE;
    let max_divergence_error = if random.number(0.0, 1.0) < 0.5 { 1e-3 } else { 1e-4 };
    let solver = Solver::Dfsph(Dfsph { max_divergence_error, ..Dfsph::default() });
    let mut builder = water(D, [SIDE, across, SIDE], solver).dimension(dimension);
    let mut rounds = Vec::new();
    for Draft { kind, centre, half, .. } in &drafts {
        let along = Point::x() * half.z;
        match kind {
            Kind::Ball => {
                let at = centre.map(|x| x as Real);
                builder = builder.sphere(at.into(), half.x as Real);
            }
            Kind::Box => builder = builder.mesh(mesh((*centre).into(), (*half).into())),
            Kind::Cylinder => {
                rounds.push(RoundSolid::cylinder(centre - along, centre + along, half.x))
            }
            Kind::Capsule => {
                rounds.push(RoundSolid::capsule(centre - along, centre + along, half.x))
            }
        }
    }
    let full = [SIDE, across, depth].map(|x| x as Real);
    let mut world = builder.block([0.0; 3], full).build().unwrap();
    let is_outside = |x: &Vec3| {
        let x = x.map(f64::from);
        rounds.iter().all(|round: &RoundSolid| round.signed_distance(&x) > 0.5 * D)
    };
    let places = world.particles.position.clone();
    let is_kept: Vec<bool> = places.iter().map(is_outside).collect();
    world.particles.remove(|i| !is_kept[i]);
    let laws = drafts.iter().map(|it| Some(KinematicLaw::driven(it.centre.into())));
    let spec = |draft: &Draft| match draft.kind {
        Kind::Ball => BodySpec { spheres: 1, ..BodySpec::default() },
        Kind::Cylinder | Kind::Capsule => BodySpec { rounds: 1, ..BodySpec::default() },
        Kind::Box => BodySpec { meshes: 1, ..BodySpec::default() },
    };
    let specs: Vec<BodySpec> = drafts.iter().map(spec).collect();
    let solids = world.solids.with_rounds(rounds).with_bodies(&specs);
    world.solids = solids.with_kinematic_laws(laws.collect());
    let mut shapes = Vec::new();
    for (k, draft) in drafts.iter().enumerate() {
        let (shape, mass) = draft.shape(dimension);
        let free = FreeBody::new(k + 1, mass.mass, mass.inertia);
        let locks = if is_plane { PLANE_LOCKS } else { [false; 6] };
        world.free_bodies.push(free.with_locks(locks));
        shapes.push(shape);
    }
    let friction = random.number(0.0, 1.0);
    let restitution = if random.number(0.0, 1.0) < 0.5 { 0.0 } else { random.number(0.0, 0.8) };
    with_material(world, &shapes, Material { friction, restitution })
}

/// Kinetic and potential energy, and what it is measured by \[J\].
fn energy(world: &World) -> [f64; 2] {
    let p = &world.particles;
    let (mut sum, mut mass) = (0.0, 0.0);
    for i in 0..p.len() {
        let particle_mass = world.particle_mass(p.phase[i]);
        mass += particle_mass;
        let [v, x] = [&p.velocity, &p.position].map(|list| list[i].map(f64::from));
        sum += particle_mass * (0.5 * v.norm_squared() + G * x.z);
    }
    for free in &world.free_bodies {
        let state = world.solids.body_state(free.body).unwrap();
        let turn = state.orientation.matrix();
        let turn: Matrix3<f64> = turn * free.inertia * turn.transpose();
        let spin = &state.angular_velocity;
        let moving = free.mass * state.velocity.norm_squared() + spin.dot(&(turn * spin));
        sum += 0.5 * moving + free.mass * G * state.position.z;
        mass += free.mass;
    }
    [sum, mass * G * SIDE]
}

/// Runs a scene; says what is wrong with it.
fn fault(seed: u64) -> Option<String> {
    let mut world = scene(seed);
    let count = world.particles.len();
    let [start, scale] = energy(&world);
    let mut stepper = stepper(&mut world);
    let (mut steps, mut most) = (0, start);
    while world.time < TIME {
        let report = match stepper.step(&mut world, TIME) {
            Ok(report) => report,
            Err(error) => return Some(format!("{seed} failed at {}: {error}", world.time)),
        };
        steps += 1;
        most = most.max(energy(&world)[0]);
        if steps > MAX_STEPS {
            return Some(format!("{seed} stalls at {} with {report:?}", world.time));
        }
    }
    let slack = 0.5 * D;
    let is_out = |x: &Vec3| {
        let out = |axis: usize| {
            let x = f64::from(x[axis]);
            axis != 1 && !(-slack..=SIDE + slack).contains(&x)
        };
        (0..3).any(out)
    };
    let lost = world.particles.position.iter().filter(|x| is_out(x)).count();
    let inside = world.free_bodies.iter().map(|free| {
        let centre = world.solids.body_state(free.body).unwrap().position;
        let is_inside = |x: &&Vec3| (x.map(f64::from) - centre).norm() < 0.5 * D;
        world.particles.position.iter().filter(is_inside).count()
    });
    let leaked = lost + inside.sum::<usize>() + (count - world.particles.len());
    let jammed = world.free_bodies.iter().any(|free| {
        let centre = world.solids.body_state(free.body).unwrap().position;
        !(-slack..=SIDE + slack).contains(&centre.z) || !(-slack..=SIDE + slack).contains(&centre.x)
    });
    let gain = (most - start) / scale;
    (leaked > 0 || jammed || gain > MAX_GAIN)
        .then(|| format!("{seed}: {leaked} leaked, left {jammed}, gain {gain:.4}, {steps} steps"))
}

fn check(seeds: std::ops::Range<u64>) {
    let faults: Vec<String> = seeds.filter_map(fault).collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn random_bodies_in_water_leak_gain_and_jam_nothing() {
    check(0..3);
}

#[test]
#[ignore = "takes minutes"]
fn a_hundred_random_scenes_leak_gain_and_jam_nothing() {
    check(0..100);
}
