//! The order of 64-bit keys, by least-significant-digit radix sort.
//!
//! Linear and stable. Onderik & Ďurikovič 2008 (§4.2, after Terdiman 2000) sort keys that carry the
//! particle's index in their low bits; here the index stands beside its key, so its bits need no
//! passes. Digits have 11 bits and cover only bits in which some keys differ.

const DIGIT_BITS: u32 = 11;
const DIGITS: usize = 1 << DIGIT_BITS;

/// A sorter that keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct RadixSort {
    items: Vec<(u64, u32)>,
    sorted: Vec<(u64, u32)>,
    places: Vec<u32>,
}

impl RadixSort {
    /// The keys ascending, each with its index; equal keys by index.
    pub fn sort(&mut self, keys: &[u64]) -> &[(u64, u32)] {
        self.items.clear();
        self.items.extend(keys.iter().copied().zip(0..));
        self.sorted.resize(keys.len(), (0, 0));
        let first = keys.first().copied().unwrap_or(0);
        let mut differing = keys.iter().fold(0, |bits, key| bits | (key ^ first));
        while differing != 0 {
            let shift = differing.trailing_zeros();
            self.pass(shift);
            differing &= !((DIGITS as u64 - 1) << shift);
        }
        &self.items
    }

    /// Sorts by the digit that starts at bit `shift`.
    fn pass(&mut self, shift: u32) {
        let digit = |key: u64| (key >> shift) as usize & (DIGITS - 1);
        self.places.clear();
        self.places.resize(DIGITS, 0);
        for &(key, _) in &self.items {
            self.places[digit(key)] += 1;
        }
        let mut next = 0;
        for place in &mut self.places {
            next += std::mem::replace(place, next);
        }
        for &item in &self.items {
            let place = &mut self.places[digit(item.0)];
            self.sorted[*place as usize] = item;
            *place += 1;
        }
        std::mem::swap(&mut self.items, &mut self.sorted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_a_stable_sort() {
        let mut sorter = RadixSort::default();
        fn spread(i: u64) -> u64 {
            i.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        }
        fn few_bits(i: u64) -> u64 {
            (spread(i) >> 40 & 7) << 50 | 1 << 20
        }
        let keys_of: [fn(u64) -> u64; 3] = [spread, few_bits, |i| u64::MAX - i];
        for n in [0, 1, 2, 1000] {
            for key in keys_of {
                let keys: Vec<u64> = (0..n).map(key).collect();
                let mut want: Vec<(u64, u32)> = keys.iter().copied().zip(0..).collect();
                want.sort();
                assert_eq!(sorter.sort(&keys), want);
            }
        }
    }
}
