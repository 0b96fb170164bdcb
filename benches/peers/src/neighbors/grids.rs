//! zelll 0.5: cell lists in a hash map, each pair once. Space is bounded: see [`has_room`].

use super::{NeighborMethod, PairCheck, PairDigest};
use crate::measure::Failure;
use rayon::prelude::*;
use zelll::{CellGrid, ParticleLike};

/// A point with its number.
#[derive(Clone, Copy)]
pub struct Numbered<const D: usize> {
    number: u32,
    at: [f32; D],
}

impl<const D: usize> Default for Numbered<D> {
    fn default() -> Self {
        Numbered { number: 0, at: [0.0; D] }
    }
}

impl<const D: usize> ParticleLike<[f32; D]> for Numbered<D> {
    #[inline]
    fn coords(&self) -> [f32; D] {
        self.at
    }
}

/// Whether the flat index of a cell, which is an `i32`, can tell all cells of a set apart; beyond
/// that the index overflows.
pub fn has_room(points: &[[f32; 3]], radius: f32) -> bool {
    let extent = |axis: usize| {
        let along = points.iter().map(|p| p[axis]);
        let (low, high) = along.fold((f32::MAX, f32::MIN), |(l, h), x| (l.min(x), h.max(x)));
        f64::from(high - low)
    };
    // Four cells of padding on an axis, as the crate adds.
    let cells: f64 = (0..3).map(|axis| (extent(axis) / f64::from(radius)).floor() + 5.0).product();
    cells < f64::from(i32::MAX)
}

/// `rebuild_mut`, then the pairs that pass the radius test, counted and not kept.
#[derive(Default)]
pub struct Zelll<const D: usize> {
    grid: CellGrid<Numbered<D>, D, f32>,
}

impl<const D: usize> NeighborMethod for Zelll<D> {
    type Points = Vec<Numbered<D>>;
    const YIELDS: &'static str = "visits, pairs once";

    fn prepare(points: &[[f32; 3]]) -> Self::Points {
        let at = |p: &[f32; 3]| std::array::from_fn(|axis| p[axis]);
        (0..).zip(points).map(|(number, p)| Numbered { number, at: at(p) }).collect()
    }

    fn build(&mut self, points: &Self::Points, radius: f32) -> Result<(), Failure> {
        self.grid.rebuild_mut(points.iter().copied(), Some(radius));
        Ok(())
    }

    fn search(&mut self, _points: &Self::Points, radius: f32) -> u64 {
        let count = |(p, q): (&Numbered<D>, &Numbered<D>)| u64::from(are_near(p, q, radius));
        // On one thread the plain iterator is the quicker one.
        let pairs: u64 = if rayon::current_num_threads() == 1 {
            self.grid.particle_pairs().map(count).sum()
        } else {
            self.grid.par_particle_pairs().map(count).sum()
        };
        2 * pairs
    }

    fn digest(&self, _: &Self::Points, radius: f32, check: &PairCheck) -> PairDigest {
        let near = self.grid.particle_pairs().filter(|(p, q)| are_near(p, q, radius));
        near.flat_map(|(p, q)| [(p.number, q.number), (q.number, p.number)])
            .map(|(i, j)| check.pair(i as usize, j as usize))
            .sum()
    }
}

/// Whether |p − q| < r, by squares.
#[inline]
fn are_near<const D: usize>(p: &Numbered<D>, q: &Numbered<D>, radius: f32) -> bool {
    let apart = (0..D).map(|axis| (p.at[axis] - q.at[axis]) * (p.at[axis] - q.at[axis]));
    apart.sum::<f32>() < radius * radius
}
