//! Properties of the swept motion: no kick, however hard, gets a particle into or through a solid.

use super::{Contact, SweepBuffer, sweep_box};
use crate::precision::{to_point, to_vec3};
use crate::{BodySpec, ContactLaw, NearSolids, PlaneTable, Solids, Sphere, UnionBoundary};
use hashfall_core::{Real, Vec3};
use hashfall_geometry::random::Random;
use hashfall_geometry::shape::sphere_mesh;
use hashfall_geometry::{Aabb, Interior, Point, TriangleMesh};
use std::collections::BTreeSet;

const R: Real = 0.008;
/// What a centre may lie too deep.
const TOLERANCE: Real = 1e-3 * R;

fn unit_box() -> Aabb {
    Aabb::new(Vec3::zeros(), Vec3::new(1.0, 1.0, 1.0))
}

fn sphere(x: Real, y: Real, z: Real, radius: Real) -> Sphere {
    Sphere { centre: Vec3::new(x, y, z), radius }
}

/// A flat sheet of `n`×`n` squares at height `z`, reaching beyond the unit box.
fn sheet(n: u32, z: impl Fn(Real, Real) -> Real) -> TriangleMesh {
    let place = |k: u32| -0.1 + 1.2 * k as Real / n as Real;
    let vertices = (0..=n)
        .flat_map(|j| (0..=n).map(move |i| (place(i), place(j))))
        .map(|(x, y)| Vec3::new(x, y, z(x, y)))
        .collect();
    let at = |i, j| j * (n + 1) + i;
    let triangles = (0..n)
        .flat_map(|j| (0..n).map(move |i| (i, j)))
        .flat_map(|(i, j)| {
            let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
            [[a, b, c], [a, c, d]]
        })
        .collect();
    TriangleMesh { vertices, triangles }
}

/// The ids of the objects that overlap a box.
fn overlapping(solids: &Solids, query: &Aabb) -> Vec<u32> {
    let boxes = solids.object_boxes();
    (0..boxes.len() as u32).filter(|&id| boxes[id as usize].overlaps(query)).collect()
}

fn sweep(solids: &Solids, from: &Vec3, to: &Vec3, velocity: &Vec3) -> Contact {
    let objects = overlapping(solids, &sweep_box(from, to, R));
    solids.sweep(&objects, from, to, velocity, R, &mut SweepBuffer::default())
}

fn depth(solids: &Solids, x: &Vec3) -> Real {
    solids.penetration(&overlapping(solids, &Aabb::of_ball(x, R)), x, R)
}

/// Kicks a particle from rest in all directions, by millimetres to metres, and checks each place.
fn kick_around(solids: &Solids, start: Vec3, kicks: u32, seed: u64, check: impl Fn(&Vec3)) {
    let mut random = Random::new(seed);
    let mut x = start;
    let fastest =
        solids.contact_laws().iter().map(|law| law.surface_velocity().norm()).fold(0.0, Real::max);
    assert_eq!(depth(solids, &x), 0.0, "a test starts in the free");
    for kick in 0..kicks {
        let length = 10f64.powf(random.number(-6.0, 0.5));
        let to = x + to_vec3(&(random.direction() * length));
        let velocity = (to - x) * 1000.0;
        let contact = sweep(solids, &x, &to, &velocity);
        let most = velocity.norm() * 1.000_001 + fastest;
        assert!(contact.velocity.norm() <= most, "kick {kick} gave energy");
        x = contact.position;
        let deep = depth(solids, &x);
        assert!(deep <= TOLERANCE, "kick {kick} of {length} m ended {} r deep", deep / R);
        check(&x);
    }
}

#[test]
fn a_cloud_of_overlapping_spheres_is_never_entered() {
    for seed in 0..10 {
        let mut random = Random::new(seed);
        let start = Vec3::new(0.5, 0.5, 0.5);
        let spheres = (0..60)
            .map(|_| (to_vec3(&random.point(0.0, 1.0)), random.number(0.02, 0.2) as Real))
            .filter(|(c, radius)| (c - start).norm() > radius + 0.02)
            .map(|(centre, radius)| Sphere { centre, radius })
            .collect();
        kick_around(&Solids::new(unit_box(), spheres, vec![]), start, 3000, seed, |_| {});
    }
}

#[test]
fn a_sheet_of_two_triangles_is_never_crossed() {
    let tilted = |x: Real, y: Real| 0.4 + 0.3 * x - 0.2 * y;
    for n in [1, 3] {
        let solids = Solids::new(unit_box(), vec![], vec![sheet(n, tilted)]);
        for (seed, z) in [(1, 0.9), (2, 0.1)] {
            let above = z > 0.5;
            kick_around(&solids, Vec3::new(0.5, 0.5, z), 20_000, seed, |x| {
                assert_eq!(x.z > tilted(x.x, x.y), above, "{x} is on the other side");
            });
        }
    }
}

#[test]
fn a_bumpy_sheet_is_never_crossed() {
    let bumps = |x: Real, y: Real| 0.5 + 0.1 * ((9.0 * x).sin() * (7.0 * y).cos());
    let solids = Solids::new(unit_box(), vec![], vec![sheet(24, bumps)]);
    // Flat triangles differ from the function by less than this.
    kick_around(&solids, Vec3::new(0.5, 0.5, 0.8), 6000, 3, |x| {
        assert!(x.z > bumps(x.x, x.y) - 0.01);
    });
}

#[test]
fn closed_meshes_are_never_entered_nor_left() {
    let mesh = sphere_mesh(&Vec3::new(0.5, 0.5, 0.5), 0.3, 3);
    let interior = Interior::new(&mesh);
    let solids = Solids::new(unit_box(), vec![], vec![mesh]);
    kick_around(&solids, Vec3::new(0.1, 0.1, 0.1), 4000, 7, |x| assert!(!interior.contains(x)));
    kick_around(&solids, Vec3::new(0.5, 0.5, 0.5), 4000, 8, |x| assert!(interior.contains(x)));
}

#[test]
fn surfaces_that_rub_give_back_and_move_are_not_entered_either() {
    let laws = [(0.0, 1.0, 0.0), (0.5, 0.0, 0.0), (0.3, 0.9, 0.0), (2.0, 0.4, 5.0)];
    for (seed, (friction, restitution, speed)) in laws.into_iter().enumerate() {
        let velocity = [speed, -speed, 0.0];
        let contact = ContactLaw { friction, restitution, velocity, ..ContactLaw::default() };
        let mut random = Random::new(seed as u64);
        let start = Vec3::new(0.5, 0.5, 0.5);
        let spheres: Vec<_> = (0..60)
            .map(|_| (to_vec3(&random.point(0.0, 1.0)), random.number(0.02, 0.2) as Real))
            .filter(|(c, radius)| (c - start).norm() > radius + 0.02)
            .map(|(centre, radius)| Sphere { centre, radius })
            .collect();
        let obstacles = [BodySpec { spheres: spheres.len(), contact, ..BodySpec::default() }];
        let solids = Solids::new(unit_box(), spheres, vec![])
            .with_bodies(&obstacles)
            .with_walls([contact; 6]);
        kick_around(&solids, start, 6000, seed as u64, |_| {});
    }
}

#[test]
fn the_impulses_of_a_sweep_are_its_change_of_velocity() {
    let mut random = Random::new(8);
    let lively = ContactLaw { friction: 0.2, restitution: 0.5, ..ContactLaw::default() };
    let ball = sphere(0.02, 0.02, 0.02, 0.1);
    for walls in [ContactLaw::default(), lively] {
        let solids = Solids::new(unit_box(), vec![ball], vec![]).with_walls([walls; 6]);
        let mut buffer = SweepBuffer::default();
        let mut from_both = 0;
        for _ in 0..2000 {
            let from = to_vec3(&random.point(0.08, 0.3));
            if depth(&solids, &from) > 0.0 {
                continue;
            }
            let to = from + to_vec3(&(random.direction() * random.number(0.0, 0.5)));
            let v = (to - from) * 7.0;
            let contact = solids.sweep(&[0], &from, &to, &v, R, &mut buffer);
            let given: Point = buffer.impulses().iter().map(|impulse| impulse.change).sum();
            let change = to_point(&contact.velocity) - to_point(&v);
            assert!((given - change).norm() < 1e-6 * (1.0 + to_point(&v).norm()), "{contact:?}");
            let bodies = buffer.impulses().iter().map(|impulse| impulse.surface.body());
            from_both += usize::from(bodies.collect::<BTreeSet<_>>().len() == 2);
        }
        assert!(from_both > 20, "{from_both} met both bodies");
    }
}

#[test]
fn narrow_wedges_hold() {
    // Two spheres that nearly touch, over the floor and against a wall.
    let spheres = vec![sphere(0.3, 0.2, 0.2, 0.199), sphere(0.7, 0.2, 0.2, 0.2)];
    let solids = Solids::new(unit_box(), spheres, vec![]);
    let mut random = Random::new(9);
    for case in 0..500 {
        let mut x = to_vec3(&random.point(0.05, 0.95));
        if depth(&solids, &x) > 0.0 {
            continue;
        }
        // Into the cusp between them, at any speed, from wherever it now is.
        for _ in 0..40 {
            let cusp = Vec3::new(0.5, 0.2, random.number(0.0, 0.4) as Real);
            let to = x + (cusp - x) * 10f64.powf(random.number(-3.0, 2.0)) as Real;
            x = sweep(&solids, &x, &to, &(to - x)).position;
            assert!(depth(&solids, &x) <= TOLERANCE, "case {case}: {} r", depth(&solids, &x) / R);
        }
    }
}

#[test]
fn a_corner_stops_the_motion_dead() {
    let solids = Solids::new(unit_box(), vec![], vec![]);
    let from = Vec3::new(0.5, 0.25, 0.75);
    let motion = Vec3::new(1000.0, -1000.0, -1000.0);
    let contact = sweep(&solids, &from, &(from + motion), &motion);
    let corner = Vec3::new(1.0 - R, R, R);
    assert!((contact.position - corner).norm() < TOLERANCE);
    assert_eq!(contact.velocity, Vec3::zeros());
    kick_around(&solids, corner + Vec3::new(-R, R, R), 20_000, 4, |_| {});
}

/// The surface of a triangle fan around the origin with its rim on a circle of radius `size` at
/// height `rise`.
fn funnel(sides: u32, size: f64, rise: f64) -> TriangleMesh {
    let rim = (0..sides).map(|k| {
        let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / f64::from(sides)).sin_cos();
        to_vec3(&Point::new(size * cos, size * sin, rise))
    });
    let triangles = (0..sides).map(|k| [0, 1 + k, 1 + (k + 1) % sides]).collect();
    TriangleMesh { vertices: std::iter::once(Vec3::zeros()).chain(rim).collect(), triangles }
}

/// A motion along one side of a shallow hollow passed over the next side, and sank by another skin
/// at each.
#[test]
fn the_edges_of_a_shallow_hollow_are_not_sunk_into() {
    let r = f64::from(R);
    let skin = 1e-4 * r;
    let mut random = Random::new(5);
    let mut slid = 0;
    for _ in 0..20_000 {
        let size = r * 10f64.powf(random.number(-1.0, 1.5));
        let mesh = funnel(random.number(5.0, 40.0) as u32, size, 1e-3 * size);
        let solids = Solids::new(unit_box(), vec![], vec![mesh]).with_open_axes([true; 3]);
        let place = random.point(-0.8, 0.8) * size;
        let from = to_vec3(&Point::new(place.x, place.y, r + 1e-3 * size + 0.5 * skin));
        let down = from - Vec3::z() * (2e-3 * size) as Real;
        let from = sweep(&solids, &from, &down, &(down - from)).position;
        let way = random.direction() * random.number(0.1, 10.0) * size;
        let to = from + to_vec3(&Point::new(way.x, way.y, -0.01 * way.z.abs()));
        let contact = sweep(&solids, &from, &to, &(to - from));
        let sunk = f64::from(depth(&solids, &contact.position));
        let rounding = f64::from(Real::EPSILON * contact.position.amax());
        assert!(sunk <= skin + rounding, "{} skins deep", sunk / skin);
        slid += usize::from(contact.hits > 2);
    }
    assert!(slid > 500, "{slid} met several sides");
}

/// Freed from one side of a slot that is too narrow for it, a centre was left deeper in the other.
#[test]
fn a_slot_without_room_is_not_made_worse() {
    let r = f64::from(R);
    let skin = 1e-4 * r;
    let mut random = Random::new(6);
    for _ in 0..2000 {
        let narrow = random.number(0.0, 4.0) * skin;
        let plate = |z: f64| sheet(1, move |_, _| z as Real);
        let (low, high) = (0.5, 0.5 + 2.0 * r - narrow);
        let solids = Solids::new(unit_box(), vec![], vec![plate(low), plate(high)]);
        let z = random.number(low + r - narrow, low + r);
        let from = to_vec3(&Point::new(0.4, 0.5, z));
        let to = from + to_vec3(&(random.direction() * random.number(0.0, 10.0) * r));
        let (before, after) =
            (depth(&solids, &from), depth(&solids, &sweep(&solids, &from, &to, &to).position));
        let rounding = 2.0 * Real::EPSILON + 1e-5 * R;
        assert!(after <= before + rounding, "{} r deep, before {} r", after / R, before / R);
    }
}

/// Slides a particle under gravity over the floor of `solids`; returns the velocities' worst
/// relative change per step.
fn slide(solids: &Solids, height: Real) -> Real {
    let velocity = Vec3::new(0.9, 0.37, 0.0);
    let (dt, mut x, mut v) = (1e-4, Vec3::new(0.05, 0.06, height + 1.5 * R), velocity);
    let mut worst: Real = 0.0;
    let mut ways = 0.0;
    for step in 0..9000 {
        v.z -= 9.81 * dt;
        let to = x + v * dt;
        let contact = sweep(solids, &x, &to, &v);
        if step > 1000 {
            assert!(contact.hits > 0, "it lies on the floor");
            ways += (contact.position.xy() - x.xy()).norm();
            worst = worst.max((contact.velocity.xy() - v.xy()).norm() / v.xy().norm());
            assert!(contact.velocity.z.abs() < 1e-6);
        }
        (x, v) = (contact.position, contact.velocity);
    }
    assert!((ways / (7999.0 * dt * velocity.norm()) - 1.0).abs() < 1e-3, "it stuck: {ways}");
    worst
}

#[test]
fn sliding_on_a_wall_keeps_the_velocity_exactly() {
    assert_eq!(slide(&Solids::new(unit_box(), vec![], vec![]), 0.0), 0.0);
}

#[test]
fn sliding_over_the_inner_edges_of_a_sheet_keeps_the_velocity() {
    for n in [1, 7, 60] {
        let worst = slide(&Solids::new(unit_box(), vec![], vec![sheet(n, |_, _| 0.5)]), 0.5);
        assert!(worst < 1e-6, "{n}: {worst}");
    }
}

#[test]
fn exact_symmetry_is_no_special_case() {
    let solids = Solids::new(
        unit_box(),
        vec![sphere(0.25, 0.5, 0.25, 0.125), sphere(0.5, 0.5, 0.25, 0.125)],
        vec![],
    );
    let down = Vec3::new(0.0, 0.0, -0.5);
    // On the top of a sphere it stops; between two it stops in the saddle.
    for x in [0.25, 0.375] {
        let from = Vec3::new(x, 0.5, 0.75);
        let contact = sweep(&solids, &from, &(from + down), &down);
        assert_eq!(contact.position.xy(), from.xy());
        assert!(contact.velocity.norm() < 1e-6, "{}", contact.velocity);
        assert!(depth(&solids, &contact.position) <= TOLERANCE);
        assert!(contact.position.z < 0.4 && contact.hits >= 1);
        // And stays there.
        let again = sweep(&solids, &contact.position, &(contact.position + down), &down);
        assert!((again.position - contact.position).norm() < TOLERANCE);
    }
}

#[test]
fn free_motion_is_exact_and_rest_is_rest() {
    let solids = Solids::new(unit_box(), vec![sphere(0.5, 0.5, 0.5, 0.1)], vec![]);
    let (from, to) = (Vec3::new(0.1, 0.2, 0.3), Vec3::new(0.17, 0.9, 0.33));
    let v = Vec3::new(0.1, 0.7, 0.3);
    let free = Contact { position: to, velocity: v, hits: 0, penetration: 0.0 };
    assert_eq!(sweep(&solids, &from, &to, &v), free);
    let touching = Vec3::new(0.5, 0.5, 0.6 + R);
    let rest = sweep(&solids, &touching, &touching, &v);
    assert!((rest.position - touching).norm() < TOLERANCE && rest.velocity == v);
    // Away from a touched surface nothing is lost.
    let up = touching + Vec3::new(0.0, 0.01, 0.1);
    let contact = sweep(&solids, &touching, &up, &v);
    assert!((contact.position - up).norm() < TOLERANCE && contact.velocity == v);
}

#[test]
fn numbers_that_are_none_come_back_without_a_panic() {
    let solids =
        Solids::new(unit_box(), vec![sphere(0.5, 0.5, 0.5, 0.1)], vec![sheet(2, |x, _| x)]);
    let objects: Vec<u32> = (0..solids.object_count() as u32).collect();
    let good = Vec3::new(0.2, 0.2, 0.8);
    for bad in [Real::NAN, Real::INFINITY] {
        let bad = Vec3::new(bad, 0.1, 0.1);
        let moved = solids.sweep(&objects, &good, &bad, &bad, R, &mut SweepBuffer::default());
        assert!(!moved.position.x.is_finite() && !moved.velocity.x.is_finite(), "it stays seen");
        solids.sweep(&objects, &bad, &good, &bad, R, &mut SweepBuffer::default());
        let (union, table) = (UnionBoundary::new(&solids), PlaneTable::with_cubic_spline(0.1));
        solids.near(&objects, &bad, 0.1, &union, &table, &mut NearSolids::default());
        solids.penetration(&objects, &bad, R);
    }
}

#[test]
fn an_edge_in_the_air_is_met_and_passed() {
    // A blade: one triangle, hit edge on.
    let blade = TriangleMesh {
        vertices: vec![
            Vec3::new(0.5, 0.2, 0.5),
            Vec3::new(0.5, 0.8, 0.5),
            Vec3::new(0.5, 0.5, 0.1),
        ],
        triangles: vec![[0, 1, 2]],
    };
    let solids = Solids::new(unit_box(), vec![], vec![blade]);
    let fall = |x: Real| {
        let from = Vec3::new(x, 0.5, 0.9);
        let down = Vec3::new(0.0, 0.0, -0.8);
        sweep(&solids, &from, &(from + down), &down)
    };
    assert!((fall(0.5).position.z - 0.5 - R).abs() < TOLERANCE);
    let passed = fall(0.5 + 0.5 * R);
    assert!(passed.position.x >= 0.5 + R - TOLERANCE && passed.position.z < 0.45, "{passed:?}");
    assert_eq!(fall(0.5 + 1.1 * R).hits, 0);
}

#[test]
fn more_objects_than_needed_change_nothing() {
    let mut random = Random::new(6);
    let spheres = (0..30)
        .map(|_| Sphere { centre: to_vec3(&random.point(0.0, 1.0)), radius: 0.05 })
        .collect();
    let solids = Solids::new(unit_box(), spheres, vec![sheet(4, |x, _| 0.2 * x)]);
    let all: Vec<u32> = (0..solids.object_count() as u32).collect();
    for _ in 0..2000 {
        let from = to_vec3(&random.point(0.0, 1.0));
        if depth(&solids, &from) > 0.0 {
            continue;
        }
        let to = from + to_vec3(&(random.direction() * random.number(0.0, 0.3)));
        let v = to_vec3(&Point::new(1.0, 2.0, 3.0));
        assert_eq!(
            sweep(&solids, &from, &to, &v),
            solids.sweep(&all, &from, &to, &v, R, &mut SweepBuffer::default())
        );
    }
}
