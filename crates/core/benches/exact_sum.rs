//! What an exact sum costs beside a plain one, a number at a time and as ten sums over particles.

use criterion::{Criterion, criterion_group, criterion_main};
use hashfall_core::exact_sum::ExactSum;
use hashfall_core::parallel;
use std::hint::black_box;

fn number(i: usize) -> f64 {
    let bits = (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (bits >> 11) as f64 * f64::powi(0.5, (bits % 41) as i32) - 1e9
}

/// Plain sums over chunks, added in order.
fn plain_sums(n: usize, value: impl Fn(usize) -> [f64; 10] + Sync) -> Option<[f64; 10]> {
    let add = |mut a: [f64; 10], b: [f64; 10]| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        a
    };
    parallel::fold(n, |chunk| chunk.map(&value).fold([0.0; 10], add), add)
}

fn sums(criterion: &mut Criterion) {
    let numbers: Vec<f64> = (0..100_000).map(number).collect();
    let mut group = criterion.benchmark_group("sum of 100k numbers");
    group.bench_function("plain", |b| b.iter(|| black_box(&numbers).iter().sum::<f64>()));
    group.bench_function("exact", |b| {
        b.iter(|| black_box(&numbers).iter().copied().collect::<ExactSum>().value());
    });
    group.finish();

    let ten = |i: usize| std::array::from_fn::<f64, 10, _>(|k| numbers[(i + 7 * k) % 100_000]);
    let mut group = criterion.benchmark_group("ten sums over 100k particles");
    group.bench_function("plain", |b| b.iter(|| plain_sums(100_000, ten)));
    group.bench_function("exact", |b| b.iter(|| parallel::sum(100_000, ten)));
    group.finish();
}

criterion_group!(benches, sums);
criterion_main!(benches);
