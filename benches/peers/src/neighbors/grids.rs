//! zelll 0.5: cell lists in a hash map, each pair once. Space is bounded: see [`has_room`].
//!
//! Cell by cell, the points of half of the neighbouring cells are gathered first and then paired
//! with the cell's own: half again as quick as the crate's `particle_pairs`, which looks the cells
//! up once per point.

use super::{NeighborMethod, PairCheck, PairDigest};
use crate::measure::Failure;
use rayon::prelude::*;
use std::iter::Sum;
use zelll::cellgrid::GridCell;
use zelll::cellgrid::neighborhood::Half;
use zelll::{CellGrid, ParticleLike};

/// A point with its number.
#[derive(Clone, Copy)]
pub struct Numbered<const D: usize> {
    number: u32,
    at: [f32; D],
}

impl<const D: usize> Numbered<D> {
    /// Whether |p − q| < r, by squares.
    #[inline]
    fn is_near(&self, other: &Self, radius: f32) -> bool {
        let along = |axis: usize| self.at[axis] - other.at[axis];
        (0..D).map(|axis| along(axis) * along(axis)).sum::<f32>() < radius * radius
    }
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

impl<const D: usize> Zelll<D> {
    /// Adds up `value` over pairs of points, each once, that may be near each other.
    fn sum<T: Sum + Send>(&self, value: impl Fn(&Numbered<D>, &Numbered<D>) -> T + Sync) -> T {
        let of_cell = |around: &mut Vec<Numbered<D>>, cell: GridCell<'_, Numbered<D>, D, f32>| {
            around.clear();
            around.extend(cell.neighbors::<Half>().flat_map(|near| near.iter()));
            let own = cell.iter().as_slice();
            let of_point = |(place, p): (usize, &Numbered<D>)| {
                let inside: T = own[place + 1..].iter().map(|q| value(p, q)).sum();
                let across: T = around.iter().map(|q| value(p, q)).sum();
                [inside, across].into_iter().sum::<T>()
            };
            own.iter().enumerate().map(of_point).sum::<T>()
        };
        self.grid.par_iter().map_init(Vec::new, of_cell).sum()
    }
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
        2 * self.sum(|p, q| u64::from(p.is_near(q, radius)))
    }

    fn digest(&self, _: &Self::Points, radius: f32, check: &PairCheck) -> PairDigest {
        self.sum(|p, q| {
            let [i, j] = [p, q].map(|point| point.number as usize);
            let both = [(i, j), (j, i)].into_iter().filter(|_| p.is_near(q, radius));
            both.map(|(i, j)| check.pair(i, j)).sum::<PairDigest>()
        })
    }
}
