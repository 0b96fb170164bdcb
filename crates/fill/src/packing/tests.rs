//! Packings of simple regions: exact counts, clear of the boundary, even, and the same on any
//! number of threads.

use super::cells::SignedDistance;
use super::relax::Relaxation;
use super::surroundings::Surroundings;
use super::*;
use hashfall_core::parallel::with_threads;
use hashfall_core::{Dimension, Real};
use std::f64::consts::PI;

/// A region, and its volume.
struct Shape {
    name: &'static str,
    bounds: [[f64; 3]; 2],
    volume: f64,
    distance: Box<SignedDistance<'static>>,
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// A ball, a pipe, a box and a torus whose least radius is `r`.
fn shapes(r: f64) -> Vec<Shape> {
    let length = 1.7 * r;
    let half = [1.07 * r, 0.8 * r, 0.62 * r];
    let big = 3.0 * r;
    let reach = big + r;
    let cuboid = move |x: &[f64; 3], _: f64| {
        (0..3).map(|a| x[a].abs() - half[a]).fold(f64::NEG_INFINITY, f64::max)
    };
    let shape = |name, high: [f64; 3], volume, distance| Shape {
        name,
        bounds: [high.map(|x| -x), high],
        volume,
        distance,
    };
    vec![
        shape(
            "ball",
            [r; 3],
            4.0 / 3.0 * PI * r.powi(3),
            Box::new(move |x: &[f64; 3], _: f64| norm(x) - r) as Box<SignedDistance>,
        ),
        shape(
            "pipe",
            [length, r, r],
            PI * r * r * 2.0 * length,
            Box::new(move |x: &[f64; 3], _: f64| (norm(&x[1..]) - r).max(x[0].abs() - length)),
        ),
        shape("box", half, 8.0 * half.iter().product::<f64>(), Box::new(cuboid)),
        shape(
            "torus",
            [reach, reach, r],
            2.0 * PI * PI * big * r * r,
            Box::new(move |x: &[f64; 3], _: f64| norm(&[norm(&x[..2]) - big, x[2]]) - r),
        ),
    ]
}

fn packed(cells: &Cells, shape: &Shape, d: f64) -> Vec<[f64; 3]> {
    let count = (shape.volume / d.powi(3)).round() as usize;
    let lattice = Lattice { site: [0.5 * d; 3], spacing: [d; 3] };
    pack(&Packing { cells, distance: &*shape.distance, lattice, count })
}

#[test]
fn the_volume_asked_for_is_there_evenly_and_clear_of_the_boundary() {
    let d = 0.02;
    for radius in [3.3, 5.1, 8.2] {
        for shape in shapes(radius * d) {
            let name = format!("{} of {radius} d", shape.name);
            let grid = Grid::new(Dimension::Three, shape.bounds, d);
            let cells = Cells::new(grid, &*shape.distance);
            let error = (cells.volume() / shape.volume - 1.0).abs();
            assert!(error < 0.015, "{name}: volume of cells off by {error}");
            let places = packed(&cells, &shape, d);
            let error = (places.len() as f64 * d.powi(3) - shape.volume).abs();
            assert!(error <= 0.5001 * d.powi(3), "{name}: {error}");
            let depth = |x: &[f64; 3]| -(shape.distance)(x, 1.0);
            let least = places.iter().map(depth).fold(f64::INFINITY, f64::min);
            assert!(least > 0.499 * d, "{name}: {least} from the boundary");
            let surroundings = Surroundings::new(&cells);
            let local: Vec<_> = places.iter().map(|x| grid.to_local(x)).collect();
            let found = Relaxation::new(&cells, &surroundings).concentrations(&local);
            let n = found.len() as Real;
            let mean = found.iter().sum::<Real>() / n;
            let rms = (found.iter().map(|c| (c - mean).powi(2)).sum::<Real>() / n).sqrt();
            // A lattice cut at the boundary has gaps there of up to a spacing: an rms of 0.07.
            assert!((0.97..1.1).contains(&mean), "{name}: mean {mean}");
            assert!(rms < 0.03, "{name}: rms {rms}");
        }
    }
}

#[test]
fn a_box_that_fits_stays_on_its_lattice() {
    let (d, half) = (0.125, [1.0, 0.5, 0.75]);
    let distance = move |x: &[f64; 3], _: f64| {
        (0..3).map(|a| x[a].abs() - half[a]).fold(f64::NEG_INFINITY, f64::max)
    };
    let volume = 8.0 * half.iter().product::<f64>();
    let bounds = [half.map(|x| -x), half];
    let shape = Shape { name: "box", bounds, volume, distance: Box::new(distance) };
    let cells = Cells::new(Grid::new(Dimension::Three, bounds, d), &distance);
    assert!((cells.volume() - volume).abs() < 1e-6);
    let mut places = packed(&cells, &shape, d);
    places.iter().flatten().for_each(|x| {
        let sites = x / d - 0.5;
        assert!((sites - sites.round()).abs() < 1e-3, "{x}");
    });
    places.sort_by(|a, b| a[2].total_cmp(&b[2]));
    assert_eq!(places.len(), 16 * 8 * 12);
}

#[test]
fn places_have_the_same_bits_on_any_number_of_threads() {
    let d = 0.02;
    let shape = shapes(4.7 * d).remove(3);
    let all = || {
        let cells = Cells::new(Grid::new(Dimension::Three, shape.bounds, d), &*shape.distance);
        packed(&cells, &shape, d)
    };
    let one = with_threads(1, all);
    assert_eq!(one, with_threads(3, all));
}

#[test]
fn in_the_plane_areas_count() {
    let (d, r) = (0.02, 0.151);
    let distance = move |x: &[f64; 3], _: f64| norm(&[x[0], x[2]]) - r;
    let bounds = [[-r, 0.0, -r], [r, 0.0, r]];
    let cells = Cells::new(Grid::new(Dimension::Two, bounds, d), &distance);
    assert!((cells.volume() / (PI * r * r) - 1.0).abs() < 0.01, "{}", cells.volume());
    let count = (PI * r * r / (d * d)).round() as usize;
    let lattice = Lattice { site: [0.0; 3], spacing: [d; 3] };
    let places = pack(&Packing { cells: &cells, distance: &distance, lattice, count });
    assert_eq!(places.len(), count);
    assert!(places.iter().all(|x| x[1] == 0.0 && distance(x, 1.0) < -0.499 * d));
}

/// A disc of this radius and thickness.
fn disc(radius: f64, thickness: f64) -> Shape {
    let half = 0.5 * thickness;
    let distance = move |x: &[f64; 3], _: f64| {
        let (across, along) = (norm(&x[..2]) - radius, x[2].abs() - half);
        across.max(along).min(0.0) + norm(&[across.max(0.0), along.max(0.0)])
    };
    Shape {
        name: "disc",
        bounds: [[-radius, -radius, -half], [radius, radius, half]],
        volume: PI * radius * radius * thickness,
        distance: Box::new(distance),
    }
}

/// Between layers that do not fit, points have nowhere to go; without what parts them the nearest
/// are 0.2 to 0.5 spacings apart.
#[test]
fn no_two_points_pair_up_however_thin_a_shape_is() {
    let d = 0.02;
    for thickness in [1.3, 1.7, 2.4, 2.9, 3.4, 4.45] {
        for radius in [6.3, 15.2] {
            let shape = disc(radius * d, thickness * d);
            let grid = Grid::new(Dimension::Three, shape.bounds, d);
            let places = packed(&Cells::new(grid, &*shape.distance), &shape, d);
            let apart = |x: &[f64; 3], y: &[f64; 3]| norm(&[0, 1, 2].map(|a| x[a] - y[a])) / d;
            let pairs = (0..places.len()).flat_map(|i| (0..i).map(move |j| [i, j]));
            let least = pairs.map(|[i, j]| apart(&places[i], &places[j])).fold(9.0, f64::min);
            assert!(least > 0.59, "{radius} x {thickness} d: two are {least} d apart");
        }
    }
}
