//! Pairs that sleep, each until its budget is used up.
//!
//! Budgets are kept apart from pairs: most sleep, and what does costs eight bytes to look at.

use super::group::Listed;

/// Budgets that are compared together.
const CHUNK: usize = 8;

/// Pairs in their order, with budgets.
#[derive(Clone, Debug, Default)]
pub(super) struct PairList {
    pairs: Vec<Listed>,
    /// By pair: the sum of approaches up to which it sleeps \[m\].
    budgets: Vec<f64>,
    /// The least of them is no less \[m\].
    least: f64,
}

impl PairList {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.budgets.clear();
        self.least = f64::INFINITY;
    }

    /// Adds a pair that sleeps up to a budget \[m\].
    pub fn push(&mut self, pair: Listed, budget: f64) {
        self.pairs.push(pair);
        self.budgets.push(budget);
        self.least = self.least.min(budget);
    }

    /// Whether it has had pairs.
    pub fn has_memory(&self) -> bool {
        self.pairs.capacity() > 0
    }

    /// Visits the pairs whose budgets are not above a sum \[m\].
    pub fn visit_up_to(&mut self, sum: f64, mut visit: impl FnMut(&mut Listed, &mut f64)) {
        if sum < self.least {
            return;
        }
        self.least = f64::INFINITY;
        let chunks = self.pairs.chunks_mut(CHUNK).zip(self.budgets.chunks_mut(CHUNK));
        for (pairs, budgets) in chunks {
            let mut least = least(budgets);
            if least <= sum {
                let awake =
                    pairs.iter_mut().zip(&mut *budgets).filter(|(_, budget)| **budget <= sum);
                awake.for_each(|(pair, budget)| visit(pair, budget));
                least = self::least(budgets);
            }
            self.least = self.least.min(least);
        }
    }
}

fn least(budgets: &[f64]) -> f64 {
    budgets
        .iter()
        .fold(f64::INFINITY, |least, budget| if *budget < least { *budget } else { least })
}
