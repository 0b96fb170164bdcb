use super::cells::SignedDistance;
use super::relax::Relaxation;
use super::surroundings::Surroundings;
use super::*;
use hashfall_core::{Dimension, Real};

/// A ball, a pipe and a box, by their distances; and a torus.
fn shapes(d: f64) -> Vec<(&'static str, [[f64; 3]; 2], f64, Box<SignedDistance<'static>>)> {
    let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let pi = std::f64::consts::PI;
    let r = 10.3 * d;
    let ball = move |x: &[f64; 3], _: f64| norm(x) - r;
    let pipe = move |x: &[f64; 3], _: f64| (norm(&x[1..]) - r).max(x[0].abs() - 20.0 * d);
    let half = [10.7 * d, 8.0 * d, 6.2 * d];
    let cuboid =
        move |x: &[f64; 3], _: f64| (0..3).map(|a| x[a].abs() - half[a]).fold(f64::MIN, f64::max);
    let (big, small) = (12.0 * d, 4.0 * d);
    let torus = move |x: &[f64; 3], _: f64| norm(&[norm(&x[..2]) - big, x[2]]) - small;
    vec![
        ("ball", [[-r; 3], [r; 3]], 4.0 / 3.0 * pi * r.powi(3), Box::new(ball)),
        ("pipe", [[-20.0 * d, -r, -r], [20.0 * d, r, r]], pi * r * r * 40.0 * d, Box::new(pipe)),
        ("box", [half.map(|x| -x), half], half.iter().map(|x| 2.0 * x).product(), Box::new(cuboid)),
        (
            "torus",
            [[-big - small, -big - small, -small], [big + small, big + small, small]],
            2.0 * pi * pi * big * small * small,
            Box::new(torus),
        ),
    ]
}

#[test]
fn measure() {
    let d = 0.02;
    for (name, bounds, volume, distance) in shapes(d) {
        let start = std::time::Instant::now();
        let grid = Grid::new(Dimension::Three, bounds, d);
        let cells = Cells::new(grid, &*distance);
        let of_cells = cells.volume();
        let count = (volume / d.powi(3)).round() as usize;
        let t_cells = start.elapsed();
        let packing = Packing {
            cells: &cells,
            distance: &*distance,
            lattice: Lattice { site: [0.5 * d; 3], spacing: [d; 3] },
            count,
        };
        let places = pack(&packing);
        let t = start.elapsed();
        let surroundings = Surroundings::new(&cells);
        let u: Vec<_> = places.iter().map(|x| grid.to_local(x)).collect();
        let mut relaxation = Relaxation::new(&cells, &surroundings);
        let c = relaxation.concentrations(&u);
        let n = c.len() as Real;
        let mean = c.iter().sum::<Real>() / n;
        let rms = (c.iter().map(|c| (c - mean).powi(2)).sum::<Real>() / n).sqrt();
        let worst = c.iter().map(|c| (c - 1.0).abs()).fold(0.0, Real::max);
        let near: usize = {
            let mut k = 0;
            for i in 0..u.len() {
                for j in 0..i {
                    if (u[i] - u[j]).norm() < 0.75 {
                        k += 1;
                    }
                }
            }
            k
        };
        let least = {
            let mut k: Real = 9.0;
            for i in 0..u.len() {
                for j in 0..i {
                    k = k.min((u[i] - u[j]).norm());
                }
            }
            k
        };
        println!("pairs below 0.75: {near}, least {least}");
        let mut bins = vec![(0, 0.0); 12];
        for (i, u) in u.iter().enumerate() {
            let dep = -distance(&grid.to_world(u), 1.0) / d;
            let b = &mut bins[(dep as usize).min(11)];
            b.0 += 1;
            b.1 += c[i];
        }
        println!(
            "{:?}",
            bins.iter()
                .map(|(n, s)| (*n, (s / *n as Real * 1000.0).round() / 1000.0))
                .collect::<Vec<_>>()
        );
        let deepest = places.iter().map(|x| distance(x, 1.0) / d).fold(f64::MIN, f64::max);
        println!(
            "{name}: {count} of {}, volume {:.5}, C mean {mean:.4} rms {rms:.4} worst {worst:.4}, \
             depth {deepest:.4}, {t_cells:?} {t:?}",
            places.len(),
            of_cells / volume
        );
    }
}
