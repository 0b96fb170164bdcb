//! The neighbour lists of one chunk of points, in one flat array.

use hashfall_core::Real;
use hashfall_core::simd::prefetch;

/// Neighbours that a sum may read at once, beyond the end of a list.
pub(crate) const MAX_AT_ONCE: usize = 16;

/// Numbers that memory gives at once: 64 bytes.
const LINE: usize = 64 / size_of::<u32>();

/// The lists of one chunk of places.
#[derive(Clone, Debug, Default)]
pub struct ChunkLists {
    /// Where each list starts in `neighbors`, and the end of the last.
    pub(crate) starts: Vec<u32>,
    /// The lists, then room for more.
    pub(crate) neighbors: Vec<u32>,
    /// A number for each neighbour, and then for the room; empty if nobody asked for them.
    pub(crate) values: Vec<Real>,
    pub(crate) keep_squares: bool,
}

impl ChunkLists {
    pub(crate) fn clear(&mut self, keep_squares: bool) {
        self.keep_squares = keep_squares;
        self.starts.clear();
        self.starts.push(0);
    }

    /// The end of the last list.
    pub(crate) fn end(&self) -> usize {
        self.starts.last().map_or(0, |&end| end as usize)
    }

    /// Where the list of the chunk's place `k` stands among all of its lists.
    #[inline(always)]
    pub fn range(&self, k: usize) -> std::ops::Range<usize> {
        self.starts[k] as usize..self.starts[k + 1] as usize
    }

    /// The list of the chunk's place `k` and its numbers in blocks of `N`, at most 16, and the
    /// length of the list: what stands behind its end in the last block is anything.
    #[inline(always)]
    pub fn blocks_of_pairs<const N: usize>(&self, k: usize) -> (&[[u32; N]], &[[Real; N]], usize) {
        const { assert!(N <= MAX_AT_ONCE) };
        let std::ops::Range { start, end } = self.range(k);
        let rounded = start..start + (end - start).next_multiple_of(N);
        let (neighbors, values) = (&self.neighbors[rounded.clone()], &self.values[rounded]);
        (neighbors.as_chunks().0, values.as_chunks().0, end - start)
    }

    /// The list of the chunk's place `k`, and its numbers.
    #[inline(always)]
    pub fn pairs(&self, k: usize) -> (&[u32], &[Real]) {
        let range = self.range(k);
        (&self.neighbors[range.clone()], &self.values[range])
    }

    /// Asks for the list of the chunk's place `k` before it is read, if there is one.
    #[inline(always)]
    pub fn prefetch(&self, k: usize) {
        if let Some(&start) = self.starts.get(k) {
            for place in [start as usize, start as usize + LINE] {
                prefetch(&self.neighbors, place);
                prefetch(&self.values, place);
            }
        }
    }

    /// The last neighbour in the lists up to the chunk's place `k`, if there is such a place.
    #[inline(always)]
    pub fn last_neighbor(&self, k: usize) -> Option<u32> {
        let end = *self.starts.get(k + 1)? as usize;
        self.neighbors.get(end.checked_sub(1)?).copied()
    }

    /// The numbers of the list of the chunk's place `k`: squared distances until they are replaced.
    #[inline(always)]
    pub fn values_mut(&mut self, k: usize) -> &mut [Real] {
        let range = self.range(k);
        &mut self.values[range]
    }

    /// Leaves of the list of the chunk's place `k` the neighbours `j` for which `keep(k, j)` holds.
    pub fn retain(&mut self, mut keep: impl FnMut(usize, u32) -> bool) {
        let (mut start, mut end) = (0, 0);
        for k in 0..self.starts.len().saturating_sub(1) {
            let list = start..self.starts[k + 1] as usize;
            start = list.end;
            for at in list {
                if keep(k, self.neighbors[at]) {
                    self.neighbors[end] = self.neighbors[at];
                    if self.keep_squares {
                        self.values[end] = self.values[at];
                    }
                    end += 1;
                }
            }
            self.starts[k + 1] = end as u32;
        }
    }

    /// Whether the squared distances are kept.
    pub(crate) fn keeps_squares(&self) -> bool {
        self.keep_squares
    }

    /// Room for `count` neighbours behind the last list, and for their numbers if they are kept.
    #[inline(always)]
    pub(crate) fn room(&mut self, count: usize) -> (&mut [u32], &mut [Real]) {
        let room = self.end()..self.end() + count;
        if self.neighbors.len() < room.end {
            // In small steps, so that little is left over for good.
            let more = room.end + self.neighbors.len() / 16;
            grow(&mut self.neighbors, more);
            if self.keep_squares {
                grow(&mut self.values, more);
            }
        }
        let values = if self.keep_squares { room.clone() } else { 0..0 };
        (&mut self.neighbors[room], &mut self.values[values])
    }

    /// Makes the first `count` numbers of the room the next list.
    #[inline(always)]
    pub(crate) fn close(&mut self, count: usize) {
        let end = u32::try_from(self.end() + count);
        self.starts.push(end.expect("the neighbours of a chunk of places fit 32 bits"));
    }
}

/// Makes an array longer, and no longer than that.
fn grow<T: Copy + Default>(numbers: &mut Vec<T>, len: usize) {
    numbers.reserve_exact(len.saturating_sub(numbers.len()));
    numbers.resize(len, T::default());
}
