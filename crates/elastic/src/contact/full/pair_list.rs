//! Pairs that sleep, each until its budget is used up.
//!
//! Budgets are kept apart from pairs: most sleep, and what does costs eight bytes to look at.

use super::pair::Pair;
use crate::contact::narrow::Nearest;
use hashfall_geometry::Point;

/// Budgets that are compared together.
const CHUNK: usize = 8;

/// A pair that is listed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed {
    pub pair: Pair,
    /// The direction between its nearest points when they were last found; none yet if 0.
    pub normal: Point,
    /// In which substep that was.
    pub substep: u64,
}

impl Listed {
    /// A pair that was never tested.
    pub fn new(pair: Pair) -> Self {
        Listed { pair, normal: Point::zeros(), substep: 0 }
    }

    /// A lower bound of the distance where the four points are \[m\].
    pub fn apart_at_least(&self, x: &[Point; 4]) -> f64 {
        if self.normal == Point::zeros() {
            self.pair.apart_at_least(x)
        } else {
            self.pair.separation(x, &self.normal)
        }
    }

    /// The nearest points where the substep of this number starts.
    pub fn nearest(&mut self, start: &[Point; 4], substep: u64) -> Nearest<4> {
        let nearest = self.pair.nearest(start);
        let apart = nearest.distance();
        self.normal = if apart > 0.0 { nearest.offset / apart } else { Point::zeros() };
        self.substep = substep;
        nearest
    }
}

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
