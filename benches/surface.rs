//! Surface extraction with cells and volumes at hand, as a run has them.
//!
//! `block` is a jittered cube of 100 000 particles (most blocks are proved inside), `splash` has
//! 30 000 in a pool, a crown-like sheet and droplets (most blocks hold surface). Prints triangles.

use criterion::{Criterion, criterion_group, criterion_main};
use hashfall_core::Dimension;
use hashfall_core::cell::{cell_key, cell_of};
use hashfall_core::kernel::{CubicSpline, SmoothingKernel};
use hashfall_core::{Attribute, Real, Values, Vec3, vec3};
use hashfall_search::with_neighbor_search;
use hashfall_search::{NeighborKind, NeighborLists, NeighborSearch};
use hashfall_surface::SurfaceSettings;
use hashfall_surface::{SurfaceInput, extract};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};
use std::hint::black_box;
use std::time::Duration;

const RADIUS: f64 = 0.01;
const SPACING: f64 = 2.0 * RADIUS;

struct Set {
    name: &'static str,
    positions: Vec<Vec3>,
    attributes: [Attribute<'static>; 1],
    volumes: Vec<Real>,
    h: Real,
}

impl Set {
    fn new(name: &'static str, points: Vec<[f64; 3]>) -> Self {
        let h = vec3([2.0 * SPACING; 3]).x;
        let mut positions: Vec<Vec3> = points.into_iter().map(vec3).collect();
        positions.sort_by_key(|p| cell_key(cell_of(p, h)));
        let mut lists = NeighborLists::default();
        with_neighbor_search!(NeighborKind::CellIndex, Search => {
            let mut search = Search::default();
            search.rebuild(&positions, h);
            lists.build(&search, &positions, h);
        });
        let kernel = CubicSpline::new(Dimension::Three, h);
        let volume = |(i, x): (usize, &Vec3)| {
            let others =
                lists.of(i).iter().map(|&j| kernel.value((x - positions[j as usize]).norm()));
            1.0 / (kernel.value(0.0) + others.sum::<Real>())
        };
        let volumes = positions.iter().enumerate().map(volume).collect();
        let velocities = Values::Vectors(positions.clone().into());
        let attributes = [Attribute::new("velocity", velocities)];
        Set { name, positions, attributes, volumes, h }
    }

    fn input(&self) -> SurfaceInput<'_> {
        SurfaceInput {
            positions: &self.positions,
            attributes: &self.attributes,
            volumes: &self.volumes,
            support_radius: self.h,
        }
    }
}

fn random() -> impl FnMut() -> f64 {
    let mut generator = Pcg64Mcg::seed_from_u64(12345);
    move || (generator.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// Lattice points whose indices `keep` accepts, from a corner, jittered by a tenth of a spacing.
fn lattice(
    counts: [usize; 3],
    corner: [f64; 3],
    random: &mut impl FnMut() -> f64,
) -> Vec<[f64; 3]> {
    let [nx, ny, nz] = counts;
    (0..nx * ny * nz)
        .map(|i| {
            let at = [i % nx, i / nx % ny, i / nx / ny];
            [0, 1, 2].map(|a| corner[a] + (at[a] as f64 + 0.5 + 0.2 * (random() - 0.5)) * SPACING)
        })
        .collect()
}

fn splash() -> Vec<[f64; 3]> {
    let mut random = random();
    let mut points = lattice([50, 50, 6], [0.0; 3], &mut random);
    for [x, y, z] in lattice([70, 70, 1], [-0.2, -0.2, 0.3], &mut random) {
        let bend = (x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5);
        points.push([x, y, z + 0.6 * bend]);
    }
    while points.len() < 29_700 {
        let corner = [0; 3].map(|_| 2.0 * random());
        let side = 3 + (random() * random() * 10.0) as usize;
        points.extend(lattice([side; 3], [corner[0], corner[1], corner[2] + 1.0], &mut random));
    }
    points.extend((0..300).map(|_| [2.0 * random(), 2.0 * random(), 1.0 + 2.0 * random()]));
    points
}

fn bench(criterion: &mut Criterion) {
    let block = Set::new("block", lattice([46; 3], [0.0; 3], &mut random()));
    let settings = SurfaceSettings::raw();
    let mut group = criterion.benchmark_group("surface");
    group.sample_size(10).measurement_time(Duration::from_secs(5));
    for set in [block, Set::new("splash", splash())] {
        let mesh = extract(&set.input(), &settings, set.h / 4.0);
        println!(
            "{}: {} particles, {} triangles",
            set.name,
            set.positions.len(),
            mesh.triangles.len()
        );
        group.bench_function(set.name, |b| {
            b.iter(|| black_box(extract(&set.input(), &settings, set.h / 4.0)))
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
