//! How far apart two shapes are.

use super::pair::ShapePair;
use parry3d_f64::query::{DefaultQueryDispatcher, QueryDispatcher};

impl ShapePair<'_> {
    /// The distance of the shapes, 0 where they overlap \[m\]; infinite of two shapes of fixed
    /// bodies, which do not matter to each other. True to 10⁻⁵ of itself where a side is round, and
    /// to 10⁻⁷ else.
    pub fn distance(&self) -> f64 {
        let Some(pair) = self.scaled() else { return f64::INFINITY };
        let [first, second] = &pair.shapes;
        let found = DefaultQueryDispatcher.distance(&pair.second_to_first, &**first, &**second);
        found.map_or(f64::INFINITY, |found| found.distance * pair.unit)
    }
}
