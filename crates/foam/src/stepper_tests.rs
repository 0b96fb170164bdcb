//! Whole computations: same bits for any threads and after a stop, and nothing in solids.

use crate::*;
use hashfall_core::parallel::with_threads;
use hashfall_core::{Dimension, Real, Vec3, to_f64, vec3};
use hashfall_geometry::shape::{box_mesh, sphere_mesh};
use hashfall_geometry::{Aabb, Point};
use hashfall_solid::{BodyState, KinematicLaw, Solids, Sphere};

const D: Real = 0.03;
const H: Real = 2.0 * D;
const RATE: f64 = 50.0;

/// Two blocks that run into each other at 4 m/s, at last through each other.
fn fluid(number: u32) -> FluidFrame {
    let time = f64::from(number) / RATE;
    let particle = |i: u32| {
        let [a, b, c] = [i % 20, i / 20 % 10, i / 200].map(|k| k as Real + 0.5);
        let side: Real = if a < 10.0 { 1.0 } else { -1.0 };
        let x = Vec3::new(0.1 + a * D - 0.05 * side, 0.35 + b * D, c * D);
        let v = Vec3::new(2.0 * side, 0.1 * b, -0.2 * side);
        (i, x + v * time as Real, v)
    };
    let all: Vec<_> = (0..20 * 10 * 10).map(particle).collect();
    let of = |pick: fn(&(u32, Vec3, Vec3)) -> Vec3| all.iter().map(pick).collect();
    let ids = all.iter().map(|it| it.0).collect();
    FluidFrame::new(time, ids, of(|it| it.1), of(|it| it.2)).unwrap()
}

fn frame(number: u32) -> RunFrame {
    RunFrame { number, fluid: fluid(number), bodies: FrameBodies::default() }
}

/// The first body in a state.
fn driven(state: BodyState) -> FrameBodies {
    FrameBodies { driven: vec![(1, state)], deforming: Vec::new() }
}

fn domain() -> Aabb {
    Aabb::new(Vec3::zeros(), Vec3::new(0.9, 1.0, 1.0))
}

fn ball() -> Sphere {
    Sphere { centre: Vec3::new(0.4, 0.5, 0.2), radius: 0.1 }
}

fn gravity(_time: f64) -> Acceleration<'static> {
    Box::new(|_, _| Vec3::z() * -9.81)
}

/// What is above the middle is removed; fluid that emits comes there.
fn drain() -> Region {
    Region { min: [0.0, 0.0, 0.5], max: [0.9, 1.0, 0.9] }
}

fn is_in(region: &Region, x: &Vec3) -> bool {
    region.contains(&to_f64(x))
}

/// Rates of a few particles.
fn settings() -> FoamSettings {
    let source = Source { rate: 200.0, limits: None };
    FoamSettings { trapped_air: source, wave_crest: source, ..FoamSettings::default() }
}

fn stepper(solids: Solids, start: RunFrame, diffuse: Diffuse) -> FoamStepper<'static> {
    let scene = FoamScene {
        resolution: Resolution { dimension: Dimension::Three, spacing: D, support_radius: H },
        solids,
        periodic: [false; 3],
        gravity: 9.81,
        forces: &gravity,
        drain_boxes: vec![drain()],
        drain_balls: vec![],
        emitters: vec![],
    };
    let limits = Limits {
        trapped_air: [0.5, 2.0],
        wave_crest: [0.05, 0.2],
        energy: [0.2, 1.0],
        vorticity: [5.0, 20.0],
    };
    let lifetime = Some((0.05, 0.3));
    let ages = Ageing { bubbles: true, ..Ageing::default() };
    let settings = FoamSettings { lifetime, ages, ..settings() };
    FoamStepper::new(scene, settings, limits, start, diffuse).unwrap()
}

fn standing() -> Solids {
    Solids::new(domain(), vec![ball()], vec![])
}

/// The least distance of a diffuse particle from balls and walls, in its radius.
fn clearance(diffuse: &Diffuse, ball: &Sphere) -> Real {
    let gaps = diffuse.positions.iter().zip(&diffuse.radii).map(|(x, radius)| {
        let to_walls = (x - domain().min).inf(&(domain().max - x)).min();
        to_walls.min((x - ball.centre).norm() - ball.radius) / radius
    });
    gaps.fold(Real::INFINITY, Real::min)
}

#[test]
fn bits_are_the_same_for_any_thread_count_and_after_a_stop() {
    let all = |threads: usize| {
        with_threads(threads, || {
            let mut stepper = stepper(standing(), frame(0), Diffuse::default());
            let mut found = Vec::new();
            for number in 1..7 {
                stepper.advance(frame(number)).unwrap();
                found.push(stepper.diffuse().clone());
            }
            found
        })
    };
    let one = all(1);
    let counts: Vec<usize> = one.iter().map(Diffuse::len).collect();
    assert!(counts[5] > 500, "{counts:?}");
    assert!(one[5].next_id as usize > one[5].len(), "some are gone");
    assert_eq!((all(2), all(5)), (one.clone(), one.clone()));
    // Read back, where all numbers are as they were.
    let mut stepper = stepper(standing(), frame(3), one[2].clone());
    for number in 4..7 {
        stepper.advance(frame(number)).unwrap();
        assert_eq!(*stepper.diffuse(), one[number as usize - 1]);
    }
}

#[test]
fn fluid_that_runs_through_a_ball_leaves_nothing_in_it() {
    let mut stepper = stepper(standing(), frame(0), Diffuse::default());
    for number in 1..8 {
        stepper.advance(frame(number)).unwrap();
        let diffuse = stepper.diffuse();
        assert!(diffuse.is_sound());
        let least = clearance(diffuse, &ball());
        assert!(least > 0.99, "frame {number}: {least}");
        assert!(!diffuse.positions.iter().any(|x| is_in(&drain(), x)), "frame {number}");
    }
    let counts = stepper.diffuse().counts();
    assert!(counts[1] > 100 && counts[2] > 100, "{counts:?}");
}

#[test]
fn a_ball_that_flies_and_turns_through_the_foam_leaves_nothing_in_it() {
    let state = |number: u32| {
        let velocity = Point::new(0.0, -3.0, 0.5);
        let start = BodyState {
            velocity,
            angular_velocity: Point::new(5.0, 0.0, 9.0),
            ..BodyState::at_rest(Point::new(0.4, 0.8, 0.15))
        };
        start.advanced(f64::from(number) / RATE)
    };
    let with_body = |number: u32| RunFrame { bodies: driven(state(number)), ..frame(number) };
    // Off its centre, so that turning moves it.
    let ball = Sphere { centre: Vec3::new(0.42, 0.8, 0.15), radius: 0.1 };
    let law = KinematicLaw::driven([0.4, 0.8, 0.15]);
    let solids = Solids::new(domain(), vec![ball], vec![]).with_kinematic_laws(vec![Some(law)]);
    let mut stepper = stepper(solids.clone(), with_body(0), Diffuse::default());
    let (mut placed, mut nearest) = (solids, Real::INFINITY);
    for number in 1..9 {
        stepper.advance(with_body(number)).unwrap();
        placed.set_body_state(1, state(number)).unwrap();
        let least = clearance(stepper.diffuse(), &placed.spheres()[0]);
        assert!(least > 0.99, "frame {number}: {least}");
        nearest = nearest.min(least);
    }
    assert!(nearest < 1.1, "some were pushed: {nearest}");
}

#[test]
fn a_mesh_that_flies_through_the_fluid_leaves_nothing_in_it() {
    // Triangles tell no inside: what comes in stays in, and what is emitted at its tail might.
    let mesh = sphere_mesh(&Vec3::new(0.4, 0.8, 0.15), 0.1, 3);
    let velocity = Point::new(0.0, -3.0, 0.5);
    let at = |number: u32| {
        let centre = Point::new(0.4, 0.8, 0.15);
        let start = BodyState { velocity, ..BodyState::at_rest(centre) };
        start.advanced(f64::from(number) / RATE)
    };
    let with_body = |number: u32| RunFrame { bodies: driven(at(number)), ..frame(number) };
    let law = KinematicLaw::driven([0.4, 0.8, 0.15]);
    let solids = Solids::new(domain(), vec![], vec![mesh]).with_kinematic_laws(vec![Some(law)]);
    let mut stepper = stepper(solids, with_body(0), Diffuse::default());
    for number in 1..9 {
        stepper.advance(with_body(number)).unwrap();
        let centre = vec3(at(number).position.into());
        // A mesh of flat faces lies within this of its ball.
        let least = clearance(stepper.diffuse(), &Sphere { centre, radius: 0.99 * 0.1 });
        assert!(least > 0.9, "frame {number}: {least}");
    }
    assert!(stepper.diffuse().len() > 500);
}

#[test]
fn a_thin_plate_that_spins_in_the_fluid_leaves_nothing_in_it() {
    // Thinner than a particle of the fluid, with corners and a tail all along it.
    let plate = Aabb::new(Vec3::new(0.15, 0.49, -0.05), Vec3::new(0.75, 0.51, 0.25));
    let centre = Point::new(0.45, 0.5, 0.1);
    let at = |number: u32| {
        let angular_velocity = Point::new(0.0, 0.0, 12.0);
        let start = BodyState { angular_velocity, ..BodyState::at_rest(centre) };
        start.advanced(f64::from(number) / RATE)
    };
    let with_body = |number: u32| RunFrame { bodies: driven(at(number)), ..frame(number) };
    let law = KinematicLaw::driven([0.45, 0.5, 0.1]);
    let mesh = box_mesh(&plate);
    let solids = Solids::new(domain(), vec![], vec![mesh]).with_kinematic_laws(vec![Some(law)]);
    let mut stepper = stepper(solids, with_body(0), Diffuse::default());
    let (mut nearest, mut new) = (f64::INFINITY, 0);
    for number in 1..9 {
        stepper.advance(with_body(number)).unwrap();
        let diffuse = stepper.diffuse();
        let turn = at(number).orientation.matrix();
        for (x, radius) in diffuse.positions.iter().zip(&diffuse.radii) {
            let x: Point = turn.transpose() * (Point::from(to_f64(x)) - centre) + centre;
            let beyond = |a: usize| {
                (f64::from(plate.min[a]) - x[a]).max(x[a] - f64::from(plate.max[a])).max(0.0)
            };
            let gap = (0..3).map(|a| beyond(a) * beyond(a)).sum::<f64>().sqrt();
            nearest = nearest.min(gap / f64::from(*radius));
        }
        new += diffuse.ages.iter().filter(|age| **age == 0.0).count();
    }
    assert!(nearest > 0.9, "{nearest}");
    assert!(new > 100 && stepper.diffuse().len() > 500, "{new}");
    assert!(nearest < 1.1, "some were pushed: {nearest}");
}

#[test]
fn a_ball_that_swells_among_the_foam_leaves_nothing_in_it() {
    let mesh = sphere_mesh(&Vec3::new(0.42, 0.5, 0.18), 0.08, 3);
    let centre = Point::new(0.42, 0.5, 0.18);
    // From 8 to 16 cm in eight frames.
    let swollen = |number: u32| {
        let size = 1.0 + 0.125 * f64::from(number);
        let at = |x: &Vec3| Point::from(to_f64(x)) - centre;
        let places = mesh.vertices.iter().map(|x| centre + at(x) * size).collect();
        let velocities = mesh.vertices.iter().map(|x| at(x) * (0.125 * RATE)).collect();
        let bodies = FrameBodies { driven: vec![], deforming: vec![[places, velocities]] };
        RunFrame { bodies, ..frame(number) }
    };
    let solids = Solids::new(domain(), vec![], vec![mesh.clone()]).with_deforming(&[true]);
    let mut stepper = stepper(solids, swollen(0), Diffuse::default());
    for number in 1..9 {
        stepper.advance(swollen(number)).unwrap();
        // A mesh of flat faces lies within this of its ball.
        let radius = 0.99 * 0.08 * (1.0 + 0.125 * number as Real);
        let ball = Sphere { centre: Vec3::new(0.42, 0.5, 0.18), radius };
        let least = clearance(stepper.diffuse(), &ball);
        assert!(least > 0.9, "frame {number}: {least}");
    }
    assert!(stepper.diffuse().len() > 300);
}

#[test]
fn a_body_that_the_scene_has_not_is_refused() {
    let wrong = RunFrame { bodies: driven(BodyState::at_rest(Point::zeros())), ..frame(1) };
    let mut stepper = stepper(standing(), frame(0), Diffuse::default());
    assert!(stepper.advance(wrong).is_err());
}

#[test]
fn regions_and_named_solids_bound_emission_and_lifetimes_end() {
    let region = Region { min: [0.0; 3], max: [1.0, 0.5, 1.0] };
    let bounded = FoamSettings {
        emit_in: vec![region],
        lifetime: Some((0.01, 0.02)),
        ages: Ageing { spray: true, foam: true, bubbles: true },
        ..settings()
    };
    let mut with = stepper(standing(), frame(0), Diffuse::default());
    with.change_settings(bounded);
    let mut near = stepper(standing(), frame(0), Diffuse::default());
    near.change_settings(FoamSettings { lifetime: None, ..settings() });
    near.emit_from(vec![1]);
    for number in 1..5 {
        with.advance(frame(number)).unwrap();
        near.advance(frame(number)).unwrap();
    }
    let diffuse = with.diffuse();
    assert!(diffuse.len() > 50, "{}", diffuse.len());
    // Of age 0 are those that are where they were emitted.
    let new = || diffuse.positions.iter().zip(&diffuse.ages).filter(|(_, age)| **age == 0.0);
    assert!(new().count() > 20 && new().all(|(x, _)| is_in(&region, x)));
    assert!(new().any(|(x, _)| x.y > 0.49), "up to the face");
    assert!(diffuse.ages.iter().all(|age| *age < 0.021));
    let diffuse = near.diffuse();
    assert!(diffuse.len() > 50 && diffuse.ages.iter().any(|age| *age > 0.03));
    let far = |x: &&Vec3| (*x - ball().centre).norm() > ball().radius + 3.0 * H;
    assert_eq!(diffuse.positions.iter().filter(far).count(), 0);
}
