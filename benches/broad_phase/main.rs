//! Broad phases on the workloads of Pouchol et al. 2009: `cargo bench --bench broad_phase`.
//!
//! - `queries`: a million segments among 100 to 10 000 rectangles (§4.1, fig. 4), and a million
//!   particles among 2000 spheres (§4.2, fig. 6), in random and in Morton order; one thread, each
//!   time with a rebuild. Rivals on the same inputs: `docs/performance.md`.
//! - `octaves`: rebuilding over 10⁴ to 10⁶ spheres of sizes over 2¹⁶, and queries: linear.
//!
//! Beside the times it prints counts and check sums of overlaps, entries examined, false positives
//! and memory, so that nobody measures less work than they think.

mod inputs;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use hashfall_core::Real;
use hashfall_geometry::Aabb;
use hashfall_search::with_broad_phase;
use hashfall_search::{BroadPhase, BroadPhaseKind, for_each_overlap};
use std::hint::black_box;
use std::time::Duration;

/// Queries a set.
const QUERIES: usize = 1_000_000;

/// One in so many queries is looked into for the counts.
const LOOKED_INTO: usize = 16;

struct Workload {
    name: String,
    boxes: Vec<Aabb>,
    queries: Vec<Aabb>,
    smallest: Real,
}

/// The count of overlaps, and the sum of the numbers of the boxes that overlap.
fn overlaps<B: BroadPhase>(broad: &B, boxes: &[Aabb], queries: &[Aabb]) -> (u64, u64) {
    let (mut count, mut sum) = (0, 0);
    for query in queries {
        for_each_overlap(broad, boxes, query, |object| {
            count += 1;
            sum += u64::from(object);
        });
    }
    (count, sum)
}

/// Prints what a workload comes to.
fn describe<B: BroadPhase>(kind: BroadPhaseKind, workload: &Workload) {
    let Workload { name, boxes, queries, smallest } = workload;
    let mut broad = B::default();
    broad.rebuild(boxes, *smallest);
    let (count, sum) = overlaps(&broad, boxes, queries);
    let (mut looked_into, mut examined, mut proposed, mut hits) = (0, 0, 0, 0);
    for query in queries.iter().step_by(LOOKED_INTO) {
        looked_into += 1;
        examined += broad.examined(query);
        broad.candidates(query, |_| proposed += 1);
        for_each_overlap(&broad, boxes, query, |_| hits += 1);
    }
    let each = |n: usize| n as f64 / f64::from(looked_into);
    eprintln!(
        "{kind:?}, {name}: {count} overlaps, sum {sum}; a query examines {:.2} entries, proposes \
         {:.3} in vain; {} bytes a box",
        each(examined),
        each(proposed - hits),
        broad.bytes() / boxes.len()
    );
}

fn bench<B: BroadPhase>(criterion: &mut Criterion, kind: BroadPhaseKind, workload: &Workload) {
    describe::<B>(kind, workload);
    let Workload { name, boxes, queries, smallest } = workload;
    let mut broad = B::default();
    let mut group = criterion.benchmark_group("broad phase");
    group.throughput(Throughput::Elements(queries.len() as u64));
    group.bench_function(BenchmarkId::new(format!("{kind:?}"), name), |b| {
        b.iter(|| {
            broad.rebuild(black_box(boxes), *smallest);
            overlaps(&broad, boxes, queries)
        });
    });
    group.finish();
}

/// Rectangles, spheres and their queries, in random and in Morton order. The smallest query is given
/// as a quarter of the longest segment or swept box.
fn workloads() -> Vec<Workload> {
    let mut workloads = Vec::new();
    let mut add = |name: &str, boxes: Vec<Aabb>, queries: &[Aabb], smallest: f64, cell: f64| {
        let smallest = smallest as Real;
        let sorted = inputs::morton_sorted(queries, cell);
        for (order, queries) in [("random", queries.to_vec()), ("sorted", sorted)] {
            let name = format!("{name}, {order}");
            workloads.push(Workload { name, boxes: boxes.clone(), queries, smallest });
        }
    };
    let segments = inputs::segments(QUERIES);
    for count in [100, 1_000, 10_000] {
        add(&format!("2D {count}"), inputs::rectangles(count), &segments, 4.0, 16.0);
    }
    let particles = inputs::particles(QUERIES);
    add("3D 2000", inputs::spheres(2_000), &particles, 1.0 / 128.0, 1.0 / 32.0);
    workloads
}

fn queries(criterion: &mut Criterion) {
    let workloads = workloads();
    for kind in BroadPhaseKind::ALL.into_iter().filter(|&kind| kind != BroadPhaseKind::Brute) {
        for workload in &workloads {
            with_broad_phase!(kind, B => bench::<B>(criterion, kind, workload));
        }
    }
}

fn octaves(criterion: &mut Criterion) {
    let kind = BroadPhaseKind::HierarchicalHash;
    for count in [10_000, 100_000, 1_000_000] {
        let (boxes, queries) = inputs::octaves(count, count);
        let name = format!("octaves {count}");
        let smallest = inputs::OCTAVES_SMALLEST as Real;
        let workload = Workload { name, boxes, queries, smallest };
        with_broad_phase!(kind, B => {
            bench::<B>(criterion, kind, &workload);
            let mut fresh = B::default();
            let name = format!("octaves {count}, rebuild");
            criterion.bench_function(&name, |b| {
                b.iter(|| fresh.rebuild(black_box(&workload.boxes), smallest));
            });
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(1));
    targets = queries, octaves
}
criterion_main!(benches);
