//! Films beneath bodies: what they do to bodies that lie on something, and harmonic functions.

use crate::step::bodies::film::{Film, SampleGraph, Surface};
use crate::step::bodies::lab::{run, state, stepper, tank};
use crate::world::World;
use hashfall_geometry::Point;
use nalgebra::Vector3;

/// Of particles \[m\].
const SPACING: f64 = 0.05;

/// A block of 0.5 × 0.5 × 0.3 m at this height in water 0.7 m deep.
fn block(height: f64, density: f64) -> World {
    let half = [0.25, 0.25, 0.15];
    tank(SPACING, [1.5; 3], 0.7, &[([0.75, 0.75, height + half[2]], half, density)])
}

/// How far it has risen at these times \[s\], and its speeds.
fn rise(mut world: World, times: &[f64]) -> Vec<[f64; 2]> {
    let start = state(&world, 1).position.z;
    let mut stepper = stepper(&mut world);
    let at = |time: &f64| {
        run(&mut world, &mut stepper, 4e-3, *time);
        let it = state(&world, 1);
        assert!((it.orientation.matrix()[(2, 2)] - 1.0).abs() < 1e-3, "it tilts: {it:?}");
        [it.position.z - start, it.velocity.z]
    };
    times.iter().map(at).collect()
}

/// The rises and speeds of a block on the floor over those of one a spacing above it, at the start
/// and later.
fn ratios() -> [[f64; 2]; 2] {
    let times = [0.05, 0.4];
    let [flush, above] = [0.0, SPACING].map(|height| rise(block(height, 800.0), &times));
    [0, 1].map(|k| [flush[k][0] / above[k][0], flush[k][1] / above[k][1]])
}

#[test]
#[ignore = "misses its goal of 0.8: 0.79; 0.85 before pressures were smoothed for both half kicks"]
fn a_light_block_that_lies_on_the_floor_rises_as_far_as_one_above_it() {
    let [_, [rise, _]] = ratios();
    assert!((0.8..1.2).contains(&rise), "{rise}");
}

#[test]
#[ignore = "misses its goal of 1.15: 1.19, and 1.24 in double precision"]
fn a_light_block_that_lies_on_the_floor_starts_as_one_above_it() {
    // The start against inertia: of the block, and of the water that flows in below.
    let [[_, speed], _] = ratios();
    assert!((0.85..1.15).contains(&speed), "{speed}");
}

#[test]
fn a_heavy_block_presses_on_the_floor_with_what_the_water_does_not_carry() {
    let mut world = block(0.0, 1500.0);
    let mut stepper = stepper(&mut world);
    run(&mut world, &mut stepper, 4e-3, 0.2);
    let force: Vector3<f64> =
        world.rigid.iter().flat_map(|it| it.contacts()).map(|(_, force)| force).sum();
    let expected = 500.0 * 0.5 * 0.5 * 0.3 * 9.81;
    assert!((force.z.abs() / expected - 1.0).abs() < 0.02, "{force} {expected}");
    assert!(state(&world, 1).velocity.norm() < 1e-3);
}

#[test]
fn a_light_block_leaves_the_block_it_lies_on_as_one_above_it() {
    let [flush, above] = [0.0, SPACING].map(|gap| {
        let lower = ([0.75, 0.75, 0.1], [0.25, 0.25, 0.1], 0.0);
        let upper = ([0.75, 0.75, 0.3 + gap], [0.25, 0.25, 0.1], 700.0);
        let mut world = tank(SPACING, [1.5; 3], 0.7, &[lower, upper]);
        let mut stepper = stepper(&mut world);
        run(&mut world, &mut stepper, 4e-3, 0.4);
        state(&world, 2).position.z - upper.0[2]
    });
    assert!((0.75..1.25).contains(&(flush / above)), "{flush} {above}");
}

/// A face of n × n samples on a floor, and one row of samples on the sides around it: places and
/// normals; which are on the sides.
fn face(n: usize) -> (Vec<Point>, Vec<Point>, Vec<bool>) {
    let (mut places, mut normals) = (Vec::new(), Vec::new());
    let at = |k: usize| k as f64 + 0.5;
    for k in 0..n {
        for l in 0..n {
            places.push(Point::new(at(k), at(l), 0.0));
            normals.push(-Point::z());
        }
        let end = n as f64;
        let sides = [
            ([at(k), 0.0], -Point::y()),
            ([at(k), end], Point::y()),
            ([0.0, at(k)], -Point::x()),
            ([end, at(k)], Point::x()),
        ];
        for ([x, y], normal) in sides {
            places.push(Point::new(x, y, 0.5));
            normals.push(normal);
        }
    }
    let is_side = places.iter().map(|x| x.z > 0.0).collect();
    (places, normals, is_side)
}

/// The film beneath a face whose sides are wet where `is_wet` says so.
fn film(n: usize, is_wet: impl Fn(&Point) -> bool) -> (Option<Film>, Vec<Point>) {
    let (places, normals, is_side) = face(n);
    let graph = SampleGraph::new(&places, &normals, 1.5);
    let sizes = vec![1.0; places.len()];
    let surface = Surface { graph: &graph, places: &places, normals: &normals, sizes: &sizes };
    let film = surface.film(|k| is_side[k] && is_wet(&places[k]), |k| !is_side[k]);
    (film, places)
}

/// The largest error of a film with a harmonic pressure at its rim, over the largest pressure.
fn error(n: usize, pressure: impl Fn(f64, f64) -> f64) -> f64 {
    let (film, places) = film(n, |_| true);
    let film = film.unwrap();
    let middle = 0.5 * n as f64;
    let at = |x: &Point| pressure(x.x / middle - 1.0, x.y / middle - 1.0);
    let found = film.pressures(film.rim.iter().map(|link| at(&link.foot)).collect::<Vec<_>>());
    assert_eq!(found.len(), n * n);
    let errors = found.iter().map(|(sample, p)| (p - at(&places[*sample])).abs());
    errors.fold(0.0, f64::max) / pressure(1.0, 0.0).abs()
}

#[test]
fn films_are_harmonic() {
    assert!(error(12, |_, _| 2.0) < 1e-5);
    let linear = error(12, |x, y| 1.0 + x - 0.5 * y);
    assert!(linear < 0.02, "{linear}");
    let [coarse, fine] = [8, 24].map(|n| error(n, |x, y| x * x - y * y));
    assert!(fine < 0.5 * coarse && fine < 0.05, "{coarse} {fine}");
}

#[test]
fn a_film_ends_where_it_is_dry() {
    assert!(film(8, |_| false).0.is_none());
    // Water at one side alone: as between plates, the middle has a quarter of its pressure.
    let (film, places) = film(15, |x| x.x == 0.0);
    let film = film.unwrap();
    let found = film.pressures(film.rim.iter().map(|_| 1.0).collect::<Vec<_>>());
    assert!(found.iter().all(|(_, p)| (0.0..=1.0).contains(p)));
    let middle = found.iter().find(|(k, _)| places[*k] == Point::new(7.5, 7.5, 0.0));
    assert!((middle.unwrap().1 - 0.25).abs() < 0.01, "{middle:?}");
}

#[test]
fn what_a_film_gives_to_the_rim_is_the_adjoint_of_what_it_takes() {
    let (film, places) = film(9, |x| x.x < 6.0);
    let film = film.unwrap();
    let factor = |k: usize| (places[k].x * 1.7 + places[k].y * places[k].y).sin();
    let at_rim: Vec<f64> = (0..film.rim.len()).map(|k| (k as f64 * 0.7).cos()).collect();
    let found = film.pressures(at_rim.iter().copied());
    let sum: f64 = found.iter().map(|(k, p)| factor(*k) * p).sum();
    // Beside others, of which one is solved at once and one takes longer.
    let factors = |k: usize| [0.0, factor(k), places[k].x, 1.0];
    let adjoint: f64 = film.adjoint(factors).iter().zip(&at_rim).map(|(row, p)| row[1] * p).sum();
    let alone = film.adjoint(|k| [factor(k)]);
    assert!(film.adjoint(factors).iter().zip(alone).all(|(row, [one])| row[1] == one));
    assert!((sum - adjoint).abs() < 1e-4 * sum.abs(), "{sum} {adjoint}");
}
