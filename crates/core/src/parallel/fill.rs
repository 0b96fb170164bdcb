//! Loops that write the items of an array.

use super::driver::CHUNK;
use super::parts::{chunks_mut, for_parts, items_mut};

/// Calls `write(i, &mut out[i])` for every item.
pub fn fill<T: Send>(out: &mut [T], write: impl Fn(usize, &mut T) + Sync) {
    fill_by(out, CHUNK, write);
}

/// The same with tasks of `length` items, for items that are dearer or cheaper than most.
///
/// # Panics
/// If `length` is zero.
pub fn fill_by<T: Send>(out: &mut [T], length: usize, write: impl Fn(usize, &mut T) + Sync) {
    for_parts(chunks_mut(out, length), |chunk, items| {
        for (i, item) in (chunk * length..).zip(items) {
            write(i, item);
        }
    });
}

/// Calls `write(i, &mut a[i], &mut b[i])` for every item of two arrays of one length.
///
/// # Panics
/// If their lengths differ.
pub fn fill_both<A: Send, B: Send>(
    a: &mut [A],
    b: &mut [B],
    write: impl Fn(usize, &mut A, &mut B) + Sync,
) {
    assert_eq!(a.len(), b.len(), "two arrays of one length");
    for_parts((chunks_mut(a, CHUNK), chunks_mut(b, CHUNK)), |chunk, (a, b)| {
        for (k, (a, b)) in a.iter_mut().zip(b).enumerate() {
            write(chunk * CHUNK + k, a, b);
        }
    });
}

/// Calls `write(k, chunk)` for every chunk, of which only the last may be shorter than [`CHUNK`].
pub fn fill_chunks<T: Send>(out: &mut [T], write: &(dyn Fn(usize, &mut [T]) + Sync)) {
    for_parts(chunks_mut(out, CHUNK), write);
}

/// Calls `write(k, chunk, &mut own[k])` for every chunk as [`fill_chunks`] does; there is one of
/// `own` for each, or more.
///
/// # Panics
/// If there are fewer.
pub fn fill_chunks_with<T: Send, S: Send>(
    out: &mut [T],
    own: &mut [S],
    write: &(dyn Fn(usize, &mut [T], &mut S) + Sync),
) {
    let own = &mut own[..out.len().div_ceil(CHUNK)];
    let parts = (chunks_mut(out, CHUNK), items_mut(own));
    for_parts(parts, |chunk, (items, own)| write(chunk, items, own));
}

/// Calls `write(k, &mut pieces[k])` for every piece of a work, each a task of its own.
pub fn fill_pieces<T: Send>(pieces: &mut [T], write: &(dyn Fn(usize, &mut T) + Sync)) {
    for_parts(items_mut(pieces), write);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::with_threads;

    #[test]
    fn each_chunk_has_its_own_and_there_may_be_more() {
        for n in [0, 1, CHUNK, CHUNK + 1, 3000] {
            let (mut out, mut own) = (vec![0; n], vec![usize::MAX; n.div_ceil(CHUNK) + 2]);
            fill_chunks_with(&mut out, &mut own, &|chunk, items, own| {
                items.fill(chunk);
                *own = items.len();
            });
            assert!(out.iter().enumerate().all(|(i, &chunk)| chunk == i / CHUNK));
            let (of_chunks, rest) = own.split_at(n.div_ceil(CHUNK));
            assert_eq!((of_chunks.iter().sum::<usize>(), rest), (n, &[usize::MAX; 2][..]));
        }
    }

    #[test]
    #[should_panic(expected = "two arrays of one length")]
    fn arrays_of_two_lengths_are_refused() {
        fill_both(&mut [0; 5], &mut [0; 4], |_, _, _| ());
    }

    #[test]
    #[should_panic(expected = "out of range")]
    fn too_few_of_own_are_refused() {
        fill_chunks_with(&mut [0; CHUNK + 1], &mut [0], &|_, _, _| ());
    }

    #[test]
    fn every_item_and_piece_is_written_for_any_thread_count() {
        for (threads, n) in [1, 2, 5].into_iter().flat_map(|t| [0, 1, CHUNK, 2001].map(|n| (t, n)))
        {
            with_threads(threads, || {
                let (mut a, mut b, mut c) = (vec![0; n], vec![0; n], vec![0; n]);
                fill(&mut a, |i, a| *a = i);
                fill_by(&mut a, 3, |i, a| *a += usize::from(*a == i));
                fill_pieces(&mut b, &|k, b| *b = a[k] * 2);
                fill_both(&mut a, &mut c, |i, a, c| {
                    *a += b[i];
                    *c = i;
                });
                assert!((0..n).all(|i| (a[i], b[i], c[i]) == (3 * (i + 1), 2 * (i + 1), i)));
                fill_chunks(&mut c, &|chunk, items| items.fill(chunk));
                assert!((0..n).all(|i| c[i] == i / CHUNK));
            });
        }
    }
}
