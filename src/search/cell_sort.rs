//! The order of points by cell: a radix sort of keys as short as they can be.
//!
//! Linear and stable. As in Onderik & Ďurikovič 2008 (§4.2, after Terdiman 2000) a sorted number
//! carries the cell in its high bits and the point in its low bits, so that a pass moves eight
//! bytes and points of a cell stay in order. Deviations: cells count from the least coordinates
//! that occur and have no more bits than the largest needs, 18 instead of 63 in a cube of a million
//! points, so two passes do; and each pass is shared by tasks that count and place a part of the
//! numbers each. Where cell and point do not fit into 64 bits together, a general sort takes over.

use crate::base::parallel;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The most bits that a pass looks at.
const DIGIT_BITS: u32 = 11;

/// The least numbers that are worth a task of their own.
const PART: usize = 1 << 14;

/// Bits of a coordinate in a key; x is lowest.
const AXIS_BITS: u32 = 21;
const AXIS_MASK: u64 = (1 << AXIS_BITS) - 1;

/// A sorter of points by cell that keeps its memory.
#[derive(Debug, Default)]
pub struct CellSort {
    short: ShortKeys,
    /// Cell and point in one number each; tasks write where no other does, and wait for none.
    numbers: Vec<AtomicU64>,
    sorted: Vec<AtomicU64>,
    /// For each part and digit where its next number goes.
    next: Vec<u32>,
    /// Keys and points that are too long for a number; else empty.
    long: Vec<(u64, u32)>,
}

/// How keys are made shorter, and numbers of them.
#[derive(Clone, Copy, Debug, Default)]
struct ShortKeys {
    /// The least coordinate on each axis.
    least: [u64; 3],
    /// Bits of each coordinate beyond it.
    bits: [u32; 3],
    /// Bits of a point.
    point_bits: u32,
}

fn coordinate(key: u64, axis: usize) -> u64 {
    key >> (AXIS_BITS * axis as u32) & AXIS_MASK
}

fn bits_of(number: u64) -> u32 {
    u64::BITS - number.leading_zeros()
}

impl ShortKeys {
    fn of(keys: &[u64]) -> Self {
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
        let ranges =
            keys.par_chunks(PART).map(|part| part.iter().fold(none, widen)).reduce(|| none, join);
        ShortKeys {
            least: ranges.map(|[least, _]| least),
            bits: ranges.map(|[least, most]| bits_of(most.saturating_sub(least))),
            point_bits: bits_of(keys.len().saturating_sub(1) as u64),
        }
    }

    fn cell_bits(&self) -> u32 {
        self.bits.iter().sum()
    }

    fn fit(&self) -> bool {
        self.cell_bits() + self.point_bits <= u64::BITS
    }

    #[inline(always)]
    fn number(&self, key: u64, point: usize) -> u64 {
        let [x, y, z] = [0, 1, 2].map(|axis| coordinate(key, axis) - self.least[axis]);
        let cell = ((z << self.bits[1] | y) << self.bits[0]) | x;
        cell << self.point_bits | point as u64
    }

    #[inline(always)]
    fn key_and_point(&self, number: u64) -> (u64, u32) {
        let low = |number: u64, bits: u32| number & ((1 << bits) - 1);
        let cell = number >> self.point_bits;
        let (x, rest) = (low(cell, self.bits[0]), cell >> self.bits[0]);
        let (y, z) = (low(rest, self.bits[1]), rest >> self.bits[1]);
        let [x, y, z] = [x + self.least[0], y + self.least[1], z + self.least[2]];
        ((z << AXIS_BITS | y) << AXIS_BITS | x, low(number, self.point_bits) as u32)
    }
}

impl CellSort {
    /// Sorts the keys of cells, none of them [`NO_KEY`](crate::base::cell::NO_KEY); equal ones stay
    /// in order. Linear in time and the same for any number of threads.
    pub fn sort(&mut self, keys: &[u64]) {
        self.short = ShortKeys::of(keys);
        self.long.clear();
        if !self.short.fit() {
            self.long.par_extend(keys.par_iter().copied().zip(0..keys.len() as u32));
            self.long.par_sort_unstable();
            return;
        }
        // Not cleared before: all are written below, by all threads.
        self.numbers.resize_with(keys.len(), AtomicU64::default);
        self.sorted.resize_with(keys.len(), AtomicU64::default);
        let short = self.short;
        parallel::fill(&mut self.numbers, |point, number| {
            *number.get_mut() = short.number(keys[point], point);
        });
        let bits = short.cell_bits();
        let passes = bits.div_ceil(DIGIT_BITS);
        for pass in 0..passes {
            let [from, to] = [pass, pass + 1].map(|pass| bits * pass / passes);
            self.pass(short.point_bits + from, to - from);
        }
    }

    /// The key and the point at a place of the order.
    #[inline(always)]
    pub fn at(&self, place: usize) -> (u64, u32) {
        match self.long.get(place) {
            Some(long) => *long,
            None => self.short.key_and_point(self.numbers[place].load(Relaxed)),
        }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.numbers[..])
            + size_of_val(&self.sorted[..])
            + size_of_val(&self.next[..])
            + size_of_val(&self.long[..])
    }

    /// Sorts by the digit of some bits that starts at bit `shift`.
    fn pass(&mut self, shift: u32, bits: u32) {
        let digits = 1 << bits;
        let digit = |number: u64| (number >> shift) as usize & (digits - 1);
        let parts = rayon::current_num_threads().min(self.numbers.len() / PART).max(1);
        let part = self.numbers.len().div_ceil(parts).max(1);
        self.next.clear();
        self.next.resize(parts * digits, 0);
        let (numbers, sorted) = (&self.numbers, &self.sorted);
        self.next.par_chunks_mut(digits).zip(numbers.par_chunks(part)).for_each(
            |(counts, part)| {
                part.iter().for_each(|number| counts[digit(number.load(Relaxed))] += 1);
            },
        );
        let mut sum = 0;
        for digit in 0..digits {
            for part in 0..parts {
                sum += std::mem::replace(&mut self.next[part * digits + digit], sum);
            }
        }
        self.next.par_chunks_mut(digits).zip(numbers.par_chunks(part)).for_each(|(next, part)| {
            for number in part {
                let number = number.load(Relaxed);
                let place = &mut next[digit(number)];
                sorted[*place as usize].store(number, Relaxed);
                *place += 1;
            }
        });
        std::mem::swap(&mut self.numbers, &mut self.sorted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cell::{CELL_LIMIT, Cell, cell_key};
    use crate::base::parallel::with_threads;
    use crate::geometry::random::Random;

    fn sorted(keys: &[u64], threads: usize) -> Vec<(u64, u32)> {
        let mut sorter = CellSort::default();
        // What is left of more numbers, and of such as are too long, must not show.
        with_threads(threads, || {
            sorter.sort(&[cell_key([-7, 8, 9]); 40_000]);
            sorter.sort(&[[CELL_LIMIT - 1; 3], [-CELL_LIMIT; 3], [0; 3]].map(cell_key));
            assert!(!sorter.short.fit());
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
