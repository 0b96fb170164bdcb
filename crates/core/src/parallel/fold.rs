//! Loops that end in one value.

use super::driver::{CHUNK, for_ranges};
use super::map::map_pieces;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// What `part` finds of the chunks of `0..n`, joined in their order.
pub fn fold<T: Send>(
    n: usize,
    part: impl Fn(Range<usize>) -> T + Sync,
    join: impl Fn(T, T) -> T,
) -> Option<T> {
    map_pieces(n.div_ceil(CHUNK), &|c| part(c * CHUNK..n.min((c + 1) * CHUNK)))
        .into_iter()
        .reduce(join)
}

/// The largest `value(i)` over `0..n`, at least `floor`; NaN values are passed over.
pub fn max<T>(n: usize, floor: T, value: impl Fn(usize) -> T + Sync) -> T
where
    T: Copy + PartialOrd + Send + Sync,
{
    let larger = |a: T, b: T| if b > a { b } else { a };
    fold(n, |chunk| chunk.map(&value).fold(floor, larger), larger).unwrap_or(floor)
}

/// What `part` finds of ranges of `0..n`, `length` items long but for the last, joined as they end:
/// only for what is the same for any order. It needs no memory of its own.
///
/// # Panics
/// If `length` is zero.
pub fn reduce<T: Send>(
    n: usize,
    length: usize,
    part: impl Fn(Range<usize>) -> T + Sync,
    join: impl Fn(T, T) -> T + Sync,
) -> Option<T> {
    let all = Mutex::new(None);
    for_ranges(n, length, &|range| {
        let found = part(range);
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        *all = Some(match all.take() {
            Some(others) => join(others, found),
            None => found,
        });
    });
    all.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::with_threads;

    #[test]
    fn parts_are_joined_in_order() {
        for (threads, n) in [1, 2, 5].into_iter().flat_map(|t| [0, 1, CHUNK, 2001].map(|n| (t, n)))
        {
            let all = with_threads(threads, || {
                fold(n, |range| range.collect::<Vec<_>>(), |a, b| [a, b].concat())
            });
            assert_eq!(all, (n > 0).then(|| (0..n).collect()));
            assert_eq!(with_threads(threads, || max(n, -1, |i| i as i32)), n as i32 - 1);
        }
        assert_eq!(max(0, -1, |_| 7), -1);
        assert_eq!(max(3, 0.0, |i| [f64::NAN, 1.0, f64::NAN][i]), 1.0);
    }

    #[test]
    fn parts_are_joined_in_any_order() {
        for (threads, n) in [1, 2, 5].into_iter().flat_map(|t| [0, 1, 7, 2001].map(|n| (t, n))) {
            let part = |range: Range<usize>| (range.clone().sum::<usize>(), range.len());
            let both = |a: (usize, usize), b: (usize, usize)| (a.0 + b.0, a.1.max(b.1));
            let all = with_threads(threads, || reduce(n, 7, part, both));
            assert_eq!(all, (n > 0).then(|| ((0..n).sum(), n.min(7))));
        }
    }
}
