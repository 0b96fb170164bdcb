//! What every [`NeighborSearch`] keeps: the lists of brute force, on every number of threads.

use super::case::{Case, both_lists};
use super::lattice;
use crate::choice::kinds::{NeighborKind, with_neighbor_search};
use crate::choice::settings::{HashFunction, SearchSettings};
use crate::contract::NeighborSearch;
use crate::lanes::Isa;
use crate::lists::neighbor_lists::NeighborLists;
use crate::points::sorted_cells::SortedCells;
use hashfall_core::cell::{CELL_LIMIT, cell_key, cell_of};
use hashfall_core::geometry::random::Random;
use hashfall_core::{Real, Vec3};
use proptest::prelude::*;

/// Support radius \[m\]: no power of two, so that cell faces are rounded.
const H: Real = 0.04;

/// The thread counts of the matrix.
const THREADS: [usize; 3] = [1, 2, 5];

/// Stretches points into a thin row along x.
const ROW: Vec3 = Vec3::new(40.0, 1.0, 1.0);

/// Points on and just below the faces of cells along x, from cell `first` on.
fn on_faces(first: i32) -> Vec<Vec3> {
    let face = |n: i32| n as Real * H;
    (first..first + 40)
        .flat_map(|n| [face(n).next_down(), face(n), face(n).next_up()])
        .map(|x| Vec3::new(x, -H, 0.0))
        .collect()
}

fn point_sets() -> Vec<(&'static str, Vec<Vec3>)> {
    let mut random = Random::new(1);
    let mut some = |count: usize, low: Real, high: Real| -> Vec<Vec3> {
        (0..count).map(|_| random.vec3(low, high)).collect()
    };
    let plane: Vec<Vec3> = some(900, -0.5, 0.5).iter().map(|p| Vec3::new(p.x, p.y, 0.08)).collect();
    let mut clusters = some(500, -0.01, 0.01);
    clusters.extend(some(300, 0.9, 0.93));
    clusters.extend(some(100, -3.0, 3.0));
    let mut sorted = some(3000, -0.3, 0.3);
    sorted.sort_by_key(|p| cell_key(cell_of(p, H)));
    vec![
        ("none", vec![]),
        ("one", vec![Vec3::new(0.1, -0.2, 0.3)]),
        ("random", some(3000, -0.3, 0.3)),
        ("sorted", sorted),
        ("sparse", some(700, -50.0, 50.0)),
        ("lattice of h/2", lattice(-0.2, 11, H / 2.0)),
        ("lattice of h", lattice(-5.0 * H, 10, H)),
        ("clusters", clusters),
        ("coincident", vec![Vec3::new(-0.04, 0.0, 0.04); 70]),
        ("on faces", on_faces(-20)),
        ("on far faces", on_faces(1 << 14)),
        ("on far negative faces", on_faces(-(1 << 16) - 20)),
        ("far away", some(2000, 1000.0, 1000.3)),
        ("plane", plane),
        ("more than a chunk in one cell", some(1100, 0.001, 0.039)),
        ("a row of blocks", some(900, 0.0, 0.03).iter().map(|p| p.component_mul(&ROW)).collect()),
        ("to the last cells but one", on_faces((1 << 20) - 60)),
        ("spray", {
            let mut spray = lattice(300.0, 9, 0.5 * H);
            spray.extend(some(400, -20_000.0, 20_000.0));
            spray
        }),
        ("exactly h apart", vec![Vec3::new(0.5, 0.5, 0.5), Vec3::new(0.5 + H, 0.5, 0.5)]),
    ]
}

/// What each of `points` moves to in a step.
fn moved(points: &[Vec3]) -> Vec<Vec3> {
    let mut random = Random::new(2);
    points.iter().map(|p| p + random.vec3(-0.3 * H, 0.3 * H)).collect()
}

/// Fresh structures of all kinds give the lists of brute force.
fn check_all_kinds(points: &[Vec3], radius: Real, what: &str) {
    let case = Case::new(points, radius);
    for kind in NeighborKind::ALL {
        let what = format!("{kind:?}, {what}");
        with_neighbor_search!(kind, S => {
            case.check(&mut S::default(), &mut both_lists(), 2, &what);
        });
    }
}

/// Near places that are not indexed, too, each point is visited once at most.
fn check_places<S: NeighborSearch>(points: &[Vec3], radius: Real, what: &str) {
    let mut search = S::default();
    search.rebuild(points, radius);
    check_places_of(&search, points, radius, what);
}

/// As [`check_places`] for a search that has indexed the points.
fn check_places_of<S: NeighborSearch>(search: &S, points: &[Vec3], radius: Real, what: &str) {
    let mut random = Random::new(3);
    let mut visits = vec![0; points.len()];
    for k in 0..300 {
        let near = points.get(k * 7 % points.len().max(1)).copied().unwrap_or_default();
        let at = near + random.vec3(-1.5 * radius, 1.5 * radius);
        visits.fill(0);
        search.candidates(&at, |j| visits[j as usize] += 1);
        assert!(visits.iter().all(|&n| n <= 1), "{what}: repeated near {at}");
        for (point, &n) in points.iter().zip(&visits) {
            let is_near = (point - at).norm_squared() < radius * radius;
            assert!(n == 1 || !is_near, "{what}: {point} missed near {at}");
        }
    }
}

#[test]
fn all_neighbor_structures_give_the_lists_of_brute_force() {
    for (name, points) in point_sets() {
        let fewer = points[..points.len() / 3].to_vec();
        let more = points.iter().copied().chain(lattice(0.0, 6, 0.7 * H)).collect();
        let moved = moved(&points);
        let stages = [("fresh", points), ("moved", moved), ("fewer", fewer), ("more", more)];
        let cases = stages.each_ref().map(|(stage, points)| (*stage, Case::new(points, H)));
        for kind in NeighborKind::ALL {
            let what = format!("{kind:?}, {name}");
            with_neighbor_search!(kind, S => check_stages::<S>(&cases, &what));
        }
    }
}

/// One structure goes from case to case, on every number of threads.
fn check_stages<S: NeighborSearch>(cases: &[(&str, Case<'_>)], what: &str) {
    for threads in THREADS {
        let (mut search, mut lists) = (S::default(), both_lists());
        for (stage, case) in cases {
            let what = format!("{what}, {stage}, {threads} threads");
            case.check(&mut search, &mut lists, threads, &what);
        }
    }
}

/// The structures with parameters, each with many of them.
fn choices() -> Vec<(NeighborKind, SearchSettings)> {
    let masks =
        [NeighborKind::CellIndex, NeighborKind::ExtendedHash].into_iter().flat_map(|kind| {
            (1..=3).map(move |subdivision| {
                let settings = SearchSettings { subdivision, ..SearchSettings::default() };
                (kind, settings)
            })
        });
    let tables = [NeighborKind::FixedUniformHash, NeighborKind::GridCellHash];
    let tables = tables.into_iter().flat_map(|kind| {
        [1, 7, 64, 1 << 16].into_iter().flat_map(move |size| {
            [HashFunction::Xor, HashFunction::Additive].map(|hash_function| {
                let table_size = Some(size);
                let settings = SearchSettings { table_size, hash_function, subdivision: 0 };
                (kind, settings)
            })
        })
    });
    masks.chain(tables).collect()
}

#[test]
fn the_lists_are_those_of_brute_force_with_any_settings() {
    for (name, mut points) in point_sets() {
        // In a table of one bucket all meet all.
        points.truncate(800);
        // Small cells do not reach as far.
        points.retain(|p| p.amax() < H / 7.0 * CELL_LIMIT as Real);
        let (case, moved) = (Case::new(&points, H), moved(&points));
        let case_moved = Case::new(&moved, H);
        for (kind, settings) in choices() {
            let what = format!("{kind:?}, {settings:?}, {name}");
            with_neighbor_search!(kind, S => {
                let (mut search, mut lists) = (S::default(), both_lists());
                search.configure(&settings);
                case.check(&mut search, &mut lists, 2, &what);
                case_moved.check(&mut search, &mut lists, 5, &what);
                check_places_of(&search, &moved, H, &what);
            });
        }
    }
}

#[test]
fn small_cells_that_reach_less_far_refuse_what_they_cannot_hold() {
    let points = [Vec3::zeros(), Vec3::new(0.0, H * 9e5, 0.0)];
    for (kind, settings) in choices() {
        if settings.subdivision == 0 {
            continue;
        }
        let refused = std::panic::catch_unwind(|| {
            with_neighbor_search!(kind, S => {
                let mut search = S::default();
                search.configure(&settings);
                search.rebuild(&points, H);
            });
        });
        let message = *refused.unwrap_err().downcast::<String>().unwrap();
        assert!(message.contains("point 1 at"), "{kind:?}: {message}");
    }
}

#[test]
fn all_neighbor_structures_find_what_is_near_any_place() {
    for (name, points) in point_sets() {
        for kind in NeighborKind::ALL {
            let what = format!("{kind:?}, {name}");
            with_neighbor_search!(kind, S => check_places::<S>(&points, H, &what));
        }
    }
}

#[test]
fn the_last_cells_of_every_axis_have_neighbours() {
    let mut random = Random::new(8);
    let limit = CELL_LIMIT as Real;
    // Cells of size 1, so that a few points meet in the corners of what has cells.
    let mut coordinate = || match random.real(0.0, 5.0) as i32 {
        0 => limit - 2.0 + random.real(0.0, 0.9),
        1 => 1.0 - limit + random.real(0.0, 0.9),
        2 => limit - 2.0 - random.real(0.0, 1.9),
        3 => 2.0 - limit + random.real(0.0, 1.9),
        _ => random.real(-1.5, 1.5),
    };
    let points: Vec<Vec3> = (0..1500).map(|_| Vec3::from_fn(|_, _| coordinate())).collect();
    check_all_kinds(&points, 1.0, "all ends");
    for kind in NeighborKind::ALL {
        with_neighbor_search!(kind, S => check_places::<S>(&points, 1.0, &format!("{kind:?}")));
    }
}

/// Radii whose squares round to nothing, to few bits, or to infinity.
#[test]
fn any_radius_has_the_lists_of_brute_force() {
    let extremes = [1e-45, 3e-42, 1e-39, 1e-25, 1e-23, 1e-22, 3e-20, 1e18, 1e19, 1e30, 3e38];
    for radius in extremes.into_iter().chain([Real::MIN_POSITIVE, Real::MAX]) {
        let mut random = Random::new(9);
        let place = |random: &mut Random| random.vec3(-2.0, 2.0) * radius;
        let mut points: Vec<Vec3> = (0..700).map(|_| place(&mut random)).collect();
        points.extend([Vec3::new(0.5, -0.5, 0.0) * radius; 40]);
        points.retain(|p| p.iter().all(|x| x.is_finite()));
        check_all_kinds(&points, radius, &format!("radius {radius}"));
        points.sort_by_key(|p| cell_key(cell_of(p, radius)));
        check_all_kinds(&points, radius, &format!("radius {radius}, sorted"));
    }
}

#[test]
fn before_a_rebuild_nothing_is_near() {
    for kind in NeighborKind::ALL {
        with_neighbor_search!(kind, S => {
            let search = S::default();
            for at in [Vec3::zeros(), Vec3::from_element(-3.7), Vec3::from_element(Real::MAX)] {
                search.candidates(&at, |j| panic!("{kind:?} finds {j} near {at}"));
            }
            let mut lists = NeighborLists::default();
            lists.build(&search, &[], H);
            assert!(lists.is_empty());
        });
    }
}

#[test]
fn every_instruction_set_gives_the_same_lists() {
    for (name, points) in point_sets() {
        let case = Case::new(&points, H);
        for isa in Isa::available() {
            let what = format!("{isa:?}, {name}");
            case.check(&mut SortedCells::with_isa(isa), &mut both_lists(), 2, &what);
        }
    }
}

#[test]
fn points_without_a_cell_are_refused() {
    for bad in [Real::NAN, Real::INFINITY, Real::NEG_INFINITY, H * 2e6, -1e30] {
        for axis in 0..3 {
            let mut points = lattice(0.0, 9, H);
            points[700][axis] = bad;
            for kind in NeighborKind::ALL {
                let refused = std::panic::catch_unwind(|| {
                    with_neighbor_search!(kind, S => S::default().rebuild(&points, H));
                });
                let message = *refused.unwrap_err().downcast::<String>().unwrap();
                assert!(message.contains("point 700"), "{kind:?}: {message}");
            }
        }
    }
}

#[test]
#[should_panic(expected = "more than")]
fn more_points_than_places_are_refused() {
    crate::contract::assert_count(u32::MAX as usize);
}

/// Points where searches go wrong: on faces, beside them, and on each other.
fn hard_points() -> impl Strategy<Value = Vec<Vec3>> {
    let coordinate = prop_oneof![
        (-3i32..4).prop_map(|n| n as Real * H),
        (-3i32..4).prop_map(|n| (n as Real * H).next_down()),
        (-40i32..40).prop_map(|n| n as Real * (H / 8.0)),
        (-1000i32..1000).prop_map(|n| n as Real * (H / 300.0)),
        (-2000i32..2000).prop_map(|n| n as Real * 331.7 * H),
    ];
    let point = [coordinate.clone(), coordinate.clone(), coordinate].prop_map(Vec3::from);
    proptest::collection::vec(point, 0..150)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_points_have_the_lists_of_brute_force(points in hard_points()) {
        check_all_kinds(&points, H, "hard points");
    }
}

#[test]
fn lists_hold_exactly_the_pairs_closer_than_h() {
    let lists_of = |points: &[Vec3]| Case::new(points, H).wanted;
    let lists = lists_of(&lattice(0.0, 5, 1.01 * H / 3f64.sqrt() as Real));
    // Spaced so that face and edge neighbours are near and corner neighbours are not.
    assert_eq!(lists.of(62).len(), 18);
    assert!(!lists.of(62).contains(&62));
    assert_eq!(lists.of(0), [1, 5, 6, 25, 26, 30]);
    assert!(!lists.is_empty());
    assert!(lists_of(&[]).is_empty());
}

#[test]
fn points_two_cells_apart_are_never_closer_than_h() {
    let step = |x: Real, k: i32| {
        (0..k.abs()).fold(x, |x, _| if k < 0 { x.next_down() } else { x.next_up() })
    };
    let cell = |x: Real, size| cell_of(&Vec3::new(x, 0.0, 0.0), size)[0];
    let powers = (0..20).flat_map(|k| [(1 << k) - 1, 1 << k, -(1 << k) - 1, -(1 << k)]);
    for n in powers.chain((-200_000..200_000).step_by(997)) {
        for size in [0.013, 0.04, 0.3, Real::MIN_POSITIVE * 3.1, (0.25 as Real).next_up()] {
            for (i, j) in (0..49).map(|k| (k / 7 - 3, k % 7 - 3)) {
                let (x, y) = (step(n as Real * size, i), step((n + 1) as Real * size, j));
                let apart = cell(y, size) - cell(x, size);
                assert!(apart <= 1 || y - x >= size, "{x} and {y} in cells {apart} apart");
            }
        }
    }
}
