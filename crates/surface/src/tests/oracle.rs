//! The dense oracle: the field at every grid point, in double precision, by the definition.

use super::*;
use crate::marching::cases::CASES;
use crate::tests::anisotropic::matrix;
use hashfall_core::to_f64;
use nalgebra::{Matrix3, Vector3};
use std::collections::BTreeMap;

/// A kernel: V |det M| W(|M r|) around a place.
pub(crate) struct Blob {
    pub at: [f64; 3],
    pub volume: f64,
    pub metric: Matrix3<f64>,
}

impl Blob {
    /// The kernels of the definition where they are round, and else those of the reconstruction.
    pub fn all(particles: &Particles, settings: &SurfaceSettings) -> Vec<Blob> {
        let volumes = particles.volumes.iter().map(|&volume| f64::from(volume));
        let blob = |(x, volume)| Blob { at: to_f64(x), volume, metric: Matrix3::identity() };
        let round: Vec<Blob> = particles.positions.iter().zip(volumes).map(blob).collect();
        if settings.anisotropy == 1.0 {
            return round;
        }
        let ellipsoids = particles.ellipsoids(settings);
        let stretched = round.iter().zip(&ellipsoids).map(|(round, ellipsoid)| Blob {
            at: [0, 1, 2].map(|a| round.at[a] + f64::from(ellipsoid.shift[a]) * SUPPORT),
            volume: round.volume,
            metric: matrix(ellipsoid),
        });
        stretched.collect()
    }
}

/// The field at all grid points of a box of the grid around the particles.
pub(crate) struct DenseField {
    low: [i64; 3],
    counts: [usize; 3],
    spacing: f64,
    pub values: Vec<f64>,
}

impl DenseField {
    pub fn evaluate(blobs: &[Blob], n: i64) -> Self {
        let spacing = SUPPORT / n as f64;
        let index = |x: f64| (x / spacing).floor() as i64;
        let all = || blobs.iter().map(|blob| blob.at);
        let low = [0, 1, 2].map(|a| all().map(|p| index(p[a])).min().unwrap() - n - 1);
        let high = [0, 1, 2].map(|a| all().map(|p| index(p[a])).max().unwrap() + n + 2);
        let counts = [0, 1, 2].map(|a| (high[a] - low[a] + 1) as usize);
        let values = vec![0.0; counts.iter().product()];
        let mut field = DenseField { low, counts, spacing, values };
        blobs.iter().for_each(|blob| field.add(blob, n));
        field
    }

    fn place(&self, at: [usize; 3]) -> [f64; 3] {
        [0, 1, 2].map(|a| (self.low[a] + at[a] as i64) as f64 * self.spacing)
    }

    fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.counts[1] + y) * self.counts[0] + x
    }

    /// Adds a particle to every grid point in a box around its support.
    fn add(&mut self, blob: &Blob, n: i64) {
        let Blob { at: p, volume, metric } = blob;
        let volume = volume * metric.determinant();
        let weight = |r: f64| {
            let (q, sigma) = (r / SUPPORT, 8.0 / (std::f64::consts::PI * SUPPORT.powi(3)));
            sigma * (2.0 * (1.0 - q).max(0.0).powi(3) - 8.0 * (0.5 - q).max(0.0).powi(3))
        };
        let cell = [0, 1, 2].map(|a| ((p[a] / self.spacing).floor() as i64 - self.low[a]) as usize);
        let range = |a: usize| cell[a] - n as usize..=cell[a] + n as usize + 1;
        for (z, y) in range(2).flat_map(|z| range(1).map(move |y| (z, y))) {
            for x in range(0) {
                let at = self.place([x, y, z]);
                let r = Vector3::from([0, 1, 2].map(|a| at[a] - p[a]));
                let i = self.index([x, y, z]);
                self.values[i] += volume * weight((metric * r).norm());
            }
        }
    }

    /// Vertices between unlike labels, given the fields of fluids, of which this is the sum.
    pub fn label_crossings(&self, iso: f64, fluids: &[&[f64]]) -> Vec<[f64; 3]> {
        let label = |i: usize| {
            let larger =
                |most: usize, k: usize| if fluids[k][i] > fluids[most][i] { k } else { most };
            (self.values[i] > iso).then(|| (1..fluids.len()).fold(0, larger))
        };
        let steps = [1, self.counts[0], self.counts[0] * self.counts[1]];
        let last = self.values.len() - steps.iter().sum::<usize>();
        let mut vertices = Vec::new();
        for i in 0..last {
            for (axis, step) in steps.into_iter().enumerate() {
                let part = match [label(i), label(i + step)] {
                    [a, b] if a == b => continue,
                    [Some(a), Some(b)] => {
                        let difference = |i: usize| fluids[a][i] - fluids[b][i];
                        difference(i) / (difference(i) - difference(i + step))
                    }
                    _ => (iso - self.values[i]) / (self.values[i + step] - self.values[i]),
                };
                let [nx, ny, _] = self.counts;
                let mut at = self.place([i % nx, i / nx % ny, i / nx / ny]);
                at[axis] += part * self.spacing;
                vertices.push(at);
            }
        }
        vertices
    }

    /// Vertices by grid edge (place, axis), and the number of triangles.
    fn march(&self, iso: f64) -> (BTreeMap<(usize, usize), [f64; 3]>, usize) {
        let steps = [1, self.counts[0], self.counts[0] * self.counts[1]];
        let mut vertices = BTreeMap::new();
        let mut triangles = 0;
        let last = self.values.len() - steps.iter().sum::<usize>();
        for i in 0..last {
            for (axis, step) in steps.into_iter().enumerate() {
                let (a, b) = (self.values[i], self.values[i + step]);
                if (a > iso) != (b > iso) {
                    let [nx, ny, _] = self.counts;
                    let mut at = self.place([i % nx, i / nx % ny, i / nx / ny]);
                    at[axis] += (iso - a) / (b - a) * self.spacing;
                    vertices.insert((i, axis), at);
                }
            }
            let corner = |k: usize| i + (0..3).map(|a| (k >> a & 1) * steps[a]).sum::<usize>();
            let case =
                (0..8).fold(0, |case, k| case | usize::from(self.values[corner(k)] > iso) << k);
            triangles += CASES.triangles(case).len();
        }
        (vertices, triangles)
    }
}

/// Compares the mesh with the oracle's: the same crossing edges, the same places, the same number
/// of triangles. So no block was left out, and none decided wrongly.
pub(crate) fn assert_matches_oracle(points: &[[f64; 3]], n: i64, anisotropy: f64) {
    let settings = SurfaceSettings { cell: 4.0 / n as f64, anisotropy, ..SurfaceSettings::raw() };
    let particles = Particles::at(points);
    let mesh = particles.mesh(&settings);
    let (expected, triangles) =
        DenseField::evaluate(&Blob::all(&particles, &settings), n).march(settings.iso);
    assert_eq!(mesh.positions.len(), expected.len(), "crossing edges");
    assert_eq!(mesh.triangles.len(), triangles, "triangles");
    let c = SUPPORT / n as f64;
    let order = |p: &[f64; 3], q: &[f64; 3]| p.partial_cmp(q).unwrap();
    let mut expected: Vec<[f64; 3]> = expected.into_values().collect();
    expected.sort_by(order);
    for p in mesh.positions.iter().map(to_f64) {
        // The nearest expected vertex lies within the margin that is kept from the edge's ends.
        let first = expected.partition_point(|q| q[0] < p[0] - 0.01 * c);
        let close = expected[first..].iter().take_while(|q| q[0] <= p[0] + 0.01 * c);
        let distance = |q: &[f64; 3]| (0..3).map(|a| (p[a] - q[a]).abs()).fold(0.0, f64::max);
        assert!(close.map(distance).fold(f64::MAX, f64::min) < 0.01 * c, "no vertex near {p:?}");
    }
}

#[test]
fn a_block_with_a_deep_inside_matches_the_oracle() {
    // 14 spacings are seven blocks: those in the middle are proved inside.
    assert_matches_oracle(&lattice([14, 13, 12], 0.1), 8, 1.0);
    assert_matches_oracle(&lattice([12; 3], 0.25), 5, 1.0);
    // Finer than usual: wider stamps, more tiles in a block.
    assert_matches_oracle(&lattice([8; 3], 0.1), 16, 1.0);
    assert_matches_oracle(&lattice([7, 6, 6], 0.1), 32, 1.0);
    assert_matches_oracle(&lattice([12; 3], 0.05), 3, 1.0);
    assert_matches_oracle(&lattice([10; 3], 0.0), 1, 1.0);
}

#[test]
fn soups_match_the_oracle() {
    for (seed, (count, side)) in
        [(300, 4.0), (120, 3.0), (40, 6.0), (700, 3.5)].into_iter().enumerate()
    {
        let mut random = random(seed as u64);
        let points: Vec<_> =
            (0..count).map(|_| [0; 3].map(|_| (random() - 0.4) * side * SUPPORT)).collect();
        for n in [8, 4, 11] {
            assert_matches_oracle(&points, n, 1.0);
        }
    }
}
