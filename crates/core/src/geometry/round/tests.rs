//! Distances, boxes, volumes and chords against brute force.

use super::RoundSolid;
use crate::geometry::point::Point;
use crate::geometry::random::Random;
use std::f64::consts::TAU;

/// Cylinders, capsules, cones with and without a tip, thin and long ones.
fn solids(random: &mut Random, count: usize) -> Vec<RoundSolid> {
    let one = |k: usize| {
        let (from, to) = (random.point(-1.0, 1.0), random.point(-1.0, 1.0));
        let to = if k.is_multiple_of(5) { from + (to - from) * 0.02 } else { to };
        let [a, b] = [0, 1].map(|_| random.number(0.01, 0.8));
        match k % 4 {
            0 => RoundSolid::cylinder(from, to, a),
            1 => RoundSolid::capsule(from, to, a),
            2 => RoundSolid::cone(from, to, a, 0.0),
            _ => RoundSolid::cone(from, to, a, b),
        }
    };
    (0..count).map(one).collect()
}

/// Whether a place is inside, by the definition of each shape.
fn holds(solid: &RoundSolid, x: &Point) -> bool {
    let [start, end] = solid.axis_ends();
    let way = end - start;
    let part = (x - start).dot(&way) / way.norm_squared();
    match solid.meridian() {
        super::Meridian::Capsule { radius, .. } => {
            (start + way * part.clamp(0.0, 1.0) - x).norm() <= radius
        }
        super::Meridian::Frustum { radius, tip_radius, .. } => {
            let at = radius + (tip_radius - radius) * part;
            (0.0..=1.0).contains(&part) && (start + way * part - x).norm() <= at
        }
    }
}

/// Points spread over the surface, with their normals.
fn surface(solid: &RoundSolid, steps: u32) -> Vec<Point> {
    let [start, end] = solid.axis_ends();
    let (direction, length) = (*solid.direction(), (end - start).norm());
    let x = (0..3)
        .map(|a| Point::ith(a, 1.0))
        .min_by(|a, b| a.dot(&direction).abs().total_cmp(&b.dot(&direction).abs()));
    let u = x.map(|x| x.cross(&direction).normalize()).unwrap_or_else(Point::x);
    let v = direction.cross(&u);
    // The meridian (z, ρ).
    let mut meridian = Vec::new();
    for k in 0..=steps {
        let part = f64::from(k) / f64::from(steps);
        match solid.meridian() {
            super::Meridian::Capsule { radius, .. } => {
                let (sin, cos) = (part * 0.25 * TAU).sin_cos();
                meridian.push((-radius * sin, radius * cos));
                meridian.push((length + radius * sin, radius * cos));
                meridian.push((part * length, radius));
            }
            super::Meridian::Frustum { radius, tip_radius, .. } => {
                meridian.push((0.0, radius * part));
                meridian.push((length, tip_radius * part));
                meridian.push((part * length, radius + (tip_radius - radius) * part));
            }
        }
    }
    let around = (0..steps).map(|k| (f64::from(k) / f64::from(steps) * TAU).sin_cos());
    let around: Vec<_> = around.collect();
    let ring = |(z, rho): (f64, f64)| {
        let turned = around.iter().map(move |(sin, cos)| (u * *cos + v * *sin) * rho);
        turned.map(move |aside| start + direction * z + aside).collect::<Vec<_>>()
    };
    meridian.into_iter().flat_map(ring).collect()
}

#[test]
fn distances_are_those_of_a_dense_sample_outside_and_inside() {
    let mut random = Random::new(1);
    let (mut inside, mut outside) = (0, 0);
    for solid in solids(&mut random, 40) {
        let points = surface(&solid, 90);
        let [low, high] = solid.bounds();
        for k in 0..40 {
            let near = low + random.point(0.0, 1.0).component_mul(&(high - low));
            let x = if k % 2 == 0 { near } else { random.point(-1.6, 1.6) };
            let found = solid.nearest(&x);
            let least = points.iter().map(|p| (p - x).norm()).fold(f64::INFINITY, f64::min);
            // The sample's points are up to 0.06 apart.
            assert!(found.distance.abs() <= least + 1e-12, "{solid:?} {x} {found:?} {least}");
            assert!(least - found.distance.abs() < 0.045, "{solid:?} {x} {found:?} {least}");
            assert_eq!(found.distance <= 0.0, holds(&solid, &x), "{solid:?} {x}");
            *(if found.distance < 0.0 { &mut inside } else { &mut outside }) += 1;
        }
    }
    assert!(inside > 200 && outside > 600, "{inside} {outside}");
}

#[test]
fn the_nearest_point_lies_on_the_surface_along_the_normal() {
    let mut random = Random::new(2);
    for solid in solids(&mut random, 200) {
        for _ in 0..60 {
            let x = random.point(-1.6, 1.6);
            let found = solid.nearest(&x);
            assert!((found.normal.norm() - 1.0).abs() < 1e-12);
            assert!((found.point + found.normal * found.distance - x).norm() < 1e-12);
            assert!(solid.signed_distance(&found.point).abs() < 1e-12, "{solid:?} {x} {found:?}");
            // A convex solid is wholly behind the plane there.
            if found.distance > 0.0 {
                let rise = solid.support(&found.normal) - found.normal.dot(&found.point);
                assert!(rise.abs() < 1e-11, "{solid:?} {x} {rise}");
            }
        }
    }
}

#[test]
fn places_on_the_axis_at_rims_and_tips_have_unit_normals() {
    let (from, to) = (Point::new(0.3, -0.2, 0.1), Point::new(0.3, -0.2, 1.1));
    let all = [
        RoundSolid::cylinder(from, to, 0.25),
        RoundSolid::capsule(from, to, 0.25),
        RoundSolid::cone(from, to, 0.25, 0.0),
        RoundSolid::cone(from, to, 0.25, 0.5),
    ];
    for solid in all {
        for z in [-0.5, -0.25, 0.0, 0.2, 0.5, 1.0, 1.25, 2.0] {
            for rho in [0.0, 0.25, 0.5] {
                let found = solid.nearest(&(from + Point::new(rho, 0.0, z)));
                assert!((found.normal.norm() - 1.0).abs() < 1e-12, "{solid:?} {z} {rho}");
                assert!(found.distance.is_finite());
            }
        }
    }
    let tip = RoundSolid::cone(from, to, 0.25, 0.0).nearest(&(to + Point::z() * 0.1));
    assert!((tip.distance - 0.1).abs() < 1e-12 && (tip.normal - Point::z()).norm() < 1e-12);
    let rim = RoundSolid::cylinder(from, to, 0.25).nearest(&(from + Point::new(0.55, 0.0, -0.4)));
    assert!((rim.distance - 0.5).abs() < 1e-12, "{rim:?}");
    assert!((rim.normal - Point::new(0.6, 0.0, -0.8)).norm() < 1e-12, "{rim:?}");
}

#[test]
fn volumes_are_shares_of_random_points_and_boxes_hold_no_more_than_needed() {
    let mut random = Random::new(3);
    for solid in solids(&mut random, 24) {
        let [low, high] = solid.bounds();
        let extent = high - low;
        let count = 40_000;
        let place = |random: &mut Random| low + random.point(0.0, 1.0).component_mul(&extent);
        let held = (0..count).filter(|_| holds(&solid, &place(&mut random))).count();
        let share = held as f64 / f64::from(count);
        let expected = solid.volume() / extent.product();
        // Four standard deviations.
        let bound = 4.0 * (expected * (1.0 - expected) / f64::from(count)).sqrt();
        assert!((share - expected).abs() < bound, "{solid:?} {share} {expected}");
        let (mut least, mut most) = (Point::repeat(f64::INFINITY), Point::repeat(-f64::INFINITY));
        for point in surface(&solid, 90) {
            (least, most) = (least.inf(&point), most.sup(&point));
        }
        assert!((least - low).min() > -1e-12 && (high - most).min() > -1e-12);
        assert!((least - low).max() < 2e-3 && (high - most).max() < 2e-3, "{solid:?}");
        let rounded = solid.aabb();
        assert!((0..3).all(|a| f64::from(rounded.min[a]) <= low[a]));
        assert!((0..3).all(|a| f64::from(rounded.max[a]) >= high[a]));
    }
}

#[test]
fn chords_are_where_samples_of_the_line_are_inside() {
    let mut random = Random::new(4);
    let (mut hit, mut missed) = (0, 0);
    for (k, solid) in solids(&mut random, 120).into_iter().enumerate() {
        for j in 0..40 {
            let from = random.point(-1.6, 1.6);
            let mut way = random.point(-1.6, 1.6) - from;
            if j % 8 == 0 {
                way = *solid.direction() * if k % 2 == 0 { 2.0 } else { -2.0 };
            }
            let chord = solid.chord(&from, &way);
            for step in -60..=60 {
                let t = f64::from(step) * 0.05;
                let x = from + way * t;
                let distance = solid.signed_distance(&x);
                if distance.abs() < 1e-9 {
                    continue;
                }
                let is_in = chord.is_some_and(|(start, end)| (start..=end).contains(&t));
                assert_eq!(is_in, distance < 0.0, "{solid:?} {from} {way} {t} {chord:?}");
            }
            *(if chord.is_some() { &mut hit } else { &mut missed }) += 1;
            if let Some((start, end)) = chord.filter(|(start, end)| end - start > 1e-6) {
                for t in [start, end] {
                    let distance = solid.signed_distance(&(from + way * t));
                    assert!(distance.abs() < 1e-9, "{solid:?} {distance}");
                }
            }
        }
    }
    assert!(hit > 400 && missed > 400, "{hit} {missed}");
}

#[test]
fn moving_it_moves_its_nearest_points() {
    let mut random = Random::new(5);
    let turn = nalgebra::Rotation3::from_euler_angles(0.3, -1.1, 2.0).into_inner();
    let shift = Point::new(0.2, -3.0, 1.0);
    for solid in solids(&mut random, 40) {
        let moved = solid.moved(&turn, &shift);
        for _ in 0..20 {
            let x = random.point(-1.6, 1.6);
            let (before, after) = (solid.nearest(&x), moved.nearest(&(turn * x + shift)));
            assert!((before.distance - after.distance).abs() < 1e-12);
            assert!((turn * before.point + shift - after.point).norm() < 1e-11);
        }
    }
}
