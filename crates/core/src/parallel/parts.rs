//! Arrays that the tasks of a loop share: part k of each belongs to task k alone.
//!
//! ```
//! use hashfall_core::parallel::{chunks_mut, for_parts, items_mut};
//!
//! let (mut numbers, mut sums) = ([1, 2, 3, 4, 5], [0; 3]);
//! for_parts((chunks_mut(&mut numbers, 2), items_mut(&mut sums)), |k, (numbers, sum)| {
//!     numbers[0] += k;
//!     *sum = numbers.iter().sum();
//! });
//! assert_eq!((numbers, sums), ([1, 2, 4, 4, 7], [3, 8, 7]));
//! ```

use super::driver::for_each;
use std::marker::PhantomData;

/// Arrays in parts with numbers from zero. A tuple of such has as many parts as the shortest, each
/// a tuple of parts.
///
/// # Safety
/// Threads may use the parts of two different numbers at the same time.
pub unsafe trait Parts: Sync {
    /// What a task gets.
    type Part;

    /// The number of parts.
    fn count(&self) -> usize;

    /// Part `k`.
    ///
    /// # Safety
    /// `k` is less than the count, and no part is taken twice.
    unsafe fn part(&self, k: usize) -> Self::Part;
}

/// Calls `task(k, part)` for every part.
pub fn for_parts<P: Parts>(parts: P, task: impl Fn(usize, P::Part) + Sync) {
    // SAFETY: the loop passes each number below the count once, and `parts` ends here.
    for_each(parts.count(), &|k| task(k, unsafe { parts.part(k) }));
}

/// The items of a slice, each a part.
pub fn items_mut<T: Send>(all: &mut [T]) -> ItemsMut<'_, T> {
    ItemsMut { first: all.as_mut_ptr(), count: all.len(), all: PhantomData }
}

/// Chunks of a slice, of `length` items but for the last.
///
/// # Panics
/// If `length` is zero.
pub fn chunks_mut<T: Send>(all: &mut [T], length: usize) -> ChunksMut<'_, T> {
    assert!(length > 0, "chunks have items");
    ChunksMut { items: items_mut(all), length }
}

/// Chunks of a slice to read, of `length` items but for the last.
///
/// # Panics
/// If `length` is zero.
pub fn chunks<T: Sync>(all: &[T], length: usize) -> Chunks<'_, T> {
    assert!(length > 0, "chunks have items");
    Chunks { all, length }
}

/// See [`items_mut`].
pub struct ItemsMut<'a, T> {
    first: *mut T,
    count: usize,
    all: PhantomData<&'a mut [T]>,
}

// SAFETY: all that threads share of it are its parts, and of those they send what is theirs alone.
unsafe impl<T: Send> Sync for ItemsMut<'_, T> {}

// SAFETY: two items do not overlap.
unsafe impl<'a, T: Send> Parts for ItemsMut<'a, T> {
    type Part = &'a mut T;

    fn count(&self) -> usize {
        self.count
    }

    #[inline(always)]
    unsafe fn part(&self, k: usize) -> &'a mut T {
        debug_assert!(k < self.count);
        // SAFETY: the item is in the slice, which is borrowed for as long, and is taken once.
        unsafe { &mut *self.first.add(k) }
    }
}

/// See [`chunks_mut`].
pub struct ChunksMut<'a, T> {
    items: ItemsMut<'a, T>,
    length: usize,
}

// SAFETY: two chunks do not overlap.
unsafe impl<'a, T: Send> Parts for ChunksMut<'a, T> {
    type Part = &'a mut [T];

    fn count(&self) -> usize {
        self.items.count.div_ceil(self.length)
    }

    #[inline(always)]
    unsafe fn part(&self, k: usize) -> &'a mut [T] {
        let start = k * self.length;
        debug_assert!(start < self.items.count);
        let length = self.length.min(self.items.count - start);
        // SAFETY: the chunk is in the slice, which is borrowed for as long, and is taken once.
        unsafe { std::slice::from_raw_parts_mut(self.items.first.add(start), length) }
    }
}

/// See [`chunks`].
pub struct Chunks<'a, T> {
    all: &'a [T],
    length: usize,
}

// SAFETY: nobody writes.
unsafe impl<'a, T: Sync> Parts for Chunks<'a, T> {
    type Part = &'a [T];

    fn count(&self) -> usize {
        self.all.len().div_ceil(self.length)
    }

    #[inline(always)]
    unsafe fn part(&self, k: usize) -> &'a [T] {
        let start = k * self.length;
        &self.all[start..self.all.len().min(start + self.length)]
    }
}

/// Implements [`Parts`] for a tuple of parts.
macro_rules! tuple_of_parts {
    ($($name:ident $index:tt),+) => {
        // SAFETY: those of two different numbers are used at the same time in each.
        unsafe impl<$($name: Parts),+> Parts for ($($name,)+) {
            type Part = ($($name::Part,)+);

            fn count(&self) -> usize {
                [$(self.$index.count()),+].into_iter().min().unwrap_or(0)
            }

            #[inline(always)]
            unsafe fn part(&self, k: usize) -> Self::Part {
                // SAFETY: the number is less than each count, and each part is taken once.
                unsafe { ($(self.$index.part(k),)+) }
            }
        }
    };
}

tuple_of_parts!(A 0, B 1);
tuple_of_parts!(A 0, B 1, C 2);
tuple_of_parts!(A 0, B 1, C 2, D 3);
tuple_of_parts!(A 0, B 1, C 2, D 3, E 4);
tuple_of_parts!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::with_threads;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn every_part_goes_to_one_task() {
        for (threads, n) in [1, 2, 5].into_iter().flat_map(|t| [0, 1, 7, 8, 1001].map(|n| (t, n))) {
            let numbers: Vec<usize> = (0..n).collect();
            let (mut a, mut b) = (vec![0; n], vec![0; n.div_ceil(8)]);
            with_threads(threads, || {
                let parts = (chunks_mut(&mut a, 8), items_mut(&mut b), chunks(&numbers, 8));
                for_parts(parts, |k, (a, b, numbers)| {
                    a.copy_from_slice(numbers);
                    *b += k + 1;
                });
            });
            assert_eq!(a, numbers);
            assert!(b.iter().enumerate().all(|(k, &b)| b == k + 1));
        }
    }

    #[test]
    fn the_shortest_array_tells_the_number_of_parts() {
        let (mut a, mut b, mut c) = ([0; 10], [0; 3], [0; 7]);
        for_parts((chunks_mut(&mut a, 2), items_mut(&mut b)), |k, (a, b)| {
            a.fill(k + 1);
            *b = a.len();
        });
        assert_eq!((a, b), ([1, 1, 2, 2, 3, 3, 0, 0, 0, 0], [2; 3]));
        let parts = (items_mut(&mut c), chunks(&a, 3), items_mut(&mut b), chunks(&a, 10));
        for_parts(parts, |k, (c, triple, _, all)| *c = k + triple.len() + all.len());
        assert_eq!(c, [13, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn items_that_own_memory_are_replaced_and_dropped_where_a_task_panics() {
        for threads in [1, 2, 5] {
            let mut texts: Vec<String> = (0..300).map(|i| i.to_string()).collect();
            let caught = with_threads(threads, || {
                let write = |k: usize, text: &mut String| {
                    *text = format!("<{text}>");
                    assert!(k != 150);
                };
                catch_unwind(AssertUnwindSafe(|| for_parts(items_mut(&mut texts), write)))
            });
            assert!(caught.is_err());
            assert_eq!(texts[150], "<150>");
            let is_known =
                |(i, text): (usize, &String)| *text == i.to_string() || *text == format!("<{i}>");
            assert!(texts.iter().enumerate().all(is_known));
        }
    }

    #[test]
    fn items_without_a_size_are_counted() {
        let mut units = [(); 700];
        let mut counts = [0; 2];
        for_parts((chunks_mut(&mut units, 512), items_mut(&mut counts)), |_, (units, count)| {
            *count = units.len();
        });
        assert_eq!(counts, [512, 188]);
    }
}
