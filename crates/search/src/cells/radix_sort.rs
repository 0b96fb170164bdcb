//! A radix sort of items by short keys, shared by all threads.
//!
//! Linear and stable, the same for any number of threads (Terdiman 2000; Onderik & Ďurikovič 2008,
//! §4.2). Each pass is cut into parts that count their digits, then place their numbers where the
//! parts and digits before leave off.

use hashfall_core::parallel::{self, chunks, chunks_mut, for_parts};
use rayon::slice::ParallelSliceMut;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The most bits that a pass looks at.
const DIGIT_BITS: u32 = 11;

/// The least numbers that are worth a task of their own.
const PART: usize = 1 << 14;

/// A sorter of items by key that keeps its memory.
///
/// A sorted number carries the key in its high bits and the item in its low bits, so that a pass
/// moves eight bytes. Where they do not fit into 64 bits together, a general sort takes over.
#[derive(Debug, Default)]
pub(crate) struct RadixSort {
    /// Tasks write where no other does, and wait for none.
    numbers: Vec<AtomicU64>,
    sorted: Vec<AtomicU64>,
    /// For each part and digit where its next number goes.
    next: Vec<u32>,
    /// Low bits of a number that are the item.
    item_bits: u32,
    /// Keys and items that are too long for a number; else empty.
    long: Vec<(u64, u32)>,
}

impl RadixSort {
    /// Sorts the items below `len`, fewer than 2³², by keys of this number of bits; those with the
    /// same key stay in order.
    pub fn sort_by_key(&mut self, len: usize, bits: u32, key: impl Fn(usize) -> u64 + Sync) {
        self.item_bits = usize::BITS - len.leading_zeros();
        self.long.clear();
        if bits + self.item_bits > u64::BITS {
            self.long.resize(len, (0, 0));
            parallel::fill(&mut self.long, |item, long| *long = (key(item), item as u32));
            self.long.par_sort_unstable();
            return;
        }
        // Not cleared before: all are written below, by all threads.
        self.numbers.resize_with(len, AtomicU64::default);
        self.sorted.resize_with(len, AtomicU64::default);
        let item_bits = self.item_bits;
        parallel::fill(&mut self.numbers, |item, number| {
            *number.get_mut() = key(item) << item_bits | item as u64;
        });
        let passes = bits.div_ceil(DIGIT_BITS);
        for pass in 0..passes {
            let [from, to] = [pass, pass + 1].map(|pass| bits * pass / passes);
            self.pass(item_bits + from, to - from);
        }
    }

    /// The item at a place of the order.
    #[inline(always)]
    pub fn item(&self, place: usize) -> u32 {
        match self.long.get(place) {
            Some(long) => long.1,
            None => (self.numbers[place].load(Relaxed) & ((1 << self.item_bits) - 1)) as u32,
        }
    }

    /// The key at a place of the order.
    #[inline(always)]
    pub fn key(&self, place: usize) -> u64 {
        match self.long.get(place) {
            Some(long) => long.0,
            None => self.numbers[place].load(Relaxed) >> self.item_bits,
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
        let pieces = (chunks_mut(&mut self.next, digits), chunks(numbers, part));
        for_parts(pieces, |_, (counts, part)| {
            part.iter().for_each(|number| counts[digit(number.load(Relaxed))] += 1);
        });
        let mut sum = 0;
        for digit in 0..digits {
            for part in 0..parts {
                sum += std::mem::replace(&mut self.next[part * digits + digit], sum);
            }
        }
        let pieces = (chunks_mut(&mut self.next, digits), chunks(numbers, part));
        for_parts(pieces, |_, (next, part)| {
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
