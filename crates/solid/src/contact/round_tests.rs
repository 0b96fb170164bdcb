//! No motion gets a particle into or through a cylinder, a capsule or a cone.

use super::{SweepBuffer, sweep_box};
use crate::precision::{to_point, to_vec3};
use crate::{BodySpec, KinematicLaw, RoundSolid, Solids};
use hashfall_core::{Real, Vec3};
use hashfall_geometry::random::Random;
use hashfall_geometry::{Aabb, Point};

const R: f64 = 0.008;
/// What a centre may lie too deep: the skin, and rounding of places.
const TOLERANCE: f64 = 1e-3 * R;

fn domain() -> Aabb {
    Aabb::new(Vec3::repeat(-20.0), Vec3::repeat(20.0))
}

/// Solids from a hundredth of a particle to a hundred of them, thin, long and flat ones.
fn solid(random: &mut Random, k: usize) -> RoundSolid {
    let from = random.point(0.2, 0.8);
    let mut size = || R * 10f64.powf(random.number(-2.0, 1.6));
    let (length, a, b) = (size(), size(), size());
    let to = from + random.direction() * length;
    match k % 4 {
        0 => RoundSolid::cylinder(from, to, a),
        1 => RoundSolid::capsule(from, to, a),
        2 => RoundSolid::cone(from, to, a, 0.0),
        _ => RoundSolid::cone(from, to, a, b),
    }
}

/// Objects that overlap a box.
fn overlapping(solids: &Solids, query: &Aabb) -> Vec<u32> {
    let boxes = solids.object_boxes();
    (0..boxes.len() as u32).filter(|&id| boxes[id as usize].overlaps(query)).collect()
}

#[test]
fn motions_aimed_at_faces_rims_and_tips_stop_at_the_surface() {
    let mut random = Random::new(1);
    let (mut met, mut free) = (0, 0);
    for k in 0..6000 {
        let solid = solid(&mut random, k);
        let solids = Solids::new(domain(), vec![], vec![]).with_rounds(vec![solid]);
        // A place on the surface, and a way there, past it at a distance of about r, or from it.
        let [low, high] = solid.bounds();
        let somewhere = low + random.point(0.0, 1.0).component_mul(&(high - low));
        let [start, end] = solid.axis_ends();
        let aims = [somewhere, start, end, start + (end - start) * random.number(0.0, 1.0)];
        let aim = solid.nearest(&aims[k / 4 % 4]);
        let grazing = [0.0, R, R * (1.0 + 1e-7), R * 1.01, 2.0 * R][k / 16 % 5];
        let target = aim.point + aim.normal * grazing;
        let mut way = random.direction();
        if k % 3 == 0 {
            way = (way - aim.normal * way.dot(&aim.normal)).normalize();
        }
        let length = R * 10f64.powf(random.number(-1.0, 3.0));
        let mut from = target - way * (length * random.number(0.0, 1.0));
        let place = solid.nearest(&from);
        if place.distance < 1.001 * R {
            from = place.point + place.normal * (R * random.number(1.0005, 1.01));
        }
        let (from, to) = (to_vec3(&from), to_vec3(&(from + way * length)));
        let objects = overlapping(&solids, &sweep_box(&from, &to, R as Real));
        let (velocity, buffer) = ((to - from) * 100.0, &mut SweepBuffer::default());
        let found = solids.sweep(&objects, &from, &to, &velocity, R as Real, buffer);
        let left = solid.signed_distance(&to_point(&found.position));
        assert!(left > R - TOLERANCE, "{k} {solid:?} {from} {to}: {left}");
        assert!(found.velocity.norm() <= velocity.norm() * 1.000_01);
        // By brute force: how near the straight way comes.
        let straight = |part: f64| to_point(&from) + (to_point(&to) - to_point(&from)) * part;
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..200 {
            let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            let is_lower =
                solid.signed_distance(&straight(a)) < solid.signed_distance(&straight(b));
            (low, high) = if is_lower { (low, b) } else { (a, high) };
        }
        let nearest = solid.signed_distance(&straight(low));
        if nearest > R * 1.001 {
            assert_eq!((found.hits, found.position), (0, to), "{k} {solid:?} {from} {to}");
            free += 1;
        } else if nearest < R * 0.999 {
            assert!(found.hits > 0, "{k} {solid:?} {from} {to}: {nearest}");
            met += 1;
        }
    }
    assert!(met > 2000 && free > 1000, "{met} {free}");
}

#[test]
fn no_kick_leads_into_a_heap_of_them() {
    for seed in 0..6 {
        let mut random = Random::new(seed);
        let start = Point::new(0.5, 0.5, 0.5);
        let rounds: Vec<RoundSolid> = (0..80)
            .map(|k| solid(&mut random, k))
            .filter(|solid| solid.signed_distance(&start) > 0.02)
            .collect();
        let walls = Aabb::new(Vec3::zeros(), Vec3::repeat(1.0));
        let solids = Solids::new(walls, vec![], vec![]).with_rounds(rounds);
        let mut x = to_vec3(&start);
        for kick in 0..3000 {
            let length = 10f64.powf(random.number(-6.0, 0.5));
            let to = x + to_vec3(&(random.direction() * length));
            let objects = overlapping(&solids, &sweep_box(&x, &to, R as Real));
            let buffer = &mut SweepBuffer::default();
            x = solids.sweep(&objects, &x, &to, &(to - x), R as Real, buffer).position;
            let at = to_point(&x);
            let least = solids.rounds().iter().map(|solid| solid.signed_distance(&at));
            let least = least.fold(f64::INFINITY, f64::min);
            assert!(least > R - TOLERANCE, "{seed} {kick}: {least}");
        }
    }
}

#[test]
fn a_rod_that_turns_pushes_what_is_in_its_way_and_passes_over_nothing() {
    let rod = RoundSolid::cylinder(Point::zeros(), Point::x() * 0.5, 0.3 * R);
    let spec = BodySpec { rounds: 1, ..BodySpec::default() };
    // 60° in the second that is looked at.
    let law = KinematicLaw::spin([0.0; 3], [0.0, 0.0, 1.0], 10.0);
    let mut solids = Solids::new(domain(), vec![], vec![])
        .with_rounds(vec![rod])
        .with_bodies(&[spec])
        .with_kinematic_laws(vec![Some(law)]);
    let mut random = Random::new(3);
    let mut places: Vec<Vec3> = Vec::new();
    while places.len() < 200 {
        let x = Point::new(random.number(0.05, 0.45), random.number(0.0, 0.4), 0.0);
        if rod.signed_distance(&x) > R {
            places.push(to_vec3(&x));
        }
    }
    let all = [0];
    for step in 1..=20 {
        solids.begin_step(f64::from(step) * 0.05, 0.05);
        solids.move_bodies();
        for x in &mut places {
            let (at, lack) = solids.push_out(&all, x, R as Real, &mut SweepBuffer::default());
            assert_eq!(lack, 0.0);
            *x = at;
            let left = solids.rounds()[0].signed_distance(&to_point(x));
            assert!(left > R - TOLERANCE, "{step} {x}: {left}");
            // In front of it: the rod has swept all that is behind.
            let degrees = 3.0 * f64::from(step);
            let across = Point::new(-degrees.to_radians().sin(), degrees.to_radians().cos(), 0.0);
            let reach = to_point(x).norm();
            assert!(across.dot(&to_point(x)) > 0.0 || reach > 0.5, "{step} {x}");
        }
        solids.end_step();
    }
}
