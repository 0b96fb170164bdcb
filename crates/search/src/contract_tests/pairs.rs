//! What every [`PairSearch`] keeps: the pairs of brute force, on every number of threads.

use super::boxes::{box_sets, flattened};
use crate::choice::kinds::{PairKind, with_pair_search};
use crate::contract::{ListPairs, PairSearch};
use hashfall_core::geometry::Aabb;
use hashfall_core::geometry::random::Random;
use hashfall_core::parallel::with_threads;
use hashfall_core::{Real, Vec3};
use proptest::prelude::*;

/// The pairs that overlap, told by comparing all.
fn overlapping(boxes: &[Aabb]) -> Vec<[u32; 2]> {
    let mut pairs = vec![];
    for (low, a) in (0u32..).zip(boxes) {
        let later = (low + 1..).zip(&boxes[low as usize + 1..]);
        pairs.extend(later.filter(|(_, b)| a.overlaps(b)).map(|(high, _)| [low, high]));
    }
    pairs
}

/// A search finds the pairs, after a rebuild; returns what it lists.
fn check<P: PairSearch>(
    search: &mut P,
    boxes: &[Aabb],
    wanted: &[[u32; 2]],
    what: &str,
) -> Vec<[u32; 2]> {
    search.rebuild(boxes);
    search.assert_well_formed(boxes);
    let listed = search.pairs(&ListPairs).concat();
    assert!(listed.iter().all(|[low, high]| low < high), "{what}: the lower number comes first");
    let mut sorted = listed.clone();
    sorted.sort_unstable();
    assert!(!P::IS_UNIQUE || sorted.is_sorted_by(|a, b| a < b), "{what}: a pair is repeated");
    sorted.dedup();
    let exact = sorted.iter().filter(|pair| wanted.binary_search(pair).is_ok()).count();
    let missed = wanted.iter().find(|pair| sorted.binary_search(pair).is_err());
    assert_eq!((missed, exact), (None, wanted.len()), "{what}");
    assert!(!P::IS_EXACT || sorted.len() == wanted.len(), "{what}: not exact");
    listed
}

/// One of the boxes a little elsewhere.
fn moved(boxes: &[Aabb], one_in: usize) -> Vec<Aabb> {
    let mut random = Random::new(6);
    let step = |b: &Aabb| b.extent().max().max(1e-3);
    let shift = |b: &Aabb| random.vec3(-0.3, 0.3) * step(b);
    let shifts: Vec<Vec3> = boxes.iter().map(shift).collect();
    let numbered = boxes.iter().zip(shifts).enumerate();
    let place = |(n, (b, by)): (usize, (&Aabb, Vec3))| {
        if n % one_in == 0 { Aabb::new(b.min + by, b.max + by) } else { *b }
    };
    numbered.map(place).collect()
}

#[test]
fn all_pair_searches_find_the_pairs_of_brute_force() {
    for (name, boxes) in box_sets() {
        let (few, all) = (moved(&boxes, 7), moved(&boxes, 1));
        let stages = [boxes.clone(), few, all, boxes[..boxes.len() / 3].to_vec()];
        let stages = stages.into_iter().chain([flattened(&boxes), boxes]);
        let cases: Vec<_> = stages.map(|boxes| (overlapping(&boxes), boxes)).collect();
        for kind in PairKind::ALL {
            with_pair_search!(kind, P => {
                let mut before: Option<Vec<_>> = None;
                for threads in [1, 2, 5] {
                    let mut search = P::default();
                    let listed: Vec<_> = with_threads(threads, || {
                        cases.iter().enumerate().map(|(stage, (wanted, boxes))| {
                            let what = format!("{kind:?}, {name} {stage}, {threads} threads");
                            check(&mut search, boxes, wanted, &what)
                        }).collect()
                    });
                    let before = before.get_or_insert_with(|| listed.clone());
                    assert!(*before == listed, "{kind:?}, {name}: another order on {threads}");
                }
            });
        }
    }
}

#[test]
fn pairs_reach_to_the_ends_of_numbers() {
    let cube = |low: Real, high: Real| Aabb::new(Vec3::from_element(low), Vec3::from_element(high));
    let (most, tiny) = (Real::MAX, Real::MIN_POSITIVE);
    let mut boxes = vec![cube(-most, -0.9 * most), cube(0.5 * most, most), cube(-tiny, 0.0)];
    boxes.extend((0..40).map(|n| cube(n as Real, n as Real + 1.0)));
    boxes.push(cube(-most, most));
    for set in [&boxes[..], &boxes[2..], &boxes[..3], &boxes[2..3], &boxes[2..43]] {
        let wanted = overlapping(set);
        for kind in PairKind::ALL {
            with_pair_search!(kind, P => {
                check(&mut P::default(), set, &wanted, &format!("{kind:?}, {}", set.len()));
            });
        }
    }
}

#[test]
fn before_a_rebuild_there_is_no_pair() {
    for kind in PairKind::ALL {
        with_pair_search!(kind, P => {
            assert!(P::default().pairs(&ListPairs).concat().is_empty(), "{kind:?}");
        });
    }
}

#[test]
fn boxes_that_are_not_finite_are_refused() {
    let sound = Aabb::of_ball(&Vec3::zeros(), 1.0);
    for kind in PairKind::ALL {
        for bad in [Real::NAN, Real::INFINITY] {
            let boxes = [sound, Aabb::new(Vec3::new(0.0, bad, 0.0), sound.max)];
            let rebuild = || with_pair_search!(kind, P => P::default().rebuild(&boxes));
            let fault = std::panic::catch_unwind(rebuild).unwrap_err();
            let text = fault.downcast_ref::<String>().unwrap();
            assert!(text.starts_with("box 1 is not finite or empty"), "{kind:?}: {text}");
        }
    }
}

/// Boxes with corners on a lattice, far away, and of any size.
fn hard_boxes() -> impl Strategy<Value = Vec<Aabb>> {
    let coordinate = prop_oneof![
        4 => (-16i32..16).prop_map(|n| n as Real * 0.25),
        4 => (-3000i32..3000).prop_map(|n| n as Real * 1e-3),
        1 => (-9i32..9).prop_map(|n| n as Real * 1e6),
    ];
    let edge = prop_oneof![
        Just(0.0),
        (1i32..9).prop_map(|n| n as Real * 0.25),
        (-20i32..5).prop_map(|k| f64::powi(2.0, k) as Real),
    ];
    let corner = [coordinate.clone(), coordinate.clone(), coordinate].prop_map(Vec3::from);
    let edges = [edge.clone(), edge.clone(), edge].prop_map(Vec3::from);
    let any_box = (corner, edges).prop_map(|(low, edges)| Aabb::new(low, low + edges));
    proptest::collection::vec(any_box, 0..120)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_boxes_have_the_pairs_of_brute_force(boxes in hard_boxes()) {
        let wanted = overlapping(&boxes);
        for kind in PairKind::ALL {
            with_pair_search!(kind, P => {
                check(&mut P::default(), &boxes, &wanted, &format!("{kind:?}"));
            });
        }
    }
}
