//! All contacts are found, on any threads and by any settings; what is done keeps the rules; and
//! what gets through is counted.

use super::contact::Contact;
use super::error::SpatialHashError;
use super::passages::passes;
use super::settings::{CellSize, Insertion, Rasterization, SpatialHashSettings};
use super::spatial_hash_contact::SpatialHashContact;
use super::vertex_test::Ways;
use crate::contact::narrow::{vertex_edge, vertex_triangle};
use crate::contact::{Collisions, Drift, SolidMotion};
use crate::material::{Material, SpringMass, SpringStiffness, Springs};
use crate::meshing::sheet;
use crate::state::ElasticState;
use crate::stepper::{Acceleration, ElasticStep, ElasticStepper, Symplectic, SymplecticSettings};
use crate::system::{BodySpec, ElasticSystem};
use hashfall_bodies::{Pose, RigidMotion};
use hashfall_core::geometry::random::Random;
use hashfall_core::parallel::with_threads;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::{Aabb, Point, RoundSolid, Sphere, shape};
use hashfall_solid::{BodySpec as SolidSpec, KinematicLaw, Solids};
use std::sync::Arc;

/// Half the thickness of a cloth \[m\].
const RADIUS: f64 = 5e-3;
const CELLS: u32 = 12;

/// A square cloth of 1 m at a height.
fn cloth(name: &str, height: f64, cells: u32) -> BodySpec {
    let origin = Point::new(0.0, 0.0, height);
    let mesh = sheet(origin, Point::x(), Point::y(), [cells, cells]).unwrap();
    let springs = Springs {
        stiffness: SpringStiffness::Modulus(1e5),
        across: 0.1,
        mass: SpringMass::Density(300.0),
        thickness: 2.0 * RADIUS,
        damping_time: 1e-3,
    };
    BodySpec { friction: 0.3, ..BodySpec::new(name, mesh, Material::Springs(springs)) }
}

fn nowhere() -> Solids {
    Solids::new(Aabb::new(Vec3::repeat(-9.0), Vec3::repeat(9.0)), vec![], vec![])
}

/// A ball, a capsule, a block that moves, and walls.
fn obstacles() -> Solids {
    let domain = Aabb::new(Vec3::new(-0.5, -0.5, -0.05), Vec3::repeat(1.4));
    let ball = Sphere { centre: Vec3::new(0.3, 0.3, 0.1), radius: 0.2 };
    let capsule = RoundSolid::capsule(Point::new(0.6, 0.0, 0.1), Point::new(0.6, 1.0, 0.2), 0.07);
    let block = Aabb::new(Vec3::new(0.7, 0.6, 0.0), Vec3::new(0.95, 0.9, 0.25));
    let specs = [
        SolidSpec { spheres: 1, ..SolidSpec::default() },
        SolidSpec { rounds: 1, ..SolidSpec::default() },
        SolidSpec { meshes: 1, ..SolidSpec::default() },
    ];
    Solids::new(domain, vec![ball], vec![shape::box_mesh(&block)])
        .with_rounds(vec![capsule])
        .with_bodies(&specs)
        .with_kinematic_laws(vec![None, None, Some(KinematicLaw::driven([0.0; 3]))])
}

/// A drift of `dt` with bodies that move like this.
fn drift<'a>(system: &'a ElasticSystem, dt: f64, motions: &'a [RigidMotion]) -> Drift<'a> {
    let solids = SolidMotion { motions, parts: [0.0, 1.0] };
    Drift { inverse_mass: system.inverse_mass(), time: 0.0, dt, solids }
}

/// The block of the obstacles goes up.
fn lift() -> [RigidMotion; 1] {
    let start = Pose { turn: nalgebra::Matrix3::identity(), shift: Point::zeros() };
    [RigidMotion::new(start, Pose { shift: Point::new(0.0, 0.0, 0.03), ..start })]
}

/// Every pair of a vertex and a triangle, a ball or capsule, or a wall.
fn brute(mode: &SpatialHashContact) -> Vec<Contact> {
    let (primitives, points) = (&mode.primitives, &mode.points);
    let ways = Ways { start: &points.start, end: &points.end };
    let depth = mode.settings.depth * mode.cell_size();
    let entered: Vec<u32> =
        primitives.vertices.iter().copied().filter(|&v| mode.table.has(v)).collect();
    let mut all = vec![];
    for triangle in &primitives.triangles {
        for &vertex in &entered {
            if !primitives.can_meet(&[vertex], triangle) {
                continue;
            }
            let [a, b, c] = *triangle;
            let rest = primitives.rest(&[vertex, a, b, c]);
            let at_rest = || rest.map_or(f64::INFINITY, |rest| vertex_triangle(&rest).distance());
            let distance = primitives.distance(vertex, a);
            let friction = primitives.friction(vertex, a);
            let contact = ways.test(vertex, triangle, distance, depth, at_rest);
            all.extend(contact.map(|contact| Contact { friction, ..contact }));
        }
    }
    for &[a, b] in &mode.rounds {
        for &vertex in entered.iter().filter(|&&v| (v as usize) < primitives.nodes) {
            let distance = primitives.distance(vertex, a);
            let place = [vertex, a, b].map(|k| points.end[k as usize]);
            let nearest = vertex_edge(&place);
            if nearest.distance() < distance + depth {
                let [p, s, t] = nearest.weights;
                let normal = nearest.offset.normalize();
                let (points, weights) = ([vertex, a, b, vertex], [p, s, t, 0.0]);
                let friction = primitives.friction(vertex, a);
                let spin_velocity = Point::zeros();
                all.push(Contact { points, weights, normal, distance, friction, spin_velocity });
            }
        }
    }
    let walls = all.len();
    for &vertex in entered.iter().filter(|&&v| (v as usize) < primitives.nodes) {
        for wall in &mode.obstacles.walls {
            let distance = wall.offset + RADIUS;
            if wall.normal.dot(&points.end[vertex as usize]) < distance + depth {
                let friction = primitives.friction_with(vertex, wall.friction_root);
                all.push(Contact::with_wall(vertex, wall.normal, distance, friction));
            }
        }
    }
    assert!(walls > 0 && all.len() > walls, "{walls} of {}", all.len());
    all
}

/// How many vertices passed a triangle, by a test of all pairs.
fn brute_passages(mode: &SpatialHashContact) -> u64 {
    let (primitives, points) = (&mode.primitives, &mode.points);
    let ways = Ways { start: &points.start, end: &points.end };
    let pairs =
        primitives.triangles.iter().flat_map(|t| primitives.vertices.iter().map(move |v| (*v, t)));
    let passes = pairs.filter(|(v, t)| primitives.can_meet(&[*v], &t[..]) && passes(&ways, *v, t));
    passes.count() as u64
}

/// Two crumpled cloths among obstacles, and where they go.
fn crumpled(random: &mut Random, system: &ElasticSystem) -> ElasticState {
    let mut state = system.start().clone();
    for x in &mut state.position {
        *x += random.point(-0.06, 0.06);
    }
    for v in &mut state.velocity {
        *v = random.point(-3.0, 3.0);
    }
    state
}

#[test]
fn every_contact_is_found_by_any_settings() {
    let system = ElasticSystem::new(vec![cloth("low", 0.0, 8), cloth("high", 0.1, 8)]).unwrap();
    let mut random = Random::new(1);
    let default = SpatialHashSettings::default();
    let settings = [
        default,
        SpatialHashSettings { cell_ratio: 0.3, table_ratio: 0.1, ..default },
        SpatialHashSettings { cell_ratio: 4.0, table_ratio: 10.0, depth: 0.0, ..default },
        SpatialHashSettings { cell_size: CellSize::Recomputed, depth: 2.0, ..default },
        SpatialHashSettings { insertion: Insertion::AfterMove, ..default },
    ];
    let [mut all, mut passed] = [0, 0];
    for settings in settings {
        for _ in 0..6 {
            let mut mode = SpatialHashContact::new(&system, &obstacles(), settings).unwrap();
            let mut state = crumpled(&mut random, &system);
            // So that contacts stay as they are found, nothing can be moved.
            let held = vec![0.0; system.node_count()];
            let motions = lift();
            let drift = Drift { inverse_mass: &held, ..drift(&system, 0.02, &motions) };
            mode.drift(&drift, &mut state.position, &mut state.velocity);
            let expected = brute(&mode);
            let found: Vec<Contact> = mode.detection.contacts().copied().collect();
            assert_eq!(found, expected, "{settings:?}");
            all += found.len();
            let passages = mode.take_counts().passages;
            assert_eq!(passages, brute_passages(&mode));
            passed += passages as usize;
        }
    }
    assert!(all > 4000 && passed > 500, "{all} {passed}");
}

#[test]
fn the_scanline_misses_contacts() {
    let system = ElasticSystem::new(vec![cloth("low", 0.0, 8), cloth("high", 0.1, 8)]).unwrap();
    let count = |rasterization| {
        let settings = SpatialHashSettings { rasterization, ..SpatialHashSettings::default() };
        let mut mode = SpatialHashContact::new(&system, &nowhere(), settings).unwrap();
        let mut state = crumpled(&mut Random::new(2), &system);
        let held = vec![0.0; system.node_count()];
        let drift = Drift { inverse_mass: &held, ..drift(&system, 0.02, &[]) };
        mode.drift(&drift, &mut state.position, &mut state.velocity);
        mode.detection.contacts().count()
    };
    let [all, some] = [Rasterization::Surface, Rasterization::Scanline].map(count);
    assert!(some > all / 5 && some < all * 9 / 10, "{some} of {all}");
}

/// Drops two cloths on obstacles; returns the digest at the end, and what was counted.
fn drop_cloths(settings: SpatialHashSettings, steps: u32) -> (u64, crate::ContactCounts) {
    let specs = vec![cloth("low", 0.35, CELLS), cloth("high", 0.4, CELLS)];
    let system = Arc::new(ElasticSystem::new(specs).unwrap());
    let mode = SpatialHashContact::new(&system, &obstacles(), settings).unwrap();
    let integrator = Symplectic::new(SymplecticSettings::default());
    let mut state = system.start().clone();
    let mut stepper = ElasticStepper::new(system, Box::new(integrator), Box::new(mode));
    let mut counts = crate::ContactCounts::default();
    let acceleration = Acceleration::Uniform(Point::new(0.0, 0.0, -9.81));
    let dt = 5e-3;
    for n in 0..steps {
        let motions = [RigidMotion::at_rest(lift()[0].start)];
        let time = f64::from(n) * dt;
        let step = ElasticStep { time, dt, acceleration, motions: &motions };
        counts += stepper.advance(&mut state, &step).unwrap().contact;
    }
    let lowest = state.position.iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
    assert!(lowest >= -0.05 + RADIUS - 1e-6, "{lowest}");
    (state.digest(), counts)
}

#[test]
fn bits_depend_on_no_threads_and_no_table() {
    let default = SpatialHashSettings::default();
    let (digest, counts) = with_threads(1, || drop_cloths(default, 60));
    assert!(counts.contacts > 1000 && counts.tested > counts.contacts, "{counts:?}");
    for threads in [2, 5] {
        assert_eq!(with_threads(threads, || drop_cloths(default, 60)), (digest, counts));
    }
    let after = SpatialHashSettings { insertion: Insertion::AfterMove, ..default };
    let short = SpatialHashSettings { table_ratio: 0.1, ..default };
    for settings in [after, short] {
        assert_eq!(drop_cloths(settings, 60), (digest, counts));
    }
}

#[test]
fn bodies_that_collide_keep_their_momentum_and_gain_no_kinetic_energy() {
    let mut random = Random::new(3);
    let system = ElasticSystem::new(vec![cloth("low", 0.0, 8), cloth("high", 0.05, 8)]).unwrap();
    let default = SpatialHashSettings::default();
    let mut mode = SpatialHashContact::new(&system, &nowhere(), default).unwrap();
    let mut state = crumpled(&mut random, &system);
    let total = |of: &[Point]| -> Point { of.iter().zip(system.mass()).map(|(x, m)| x * *m).sum() };
    let energy = |of: &[Point]| -> f64 {
        of.iter().zip(system.mass()).map(|(v, m)| v.norm_squared() * m).sum()
    };
    let (mass, dt) = (system.mass().iter().sum::<f64>(), 0.01);
    let mut acted = 0;
    for _ in 0..30 {
        let (centre, momentum) = (total(&state.position), total(&state.velocity));
        let before = energy(&state.velocity);
        mode.drift(&drift(&system, dt, &[]), &mut state.position, &mut state.velocity);
        assert!((total(&state.velocity) - momentum).norm() < 1e-12 * mass);
        assert!((total(&state.position) - centre - momentum * dt).norm() < 1e-12 * mass);
        assert!(energy(&state.velocity) <= before * (1.0 + 1e-12));
        acted += mode.take_counts().contacts;
    }
    assert!(acted > 500, "{acted}");
}

#[test]
fn an_obstacle_that_moves_takes_cloth_along() {
    let system = ElasticSystem::new(vec![cloth("on the block", 0.256, CELLS)]).unwrap();
    let default = SpatialHashSettings::default();
    let mut mode = SpatialHashContact::new(&system, &obstacles(), default).unwrap();
    let mut state = system.start().clone();
    let (motions, dt) = (lift(), 0.01);
    mode.drift(&drift(&system, dt, &motions), &mut state.position, &mut state.velocity);
    let block = Aabb::new(Vec3::new(0.7, 0.6, 0.0), Vec3::new(0.95, 0.9, 0.25));
    let mut lifted = 0;
    for (x, v) in state.position.iter().zip(&state.velocity) {
        let is_over = block.contains(&Vec3::new(x.x as Real, x.y as Real, 0.1));
        if is_over {
            assert!((x.z - 0.28 - RADIUS).abs() < 1e-6 && (v.z - 3.0).abs() < 1e-9, "{x} {v}");
            lifted += 1;
        }
    }
    assert!(lifted >= 6, "{lifted}");
}

/// Lets one vertex of a small sheet fall on another, `dt` apart; returns passages and its height.
fn fall(dt: f64) -> (u64, f64) {
    let mut thrown = cloth("thrown", 0.5, 1);
    thrown.mesh.nodes.iter_mut().for_each(|x| *x = Point::new(0.41, 0.43, 0.5) + *x * 0.1);
    let system = ElasticSystem::new(vec![cloth("sheet", 0.0, CELLS), thrown]).unwrap();
    let default = SpatialHashSettings::default();
    let mut mode = SpatialHashContact::new(&system, &nowhere(), default).unwrap();
    let mut state = system.start().clone();
    let nodes = system.bodies()[1].nodes.clone();
    state.velocity[nodes.clone()].fill(Point::new(0.0, 0.0, -2.0));
    let held: Vec<f64> = (0..system.node_count())
        .map(|k| if nodes.contains(&k) { system.inverse_mass()[k] } else { 0.0 })
        .collect();
    for _ in 0..(0.5 / dt) as u32 {
        let drift = Drift { inverse_mass: &held, ..drift(&system, dt, &[]) };
        mode.drift(&drift, &mut state.position, &mut state.velocity);
    }
    (mode.take_counts().passages, state.position[nodes.start].z)
}

#[test]
fn what_moves_too_far_in_a_step_gets_through_and_is_counted() {
    // A part of a cell: 0.5 · 1.1/12 m = 0.045 m, at 2 m/s.
    let (passages, height) = fall(0.01);
    assert_eq!((passages, height), (0, RADIUS * 2.0));
    let (passages, height) = fall(0.1);
    // The four of what is thrown, and the two of the sheet that it falls around.
    assert_eq!(passages, 6);
    assert!(height < -0.2, "{height}");
}

#[test]
fn nothing_grows_when_a_step_is_like_the_last() {
    let system = ElasticSystem::new(vec![cloth("cloth", 0.0, CELLS)]).unwrap();
    let default = SpatialHashSettings::default();
    let mut mode = SpatialHashContact::new(&system, &nowhere(), default).unwrap();
    let mut state = system.start().clone();
    let mut bytes = None;
    for step in 0..8 {
        state.velocity.fill(Point::new(1.0, -2.0, 0.5 * f64::from(step)));
        mode.drift(&drift(&system, 0.1, &[]), &mut state.position, &mut state.velocity);
        assert_eq!(*bytes.get_or_insert(mode.table_bytes()), mode.table_bytes());
    }
    let vertices = (CELLS + 1) * (CELLS + 1);
    let slots = vertices + 2 * CELLS * CELLS;
    let entry = size_of::<Vec3>() as u32 + 16;
    assert_eq!(bytes, Some((8 * slots + entry * vertices) as usize), "{vertices}");
}

#[test]
fn a_cell_follows_a_cloth_that_stretches_if_it_is_computed_again() {
    let system = ElasticSystem::new(vec![cloth("cloth", 0.0, CELLS)]).unwrap();
    for (cell_size, ratio) in [(CellSize::Once, 1.0), (CellSize::Recomputed, 3.0)] {
        let settings = SpatialHashSettings { cell_size, ..SpatialHashSettings::default() };
        let mut mode = SpatialHashContact::new(&system, &nowhere(), settings).unwrap();
        let mut state = system.start().clone();
        let before = mode.cell_size();
        state.velocity = state.position.iter().map(|x| x * 2.0).collect();
        mode.drift(&drift(&system, 1.0, &[]), &mut state.position, &mut state.velocity);
        assert!((mode.cell_size() / before - ratio).abs() < 1e-9, "{cell_size:?}");
    }
}

#[test]
fn what_is_of_no_use_is_refused() {
    let refused = |thickness, settings| {
        let spec = BodySpec { thickness: Some(thickness), ..cloth("cloth", 0.0, 2) };
        let system = ElasticSystem::new(vec![spec]).unwrap();
        SpatialHashContact::new(&system, &nowhere(), settings).unwrap_err()
    };
    let default = SpatialHashSettings::default();
    let body = "cloth".to_owned();
    assert_eq!(refused(0.0, default), SpatialHashError::NoThickness { body });
    let settings = SpatialHashSettings { cell_ratio: 0.0, ..default };
    let message = refused(0.1, settings).to_string();
    assert_eq!(message, "`cell_ratio` is 0, but must be from 0.01 to 100");
    // Cells of no size, and a table beyond all memory.
    for tiny in [1e-60, f64::MIN_POSITIVE] {
        let settings = SpatialHashSettings { cell_ratio: tiny, ..default };
        assert!(refused(0.1, settings).to_string().starts_with("`cell_ratio` is 0.000"));
    }
    let settings = SpatialHashSettings { table_ratio: 1e6, ..default };
    let message = refused(0.1, settings).to_string();
    assert_eq!(message, "`table_ratio` is 1000000, but must be from 0.001 to 1000");
    let settings = SpatialHashSettings { depth: f64::NAN, ..default };
    assert!(refused(0.1, settings).to_string().starts_with("`depth` is NaN"));
}

#[test]
fn nodes_that_are_nowhere_do_no_harm() {
    let system = ElasticSystem::new(vec![cloth("cloth", 0.0, CELLS)]).unwrap();
    let default = SpatialHashSettings { cell_size: CellSize::Recomputed, ..Default::default() };
    let mut mode = SpatialHashContact::new(&system, &obstacles(), default).unwrap();
    let mut state = system.start().clone();
    state.position[3].x = f64::NAN;
    state.velocity[40] = Point::repeat(1e300);
    let motions = lift();
    mode.drift(&drift(&system, 1e10, &motions), &mut state.position, &mut state.velocity);
    assert!(state.position[3].x.is_nan());
}
