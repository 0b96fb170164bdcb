//! What is placed one after the other, by its cell in an unbounded grid, to ask what lies around a
//! cell while more is placed.
//!
//! The searches of `hashfall-search` are built of all points at once, or of boxes in the state's
//! precision; here one thing is added for each that is asked about, and the first that is near
//! enough ends the question. Cells share buckets (Teschner et al. 2003): who asks tests what it is
//! shown.

/// Numbers of what is placed, from 0 on, by cells.
pub struct CellHash {
    /// The last of each bucket, or `NONE`; a power of two.
    last: Vec<u32>,
    /// For each the one before in its bucket.
    before: Vec<u32>,
}

/// Nothing.
const NONE: u32 = u32::MAX;

impl CellHash {
    /// Of nothing yet, for about this many.
    pub fn new(count: usize) -> Self {
        let buckets = (2 * count).next_power_of_two();
        CellHash { last: vec![NONE; buckets], before: Vec::with_capacity(count) }
    }

    /// Places the next in a cell.
    pub fn insert(&mut self, cell: [i64; 3]) {
        let bucket = self.bucket(cell);
        let number = self.before.len() as u32;
        self.before.push(std::mem::replace(&mut self.last[bucket], number));
    }

    /// Whether something holds for any number that is placed in a cell or in one of the 26 around
    /// it; it may be asked of others, too.
    pub fn any_around(&self, [x, y, z]: [i64; 3], holds: impl Fn(usize) -> bool) -> bool {
        let any_in = |cell: [i64; 3]| {
            let mut number = self.last[self.bucket(cell)];
            while number != NONE {
                if holds(number as usize) {
                    return true;
                }
                number = self.before[number as usize];
            }
            false
        };
        (0..27).map(|n| [x + n % 3 - 1, y + n / 3 % 3 - 1, z + n / 9 - 1]).any(any_in)
    }

    /// Multiplied by odd numbers, and mixed from the highest bits down.
    fn bucket(&self, cell: [i64; 3]) -> usize {
        let factors = [0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb];
        let terms = (0..3).map(|a| cell[a].cast_unsigned().wrapping_mul(factors[a]));
        let hash = terms.fold(0u64, |hash, term| hash ^ term);
        (hash >> 32) as usize & (self.last.len() - 1)
    }
}
