//! What every [`BroadPhase`] keeps: the overlaps of brute force, each proposed once.

use super::lattice;
use crate::choice::kinds::{BroadPhaseKind, with_broad_phase};
use crate::contract::{BroadPhase, for_each_overlap, for_each_overlap_of_all};
use crate::{BruteBoxes, HierarchicalHash};
use hashfall_core::geometry::Aabb;
use hashfall_core::geometry::random::Random;
use hashfall_core::{Real, Vec3};
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};

/// The box around a place.
fn boxed(centre: Vec3, edges: Vec3) -> Aabb {
    Aabb::new(centre - edges * 0.5, centre + edges * 0.5)
}

pub(crate) fn box_sets() -> Vec<(&'static str, Vec<Aabb>)> {
    let mut random = Random::new(4);
    let mut some = |count: usize, reach: Real, edge: &dyn Fn(&mut Random) -> Real| -> Vec<Aabb> {
        (0..count)
            .map(|_| {
                let centre = random.vec3(-reach, reach);
                boxed(centre, Vec3::from_fn(|_, _| edge(&mut random)))
            })
            .collect()
    };
    let power = |random: &mut Random, low: Real, high: Real| {
        2f64.powi(random.real(low, high + 0.99).floor() as i32) as Real
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
        ("sizes over 2²⁰", some(900, 30.0, &|random| power(random, -15.0, 5.0))),
        ("clusters", {
            let mut clusters = some(300, 0.01, &|_| 1e-3);
            clusters.extend(some(300, 0.2, &|_| 1e-4).iter().map(|b| {
                let far = Vec3::new(-700.0, 90.0, 5000.0);
                Aabb::new(b.min + far, b.max + far)
            }));
            clusters.extend(some(20, 1.0, &|_| 0.3));
            clusters
        }),
        ("needles and plates", {
            let centres = some(300, 1.0, &|_| 0.0);
            let edges = |n: usize| Vec3::from_fn(|a, _| if n >> a & 1 == 1 { 0.8 } else { 1e-3 });
            centres.iter().enumerate().map(|(n, b)| boxed(b.min, edges(n))).collect()
        }),
        (
            "negative",
            some(200, 1.0, &|_| 0.1)
                .iter()
                .map(|b| Aabb::new(b.min.add_scalar(-60.0), b.max.add_scalar(-60.0)))
                .collect(),
        ),
        ("huge", some(200, 1e30, &|random| power(random, 70.0, 96.0))),
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

/// The set pressed into the plane z = 0.
pub(crate) fn flattened(boxes: &[Aabb]) -> Vec<Aabb> {
    let flat = |v: Vec3| Vec3::new(v.x, v.y, 0.0);
    boxes.iter().map(|b| Aabb::new(flat(b.min), flat(b.max))).collect()
}

fn queries() -> Vec<Aabb> {
    let mut random = Random::new(5);
    let mut queries = vec![
        boxed(Vec3::zeros(), Vec3::from_element(1e6)),
        boxed(Vec3::zeros(), Vec3::from_element(Real::MAX)),
        Aabb::new(Vec3::from_element(Real::NEG_INFINITY), Vec3::from_element(Real::INFINITY)),
        boxed(Vec3::from_element(7e5), Vec3::from_element(1.0)),
        boxed(Vec3::from_element(1000.0), Vec3::from_element(2100.0)),
        boxed(Vec3::from_element(1e30), Vec3::from_element(1.0)),
        boxed(Vec3::from_element(2e29), Vec3::from_element(1e30)),
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
    // Empty, by less than a finest cell and by many; on one axis and on all.
    for edge in [1e-30, 1e-6, 0.02, 0.3, 50.0] {
        for axes in [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0; 3]] {
            let inwards = Vec3::from(axes) * -edge;
            queries.extend((0..4).map(|_| boxed(random.vec3(-0.5, 0.5), inwards)));
            queries.push(Aabb::new(Vec3::from(axes) * edge, Vec3::zeros()));
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
    assert!(broad.examined(query) >= proposed.len(), "{what}: {query:?}");
    let mut found = vec![];
    for_each_overlap(broad, boxes, query, |id| found.push(id));
    found.sort_unstable();
    assert!(!B::IS_EXACT || found == proposed, "{what}: not exact for {query:?}");
    found
}

/// Boxes, queries, and what each query overlaps, by brute force.
struct Case<'a> {
    name: &'static str,
    boxes: Vec<Aabb>,
    queries: &'a [Aabb],
    wanted: Vec<Vec<u32>>,
}

impl<'a> Case<'a> {
    fn new(name: &'static str, boxes: &[Aabb], queries: &'a [Aabb]) -> Self {
        let mut brute = BruteBoxes::default();
        brute.rebuild(boxes, 1.0);
        let what = format!("brute force, {name}");
        let wanted = queries.iter().map(|query| overlapping(&brute, boxes, query, &what));
        Case { name, boxes: boxes.to_vec(), queries, wanted: wanted.collect() }
    }

    /// The same overlaps as brute force, after a rebuild.
    fn check<B: BroadPhase>(&self, broad: &mut B, smallest: Real, kind: BroadPhaseKind) {
        let Case { name, boxes, queries, wanted } = self;
        let what = format!("{kind:?}, {name}, {} boxes, {smallest} m", boxes.len());
        broad.rebuild(boxes, smallest);
        broad.assert_well_formed(boxes);
        for (query, wanted) in queries.iter().zip(wanted) {
            assert_eq!(&overlapping(broad, boxes, query, &what), wanted, "{what} {query:?}");
        }
        // All at once.
        let mut found = vec![vec![]; queries.len()];
        let mut last = 0;
        for_each_overlap_of_all(broad, boxes, queries, |query, id| {
            assert!(query >= last, "{what}: queries out of order");
            last = query;
            found[query].push(id);
        });
        found.iter_mut().for_each(|found| found.sort_unstable());
        assert_eq!(&found, wanted, "{what}, all at once");
    }
}

/// What a set goes through: fresh, after motion, with fewer boxes and with all again, in space and
/// then in the plane.
struct Stages<'a> {
    space: [Case<'a>; 4],
    plane: [Case<'a>; 2],
}

impl<'a> Stages<'a> {
    fn new(name: &'static str, boxes: &[Aabb], queries: &'a [Aabb], flat: &'a [Aabb]) -> Self {
        let mut random = Random::new(6);
        let moved: Vec<Aabb> = boxes
            .iter()
            .map(|b| boxed((b.min + b.max) * 0.5 + random.vec3(-0.1, 0.1), b.extent() * 1.3))
            .collect();
        let stages = [boxes, &moved, &boxes[..boxes.len() / 3], boxes];
        Stages {
            space: stages.map(|boxes| Case::new(name, boxes, queries)),
            plane: [boxes, &moved].map(|boxes| Case::new(name, &flattened(boxes), flat)),
        }
    }

    fn check<B: BroadPhase>(&self, broad: &mut B, kind: BroadPhaseKind) {
        for smallest in [0.06, 1e-4, 10.0, 0.0] {
            self.space.iter().for_each(|case| case.check(broad, smallest, kind));
        }
        for smallest in [0.06, 0.0] {
            self.plane.iter().for_each(|case| case.check(broad, smallest, kind));
        }
    }
}

#[test]
fn all_broad_phases_find_the_overlaps_of_brute_force() {
    let queries = queries();
    let flat = flattened(&queries);
    let sets: Vec<Stages> =
        box_sets().iter().map(|(name, boxes)| Stages::new(name, boxes, &queries, &flat)).collect();
    for kind in BroadPhaseKind::ALL {
        with_broad_phase!(kind, B => {
            // One structure for all, so that what it kept of a set would be found in the next.
            let mut broad = B::default();
            sets.iter().for_each(|stages| stages.check(&mut broad, kind));
        });
    }
}

#[test]
fn packed_boxes_are_found_as_by_brute_force() {
    let queries = queries();
    let flat = flattened(&queries);
    let kind = BroadPhaseKind::HierarchicalHash;
    let mut broad = HierarchicalHash::packed();
    for (name, boxes) in box_sets() {
        Stages::new(name, &boxes, &queries, &flat).check(&mut broad, kind);
    }
}

#[test]
fn the_queries_of_the_contract_hit_and_miss() {
    let queries = queries();
    for (name, boxes) in box_sets().iter().filter(|(_, boxes)| boxes.len() > 1) {
        let hits = |q: &Aabb| boxes.iter().filter(|b| b.overlaps(q)).count();
        let hit = queries.iter().filter(|q| hits(q) > 0).count();
        assert!(hit > 0 && hit < queries.len(), "{name}: {hit} of {} hit", queries.len());
    }
}

#[test]
fn boxes_reach_to_the_ends_of_numbers() {
    let cube = |low: Real, high: Real| Aabb::new(Vec3::from_element(low), Vec3::from_element(high));
    let most = Real::MAX;
    let tiny = Real::MIN_POSITIVE;
    let mut boxes = vec![cube(-most, -0.9 * most), cube(0.5 * most, most), cube(-tiny, 0.0)];
    boxes.extend((0..40).map(|n| cube(n as Real, n as Real + 0.5)));
    let mut queries = boxes.clone();
    queries.extend([cube(-most, most), cube(-1.0, 1e30), cube(0.0, tiny), cube(most, most)]);
    for set in [&boxes[..], &boxes[2..], &boxes[..3], &boxes[2..3]] {
        let case = Case::new("ends of numbers", set, &queries);
        for kind in BroadPhaseKind::ALL {
            for smallest in [tiny, 1.0, 1e30, 0.3 * most, 0.6 * most, most] {
                with_broad_phase!(kind, B => {
                    case.check(&mut B::default(), smallest, kind);
                });
            }
        }
        for smallest in [tiny, 1.0, most] {
            let kind = BroadPhaseKind::HierarchicalHash;
            case.check(&mut HierarchicalHash::packed(), smallest, kind);
        }
    }
}

#[test]
fn before_a_rebuild_nothing_overlaps() {
    for kind in BroadPhaseKind::ALL {
        with_broad_phase!(kind, B => {
            let broad = B::default();
            for query in queries() {
                assert!(overlapping(&broad, &[], &query, "none").is_empty(), "{kind:?}");
            }
        });
    }
}

/// A coordinate on the faces of cells, somewhere, or far away.
fn any_coordinate() -> impl Strategy<Value = Real> {
    let whole = |range: std::ops::Range<i32>, unit: Real| range.prop_map(move |n| n as Real * unit);
    prop_oneof![
        4 => whole(-16..16, 0.25),
        4 => whole(-3000..3000, 1e-3),
        1 => whole(-9..9, 1e6),
    ]
}

/// An edge of no length, a cell's, or any size.
fn any_edge() -> impl Strategy<Value = Real> {
    let power = |k: i32| 2f64.powi(k) as Real;
    prop_oneof![Just(0.0), (1..9).prop_map(|n| n as Real * 0.25), (-20..5).prop_map(power)]
}

fn any_box() -> impl Strategy<Value = Aabb> {
    let low = [any_coordinate(), any_coordinate(), any_coordinate()];
    (low, [any_edge(), any_edge(), any_edge()])
        .prop_map(|(low, edges)| Aabb::new(low.into(), Vec3::from(low) + Vec3::from(edges)))
}

/// Two sets of boxes one after the other, some queries, the smallest, and whether all is flat.
type AnyCase = (Vec<Aabb>, Vec<Aabb>, Vec<Aabb>, i32, bool);

fn any_case() -> impl Strategy<Value = AnyCase> {
    let boxes = || prop::collection::vec(any_box(), 0..80);
    (boxes(), boxes(), prop::collection::vec(any_box(), 1..20), -12..3, any::<bool>())
}

fn check_case((first, second, queries, power, is_flat): &AnyCase) {
    let shape = |boxes: &[Aabb]| if *is_flat { flattened(boxes) } else { boxes.to_vec() };
    let sets = [shape(first), shape(second)];
    let mut queries = shape(queries);
    // Each box is a query, too, and so touches itself exactly.
    queries.extend(&sets[0]);
    let cases = sets.map(|boxes| Case::new("any boxes", &boxes, &queries));
    for kind in BroadPhaseKind::ALL {
        with_broad_phase!(kind, B => {
            let mut broad = B::default();
            for case in &cases {
                case.check(&mut broad, 2f64.powi(*power) as Real, kind);
            }
        });
    }
    let mut packed = HierarchicalHash::packed();
    for case in &cases {
        case.check(&mut packed, 2f64.powi(*power) as Real, BroadPhaseKind::HierarchicalHash);
    }
}

#[test]
fn any_boxes_are_found_by_all_broad_phases() {
    let seed = RngSeed::Fixed(7);
    let config = ProptestConfig {
        cases: 256,
        failure_persistence: None,
        rng_seed: seed,
        ..Default::default()
    };
    let run = TestRunner::new(config).run(&any_case(), |case| {
        check_case(&case);
        Ok(())
    });
    run.unwrap_or_else(|fault| panic!("{fault}"));
}

#[test]
fn boxes_that_are_not_finite_are_refused() {
    let sound = boxed(Vec3::zeros(), Vec3::from_element(1.0));
    let refused = |b: Aabb, kind: BroadPhaseKind| {
        let boxes = [sound, b];
        let rebuild = || with_broad_phase!(kind, B => B::default().rebuild(&boxes, 0.1));
        let fault = std::panic::catch_unwind(rebuild).unwrap_err();
        let text = fault.downcast_ref::<String>().unwrap();
        assert!(text.starts_with("box 1 is not finite or empty"), "{kind:?}: {text}");
    };
    for kind in BroadPhaseKind::ALL {
        for bad in [Real::NAN, Real::INFINITY, -Real::INFINITY] {
            refused(Aabb::new(Vec3::new(0.0, bad, 0.0), sound.max), kind);
            refused(Aabb::new(sound.min, Vec3::new(1.0, 1.0, bad)), kind);
        }
        refused(Aabb::new(sound.max, sound.min), kind);
    }
}

#[test]
fn queries_that_are_no_numbers_find_nothing() {
    let nan = Vec3::from_element(Real::NAN);
    for kind in BroadPhaseKind::ALL {
        with_broad_phase!(kind, B => {
            let boxes = [boxed(Vec3::zeros(), Vec3::from_element(1.0))];
            let mut broad = B::default();
            broad.rebuild(&boxes, 0.1);
            let found = overlapping(&broad, &boxes, &Aabb::new(nan, nan), "NaN");
            assert!(found.is_empty(), "{kind:?}");
        });
    }
}
