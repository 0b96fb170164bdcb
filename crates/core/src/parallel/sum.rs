//! Sums over all items that do not depend on their order.

use super::driver::{CHUNK, grain};
use super::fold::reduce;
use crate::fixed_sum::{FixedPoint, FixedSums};
use crate::simd::{Isa, Simd, WithSimd};
use std::ops::Range;

/// Items whose numbers are computed before they are added: few enough for the nearest cache.
const BLOCK: usize = 64;

/// Addends above this are scaled down before they are added: more is not in the range of fixed
/// points.
const HUGE: f64 = f64::from_bits((1023 + 900) << 52);

/// By how much: 2⁻¹²⁸.
const SCALE: f64 = f64::from_bits((1023 - 128) << 52);

/// The numbers of a block of items, by sum.
type Columns<const K: usize> = [[f64; BLOCK]; K];

/// Writes the numbers of a block of items.
type Fill<'a, const K: usize> = &'a (dyn Fn(Range<usize>, &mut Columns<K>) + Sync);

/// The sums of `value(i)` over `0..n`, in [fixed point](crate::fixed_sum): the same bits for any
/// order and any split. `value` is asked twice for each item, first for the largest magnitudes.
///
/// Each sum is off by less than n M 2⁻⁴¹ for n up to a million, with M its largest addend. It is
/// NaN or infinite where a loop of additions would meet NaN or an infinity among the addends.
pub fn sum<const K: usize>(n: usize, value: impl Fn(usize) -> [f64; K] + Sync) -> [f64; K] {
    sum_blocks(n, None, &|range, columns| write(range, &value, columns))
}

/// The same where the largest magnitudes are known, or what they do not exceed: `value` is asked
/// once, and twice more where a bound was wrong.
pub fn sum_within<const K: usize>(
    n: usize,
    bounds: [f64; K],
    value: impl Fn(usize) -> [f64; K] + Sync,
) -> [f64; K] {
    sum_blocks(n, Some(bounds), &|range, columns| write(range, &value, columns))
}

#[inline(always)]
fn write<const K: usize>(
    range: Range<usize>,
    value: &impl Fn(usize) -> [f64; K],
    columns: &mut Columns<K>,
) {
    for (place, i) in range.enumerate() {
        let numbers = value(i);
        for (column, number) in columns.iter_mut().zip(numbers) {
            column[place] = number;
        }
    }
}

/// The sums of blocks, by bounds if there are any.
fn sum_blocks<const K: usize>(n: usize, bounds: Option<[f64; K]>, fill: Fill<'_, K>) -> [f64; K] {
    let by_bounds = bounds.and_then(|bounds| add_all(n, bounds, fill));
    by_bounds
        .or_else(|| add_all(n, largest(n, fill), fill))
        .unwrap_or_else(|| sum_extremes(n, fill))
}

/// The sums, if all addends are finite and within bounds.
fn add_all<const K: usize>(n: usize, bounds: [f64; K], fill: Fill<'_, K>) -> Option<[f64; K]> {
    let (isa, format) = (Isa::current(), FixedPoint::new(bounds, n));
    let add = |columns: &Columns<K>, count, sums: &mut FixedSums<K>| {
        isa.run(Add { columns, count, format: &format, sums });
    };
    let join = |mut a: FixedSums<K>, b: FixedSums<K>| {
        a.merge(&b);
        a
    };
    format.values(&fold_blocks(n, FixedSums::default(), fill, add, join))
}

/// The largest magnitudes, passing over NaN.
fn largest<const K: usize>(n: usize, fill: Fill<'_, K>) -> [f64; K] {
    let isa = Isa::current();
    let note = |columns: &Columns<K>, count, largest: &mut [f64; K]| {
        isa.run(Largest { columns, count, largest });
    };
    let join = |a: [f64; K], b: [f64; K]| std::array::from_fn(|k| larger(a[k], b[k]));
    fold_blocks(n, [0.0; K], fill, note, join)
}

/// Notes all blocks, in parts that are joined in any order.
fn fold_blocks<const K: usize, T: Copy + Send + Sync>(
    n: usize,
    nothing: T,
    fill: Fill<'_, K>,
    note: impl Fn(&Columns<K>, usize, &mut T) + Sync,
    join: impl Fn(T, T) -> T + Sync,
) -> T {
    let part = |range: Range<usize>| {
        let (mut found, mut columns) = (nothing, [[0.0; BLOCK]; K]);
        for start in range.clone().step_by(BLOCK) {
            let block = start..range.end.min(start + BLOCK);
            let count = block.len();
            fill(block, &mut columns);
            note(&columns, count, &mut found);
        }
        found
    };
    reduce(n, grain(n.div_ceil(CHUNK)) * CHUNK, part, join).unwrap_or(nothing)
}

/// Sums with infinities or NaN, which alone count then, or with addends near the largest doubles.
#[cold]
fn sum_extremes<const K: usize>(n: usize, fill: Fill<'_, K>) -> [f64; K] {
    let add = |columns: &Columns<K>, count: usize, sums: &mut [f64; K]| {
        for (sum, column) in sums.iter_mut().zip(columns) {
            *sum += column[..count].iter().sum::<f64>();
        }
    };
    let join = |a: [f64; K], b: [f64; K]| std::array::from_fn(|k| a[k] + b[k]);
    let is_special = |_: usize, x: f64| if x.is_finite() { 0.0 } else { x };
    let special = fold_blocks(n, [0.0; K], &changed(fill, &is_special), add, join);
    let finite = |_: usize, x: f64| if x.is_finite() { x } else { 0.0 };
    let largest = largest(n, &changed(fill, &finite));
    let scales = largest.map(|most| if most > HUGE { SCALE } else { 1.0 });
    let scaled = |k: usize, x: f64| finite(k, x) * scales[k];
    let bounds = std::array::from_fn(|k| largest[k] * scales[k]);
    let sums = add_all(n, bounds, &changed(fill, &scaled)).unwrap_or([f64::NAN; K]);
    std::array::from_fn(|k| match special[k] {
        0.0 => sums[k] / scales[k],
        // Of one bit pattern, whatever the order.
        special if special.is_nan() => f64::NAN,
        infinity => infinity,
    })
}

/// What is filled in, with each number of a sum changed.
fn changed<'a, const K: usize>(
    fill: Fill<'a, K>,
    change: &'a (dyn Fn(usize, f64) -> f64 + Sync),
) -> impl Fn(Range<usize>, &mut Columns<K>) + Sync + 'a {
    move |range, columns| {
        let count = range.len();
        fill(range, columns);
        for (k, column) in columns.iter_mut().enumerate() {
            column[..count].iter_mut().for_each(|x| *x = change(k, *x));
        }
    }
}

/// Adds a block.
struct Add<'a, const K: usize> {
    columns: &'a Columns<K>,
    count: usize,
    format: &'a FixedPoint<K>,
    sums: &'a mut FixedSums<K>,
}

impl<const K: usize> WithSimd for Add<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run<I: Simd>(self, _: I) {
        for (k, column) in self.columns.iter().enumerate() {
            self.sums.add_to(k, self.format, &column[..self.count]);
        }
    }
}

/// Notes the largest magnitudes of a block.
struct Largest<'a, const K: usize> {
    columns: &'a Columns<K>,
    count: usize,
    largest: &'a mut [f64; K],
}

impl<const K: usize> WithSimd for Largest<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run<I: Simd>(self, _: I) {
        for (column, largest) in self.columns.iter().zip(self.largest) {
            let (eights, rest) = column[..self.count].as_chunks::<8>();
            let mut lanes = [0.0; 8];
            for eight in eights {
                for (most, x) in lanes.iter_mut().zip(eight) {
                    *most = larger(*most, x.abs());
                }
            }
            let rest = rest.iter().map(|x| x.abs());
            *largest = lanes.into_iter().chain(rest).fold(*largest, larger);
        }
    }
}

/// The larger of both; `a` where `b` is NaN.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::with_threads;
    use std::panic::catch_unwind;

    /// Sums on several counts of threads, forwards, backwards and by bounds, which are one.
    fn sum_all<const K: usize>(n: usize, value: impl Fn(usize) -> [f64; K] + Sync) -> [f64; K] {
        let one = with_threads(1, || sum(n, &value));
        let bits = |sums: [f64; K]| sums.map(f64::to_bits);
        for threads in [2, 3, 5] {
            let (by_order, against_it, by_bounds) = with_threads(threads, || {
                let largest =
                    std::array::from_fn(|k| (0..n).map(|i| value(i)[k].abs()).fold(0.0, larger));
                (sum(n, &value), sum(n, |i| value(n - 1 - i)), sum_within(n, largest, &value))
            });
            assert_eq!(bits(one), bits(by_order));
            assert_eq!(bits(one), bits(against_it));
            assert_eq!(bits(one), bits(by_bounds));
        }
        one
    }

    #[test]
    fn sums_have_the_same_bits_for_any_thread_count_and_order() {
        let value = |i: usize| [1.0 / (i as f64 + 1.0), (i as f64).sin() * 1e200, 1.0];
        for n in [0, 1, BLOCK - 1, BLOCK, CHUNK + 1, 10_007] {
            let [harmonic, waves, count] = sum_all(n, value);
            let plain = (0..n).map(value).fold([0.0; 3], |a, b| [0, 1, 2].map(|k| a[k] + b[k]));
            assert!((harmonic - plain[0]).abs() < 1e-11, "{harmonic} for {}", plain[0]);
            assert!((waves - plain[1]).abs() < 1e189, "{waves} for {}", plain[1]);
            assert_eq!(count, n as f64);
        }
        let fault = |i: usize| [f64::from(u8::from(i != 5000 || panic!("fault")))];
        assert!(catch_unwind(|| sum(10_007, fault)).is_err());
    }

    #[test]
    fn wrong_bounds_give_the_same_sums() {
        let value = |i: usize| [(i as f64).sin(), (i as f64).cos() * 1e-9];
        let right = sum(3000, value);
        let (least, none) = (f64::MIN_POSITIVE, f64::NAN);
        for bounds in [[0.0, 1.0], [1e-300, 1e-300], [1.0, least], [1.0, none], [f64::INFINITY; 2]]
        {
            assert_eq!(right, sum_within(3000, bounds, value), "{bounds:?}");
        }
        // Larger ones round more.
        let [wide, _] = sum_within(3000, [1e6, 1e-3], value);
        assert!((wide - right[0]).abs() < 3000.0 * 1e6 * f64::powi(0.5, 49), "{wide}");
    }

    #[test]
    fn infinities_and_nan_come_through_and_leave_other_sums() {
        let n = 2000;
        let other = |i: usize| 1.0 / (i as f64 + 1.0);
        let [harmonic] = sum(n, |i| [other(i)]);
        let cases: [(&[f64], f64); 5] = [
            (&[f64::INFINITY], f64::INFINITY),
            (&[f64::NEG_INFINITY, f64::NEG_INFINITY, 1e300], f64::NEG_INFINITY),
            (&[f64::INFINITY, f64::NEG_INFINITY], f64::NAN),
            (&[f64::NAN, f64::INFINITY], f64::NAN),
            (&[-f64::NAN], f64::NAN),
        ];
        for (specials, expected) in cases {
            let special = |i: usize| *specials.get(i / 300).unwrap_or(&other(i));
            let [found, beside] = sum_all(n, |i| [special(i), other(i)]);
            assert_eq!(found.to_bits(), expected.to_bits(), "{specials:?}");
            assert_eq!(beside, harmonic);
        }
    }

    #[test]
    fn the_largest_and_the_smallest_doubles_add_up() {
        let [most, least] = [f64::MAX, f64::from_bits(1)];
        let part = f64::powi(2.0, 1010);
        let huge = |i: usize| [[most, -most][i % 2], least, part];
        assert_eq!(sum_all(2000, huge), [0.0, 2000.0 * least, part * 2000.0]);
        let most_even = f64::powi(2.0, 1023) * 1.5;
        assert_eq!(sum_all(3, |i| [[most_even, -most_even, most_even][i]]), [most_even]);
        assert_eq!(sum_all(2, |_| [most]), [f64::INFINITY]);
    }
}
