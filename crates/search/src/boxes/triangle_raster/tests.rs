//! Every point within reach of a triangle is visited, once.

use super::scanline;
use super::table::Entry;
use super::walk::{Walk, corners_in_cells};
use super::{TriangleRaster, mean_edge};
use hashfall_core::cell::{Cell, cell_of};
use hashfall_core::geometry::random::Random;
use hashfall_core::geometry::triangle::offset_to_triangle;
use hashfall_core::geometry::{Aabb, Point};
use hashfall_core::parallel::with_threads;
use hashfall_core::{Real, Vec3};
use std::collections::BTreeSet;

/// No power of two, so that cell faces are rounded.
const SIZE: Real = 0.1;

fn exact(v: &Vec3) -> Point {
    v.map(f64::from)
}

/// Fails unless all points within reach are visited, and none twice, by the walk and by what
/// may stand in for it; returns how many were.
fn check(raster: &TriangleRaster, corners: &[Vec3; 3], reach: Real) -> usize {
    let [mut seen, mut walked] = [vec![], vec![]];
    raster.near(corners, reach, |point| seen.push(point));
    let walk = Walk::new(corners, reach, raster.size);
    walk.for_each_cell(|cell| raster.lists.for_each(cell, |point, _| walked.push(point)));
    seen.sort_unstable();
    walked.sort_unstable();
    for seen in [&seen, &walked] {
        assert!(seen.is_sorted_by(|a, b| a < b), "repeated for {corners:?}");
    }
    for (number, Entry { point, .. }) in (0..).zip(raster.lists.entries()) {
        let distance = offset_to_triangle(&exact(point), &corners.map(|c| exact(&c))).norm();
        if distance <= f64::from(reach) {
            let is_seen = [&seen, &walked].map(|seen| seen.binary_search(&number).is_ok());
            assert_eq!(is_seen, [true; 2], "{point:?} at {distance} of {corners:?}, {reach}");
        }
    }
    seen.len()
}

/// Points at random, on lattices of cell faces, and about a triangle at about the reach.
fn points_near(random: &mut Random, corners: &[Vec3; 3], reach: Real) -> Vec<Vec3> {
    let around = Aabb::around(corners).grown(2.0 * reach + 2.0 * SIZE);
    let anywhere = |random: &mut Random| {
        let at = random.vec3(0.0, 1.0);
        around.min + at.component_mul(&around.extent())
    };
    let mut points: Vec<Vec3> = (0..150).map(|_| anywhere(random)).collect();
    points.extend((0..50).map(|_| anywhere(random).map(|x| (x / SIZE).round() * SIZE)));
    for _ in 0..150 {
        let [mut s, mut t] = [random.real(0.0, 1.0), random.real(0.0, 1.0)];
        if s + t > 1.0 {
            [s, t] = [1.0 - s, 1.0 - t];
        }
        let [a, b, c] = corners;
        let on = a + (b - a) * s + (c - a) * t;
        let direction = random.direction().map(|x| x as Real);
        points.extend([on, on + direction * reach, a + direction * reach]);
    }
    points
}

#[test]
fn triangles_of_all_sizes_see_what_is_near() {
    let mut random = Random::new(1);
    let mut raster = TriangleRaster::default();
    for cells in [0.01, 0.3, 1.0, 4.0, 20.0, 100.0] {
        for reach in [0.0, 0.01, 0.5, 1.0, 2.5] {
            for _ in 0..6 {
                let [edge, reach] = [cells * SIZE, reach * SIZE];
                let place = random.vec3(-3.0, 3.0);
                let corners = [(); 3].map(|()| place + random.vec3(-edge, edge));
                raster.rebuild(&points_near(&mut random, &corners, reach), SIZE);
                check(&raster, &corners, reach);
            }
        }
    }
}

#[test]
fn flat_needle_and_point_triangles_see_what_is_near() {
    let mut random = Random::new(2);
    let mut raster = TriangleRaster::default();
    let face = |n: i32| n as Real * SIZE;
    let [o, x, y] = [[0, 0, 3], [7, 0, 3], [0, 5, 3]].map(|c| Vec3::from(c.map(face)));
    let off = Vec3::new(1e-7, 0.0, 1e-6);
    let turned = |v: Vec3, axis: usize| Vec3::from_fn(|a, _| v[(a + axis) % 3]);
    let triangles = [[o, x, y], [y, x, o], [o, x, x], [o, o, o], [o, x, x + off], [o, x * 0.5, x]];
    for corners in triangles {
        for axis in 0..3 {
            let corners = corners.map(|corner| turned(corner, axis));
            for reach in [0.0, SIZE, SIZE.next_down(), 0.37 * SIZE] {
                let mut points = points_near(&mut random, &corners, reach);
                // Exactly at the reach of the corners along each axis.
                for corner in corners {
                    for a in 0..3 {
                        let step = Vec3::from_fn(|b, _| if a == b { reach } else { 0.0 });
                        points.extend([corner + step, corner - step]);
                    }
                }
                raster.rebuild(&points, SIZE);
                check(&raster, &corners, reach);
            }
        }
    }
}

#[test]
fn only_cells_along_the_surface_are_searched() {
    let mut random = Random::new(3);
    let points: Vec<Vec3> = (0..60_000).map(|_| random.vec3(-1.0, 1.0)).collect();
    let mut raster = TriangleRaster::default();
    raster.rebuild(&points, SIZE);
    let corners = [[-1.0, -1.0, -1.0], [1.0, -1.0, 0.8], [-1.0, 1.0, 0.9]].map(Vec3::from);
    let seen = check(&raster, &corners, 0.1 * SIZE);
    assert!(seen < points.len() / 8, "{seen} of {}", points.len());
}

#[test]
fn a_table_is_used_again_without_what_it_held() {
    let mut raster = TriangleRaster::default();
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Vec3::from);
    let points = vec![Vec3::new(0.2, 0.2, 0.01); 500];
    for count in [500, 3, 0, 77] {
        raster.rebuild(&points[..count], SIZE);
        assert_eq!(check(&raster, &corners, 0.05), count);
    }
    raster.lists.exhaust_stamps();
    raster.rebuild(&points[..5], SIZE);
    assert_eq!(check(&raster, &corners, 0.05), 5);
    raster.near(&[corners[0].map(|_| Real::NAN); 3], 1.0, |_| panic!("near a NaN"));
}

#[test]
fn the_cell_is_the_mean_edge() {
    let corners = [[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 4.0, 0.0]].map(Vec3::from);
    assert_eq!(mean_edge([&corners]), Some(4.0));
    assert_eq!(mean_edge([]), None);
    assert_eq!(mean_edge([&[corners[0]; 3]]), None);
}

#[test]
fn the_scanline_of_the_article_misses_cells() {
    let mut random = Random::new(4);
    let [mut passed, mut missed] = [0, 0];
    for _ in 0..100 {
        let corners = [(); 3].map(|()| random.point(-0.4, 0.4));
        let mut scanned = BTreeSet::new();
        let insert = |cell: Cell| _ = scanned.insert(cell);
        scanline::for_each_cell(&corners.map(|corner| corner / 0.1), insert);
        // Cells that hold a point of the surface for sure.
        let mut sampled = BTreeSet::new();
        for i in 0..=80 {
            for j in 0..=80 - i {
                let [s, t] = [i, j].map(|n| f64::from(n) / 80.0);
                let [a, b, c] = corners;
                let at = (a + (b - a) * s + (c - a) * t) / 0.1;
                sampled.insert([at.x, at.y, at.z].map(|x| x.floor() as i32));
            }
        }
        passed += sampled.len();
        missed += sampled.difference(&scanned).count();
        let ours = corners.map(|corner| corner.map(|x| x as Real));
        let mut walked = BTreeSet::new();
        Walk::new(&ours, 0.0, SIZE).for_each_cell(|cell| assert!(walked.insert(cell)));
        assert!(sampled.difference(&walked).count() * 1000 <= sampled.len());
    }
    // 1109 of 2750.
    assert!(missed * 3 > passed, "{missed} of {passed} missed");
}

/// What triangles and boxes see of some points, in order.
fn seen(raster: &TriangleRaster, triangles: &[[Vec3; 3]]) -> Vec<(usize, u32)> {
    let mut all = vec![];
    for (number, corners) in triangles.iter().enumerate() {
        let first = all.len();
        raster.near(corners, 0.03, |point| all.push((number, point)));
        all[first..].sort_unstable();
        let first = all.len();
        raster.inside(&Aabb::around(corners), |point| all.push((number, point)));
        all[first..].sort_unstable();
        assert!(all[first..].is_sorted_by(|a, b| a < b));
    }
    all
}

#[test]
fn any_table_on_any_threads_holds_the_same_points() {
    let mut random = Random::new(5);
    let mut points: Vec<Vec3> = (0..5000).map(|_| random.vec3(-1.0, 1.0)).collect();
    points[7] = Vec3::repeat(Real::NAN);
    points[8].x = Real::INFINITY;
    let triangles: Vec<[Vec3; 3]> = (0..200)
        .map(|_| {
            let at = random.vec3(-1.0, 1.0);
            [(); 3].map(|()| at + random.vec3(-0.2, 0.2))
        })
        .collect();
    let step = Vec3::new(0.3, -0.2, 0.1);
    let moved: Vec<Vec3> = points.iter().map(|point| point + step).collect();
    let mut expected = None;
    for (threads, slots) in [(1, 8192), (2, 1), (5, 777), (2, 20_000), (1, 20_000)] {
        let raster = with_threads(threads, || {
            let mut raster = TriangleRaster::default();
            raster.rebuild_by(&mut points.clone(), SIZE, slots, |_, point| *point);
            let mut moving = points.clone();
            // Moves and enters in one pass.
            raster.rebuild_by(&mut moving, SIZE, slots, |_, point| {
                *point += step;
                *point
            });
            assert_eq!(moving[9..], moved[9..]);
            raster
        });
        let found = seen(&raster.clone(), &triangles);
        assert!(found.iter().all(|&(_, point)| point != 7 && point != 8) && found.len() > 500);
        assert_eq!(*expected.get_or_insert(found.clone()), found, "{slots} slots");
    }
    let mut brute = vec![];
    for (number, corners) in triangles.iter().enumerate() {
        let bounds = Aabb::around(corners);
        let inside = (0..).zip(&moved).filter(|(_, point)| bounds.contains(point));
        brute.extend(inside.map(|(point, _)| (number, point)));
    }
    let expected: BTreeSet<_> = expected.into_iter().flatten().collect();
    assert!(brute.iter().all(|pair| expected.contains(pair)) && brute.len() > 500);
}

#[test]
fn a_scan_sees_all_of_the_cells_of_the_scanline() {
    let mut random = Random::new(6);
    let points: Vec<Vec3> = (0..3000).map(|_| random.vec3(-0.5, 0.5)).collect();
    let mut raster = TriangleRaster::default();
    raster.rebuild(&points, SIZE);
    let mut found = 0;
    for _ in 0..50 {
        let corners = [(); 3].map(|()| random.vec3(-0.4, 0.4));
        let mut cells = BTreeSet::new();
        let insert = |cell: Cell| _ = cells.insert(cell);
        scanline::for_each_cell(&corners_in_cells(&corners, SIZE), insert);
        let is_there = |(_, point): &(u32, &Vec3)| cells.contains(&cell_of(point, SIZE));
        let there: BTreeSet<u32> = (0..).zip(&points).filter(is_there).map(|(p, _)| p).collect();
        let mut scanned = BTreeSet::new();
        raster.scan(&corners, |point| _ = scanned.insert(point));
        assert_eq!(scanned, there);
        found += there.len();
    }
    assert!(found > 500, "{found}");
    // One far beyond the points, one of more cells than numbers have, one that is a point.
    raster.scan(&[Vec3::repeat(1e9); 3], |_| panic!("nothing is there"));
    let mut all = 0;
    raster.scan(&[Vec3::repeat(-1e9), Vec3::repeat(1e9), Vec3::zeros()], |_| all += 1);
    assert_eq!(all, points.len());
}
