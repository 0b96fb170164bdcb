//! What contact finds, against every pair.

use super::world::{body, empty, springs};
use crate::contact::narrow::{edge_edge, vertex_triangle};
use crate::contact::{FullContact, NodeMotion, SolidMotion};
use crate::meshing::sheet;
use crate::system::ElasticSystem;
use hashfall_core::geometry::random::Random;
use hashfall_geometry::Point;
use hashfall_search::BroadPhaseKind;
use std::collections::BTreeSet;

const THICKNESS: f64 = 0.03;

/// Two sheets, one above the other, with edges of 0.17 m.
fn sheets() -> ElasticSystem {
    let layer = |number: u32| {
        let low = Point::new(0.0, 0.0, 0.05 * f64::from(number));
        let mesh = sheet(low, Point::x(), Point::y(), [6, 6]).unwrap();
        body(&format!("layer {number}"), mesh, &springs(60.0, 0.0, THICKNESS), 0.0)
    };
    ElasticSystem::new(vec![layer(0), layer(1)]).unwrap()
}

/// The pairs whose nearest points are within a thickness where a motion starts or where it takes
/// them: the corners of both sides.
fn closing(system: &ElasticSystem, start: &[Point], ways: &[Point]) -> BTreeSet<[u32; 5]> {
    let bodies = system.bodies();
    let edges: Vec<[u32; 2]> = bodies.iter().flat_map(|body| body.edges.clone()).collect();
    let triangles: Vec<[u32; 3]> = bodies.iter().flat_map(|body| body.surface.clone()).collect();
    let mut all = vec![];
    for (k, &[a, b]) in edges.iter().enumerate() {
        all.extend(edges[..k].iter().map(|&[c, d]| (2, [c, d, a, b])));
    }
    for vertex in 0..start.len() as u32 {
        all.extend(triangles.iter().map(|&[a, b, c]| (1, [vertex, a, b, c])));
    }
    let mut found = BTreeSet::new();
    for (first, points) in all {
        let (one, other) = points.split_at(first);
        if one.iter().any(|point| other.contains(point)) {
            continue;
        }
        let x = points.map(|point| start[point as usize]);
        let nearest = if first == 1 { vertex_triangle(&x) } else { edge_edge(&x) };
        let after = nearest.offset + nearest.relative(&points.map(|point| ways[point as usize]));
        if nearest.distance().min(after.norm()) <= THICKNESS {
            found.insert(key(first, &points));
        }
    }
    found
}

/// The same for both orders of two edges.
fn key(first: usize, points: &[u32; 4]) -> [u32; 5] {
    let mut sorted = *points;
    sorted[first..].sort_unstable();
    if first == 2 {
        sorted[..2].sort_unstable();
        if sorted[0] > sorted[2] {
            sorted.rotate_left(2);
        }
    }
    [first as u32, sorted[0], sorted[1], sorted[2], sorted[3]]
}

#[test]
fn what_comes_together_is_found_in_every_substep_by_every_broad_phase() {
    let system = sheets();
    let contact = |kind| FullContact::new(&system, &empty(), kind);
    let mut contacts = BroadPhaseKind::ALL.map(|kind| (kind, contact(kind)));
    let (mut random, mut count) = (Random::new(4), 0);
    let mut position = system.start().position.clone();
    for _ in 0..12 {
        let velocity: Vec<Point> = position.iter().map(|_| random.point(-0.01, 0.01)).collect();
        let expected = closing(&system, &position, &velocity);
        count += expected.len();
        let (inverse_mass, solids) = (system.inverse_mass(), SolidMotion::default());
        let motion = NodeMotion { position: &position, inverse_mass, time: 0.0, dt: 1.0, solids };
        for (kind, contact) in &mut contacts {
            contact.follow(&motion, &velocity).unwrap();
            let mut found = BTreeSet::new();
            for pair in contact.pairs() {
                let ways = pair.points.map(|point| velocity[point as usize]);
                let most = ways.iter().map(Point::norm).fold(0.0, f64::max);
                assert!(pair.nearest.distance() - pair.distance <= 2.0 * most);
                assert!(found.insert(key(pair.first_count, &pair.points)), "twice");
            }
            assert!(expected.is_subset(&found), "{kind:?}");
        }
        position.iter_mut().zip(&velocity).for_each(|(x, v)| *x += v);
    }
    assert!(count > 1000, "{count}");
}
