//! What a fixed-point sum costs beside a plain one: of numbers at hand, of products whose bound is
//! known, on each instruction set, and as ten sums over particles.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hashfall_core::fixed_sum::{FixedPoint, FixedSums};
use hashfall_core::parallel::{self, CHUNK};
use hashfall_core::simd::{Isa, Simd, WithSimd};
use std::hint::black_box;

const N: usize = 100_000;

fn number(i: usize) -> f64 {
    let bits = (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (bits >> 11) as f64 * f64::powi(0.5, (bits % 41) as i32) - 1e9
}

/// Plain sums over chunks, added in order.
fn plain_sums<const K: usize>(
    n: usize,
    value: impl Fn(usize) -> [f64; K] + Sync,
) -> Option<[f64; K]> {
    let add = |mut a: [f64; K], b: [f64; K]| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        a
    };
    parallel::fold(n, |chunk| chunk.map(&value).fold([0.0; K], add), add)
}

/// Products of numbers of single precision, as in conjugate gradients.
struct Products<'a>(&'a FixedPoint<1>, &'a [f32], &'a [f32]);

impl WithSimd for Products<'_> {
    type Output = FixedSums<1>;

    #[inline(always)]
    fn run<I: Simd>(self, _: I) -> FixedSums<1> {
        let mut sums = FixedSums::default();
        for (a, b) in self.1.iter().zip(self.2) {
            sums.add(self.0, [f64::from(*a) * f64::from(*b)]);
        }
        sums
    }
}

fn sums(criterion: &mut Criterion) {
    let numbers: Vec<f64> = (0..N).map(number).collect();
    let singles: Vec<f32> = numbers.iter().map(|&x| x as f32).collect();
    let most = numbers.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let format = FixedPoint::new([most * most * 1.001], N);

    let mut group = criterion.benchmark_group("sum of 100k products");
    group.throughput(Throughput::Elements(N as u64));
    group.bench_function("plain", |b| {
        let product = |(a, b): (&f32, &f32)| f64::from(*a) * f64::from(*b);
        b.iter(|| black_box(&singles).iter().zip(&singles).map(product).sum::<f64>());
    });
    for isa in Isa::available() {
        group.bench_function(isa.name(), |b| {
            b.iter(|| {
                let mut sums = FixedSums::default();
                for part in black_box(&singles).chunks(CHUNK) {
                    sums.merge(&isa.run(Products(&format, part, part)));
                }
                format.values(&sums)
            });
        });
    }
    group.finish();

    let mut group = criterion.benchmark_group("sum over 100k particles");
    group.throughput(Throughput::Elements(N as u64));
    group.bench_function("plain", |b| b.iter(|| plain_sums(N, |i| [numbers[i]])));
    group.bench_function("twice", |b| b.iter(|| parallel::sum(N, |i| [numbers[i]])));
    group.bench_function("within", |b| {
        b.iter(|| parallel::sum_within(N, [most], |i| [numbers[i]]));
    });
    group.finish();

    let ten = |i: usize| std::array::from_fn::<f64, 10, _>(|k| numbers[(i + 7 * k) % N]);
    let mut group = criterion.benchmark_group("ten sums over 100k particles");
    group.throughput(Throughput::Elements(10 * N as u64));
    group.bench_function("plain", |b| b.iter(|| plain_sums(N, ten)));
    group.bench_function("twice", |b| b.iter(|| parallel::sum(N, ten)));
    group.bench_function("within", |b| b.iter(|| parallel::sum_within(N, [most; 10], ten)));
    group.finish();
}

criterion_group!(benches, sums);
criterion_main!(benches);
