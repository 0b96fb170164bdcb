//! The contract that every structure keeps, tested for all kinds at once against brute force.

use super::*;
use crate::base::cell::{cell_key, cell_of};
use crate::{with_broad_phase, with_neighbor_search};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// Support radius \[m\]: no power of two, so that cell faces are rounded.
const H: Real = 0.04;

/// The thread counts of the matrix.
const THREADS: [usize; 2] = [1, 3];

/// Random numbers in ranges.
struct Random(Pcg32);

impl Random {
    fn new(seed: u64) -> Self {
        Random(Pcg32::seed_from_u64(seed))
    }

    fn real(&mut self, low: Real, high: Real) -> Real {
        low + (high - low) * (self.0.next_u32() >> 8) as Real / (1 << 24) as Real
    }

    fn vec3(&mut self, low: Real, high: Real) -> Vec3 {
        Vec3::from_fn(|_, _| self.real(low, high))
    }
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// `side`³ points, `spacing` apart, from `low` on.
fn lattice(low: Real, side: usize, spacing: Real) -> Vec<Vec3> {
    let place = |n: usize| low + n as Real * spacing;
    (0..side.pow(3))
        .map(|n| Vec3::new(place(n % side), place(n / side % side), place(n / side.pow(2))))
        .collect()
}

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
        ("exactly h apart", vec![Vec3::new(0.5, 0.5, 0.5), Vec3::new(0.5 + H, 0.5, 0.5)]),
    ]
}

/// What each of `points` moves to in a step.
fn moved(points: &[Vec3]) -> Vec<Vec3> {
    let mut random = Random::new(2);
    points.iter().map(|p| p + random.vec3(-0.3 * H, 0.3 * H)).collect()
}

/// Says which pair two lists disagree on, and how far apart it is.
fn assert_same(found: &NeighborLists, wanted: &NeighborLists, points: &[Vec3], what: &str) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    for i in 0..points.len() {
        if found.of(i) == wanted.of(i) {
            continue;
        }
        let is_in_one = |j: &&u32| found.of(i).contains(j) != wanted.of(i).contains(j);
        let j = found.of(i).iter().chain(wanted.of(i)).find(is_in_one);
        let apart = j.map(|&j| (points[i] - points[j as usize]).norm() / H * 100.0);
        panic!("{what}: point {i} and {j:?}, {apart:?} % of h apart; order, repetition or radius");
    }
}

fn lists_of<S: NeighborSearch>(
    search: &mut S,
    lists: &mut NeighborLists,
    points: &[Vec3],
    threads: usize,
) {
    with_threads(threads, || {
        search.rebuild(points, H);
        search.assert_well_formed(points);
        lists.build(search, points, H);
    });
}

fn brute_lists(points: &[Vec3]) -> NeighborLists {
    let mut lists = NeighborLists::default();
    lists_of(&mut BrutePoints::default(), &mut lists, points, 2);
    lists
}

/// Fresh, after motion, with fewer points and with more: the same lists as brute force.
fn check_lists<S: NeighborSearch>(kind: NeighborKind) {
    for (name, points) in point_sets() {
        let fewer = points[..points.len() / 3].to_vec();
        let more = points.iter().copied().chain(lattice(0.0, 6, 0.7 * H)).collect();
        let moved = moved(&points);
        let stages = [("fresh", points), ("moved", moved), ("fewer", fewer), ("more", more)];
        let wanted: Vec<NeighborLists> = stages.iter().map(|(_, at)| brute_lists(at)).collect();
        for threads in THREADS {
            let mut search = S::default();
            let mut lists = NeighborLists::default();
            for ((stage, points), wanted) in stages.iter().zip(&wanted) {
                let what = format!("{kind:?}, {name}, {stage}, {threads} threads");
                lists_of(&mut search, &mut lists, points, threads);
                assert_same(&lists, wanted, points, &what);
            }
        }
    }
}

/// Near places that are not indexed, too, each point is visited once at most.
fn check_places<S: NeighborSearch>(kind: NeighborKind) {
    let mut random = Random::new(3);
    for (name, points) in point_sets() {
        let mut search = S::default();
        search.rebuild(&points, H);
        let mut visits = vec![0; points.len()];
        for k in 0..300 {
            let near = points.get(k * 7 % points.len().max(1)).copied().unwrap_or_default();
            let at = near + random.vec3(-1.5 * H, 1.5 * H);
            visits.fill(0);
            search.candidates(&at, |j| visits[j as usize] += 1);
            assert!(visits.iter().all(|&n| n <= 1), "{kind:?}, {name}: repeated near {at}");
            for (point, &n) in points.iter().zip(&visits) {
                let is_near = (point - at).norm_squared() < H * H;
                assert!(n == 1 || !is_near, "{kind:?}, {name}: {point} missed near {at}");
            }
        }
    }
}

#[test]
fn all_neighbor_structures_give_the_lists_of_brute_force() {
    for kind in NeighborKind::ALL {
        with_neighbor_search!(kind, S => check_lists::<S>(kind));
    }
}

#[test]
fn all_neighbor_structures_find_what_is_near_any_place() {
    for kind in NeighborKind::ALL {
        with_neighbor_search!(kind, S => check_places::<S>(kind));
    }
}

#[test]
fn lists_hold_exactly_the_pairs_closer_than_h() {
    let lists = brute_lists(&lattice(0.0, 5, 1.01 * H / 3f64.sqrt() as Real));
    // Spaced so that face and edge neighbours are near and corner neighbours are not.
    assert_eq!(lists.of(62).len(), 18);
    assert!(!lists.of(62).contains(&62));
    assert_eq!(lists.of(0), [1, 5, 6, 25, 26, 30]);
    assert!(!lists.is_empty());
    assert!(brute_lists(&[]).is_empty());
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
