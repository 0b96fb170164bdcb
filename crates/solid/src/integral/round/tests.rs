//! Tables of solids of revolution against rays, and against the kernel itself.

use super::table::RoundTables;
use crate::integral::layers::SolidLayers;
use crate::integral::plane_table::PlaneTable;
use hashfall_core::kernel::{Kernel, KernelKind};
use hashfall_core::{Dimension, Real};
use hashfall_geometry::random::Random;
use hashfall_geometry::{Point, RoundSolid};
use std::f64::consts::TAU;

const H: f64 = 0.04;
const D: f64 = 0.5 * H;
const RAYS: usize = 20_000;

/// Round solids somewhere, by their measures in spacings.
fn solids() -> Vec<(&'static str, RoundSolid, bool)> {
    let from = Point::new(0.3, -0.2, 0.4);
    let to = |length: f64| from + Point::new(0.36, 0.48, 0.8) * (length * D);
    let cone = |length, a: f64, b: f64| RoundSolid::cone(from, to(length), a * D, b * D);
    let capsule = |length, radius: f64| RoundSolid::capsule(from, to(length), radius * D);
    vec![
        ("cylinder", cone(12.0, 4.0, 4.0), false),
        ("flat cylinder", cone(1.7, 6.0, 6.0), false),
        ("rod", cone(9.0, 1.0, 1.0), false),
        ("capsule", capsule(8.0, 3.0), false),
        ("short capsule", capsule(0.7, 0.9), false),
        ("cone", cone(9.0, 5.0, 0.0), false),
        ("steep cone", cone(4.4, 9.0, 0.0), false),
        ("frustum", cone(4.0, 1.5, 6.0), false),
        ("long pipe", cone(300.0, 40.0, 40.0), false),
        ("thin rod", cone(9.0, 0.15, 0.15), true),
        ("disc", cone(0.1, 6.0, 6.0), true),
        ("wire", capsule(12.0, 0.1), true),
        ("thin capsule", capsule(4.0, 0.7), true),
        ("needle", cone(9.0, 0.6, 0.0), true),
    ]
}

fn tables(spacing: f64, solids: &[RoundSolid]) -> (PlaneTable, RoundTables) {
    let kernel = Kernel::new(KernelKind::CubicSpline, Dimension::Three, H as Real);
    let layers = SolidLayers::new(kernel, spacing as Real);
    let table = PlaneTable::new(&layers);
    let rounds = RoundTables::new(&layers, &table, solids);
    (table, rounds)
}

/// λ by brute force: along rays, from where each enters the solid to where it leaves, or without
/// end.
fn by_rays(table: &PlaneTable, solid: &RoundSolid, is_opaque: bool, x: &Point) -> f64 {
    let beyond = |r: f64| {
        let [value, slope] = table.at(r);
        (value - r * slope) / TAU
    };
    let along = |k: usize| {
        let height = 1.0 - (2 * k + 1) as f64 / RAYS as f64;
        let (sin, cos) = (k as f64 * TAU * 0.381_966_011_250_105).sin_cos();
        let flat = (1.0 - height * height).sqrt();
        let ray = Point::new(flat * cos, flat * sin, height);
        let chord = solid.chord(x, &ray).filter(|(first, _)| *first > 0.0);
        chord
            .map_or(0.0, |(first, last)| beyond(first) - if is_opaque { 0.0 } else { beyond(last) })
    };
    (0..RAYS).map(along).sum::<f64>() * 2.0 * TAU / RAYS as f64
}

/// A place at a distance from the surface.
fn outside(random: &mut Random, solid: &RoundSolid, distance: [f64; 2]) -> Point {
    let [low, high] = solid.bounds();
    loop {
        let margin = Point::repeat(H);
        let extent = high - low + margin * 2.0;
        let x = low - margin + random.point(0.0, 1.0).component_mul(&extent);
        // Half of them near the ends of the axis, where corners are.
        let [start, end] = solid.axis_ends();
        let reach = 6.0 * D;
        let near = if random.number(0.0, 1.0) < 0.5 { start } else { end };
        let x = match random.number(0.0, 1.0) < 0.5 {
            true => x,
            false => near + random.point(-reach, reach),
        };
        let found = solid.nearest(&x);
        if found.distance.abs() < 4.0 * H {
            return found.point + found.normal * random.number(distance[0], distance[1]);
        }
    }
}

#[test]
fn it_is_what_rays_find() {
    let mut random = Random::new(5);
    let mut largest = (0.0_f64, "");
    for (name, solid, is_opaque) in solids() {
        let started = std::time::Instant::now();
        let (table, rounds) = tables(D, &[solid]);
        let took = started.elapsed();
        assert_eq!(rounds.of(0).is_opaque, is_opaque, "{name}");
        let (mut most, mut most_of_all) = (0.0_f64, 0.0_f64);
        for _ in 0..40 {
            let x = outside(&mut random, &solid, [0.2 * H, 0.7 * H]);
            let found = f64::from(rounds.of(0).part(&solid, &x).fraction);
            let expected = by_rays(&table, &solid, is_opaque, &x);
            most = most.max((found - expected).abs());
            most_of_all = most_of_all.max(expected);
        }
        println!("{name}: {most:.1e} of {most_of_all:.2}, {took:.1?}");
        largest = if most > largest.0 { (most, name) } else { largest };
    }
    // What so few rays leave out.
    assert!(largest.0 < 8e-4, "{largest:?}");
}

#[test]
fn of_fine_layers_it_is_the_kernel_over_the_solid() {
    // Points spread evenly in the unit ball (Roberts' R₃ sequence), with their part of the kernel.
    let kernel = Kernel::new(KernelKind::CubicSpline, Dimension::Three, 1.0);
    let (n, g) = (200_000, 1.220_744_084_605_759_6_f64);
    let steps = Point::new(1.0 / g, 1.0 / (g * g), 1.0 / (g * g * g));
    let samples: Vec<(Point, f64)> = (1..=n)
        .map(|k| (steps * f64::from(k)).map(|c| 2.0 * c.fract() - 1.0))
        .filter(|p| p.norm() < 1.0)
        .map(|p| (p * H, f64::from(kernel.value(p.norm() as Real)) * 8.0 / f64::from(n)))
        .collect();
    let mut random = Random::new(8);
    for (name, solid, _) in
        solids().into_iter().filter(|(.., is_opaque)| !is_opaque).skip(3).step_by(4).take(2)
    {
        let (_, rounds) = tables(0.05 * H, &[solid]);
        for _ in 0..10 {
            let x = outside(&mut random, &solid, [0.2 * H, 0.8 * H]);
            let found = f64::from(rounds.of(0).part(&solid, &x).fraction);
            let inside = samples.iter().filter(|(p, _)| solid.contains(&(p + x)));
            let expected: f64 = inside.map(|(_, w)| w).sum();
            assert!((found - expected).abs() < 1.5e-3, "{name} {x}: {found} {expected}");
        }
    }
}

#[test]
fn the_gradient_is_the_derivative_and_goes_on_from_patch_to_patch() {
    let (mut random, step) = (Random::new(6), 2e-3 * H);
    for (name, solid, _) in solids() {
        let (_, rounds) = tables(D, &[solid]);
        let part = |x: &Point| rounds.of(0).part(&solid, x);
        for _ in 0..200 {
            let x = outside(&mut random, &solid, [0.2 * H, 0.7 * H]);
            let found = part(&x).gradient;
            for axis in 0..3 {
                let way = Point::ith(axis, step);
                let [ahead, behind] = [x + way, x - way].map(|x| f64::from(part(&x).fraction));
                let slope = (ahead - behind) / (2.0 * step);
                let error = (slope - f64::from(found[axis])) * H;
                assert!(error.abs() < 5e-3, "{name} {x} {axis}: {error}");
            }
        }
    }
}

#[test]
fn near_a_large_solid_and_inside_of_it_it_is_a_plane() {
    let far = Point::new(0.0, 0.0, -80.0);
    let solid = RoundSolid::cylinder(far, Point::zeros(), 40.0);
    let kernel = Kernel::new(KernelKind::CubicSpline, Dimension::Three, H as Real);
    let layers = SolidLayers::new(kernel, D as Real);
    let (_, rounds) = tables(D, &[solid]);
    for k in -20..60 {
        let distance = f64::from(k) * 0.02 * H;
        let plane = layers.sums(distance as Real, 0.0);
        let x = Point::new(3.0, 1.0, distance);
        let found = rounds.of(0).part(&solid, &x);
        assert!((found.fraction - plane.fraction).abs() < 1e-5, "{k}: {found:?} {plane:?}");
        let slope = found.gradient.z - plane.slope;
        assert!(f64::from(slope.abs()) * H < 1e-3, "{k}: {found:?} {plane:?}");
    }
}
