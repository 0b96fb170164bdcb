//! What moves together, for bounds of motions: each elastic body, and each rigid part of obstacles.
//!
//! A bound by mover lets what is far from anything fast sleep.

use super::points::Points;
use super::primitives::Primitives;

/// A number for each mover.
pub(super) type OfMovers = Vec<f64>;

/// Sets `most` to how far the vertices of each mover go in the motion under way \[m\].
pub(super) fn measure(primitives: &Primitives, points: &Points, most: &mut OfMovers) {
    most.clear();
    most.resize(primitives.movers(), 0.0);
    for &vertex in &primitives.vertices {
        let way = points.way[vertex as usize].norm_squared();
        let own = &mut most[primitives.mover(vertex) as usize];
        *own = own.max(way);
    }
    most.iter_mut().for_each(|square| *square = square.sqrt());
}
