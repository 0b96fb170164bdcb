//! The order of points by cell: a radix sort of keys as short as they can be.
//!
//! Linear and stable (Onderik & Ďurikovič 2008, §4.2; [`RadixSort`]). Deviation: cells count from
//! the least coordinates that occur and have no more bits than the largest needs, 18 instead of 63
//! in a cube of a million points, so two passes do.

use crate::cells::radix_sort::RadixSort;
use hashfall_core::parallel;
use std::ops::Range;

/// The least keys that are worth a task of their own.
const PART: usize = 1 << 14;

/// Bits of a coordinate in a key; x is lowest.
const AXIS_BITS: u32 = 21;
const AXIS_MASK: u64 = (1 << AXIS_BITS) - 1;

/// A sorter of points by cell that keeps its memory.
#[derive(Debug, Default)]
pub struct CellSort {
    short: ShortKeys,
    sorter: RadixSort,
}

/// How keys are made shorter.
#[derive(Clone, Copy, Debug, Default)]
struct ShortKeys {
    /// The least coordinate on each axis.
    least: [u64; 3],
    /// Bits of each coordinate beyond it.
    bits: [u32; 3],
}

fn coordinate(key: u64, axis: usize) -> u64 {
    key >> (AXIS_BITS * axis as u32) & AXIS_MASK
}

fn bits_of(number: u64) -> u32 {
    u64::BITS - number.leading_zeros()
}

impl ShortKeys {
    fn new(keys: &[u64]) -> Self {
        let widen = |range: [[u64; 2]; 3], key: &u64| {
            std::array::from_fn(|axis| {
                let c = coordinate(*key, axis);
                [range[axis][0].min(c), range[axis][1].max(c)]
            })
        };
        let join = |a: [[u64; 2]; 3], b: [[u64; 2]; 3]| {
            std::array::from_fn(|axis| [a[axis][0].min(b[axis][0]), a[axis][1].max(b[axis][1])])
        };
        let none = [[AXIS_MASK, 0]; 3];
        let of_part = |part: Range<usize>| keys[part].iter().fold(none, widen);
        let ranges = parallel::reduce(keys.len(), PART, of_part, join).unwrap_or(none);
        ShortKeys {
            least: ranges.map(|[least, _]| least),
            bits: ranges.map(|[least, most]| bits_of(most.saturating_sub(least))),
        }
    }

    #[inline(always)]
    fn shortened(&self, key: u64) -> u64 {
        let [x, y, z] = [0, 1, 2].map(|axis| coordinate(key, axis) - self.least[axis]);
        ((z << self.bits[1] | y) << self.bits[0]) | x
    }

    #[inline(always)]
    fn restored(&self, short: u64) -> u64 {
        let low = |number: u64, bits: u32| number & ((1 << bits) - 1);
        let (x, rest) = (low(short, self.bits[0]), short >> self.bits[0]);
        let (y, z) = (low(rest, self.bits[1]), rest >> self.bits[1]);
        let [x, y, z] = [x + self.least[0], y + self.least[1], z + self.least[2]];
        (z << AXIS_BITS | y) << AXIS_BITS | x
    }
}

impl CellSort {
    /// Sorts the keys of cells, none of them [`NO_KEY`](hashfall_core::cell::NO_KEY); equal ones
    /// stay in order. Linear in time and the same for any number of threads.
    pub fn sort(&mut self, keys: &[u64]) {
        self.short = ShortKeys::new(keys);
        let short = self.short;
        let bits = short.bits.iter().sum();
        self.sorter.sort_by_key(keys.len(), bits, |point| short.shortened(keys[point]));
    }

    /// The key and the point at a place of the order.
    #[inline(always)]
    pub fn at(&self, place: usize) -> (u64, u32) {
        (self.short.restored(self.sorter.key(place)), self.sorter.item(place))
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.sorter.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::cell::{CELL_LIMIT, Cell, cell_key};
    use hashfall_core::geometry::random::Random;
    use hashfall_core::parallel::with_threads;

    fn sorted(keys: &[u64], threads: usize) -> Vec<(u64, u32)> {
        let mut sorter = CellSort::default();
        // What is left of more numbers, and of such as are too long, must not show.
        with_threads(threads, || {
            sorter.sort(&[cell_key([-7, 8, 9]); 40_000]);
            sorter.sort(&[[CELL_LIMIT - 1; 3], [-CELL_LIMIT; 3], [0; 3]].map(cell_key));
            assert_eq!(sorter.short.bits, [21; 3]);
            assert_eq!(sorter.at(0), (cell_key([-CELL_LIMIT; 3]), 1));
            sorter.sort(keys);
        });
        (0..keys.len()).map(|place| sorter.at(place)).collect()
    }

    #[test]
    fn agrees_with_a_stable_sort_for_cubes_planes_and_cells_at_the_limits() {
        let mut random = Random::new(11);
        let mut cell = |size: [i32; 3]| -> Cell {
            let at = random.point(-0.5, 0.5);
            [0, 1, 2].map(|axis| (at[axis] * f64::from(size[axis])) as i32)
        };
        let far = 2 * CELL_LIMIT - 8;
        for size in [[1, 1, 1], [12, 12, 12], [3000, 1, 9], [1 << 14; 3], [far; 3]] {
            for count in [0, 1, 2, 1000, 70_000] {
                let keys: Vec<u64> = (0..count).map(|_| cell_key(cell(size))).collect();
                let mut want: Vec<(u64, u32)> = keys.iter().copied().zip(0..).collect();
                want.sort();
                for threads in [1, 2, 5] {
                    assert!(sorted(&keys, threads) == want, "{count} in {size:?}");
                }
            }
        }
    }
}
