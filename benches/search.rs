//! Neighbour lists and broad-phase queries: `cargo bench --bench search`.
//!
//! Points are a jittered lattice at d = h/2 (some 28 neighbours each), sorted by cell as the world
//! keeps them. Boxes are the 2000 balls of Pouchol et al. 2009, §4.2. Counts of pairs and overlaps
//! are printed beside the times, so that nobody measures less work than they think.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use hashfall_core::cell::{cell_key, cell_of};
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Aabb;
use hashfall_search::{
    BroadPhase, BroadPhaseKind, NeighborKind, NeighborLists, NeighborSearch, for_each_overlap,
};
use hashfall_search::{with_broad_phase, with_neighbor_search};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;
use std::hint::black_box;

/// Support radius \[m\].
const H: Real = 0.03;

/// Beyond the caches.
const MANY_POINTS: usize = 1_000_000;

/// Brute force takes too long beyond this many points.
const BRUTE_POINTS: usize = 2_000;

fn uniform(random: &mut Pcg32, low: Real, high: Real) -> Real {
    low + (high - low) * (random.next_u32() >> 8) as Real / (1 << 24) as Real
}

fn uniform_vec3(random: &mut Pcg32, low: [Real; 3], high: [Real; 3]) -> Vec3 {
    Vec3::from_fn(|axis, _| uniform(random, low[axis], high[axis]))
}

/// A cube of jittered lattice points, in the order of their cells.
fn fluid(count: usize) -> Vec<Vec3> {
    let mut random = Pcg32::seed_from_u64(1);
    let side = (count as f64).cbrt().ceil() as usize;
    let mut points: Vec<Vec3> = (0..count)
        .map(|n| {
            Vec3::new((n % side) as Real, (n / side % side) as Real, (n / side / side) as Real)
        })
        .map(|p| p * (0.5 * H) + uniform_vec3(&mut random, [-0.05 * H; 3], [0.05 * H; 3]))
        .collect();
    points.sort_by_key(|p| cell_key(cell_of(p, H)));
    points
}

fn bench_lists<S: NeighborSearch>(criterion: &mut Criterion, kind: NeighborKind, count: usize) {
    let points = fluid(count);
    let mut search = S::default();
    let mut lists = NeighborLists::default();
    search.rebuild(&points, H);
    lists.build(&search, &points, H);
    eprintln!("{kind:?}: {count} points, {} directed pairs", lists.pairs());
    let mut group = criterion.benchmark_group("neighbor lists");
    group.sample_size(20).throughput(Throughput::Elements(count as u64));
    group.bench_function(BenchmarkId::new(format!("{kind:?}"), count), |b| {
        b.iter(|| {
            search.rebuild(black_box(&points), H);
            lists.build(&search, &points, H);
            lists.pairs()
        });
    });
    group.finish();
}

fn neighbor_lists(criterion: &mut Criterion) {
    for kind in NeighborKind::ALL {
        let counts: &[usize] = match kind {
            NeighborKind::Brute => &[BRUTE_POINTS],
            NeighborKind::SortedCells => &[10_000, 30_000, 100_000, MANY_POINTS],
            _ => &[10_000, 30_000, 100_000],
        };
        for &count in counts {
            with_neighbor_search!(kind, S => bench_lists::<S>(criterion, kind, count));
        }
    }
}

/// 2000 balls of diameter 2⁻⁴ to 2⁻² m in 2 × 2 × 3 m, and 30 000 query boxes of 0.06 m.
fn balls_and_queries() -> (Vec<Aabb>, Vec<Aabb>) {
    let mut random = Pcg32::seed_from_u64(2);
    let mut ball = |low: Real, high: Real| {
        let radius = 0.5 * uniform(&mut random, low, high);
        Aabb::of_ball(&uniform_vec3(&mut random, [0.0; 3], [2.0, 2.0, 3.0]), radius)
    };
    let balls = (0..2_000).map(|_| ball(0.0625, 0.25)).collect();
    let mut queries: Vec<Aabb> = (0..30_000).map(|_| ball(0.06, 0.06)).collect();
    queries.sort_by_key(|q| cell_key(cell_of(&q.min, 0.06)));
    (balls, queries)
}

fn bench_queries<B: BroadPhase>(criterion: &mut Criterion, kind: BroadPhaseKind) {
    let (balls, queries) = balls_and_queries();
    let mut broad = B::default();
    broad.rebuild(&balls, 0.06);
    let overlaps = || -> usize {
        let of_query = |query: &Aabb| {
            let mut count = 0;
            for_each_overlap(&broad, &balls, query, |_| count += 1);
            count
        };
        queries.par_chunks(512).map(|chunk| chunk.iter().map(of_query).sum::<usize>()).sum()
    };
    let mut proposed = 0;
    queries.iter().for_each(|query| broad.candidates(query, |_| proposed += 1));
    eprintln!("{kind:?}: {proposed} candidates, {} overlaps", overlaps());
    let mut group = criterion.benchmark_group("broad phase");
    group.sample_size(20).throughput(Throughput::Elements(queries.len() as u64));
    group.bench_function(format!("{kind:?} queries"), |b| b.iter(overlaps));
    group.finish();
    criterion.bench_function(&format!("{kind:?} rebuild"), |b| {
        let mut fresh = B::default();
        b.iter(|| fresh.rebuild(black_box(&balls), 0.06));
    });
}

fn broad_phases(criterion: &mut Criterion) {
    for kind in BroadPhaseKind::ALL {
        with_broad_phase!(kind, B => bench_queries::<B>(criterion, kind));
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(std::time::Duration::from_millis(500))
        .measurement_time(std::time::Duration::from_secs(2));
    targets = neighbor_lists, broad_phases
}
criterion_main!(benches);
