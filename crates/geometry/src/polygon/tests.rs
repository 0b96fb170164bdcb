//! Random polygons in space, with brute force as the oracle.

use super::*;
use crate::random::Random;
use std::f64::consts::TAU;

/// A polygon in a plane.
type Flat = Vec<[f64; 2]>;

/// A star-shaped polygon around a point, counter-clockwise, of radii from `low` to `high`.
fn star(random: &mut Random, n: usize, centre: [f64; 2], (low, high): (f64, f64)) -> Flat {
    let corner = |k: usize, random: &mut Random| {
        let angle = TAU * (k as f64 + random.number(0.1, 0.9)) / n as f64;
        let radius = random.number(low, high);
        [centre[0] + radius * angle.cos(), centre[1] + radius * angle.sin()]
    };
    (0..n).map(|k| corner(k, random)).collect()
}

/// Adds a hole by an edge that is run along twice, from a corner that sees a corner of the hole.
fn with_hole(mut outline: Flat, mut hole: Flat) -> Option<Flat> {
    hole.reverse();
    let edges = |ring: &Flat| -> Vec<[[f64; 2]; 2]> {
        (0..ring.len()).map(|k| [ring[k], ring[(k + 1) % ring.len()]]).collect()
    };
    let all = [edges(&outline), edges(&hole)].concat();
    let (of_outline, of_hole) = all.split_at(outline.len());
    if of_hole.iter().any(|h| of_outline.iter().any(|o| cross(h[0], h[1], o[0], o[1]))) {
        return None;
    }
    let sees = |a: [f64; 2], b: [f64; 2]| {
        all.iter().filter(|e| !e.contains(&a) && !e.contains(&b)).all(|e| !cross(a, b, e[0], e[1]))
            && contains(&outline, middle(a, b))
            && !contains(&hole, middle(a, b))
    };
    let pairs = (0..outline.len()).flat_map(|i| (0..hole.len()).map(move |k| (i, k)));
    // Where a corner is there twice, the bridge has to start within the angle of its own copy.
    let is_within = |i: usize, p: [f64; 2]| {
        let n = outline.len();
        let [before, at, after] = [n - 1, 0, 1].map(|by| outline[(i + by) % n]);
        let (left, right) = (side(at, after, p) > 0.0, side(before, at, p) > 0.0);
        if side(before, at, after) > 0.0 { left && right } else { left || right }
    };
    let (i, k) =
        pairs.into_iter().find(|&(i, k)| is_within(i, hole[k]) && sees(outline[i], hole[k]))?;
    hole.rotate_left(k);
    hole.push(hole[0]);
    hole.push(outline[i]);
    outline.splice(i + 1..i + 1, hole);
    Some(outline)
}

fn middle(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])]
}

fn side(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
}

fn cross(a: [f64; 2], b: [f64; 2], c: [f64; 2], d: [f64; 2]) -> bool {
    side(a, b, c) * side(a, b, d) <= 0.0 && side(c, d, a) * side(c, d, b) <= 0.0
}

/// Whether a polygon holds a point, by the crossings of a ray along x.
fn contains(ring: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    let crossings = (0..ring.len()).filter(|&k| {
        let (a, b) = (ring[k], ring[(k + 1) % ring.len()]);
        (a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
    });
    crossings.count() % 2 == 1
}

/// Puts corners on straight edges.
fn with_corners_on_edges(random: &mut Random, ring: &Flat) -> Flat {
    let next = |k: usize| ring[(k + 1) % ring.len()];
    let corners = ring.iter().enumerate().flat_map(|(k, &a)| {
        let more =
            if random.number(0.0, 1.0) < 0.3 { vec![a, middle(a, next(k))] } else { vec![a] };
        more.into_iter()
    });
    corners.collect()
}

/// A turned plane in space: the corners in it, and the way back.
fn in_space(random: &mut Random, ring: &Flat) -> Vec<Point> {
    let normal = random.point(-1.0, 1.0).normalize();
    let u = normal.cross(&random.point(-1.0, 1.0)).normalize();
    let v = normal.cross(&u);
    let at = random.point(-2.0, 2.0);
    ring.iter().map(|[x, y]| at + u * *x + v * *y).collect()
}

/// Asserts that random points of the plane are covered once inside and never outside.
fn assert_covers(random: &mut Random, ring: &Flat, triangles: &[[usize; 3]]) -> usize {
    let mut inside = 0;
    for _ in 0..200 {
        let p = [random.number(-1.2, 1.2), random.number(-1.2, 1.2)];
        let holds = |t: &&[usize; 3]| {
            let [a, b, c] = t.map(|k| ring[k]);
            [side(a, b, p), side(b, c, p), side(c, a, p)].iter().all(|s| *s > 0.0)
        };
        let is_inside = contains(ring, p);
        assert_eq!(
            triangles.iter().filter(holds).count(),
            usize::from(is_inside),
            "{p:?} {ring:?}"
        );
        inside += usize::from(is_inside);
    }
    inside
}

#[test]
fn random_polygons_are_covered_exactly_once() {
    let mut random = Random::new(28);
    let (mut keyholes, mut inside, mut concave) = (0, 0, 0);
    for round in 0..1500 {
        let n = 4 + random.number(0.0, 14.0) as usize;
        let mut ring = star(&mut random, n, [0.0, 0.0], (0.4, 1.1));
        for centre in [[-0.14, 0.0], [0.14, 0.01]].iter().take(round % 3) {
            let hole = star(&mut random, 3 + round % 5, *centre, (0.05, 0.13));
            if let Some(keyhole) = with_hole(ring.clone(), hole) {
                (ring, keyholes) = (keyhole, keyholes + 1);
            }
        }
        if round % 2 == 0 {
            ring = with_corners_on_edges(&mut random, &ring);
        }
        let start = random.number(0.0, ring.len() as f64) as usize;
        ring.rotate_left(start);
        let mut corners: Vec<Point> = if round % 4 == 0 {
            ring.iter().map(|[x, y]| Point::new(*y, 0.3, *x)).collect()
        } else {
            in_space(&mut random, &ring)
        };
        if round % 5 == 0 {
            // As a file has them.
            corners.iter_mut().for_each(|c| *c = c.map(|x| (x * 1e6).round() * 1e-6));
        }
        let triangles = triangulate(&corners).unwrap_or_else(|| panic!("round {round}: {ring:?}"));
        assert_eq!(triangles.len(), ring.len() - 2);
        concave += usize::from(triangles != fan(ring.len()));
        inside += assert_covers(&mut random, &ring, &triangles);
    }
    assert!(keyholes > 1000 && inside > 50_000 && concave > 900, "{keyholes} {inside} {concave}");
}

#[test]
fn convex_faces_keep_their_fan() {
    let mut random = Random::new(3);
    for n in 3..12 {
        let ring = star(&mut random, n, [0.0; 2], (1.0, 1.0));
        let corners = in_space(&mut random, &ring);
        assert_eq!(triangulate(&corners), Some(fan(n)), "{n}");
    }
    // One corner is no corner of the square.
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.5, 1.0], [0.0, 1.0]];
    assert_eq!(triangulate(&square.map(|[x, y]| Point::new(x, y, 0.0))), Some(fan(5)));
}

/// A grid of corners on the straight edges of a comb, exact in binary: earcut leaves them out.
#[test]
fn corners_on_straight_edges_are_kept_and_have_area_where_they_can() {
    let comb = [[0, 0], [8, 0], [8, 4], [6, 4], [6, 2], [5, 2], [5, 4], [3, 4], [3, 2], [2, 2]];
    let comb: Vec<[i32; 2]> = comb.into_iter().chain([[2, 4], [0, 4]]).collect();
    let mut ring: Flat = Vec::new();
    for (k, a) in comb.iter().enumerate() {
        let b = comb[(k + 1) % comb.len()];
        let steps = (b[0] - a[0]).abs().max((b[1] - a[1]).abs());
        ring.extend((0..steps).map(|s| {
            [0, 1].map(|i| f64::from(a[i] * (steps - s) + b[i] * s) / f64::from(steps) / 8.0)
        }));
    }
    let mut random = Random::new(5);
    for start in 0..ring.len() {
        ring.rotate_left(1);
        let corners: Vec<Point> = ring.iter().map(|[x, y]| Point::new(*x, *y, 1.0)).collect();
        let triangles = triangulate(&corners).unwrap_or_else(|| panic!("start {start}"));
        let flat = Polygon { points: ring.clone(), holes: Vec::new() };
        assert!(triangles.iter().all(|t| flat.area(*t) > 0.0), "{start}: {triangles:?}");
        assert!(assert_covers(&mut random, &ring, &triangles) > 0);
    }
}

/// Each sliver of the fan waits for the one after it; quadratic work would take minutes.
#[test]
fn slivers_in_a_row_are_flipped_in_linear_time() {
    let n = 1 << 15;
    let bottom = (0..=n).map(|k| [k as f64 / n as f64, 0.0]);
    let polygon = Polygon { points: bottom.chain([[0.5, 1.0]]).collect(), holes: Vec::new() };
    let mut triangles = fan(n + 1);
    triangles.insert(0, [0, n, n + 1]);
    polygon.flip_slivers(&mut triangles);
    assert!(triangles.iter().all(|t| polygon.area(*t) > 0.0));
    assert!(polygon.is_covered_by(&triangles, STRICT));
}

#[test]
fn what_crosses_itself_is_told_and_what_is_flat_is_not() {
    let at = |corners: &[[f64; 2]]| -> Vec<Point> {
        corners.iter().map(|[x, y]| Point::new(*x, 0.5, *y)).collect()
    };
    let bow_tie = [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]];
    let uneven = [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 3.0]];
    let corner = |k: usize| {
        let angle = TAU * k as f64 / 5.0;
        [angle.cos(), angle.sin()]
    };
    let pentagram = [0, 2, 4, 1, 3].map(corner);
    for crossing in [&bow_tie[..], &uneven, &pentagram] {
        assert_eq!(triangulate(&at(crossing)), None, "{crossing:?}");
    }
    let line = [[0.0, 0.0], [1.0, 1.0], [0.5, 0.5], [3.0, 3.0], [2.0, 2.0]];
    let point = [[0.3, 0.3]; 4];
    for flat in [&line[..], &point] {
        assert_eq!(triangulate(&at(flat)), Some(fan(flat.len())), "{flat:?}");
    }
}

#[test]
fn a_bow_tie_has_two_wings_and_all_its_edges() {
    let at = |[x, y]: [f64; 2]| Point::new(x, 1.0, y);
    let corners = [[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]];
    for start in 0..4 {
        let turned = [0, 1, 2, 3].map(|k| corners[(start + k) % 4]);
        let (crossing, triangles) = split_at_crossing(&turned.map(at)).unwrap();
        assert!((crossing - at([1.0, 1.0])).norm() < 1e-12);
        let points = turned.into_iter().chain([[1.0, 1.0]]).collect();
        let flat = Polygon { points, holes: Vec::new() };
        let mut areas = triangles.map(|t| flat.area(t));
        areas.sort_by(f64::total_cmp);
        assert_eq!(areas, [-2.0, 0.0, 0.0, 2.0]);
        let uses = |edge| edges_of(&triangles).filter(|e| *e == edge).count();
        for (a, b) in edges_of(&triangles).filter(|e| e.0 < 4 && e.1 < 4) {
            assert_eq!((b, uses((a, b)), uses((b, a))), ((a + 1) % 4, 1, 0));
        }
        assert!((0..4).all(|k| uses((k, 4)) == uses((4, k))));
    }
    let square = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
    assert_eq!(split_at_crossing(&square.map(at)), None);
}

#[test]
fn a_check_finds_every_wrong_result() {
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].to_vec();
    let polygon = Polygon { points: square, holes: Vec::new() };
    let covers = |triangles: &[[usize; 3]]| polygon.is_covered_by(triangles, STRICT);
    assert!(covers(&[[0, 1, 2], [0, 2, 3]]) && covers(&[[1, 2, 3], [3, 0, 1]]));
    for wrong in [
        &[[0, 1, 2]][..],
        &[[0, 1, 2], [0, 1, 2]],
        &[[0, 1, 2], [3, 2, 0]],
        &[[0, 1, 2], [1, 2, 3]],
        &[[0, 1, 2], [0, 2, 4]],
        &[[0, 1, 2], [0, 2, 3], [0, 1, 2]],
    ] {
        assert!(!covers(wrong), "{wrong:?}");
    }
}
