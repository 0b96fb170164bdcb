//! Disjoint sets of numbers (union-find), the lowest of each set standing for it.
//!
//! Source: Tarjan & van Leeuwen, Worst-case analysis of set union algorithms (1984), with path
//! halving. Deviation: unions go by number in place of rank, so that the representative is always
//! the lowest member, whatever the order of the unions.

/// A partition of 0, 1, …, n − 1.
#[derive(Clone, Debug)]
pub struct DisjointSets {
    /// A member of the same set that is no higher; the lowest leads to itself.
    parents: Vec<u32>,
}

impl DisjointSets {
    /// `count` sets of one number each.
    pub fn new(count: usize) -> Self {
        DisjointSets { parents: (0..count as u32).collect() }
    }

    /// The lowest number of the set of `member`.
    pub fn find(&mut self, member: usize) -> usize {
        let mut at = member;
        loop {
            let parent = self.parents[at] as usize;
            if parent == at {
                return at;
            }
            let grandparent = self.parents[parent];
            self.parents[at] = grandparent;
            at = grandparent as usize;
        }
    }

    /// Makes one set of those of two numbers.
    pub fn union(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parents[a.max(b)] = a.min(b) as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_number_stands_for_a_set_in_any_order_of_unions() {
        let pairs = [(8, 3), (5, 9), (9, 3), (1, 7)];
        for first in 0..pairs.len() {
            let mut sets = DisjointSets::new(10);
            for k in 0..pairs.len() {
                let (a, b) = pairs[(first + k) % pairs.len()];
                sets.union(a, b);
            }
            let found: Vec<usize> = (0..10).map(|k| sets.find(k)).collect();
            assert_eq!(found, [0, 1, 2, 3, 4, 3, 6, 1, 3, 3]);
        }
    }
}
