//! Loops that make an array, in the order of the items.

use super::driver::grain;
use super::parts::{Parts, chunks_mut, for_parts, items_mut};

/// What `of(i)` gives for each of `0..n`, in their order.
pub fn map<T: Send>(n: usize, of: impl Fn(usize) -> T + Sync) -> Vec<T> {
    map_by(n, grain(n), of)
}

/// The same with tasks of `length` items.
///
/// # Panics
/// If `length` is zero.
pub fn map_by<T: Send>(n: usize, length: usize, of: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let mut out = Vec::with_capacity(n);
    for_parts(chunks_mut(&mut out.spare_capacity_mut()[..n], length), |k, items| {
        for (i, item) in (k * length..).zip(items) {
            item.write(of(i));
        }
    });
    // SAFETY: the loop has written each item; where a task panics, this is not reached, and what
    // was written is leaked.
    unsafe { out.set_len(n) };
    out
}

/// What `of(k)` gives for each of the pieces `0..n` of a work, in their order, each a task of its
/// own.
pub fn map_pieces<T: Send>(n: usize, of: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let mut out = Vec::with_capacity(n);
    for_parts(items_mut(&mut out.spare_capacity_mut()[..n]), |k, item| {
        item.write(of(k));
    });
    // SAFETY: as in `map_by`.
    unsafe { out.set_len(n) };
    out
}

/// What `of(k, part)` gives for every part, in their order.
pub fn map_parts<P: Parts, T: Send>(parts: P, of: impl Fn(usize, P::Part) -> T + Sync) -> Vec<T> {
    // SAFETY: each number below the count is passed once, and `parts` ends here.
    map_pieces(parts.count(), &|k| of(k, unsafe { parts.part(k) }))
}

/// What `of(i)` gives for each of `0..n` for which it gives anything, in their order.
pub fn filter_map<T: Send>(n: usize, of: impl Fn(usize) -> Option<T> + Sync) -> Vec<T> {
    flat_map(n, of)
}

/// All items that `of(i)` gives for each of `0..n`, in their order.
pub fn flat_map<I>(n: usize, of: impl Fn(usize) -> I + Sync) -> Vec<I::Item>
where
    I: IntoIterator<Item: Send>,
{
    let mut out = Vec::new();
    extend(&mut out, n, of);
    out
}

/// Appends all items that `of(i)` gives for each of `0..n`, in their order.
pub fn extend<I>(out: &mut Vec<I::Item>, n: usize, of: impl Fn(usize) -> I + Sync)
where
    I: IntoIterator<Item: Send>,
{
    let grain = grain(n);
    let parts = map_pieces(n.div_ceil(grain), &|k| {
        let mut part = Vec::new();
        (k * grain..n.min((k + 1) * grain)).for_each(|i| part.extend(of(i)));
        part
    });
    out.reserve(parts.iter().map(Vec::len).sum());
    parts.into_iter().for_each(|mut part| out.append(&mut part));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::{chunks, with_threads};
    use std::panic::catch_unwind;

    /// Calls `check` on several counts of threads, for several counts of items.
    fn for_counts(check: impl Fn(usize) + Sync) {
        for threads in [1, 2, 5] {
            with_threads(threads, || [0, 1, 2, 99, 512, 20_011].into_iter().for_each(&check));
        }
    }

    #[test]
    fn results_have_the_order_of_the_items() {
        for_counts(|n| {
            let squares: Vec<String> = (0..n).map(|i| (i * i).to_string()).collect();
            assert_eq!(map(n, |i| (i * i).to_string()), squares);
            assert_eq!(map_by(n, 7, |i| (i * i).to_string()), squares);
            assert_eq!(map_pieces(n, &|i| (i * i).to_string()), squares);
            assert_eq!(map(n, |_| ()).len(), n);
        });
    }

    #[test]
    fn filtered_and_flattened_items_have_the_order_of_the_items() {
        for_counts(|n| {
            let odd = |i: usize| (i % 2 == 1).then_some(i);
            assert_eq!(filter_map(n, odd), (0..n).filter_map(odd).collect::<Vec<_>>());
            let row = |i: usize| (0..i % 5).map(move |j| (i, j));
            let mut out = vec![(7, 7)];
            extend(&mut out, n, row);
            assert_eq!(out[0], (7, 7));
            assert_eq!(out[1..], (0..n).flat_map(row).collect::<Vec<_>>());
            assert_eq!(out[1..], flat_map(n, row));
        });
    }

    #[test]
    fn parts_are_mapped_in_order() {
        for_counts(|n| {
            let mut counts = vec![0; n.div_ceil(7)];
            let numbers: Vec<usize> = (0..n).collect();
            let sums =
                map_parts((items_mut(&mut counts), chunks(&numbers, 7)), |k, (count, part)| {
                    *count = part.len();
                    (k, part.iter().sum::<usize>())
                });
            let right = numbers.chunks(7).map(|part| part.iter().sum()).enumerate();
            assert_eq!(sums, right.collect::<Vec<_>>());
            assert_eq!(counts.iter().sum::<usize>(), n);
        });
    }

    #[test]
    fn a_panic_of_a_task_reaches_the_caller_and_frees_no_item_twice() {
        let of = |i: usize| {
            assert!(i != 77);
            i.to_string()
        };
        for threads in [1, 2, 5] {
            with_threads(threads, || {
                assert!(catch_unwind(|| map(1000, of)).is_err());
                assert!(catch_unwind(|| map_pieces(1000, &of)).is_err());
                assert!(catch_unwind(|| flat_map(1000, |i| [of(i)])).is_err());
            });
        }
    }
}
