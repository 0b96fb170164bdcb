//! What every [`BroadPhase`] keeps: the overlaps of brute force, each proposed once.

use super::{Random, lattice};
use crate::base::{Real, Vec3};
use crate::geometry::Aabb;
use crate::search::{BroadPhase, BroadPhaseKind, BruteBoxes, for_each_overlap};
use crate::with_broad_phase;

/// The box around a place.
fn boxed(centre: Vec3, edges: Vec3) -> Aabb {
    Aabb::new(centre - edges * 0.5, centre + edges * 0.5)
}

fn box_sets() -> Vec<(&'static str, Vec<Aabb>)> {
    let mut random = Random::new(4);
    let mut some = |count: usize, reach: Real, edge: &dyn Fn(&mut Random) -> Real| -> Vec<Aabb> {
        (0..count)
            .map(|_| {
                let centre = random.vec3(-reach, reach);
                boxed(centre, Vec3::from_fn(|_, _| edge(&mut random)))
            })
            .collect()
    };
    let any_size = |random: &mut Random| 2f64.powi(random.real(-10.0, 10.9) as i32) as Real;
    let mut one_huge = some(3000, 2.0, &|_| 1e-3);
    one_huge.insert(1500, boxed(Vec3::zeros(), Vec3::from_element(1e4)));
    vec![
        ("none", vec![]),
        ("one", vec![boxed(Vec3::new(0.3, -0.7, 0.1), Vec3::new(0.2, 0.1, 0.5))]),
        ("random", some(800, 1.0, &|random| random.real(0.05, 0.25))),
        ("any size", some(600, 20.0, &any_size)),
        ("any size, far away", {
            let shift = Vec3::new(1000.0, -1000.0, 1000.0);
            let near = some(300, 2.0, &any_size);
            near.iter().map(|b| Aabb::new(b.min + shift, b.max + shift)).collect()
        }),
        ("coincident", vec![boxed(Vec3::zeros(), Vec3::from_element(0.3)); 40]),
        ("zero size", some(500, 1.0, &|_| 0.0)),
        ("one huge, many tiny", one_huge),
        ("on faces", {
            let corners = lattice(-1.0, 8, 0.25);
            corners.iter().map(|&c| Aabb::new(c, c.add_scalar(0.25))).collect()
        }),
        ("the finest at the limit of numbers", {
            let tiny = some(50, 0.1, &|_| 0.0);
            tiny.into_iter().chain([boxed(Vec3::from_element(1e30), Vec3::zeros())]).collect()
        }),
    ]
}

fn queries() -> Vec<Aabb> {
    let mut random = Random::new(5);
    let mut queries = vec![
        boxed(Vec3::zeros(), Vec3::from_element(1e6)),
        boxed(Vec3::zeros(), Vec3::from_element(Real::MAX)),
        boxed(Vec3::from_element(7e5), Vec3::from_element(1.0)),
        boxed(Vec3::from_element(1000.0), Vec3::from_element(2100.0)),
        boxed(Vec3::from_element(1e30), Vec3::from_element(1.0)),
        Aabb::EMPTY,
    ];
    let edges: [&dyn Fn(&mut Random) -> Vec3; 5] = [
        &|_| Vec3::zeros(),
        &|_| Vec3::from_element(0.06),
        &|random| random.vec3(0.1, 3.0),
        &|_| Vec3::new(0.02, 8.0, 0.02),
        &|random| Vec3::new(random.real(0.0, 9.0), 1e-3, 1e-3),
    ];
    for edges in edges {
        for centre in [Vec3::zeros(), Vec3::new(1000.0, -1000.0, 1000.0)] {
            queries.extend(
                (0..60).map(|_| boxed(centre + random.vec3(-1.5, 1.5), edges(&mut random))),
            );
        }
    }
    // Faces exactly on cells, and on the boxes of the sets.
    queries.extend(lattice(-1.0, 4, 0.5).iter().map(|&c| Aabb::new(c, c.add_scalar(0.25))));
    queries
}

/// The boxes that a query overlaps, ascending; fails if one is proposed more than once.
fn overlapping<B: BroadPhase>(broad: &B, boxes: &[Aabb], query: &Aabb, what: &str) -> Vec<u32> {
    let mut proposed = vec![];
    broad.candidates(query, |id| proposed.push(id));
    proposed.sort_unstable();
    assert!(proposed.is_sorted_by(|a, b| a < b), "{what}: repeated for {query:?}");
    let mut found = vec![];
    for_each_overlap(broad, boxes, query, |id| found.push(id));
    found.sort_unstable();
    found
}

/// Fresh, after motion, with fewer boxes and with all again: the same overlaps as brute force.
fn check_boxes<B: BroadPhase>(kind: BroadPhaseKind) {
    let queries = queries();
    for smallest in [0.06, 1e-4, 10.0] {
        let mut broad = B::default();
        for (name, boxes) in box_sets() {
            let mut random = Random::new(6);
            let moved: Vec<Aabb> = boxes
                .iter()
                .map(|b| boxed((b.min + b.max) * 0.5 + random.vec3(-0.1, 0.1), b.extent() * 1.3))
                .collect();
            for boxes in [&boxes[..], &moved, &boxes[..boxes.len() / 3], &boxes] {
                let what = format!("{kind:?}, {name}, {} boxes, {smallest} m", boxes.len());
                broad.rebuild(boxes, smallest);
                broad.assert_well_formed(boxes);
                let mut brute = BruteBoxes::default();
                brute.rebuild(boxes, smallest);
                for query in &queries {
                    let wanted = overlapping(&brute, boxes, query, &what);
                    assert_eq!(
                        overlapping(&broad, boxes, query, &what),
                        wanted,
                        "{what} {query:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn all_broad_phases_find_the_overlaps_of_brute_force() {
    for kind in BroadPhaseKind::ALL {
        with_broad_phase!(kind, B => check_boxes::<B>(kind));
    }
}

#[test]
fn the_queries_of_the_contract_hit_and_miss() {
    let queries = queries();
    for (name, boxes) in box_sets().iter().filter(|(_, boxes)| boxes.len() > 1) {
        let hits = |q: &Aabb| boxes.iter().filter(|b| b.overlaps(q)).count();
        let hit = queries.iter().filter(|q| hits(q) > 0).count();
        assert!(hit > 3 && hit < queries.len(), "{name}: {hit} of {} hit", queries.len());
    }
}
