//! Items in numbered buckets, in one flat array, filled by a counting sort.

/// The items of each bucket, in the order in which they were given.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buckets<T> {
    /// Where each bucket starts; one entry more than buckets.
    starts: Vec<usize>,
    items: Vec<T>,
}

impl<T: Copy + Default> Buckets<T> {
    /// Sorts `labelled` items, `(bucket, item)`, into buckets `0..count`. Linear; keeps its memory.
    pub fn rebuild(&mut self, count: usize, labelled: &[(u32, T)]) {
        self.starts.clear();
        self.starts.resize(count + 1, 0);
        for &(bucket, _) in labelled {
            self.starts[bucket as usize] += 1;
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        self.items.clear();
        self.items.resize(labelled.len(), T::default());
        // Each start stands at its bucket's end; filling backwards moves it to the beginning.
        for &(bucket, item) in labelled.iter().rev() {
            let start = &mut self.starts[bucket as usize];
            *start -= 1;
            self.items[*start] = item;
        }
    }

    /// The items of a bucket.
    #[inline(always)]
    pub fn of(&self, bucket: u32) -> &[T] {
        &self.items[self.starts[bucket as usize]..self.starts[bucket as usize + 1]]
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.starts[..]) + size_of_val(&self.items[..])
    }

    /// The number of buckets.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_keep_their_order_within_a_bucket() {
        let mut buckets = Buckets::default();
        buckets.rebuild(4, &[(2, 'a'), (0, 'b'), (2, 'c'), (3, 'd'), (0, 'e')]);
        let all: Vec<&[char]> = (0..4).map(|b| buckets.of(b)).collect();
        assert_eq!(all, [&['b', 'e'][..], &[], &['a', 'c'], &['d']]);
        buckets.rebuild(1, &[]);
        assert_eq!((buckets.len(), buckets.of(0).len()), (1, 0));
    }
}
