//! What moves together, for bounds of motions: each elastic body, and each rigid part of obstacles.
//!
//! A bound by mover lets what is far from anything fast sleep.

use super::points::Points;
use super::primitives::Primitives;
use hashfall_core::parallel;
use rayon::prelude::*;

/// A number for each mover.
pub(super) type OfMovers = Vec<f64>;

/// Sets `max_travel` to how far the vertices of each mover go in the motion under way \[m\].
pub(super) fn measure(primitives: &Primitives, points: &Points, max_travel: &mut OfMovers) {
    max_travel.clear();
    max_travel.resize(primitives.movers(), 0.0);
    for (mover, vertices) in primitives.vertex_runs() {
        let squares = vertices.par_iter().with_min_len(parallel::CHUNK);
        let squares = squares.map(|vertex| points.displacement[*vertex as usize].norm_squared());
        // The greatest is the same in any order.
        let greatest = squares.reduce(|| 0.0, f64::max);
        max_travel[mover as usize] = max_travel[mover as usize].max(greatest);
    }
    max_travel.iter_mut().for_each(|square| *square = square.sqrt());
}
