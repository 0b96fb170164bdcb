//! Which pairs are one contact: those between the same corners, or a corner and the same edge.
//!
//! Features with the same single corner are in one chain, in which a new one is looked for: some
//! six at a vertex.

use super::pair::Pair;
use std::ops::Range;

/// No corner, and no feature.
const NONE: u32 = u32::MAX;

/// What a contact is between, at its distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Feature {
    /// A single corner, and another one or the ends of an edge.
    corners: [u32; 3],
    /// \[m\].
    distance: f64,
}

/// Some features, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct Features {
    /// By point: the feature that was added last.
    last: Vec<u32>,
    /// Features, each with the one before of the same point.
    all: Vec<(Feature, u32)>,
}

impl Features {
    /// Forgets all, and makes space for corners among this many points.
    pub fn clear(&mut self, points: usize) {
        self.last.resize(points, NONE);
        for (feature, _) in self.all.drain(..) {
            self.last[feature.corners[0] as usize] = NONE;
        }
    }

    /// Adds a feature; returns whether it is new.
    pub fn insert(&mut self, feature: Feature) -> bool {
        let last = &mut self.last[feature.corners[0] as usize];
        let mut next = *last;
        while let Some((other, before)) = self.all.get(next as usize) {
            if *other == feature {
                return false;
            }
            next = *before;
        }
        self.all.push((feature, *last));
        *last = self.all.len() as u32 - 1;
        true
    }
}

impl Feature {
    /// What the nearest points of a pair are at, if these are two corners, or a corner and a point
    /// of an edge.
    pub fn new(pair: &Pair, weights: &[f64; 4]) -> Option<Self> {
        let side = |range: Range<usize>| {
            let mut corners = [NONE; 3];
            let used = range.filter(|k| weights[*k] != 0.0).map(|k| pair.points[k]);
            corners.iter_mut().zip(used).for_each(|(corner, point)| *corner = point);
            corners.sort_unstable();
            corners
        };
        let first = pair.first_count();
        let mut sides = [side(0..first), side(first..4)];
        let count = |corners: &[u32; 3]| corners.iter().filter(|corner| **corner != NONE).count();
        sides.sort_unstable_by_key(|corners| (count(corners), *corners));
        let [[a, NONE, NONE], [b, c, NONE]] = sides else { return None };
        Some(Feature { corners: [a, b, c], distance: pair.distance })
    }
}

#[cfg(test)]
mod tests {
    use super::super::pair::PairKind;
    use super::*;

    #[test]
    fn a_contact_of_corners_is_one_whatever_finds_it() {
        let pair = |kind, points| Pair { kind, points, distance: 0.1, is_reduced: false };
        let of_vertex = pair(PairKind::VertexTriangle, [7, 1, 2, 3]);
        let of_edges = pair(PairKind::EdgeEdge, [7, 9, 2, 4]);
        let at_corner = Feature::new(&of_vertex, &[1.0, 0.0, -1.0, 0.0]).unwrap();
        let on_edge = Feature::new(&of_vertex, &[1.0, -0.5, -0.5, 0.0]).unwrap();
        let other = Feature { distance: 0.2, ..at_corner };
        let mut features = Features::default();
        for _ in 0..2 {
            features.clear(10);
            assert!(features.insert(at_corner) && features.insert(on_edge));
            assert!(features.insert(other), "at another distance");
            let found = Feature::new(&of_edges, &[1.0, 0.0, -1.0, 0.0]).unwrap();
            assert!(!features.insert(found) && !features.insert(on_edge));
        }
        assert_eq!(Feature::new(&of_vertex, &[1.0, -0.2, -0.3, -0.5]), None);
        assert_eq!(Feature::new(&of_edges, &[0.5, 0.5, -0.5, -0.5]), None);
    }
}
