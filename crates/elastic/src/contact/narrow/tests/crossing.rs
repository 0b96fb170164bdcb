//! Static intersections against exact times: an edge meets a triangle if a vertex that moves along
//! it does.

use super::cases::{Cases, Kind};
use super::impact::Elements;
use crate::contact::narrow::{edge_meets_triangle, edges_meet};
use hashfall_geometry::Point;

#[test]
fn static_intersections_are_exact() {
    let mut cases = Cases::new(5);
    for kind in Kind::ALL {
        let (mut met, mut edges_met) = (0, 0);
        for _ in 0..500 {
            let (start, end) = cases.pair(kind, Elements::VertexTriangle);
            let [p, a, b, c] = start;
            let exact = Elements::VertexTriangle.meet(&start, &[end[0], a, b, c], 1.0);
            let found = edge_meets_triangle(&[p, end[0]], &[a, b, c]);
            assert_eq!(found, exact, "{kind:?} {start:?} {:?}", end[0]);
            met += u32::from(exact);

            // Also at the time of a known impact, where it is exact.
            let (start, end) = cases.pair(kind, Elements::EdgeEdge);
            let middle = std::array::from_fn(|k| (start[k] + end[k]) / 2.0);
            for x in [start, middle] {
                let exact = Elements::EdgeEdge.meet(&x, &x, 1.0);
                assert_eq!(edges_meet(&[x[0], x[1]], &[x[2], x[3]]), exact, "{kind:?} {x:?}");
                edges_met += u32::from(exact);
            }
        }
        println!("{kind:?}: {met} of 500 meet, {edges_met} of 1000 edges");
        let can_fail = [Kind::KnownImpact, Kind::Coplanar, Kind::Degenerate].contains(&kind);
        assert!(!can_fail || (met > 5 && edges_met > 5), "{kind:?} {met} {edges_met}");
    }
}

#[test]
fn neighbours_in_a_sheet_that_is_flat_but_for_what_underflows_do_not_meet() {
    let edge = [[1.0, 1.0, 0.0], [2.0, 1.0, 0.0]].map(Point::from);
    for z in [5e-324, -5.63e-322, 1e-200, 1e-90] {
        let triangle = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, z]].map(Point::from);
        assert!(!edge_meets_triangle(&edge, &triangle), "{z}");
    }
}
