//! Distances within the bound that the module states, and weights that belong to them.

use super::cases::{Cases, Kind};
use super::exact::Static;
use super::impact::Elements;
use crate::contact::narrow::{Nearest, edge_edge, vertex_triangle};
use hashfall_geometry::Point;

/// The largest distance between two points.
fn size(x: &[Point; 4]) -> f64 {
    let pairs = x.iter().flat_map(|a| x.iter().map(move |b| (a - b).norm()));
    pairs.fold(0.0, f64::max)
}

/// The distance is within this of the truth, in units of u · size; more than `most` fails.
fn error_bound(
    x: &[Point; 4],
    nearest: &Nearest<4>,
    is_near: impl Fn(&Static<4>) -> bool,
    most: f64,
) -> f64 {
    let (unit, distance) = (0.5 * f64::EPSILON * size(x), nearest.distance());
    let holds = |bound: f64| {
        let (low, high) = (distance - bound * unit, distance + bound * unit);
        is_near(&Static::new(x, high.next_up()))
            && (low <= 0.0 || !is_near(&Static::new(x, low.next_down())))
    };
    let mut bound = 1.0;
    while !holds(bound) {
        bound *= 2.0;
        assert!(bound <= most, "{x:?} {nearest:?}");
    }
    bound
}

fn check(elements: Elements, x: &[Point; 4]) -> f64 {
    let (nearest, bound) = match elements {
        Elements::VertexTriangle => {
            let nearest = vertex_triangle(x);
            (nearest, error_bound(x, &nearest, Static::is_vertex_near_triangle, 16.0))
        }
        Elements::EdgeEdge => {
            let nearest = edge_edge(x);
            (nearest, error_bound(x, &nearest, Static::are_edges_near, 16.0))
        }
    };
    let (first, second) = nearest.weights.split_at(elements.first());
    assert!(first.iter().all(|w| (0.0..=1.0).contains(w)), "{nearest:?}");
    assert!(second.iter().all(|w| (-1.0..=0.0).contains(w)), "{nearest:?}");
    let sums = [first.iter().sum::<f64>() - 1.0, second.iter().sum::<f64>() + 1.0];
    assert!(sums.iter().all(|sum| sum.abs() < 1e-15), "{nearest:?}");
    bound
}

#[test]
fn distances_and_weights_are_within_their_bound() {
    let mut cases = Cases::new(1);
    for kind in Kind::ALL {
        for elements in [Elements::VertexTriangle, Elements::EdgeEdge] {
            let (mut worst, mut largest_shift) = (0.0, 0.0);
            for _ in 0..1500 {
                let (x, _) = cases.pair(kind, elements);
                worst = f64::max(worst, check(elements, &x));
                let nearest = match elements {
                    Elements::VertexTriangle => vertex_triangle(&x),
                    Elements::EdgeEdge => edge_edge(&x),
                };
                let relative = x.map(|corner| corner - x[3]);
                let shift = (nearest.relative(&relative) - nearest.offset).norm() / size(&x);
                largest_shift = f64::max(largest_shift, shift);
            }
            println!("{kind:?} {elements:?}: within {worst} u size, weights {largest_shift:.1e}");
        }
    }
}
