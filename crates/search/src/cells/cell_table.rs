//! A hash table from cells to consecutive numbers.
//!
//! Cells are hashed as in Teschner et al. 2003 (Pouchol et al. 2009, eq. 1), without the modulo:
//! the unbounded form of Pouchol §4.3. Open addressing with linear probing. The caller says whether
//! a number stands for the cell it looks for, so a collision of hashes costs time and never mixes
//! cells up.

use hashfall_core::cell::Cell;

/// No number stands here.
const VACANT: u32 = u32::MAX;

/// The smallest table.
const MIN_SLOTS: usize = 16;

/// The primes α, β, γ of the papers.
const PRIMES: [u64; 3] = [73_856_093, 19_349_663, 83_492_791];

/// The coordinates of a cell, each multiplied by its prime.
#[inline(always)]
fn products(cell: Cell) -> [u64; 3] {
    std::array::from_fn(|axis| (i64::from(cell[axis]) as u64).wrapping_mul(PRIMES[axis]))
}

/// The hash of a cell before it is reduced to a place in a table: α·i ⊕ β·j ⊕ γ·k.
#[inline(always)]
pub(crate) fn hash(cell: Cell) -> u64 {
    let [x, y, z] = products(cell);
    x ^ y ^ z
}

/// The additive hash of Ahmad: α·i + β·j + γ·k.
#[inline(always)]
pub(crate) fn additive_hash(cell: Cell) -> u64 {
    let [x, y, z] = products(cell);
    x.wrapping_add(y).wrapping_add(z)
}

/// Numbers cells `0, 1, 2, …` as they come.
#[derive(Clone, Debug, Default)]
pub(crate) struct CellTable {
    /// A power of two, at least half of them vacant; empty before the first [`CellTable::clear`].
    slots: Vec<u32>,
    /// The hash of each number.
    hashes: Vec<u64>,
}

impl CellTable {
    /// Forgets all cells; keeps its memory.
    pub fn clear(&mut self) {
        self.hashes.clear();
        let slots = self.slots.len().max(MIN_SLOTS);
        self.slots.clear();
        self.slots.resize(slots, VACANT);
    }

    /// The count of cells.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.slots[..]) + size_of_val(&self.hashes[..])
    }

    /// The number of a cell with this hash for which `is_it` holds.
    #[inline]
    pub fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let number = self.slots[self.probe(hash, is_it)];
        (number != VACANT).then_some(number)
    }

    /// As [`CellTable::find`]; a new cell gets the next number. Whether it is new comes second.
    pub fn find_or_insert(&mut self, hash: u64, is_it: impl Fn(u32) -> bool) -> (u32, bool) {
        if 2 * (self.len() + 1) > self.slots.len() {
            self.grow();
        }
        let slot = self.probe(hash, is_it);
        if self.slots[slot] != VACANT {
            return (self.slots[slot], false);
        }
        let number = self.len() as u32;
        self.slots[slot] = number;
        self.hashes.push(hash);
        (number, true)
    }

    /// The slot that holds the cell, or the vacant one where it would go.
    #[inline(always)]
    fn probe(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = home(hash, self.slots.len());
        while self.slots[slot] != VACANT && !is_it(self.slots[slot]) {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let slots = (2 * self.slots.len()).max(MIN_SLOTS);
        self.slots.clear();
        self.slots.resize(slots, VACANT);
        for number in 0..self.len() {
            let slot = self.probe(self.hashes[number], |_| false);
            self.slots[slot] = number as u32;
        }
    }

    /// Panics unless each number is found under its hash.
    pub fn assert_well_formed(&self) {
        let taken = self.slots.iter().filter(|&&s| s != VACANT).count();
        assert_eq!(taken, self.len());
        assert!(2 * taken <= self.slots.len(), "more than half full");
        for (number, &hash) in self.hashes.iter().enumerate() {
            assert_eq!(self.find(hash, |n| n as usize == number), Some(number as u32));
        }
    }
}

/// Where a hash belongs in a table of `slots`, a power of two from 2 on: the top bits of a product
/// with 2⁶⁴/φ (Fibonacci hashing), for the low bits of eq. 1 depend on few bits of the cell.
#[inline(always)]
pub(crate) fn home(hash: u64, slots: usize) -> usize {
    (hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - slots.trailing_zeros())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(side: i32) -> Vec<Cell> {
        (0..side * side * side)
            .map(|n| [n % side - side / 2, n / side % side, n / (side * side)])
            .collect()
    }

    #[test]
    fn cells_are_numbered_as_they_come_and_found_again() {
        let cells = block(12);
        let mut table = CellTable::default();
        for round in 0..2 {
            table.clear();
            assert_eq!(table.find(hash(cells[0]), |_| true), None);
            for (n, &cell) in cells.iter().enumerate() {
                let is_it = |k: u32| cells[k as usize] == cell;
                assert_eq!(table.find_or_insert(hash(cell), is_it), (n as u32, true), "{round}");
                assert_eq!(table.find_or_insert(hash(cell), is_it), (n as u32, false));
            }
            table.assert_well_formed();
        }
    }

    #[test]
    fn equal_hashes_are_told_apart() {
        let mut table = CellTable::default();
        for n in 0..40 {
            assert_eq!(table.find_or_insert(7, |k| k == n), (n, true));
        }
        table.assert_well_formed();
        assert_eq!(table.find(7, |k| k == 40), None);
    }

    #[test]
    fn a_block_of_cells_spreads_over_the_table() {
        let mut table = CellTable::default();
        let cells = block(16);
        for &cell in &cells {
            table.find_or_insert(hash(cell), |k| cells[k as usize] == cell);
        }
        let slots = table.slots.len();
        let away: usize = (0..slots)
            .filter(|&s| table.slots[s] != VACANT)
            .map(|s| {
                let home = home(table.hashes[table.slots[s] as usize], slots);
                (s + slots - home) % slots
            })
            .sum();
        assert!(away < 2 * cells.len(), "{away} steps to find {} cells", cells.len());
    }
}
