//! Values sorted by their owners, run after run: compressed sparse rows.

/// For each of some owners, the values that belong to it, in the order in which they came.
#[derive(Clone, Debug)]
pub(super) struct Runs<T> {
    /// By owner: where its values start; then the end of all.
    starts: Vec<u32>,
    values: Vec<T>,
}

impl<T: Copy + Default> Runs<T> {
    /// Of owners from 0 up to `count`; values come with their owners.
    ///
    /// # Panics
    /// If there are 2³² values or more.
    pub fn new(count: usize, owned: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        assert!(u32::try_from(owned.clone().count()).is_ok(), "fewer than 2³² values");
        let mut starts = vec![0_u32; count + 1];
        owned.clone().for_each(|(owner, _)| starts[owner as usize + 1] += 1);
        (0..count).for_each(|owner| starts[owner + 1] += starts[owner]);
        let mut values = vec![T::default(); starts[count] as usize];
        for (owner, value) in owned {
            let next = &mut starts[owner as usize];
            values[*next as usize] = value;
            *next += 1;
        }
        // Each start is now the end of its run: the start of the next.
        starts.rotate_right(1);
        starts[0] = 0;
        Runs { starts, values }
    }

    /// The number of owners.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The values of an owner.
    pub fn row(&self, owner: usize) -> &[T] {
        &self.values[self.starts[owner] as usize..self.starts[owner + 1] as usize]
    }

    /// The same, to change their order.
    pub fn row_mut(&mut self, owner: usize) -> &mut [T] {
        &mut self.values[self.starts[owner] as usize..self.starts[owner + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_in_the_runs_of_their_owners_in_the_order_in_which_they_came() {
        let owned = [(3, 'a'), (0, 'b'), (3, 'c'), (1, 'd'), (3, 'e')];
        let runs = Runs::new(5, owned.into_iter());
        let all: Vec<String> = (0..runs.len()).map(|it| runs.row(it).iter().collect()).collect();
        assert_eq!(all, ["b", "d", "", "ace", ""]);
        assert_eq!(Runs::<u32>::new(0, std::iter::empty()).len(), 0);
    }
}
