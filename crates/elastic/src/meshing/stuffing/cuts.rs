//! Where the surface crosses edges of the lattice.

use super::super::signed_distance::SignedDistance;
use super::Side;
use super::lattice::{LONG, Lattice, WAYS, side_of};
use hashfall_core::parallel;
use hashfall_geometry::Point;

/// Steps of the search for a cut point, at the most.
const MAX_STEPS: usize = 60;
/// How closely a cut point is found, as a part of its edge.
const TOLERANCE: f64 = 1e-13;

/// A crossing of the surface with an edge of the lattice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cut {
    /// The ends of the edge, the lower node first.
    pub(super) ends: [u32; 2],
    /// Whether it is a long edge.
    pub(super) is_long: bool,
    /// Its place on the edge: 0 at the first end, 1 at the second.
    pub(super) at: f64,
    /// \[m\]
    pub(super) point: Point,
}

/// All crossings, ascending by the ends of their edges.
pub(super) struct Cuts(Vec<Cut>);

impl Cuts {
    /// Finds them; of several on one edge one.
    pub(super) fn find(shape: &dyn SignedDistance, lattice: &Lattice) -> Self {
        let chunks = lattice.position.len().div_ceil(parallel::CHUNK);
        let edges = parallel::map_pieces(chunks, &|chunk| {
            let first = chunk * parallel::CHUNK;
            let last = lattice.position.len().min(first + parallel::CHUNK);
            (first..last).flat_map(|node| cut_edges(lattice, node)).collect::<Vec<_>>()
        });
        let mut cuts = edges.concat();
        parallel::fill(&mut cuts, |_, cut| {
            let [a, b] = cut.ends.map(|node| lattice.position[node as usize]);
            cut.at = crossing(shape, lattice.spacing, &a, &b);
            cut.point = a + (b - a) * cut.at;
        });
        cuts.sort_unstable_by_key(|cut| cut.ends);
        Cuts(cuts)
    }

    pub(super) fn all(&self) -> &[Cut] {
        &self.0
    }

    /// The number of the cut on the edge between two nodes on different sides.
    pub(super) fn number(&self, a: u32, b: u32) -> usize {
        let ends = [a.min(b), a.max(b)];
        self.0.partition_point(|cut| cut.ends < ends)
    }
}

/// The edges from a node, one of each pair of opposite ways, that the surface crosses.
fn cut_edges(lattice: &Lattice, node: usize) -> impl Iterator<Item = Cut> {
    let (place, side) = (lattice.place(node), lattice.side[node]);
    let ways = WAYS.iter().enumerate().filter(move |_| side != Side::On);
    ways.filter_map(move |(number, way)| {
        let other = lattice.neighbor(place, *way)?;
        let far = lattice.side[other as usize];
        let node = node as u32;
        (far != Side::On && far != side).then_some(Cut {
            ends: [node.min(other), node.max(other)],
            is_long: number < LONG,
            at: 0.0,
            point: Point::zeros(),
        })
    })
}

/// Where the surface crosses the edge from `a` to `b`, as a part of it, by false position with
/// halved values at ends that stay (Dowell & Jarratt, The Illinois method, 1971), and by bisection
/// where that is slow.
fn crossing(shape: &dyn SignedDistance, reach: f64, a: &Point, b: &Point) -> f64 {
    let value = |t: f64| shape.signed_distance(&(a + (b - a) * t), reach);
    let [mut low, mut high] = [(0.0, value(0.0)), (1.0, value(1.0))];
    let start = side_of(low.1);
    let mut is_low_kept = None;
    for step in 0..MAX_STEPS {
        if high.0 - low.0 <= TOLERANCE {
            break;
        }
        let by_values = low.0 - low.1 * ((high.0 - low.0) / (high.1 - low.1));
        let is_within = low.0 < by_values && by_values < high.0;
        let t = if is_within && step % 3 < 2 { by_values } else { 0.5 * (low.0 + high.0) };
        let found = value(t);
        let side = side_of(found);
        if side == Side::On {
            return t;
        }
        let moves_low = side == start;
        if moves_low {
            low = (t, found);
            high.1 *= if is_low_kept == Some(false) { 0.5 } else { 1.0 };
        } else {
            high = (t, found);
            low.1 *= if is_low_kept == Some(true) { 0.5 } else { 1.0 };
        }
        is_low_kept = Some(!moves_low);
    }
    0.5 * (low.0 + high.0)
}

#[cfg(test)]
mod tests {
    use super::super::super::signed_distance::Ball;
    use super::*;

    #[test]
    fn crossings_are_found_to_rounding() {
        let ball = Ball { centre: Point::zeros(), radius: 1.0 };
        for k in 1..100 {
            let radius = f64::from(k) / 100.0;
            let from = Point::new(1.0 - radius, 0.0, 0.0);
            let to = from + Point::new(1.0, 0.0, 0.0);
            assert!((crossing(&ball, 1.0, &from, &to) - radius).abs() < 1e-12);
            assert!((crossing(&ball, 1.0, &to, &from) - (1.0 - radius)).abs() < 1e-12);
        }
    }
}
