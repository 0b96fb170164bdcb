//! Normals, gaps and names of convex pairs.

use super::*;
use std::collections::HashSet;

/// The separation along a unit vector, by support functions.
fn separation(shapes: [&Shape; 2], poses: [Isometry3<f64>; 2], n: &Vector3<f64>) -> f64 {
    let support = |k: usize, n: &Vector3<f64>| {
        shapes[k].geometry().support(&(poses[k].rotation.inverse() * n))
    };
    let arm = poses[1].translation.vector - poses[0].translation.vector;
    arm.dot(n) - support(0, n) - support(1, &-n)
}

/// The least gap of any points, and the least separation along their normals.
fn deepest(shapes: [&Shape; 2], poses: [Isometry3<f64>; 2], points: &[ContactPoint]) -> [f64; 2] {
    points.iter().fold([f64::INFINITY; 2], |[gap, least], p| {
        [gap.min(p.gap), least.min(separation(shapes, poses, &p.normal))]
    })
}

#[test]
fn normals_of_pieces_that_touch_are_sound_however_close_they_are() {
    let mut random = Random::new(77);
    let shapes = convex_shapes(1.0);
    let mut tried = 0;
    let gaps = [1e-3, 1e-6, 1e-9, 1e-12, 1e-15, 0.0, -1e-15, -1e-12, -1e-9, -1e-6, -1e-3];
    for (a, b) in shapes.iter().flat_map(|a| shapes.iter().map(move |b| (a, b))) {
        for (number, gap) in gaps.iter().cycle().take(10 * gaps.len()).enumerate() {
            let first = any_pose(&mut random, Vector3::zeros());
            // Parallel faces too.
            let far = random.direction() * 2.0;
            let mut second = any_pose(&mut random, far);
            if number % 2 == 0 {
                second.rotation = first.rotation;
            }
            let apart = points([a, b], [first, second], 10.0);
            // Boxes are told by their faces and edges, which may not meet where they are far apart.
            let Some(&ContactPoint { normal, .. }) = apart.first() else { continue };
            // Along its normal, the distance of convex pieces falls as they move.
            let travel = separation([a, b], [first, second], &normal) - gap;
            second.translation.vector -= normal * travel;
            let poses = [first, second];
            let found = points([a, b], poses, 0.01);
            tried += 1;
            let context = format!("{:?} {:?} {gap:e}", a.geometry().name(), b.geometry().name());
            // Boxes that are far apart are told by their faces: what is found may still be apart.
            if found.is_empty() {
                assert_eq!([a, b].map(|s| s.geometry().name()), ["cuboid"; 2], "{context}");
                continue;
            }
            let [least, sound] = deepest([a, b], poses, &found);
            assert!((least - sound).abs() < 5e-6, "{context}: gap {least:e}, sound {sound:e}");
            assert!(sound > gap - 5e-6, "{context}: sound {sound:e}");
            assert!(found.iter().all(|p| (p.normal.norm() - 1.0).abs() < 1e-14));
        }
    }
    assert!(tried > 5000, "{tried}");
}

#[test]
fn a_ball_has_the_gap_and_normal_of_the_closed_form() {
    let ball = Shape::ball(0.5).unwrap();
    let floor = Shape::half_space(Vector3::z()).unwrap();
    let boxes = Shape::cuboid(Vector3::new(2.0, 2.0, 0.25)).unwrap();
    for gap in [1e-3, 1e-12, 0.0, -1e-12, -1e-3] {
        let high = Isometry3::translation(0.3, -0.2, 0.5 + gap);
        let found = points([&floor, &ball], [Isometry3::identity(), high], 0.01);
        assert_eq!(found.len(), 1);
        assert!(
            (found[0].gap - gap).abs() < 1e-15 && (found[0].normal - Vector3::z()).norm() < 1e-15
        );
        assert!((found[0].position - Vector3::new(0.3, -0.2, 0.5 * gap)).norm() < 1e-15);
        assert_eq!((found[0].bodies, found[0].friction, found[0].restitution), ([4, 7], 0.5, 0.25));
        let on_box = points([&ball, &boxes], [high, Isometry3::translation(0.0, 0.0, -0.25)], 0.01);
        assert!(
            (on_box[0].gap - gap).abs() < 1e-15 && (on_box[0].normal + Vector3::z()).norm() < 1e-14
        );
    }
    assert!(
        points(
            [&floor, &ball],
            [Isometry3::identity(), Isometry3::translation(0.0, 0.0, 0.52)],
            0.01
        )
        .is_empty()
    );
    assert!(points([&floor, &floor], [Isometry3::identity(); 2], 1.0).is_empty());
}

#[test]
fn a_block_rests_on_four_corners_whatever_is_below() {
    let block = Vector3::new(0.3, 0.2, 0.1);
    let blocks = [Shape::cuboid(block).unwrap(), box_hull(block)];
    let below = [
        (Shape::half_space(Vector3::z()).unwrap(), 0.0),
        (Shape::cuboid(Vector3::new(1.0, 1.0, 0.5)).unwrap(), 0.5),
        (box_hull(Vector3::new(1.0, 1.0, 0.5)), 0.5),
        (Shape::cylinder(0.5, 1.0).unwrap(), 0.5),
    ];
    for (block, (floor, top)) in blocks.iter().flat_map(|b| below.iter().map(move |f| (b, f))) {
        for gap in [1e-4, 0.0, -1e-4] {
            let high = Isometry3::translation(0.1, 0.05, top + 0.1 + gap);
            let found = points([floor, block], [Isometry3::identity(), high], 0.01);
            let expected = [[-0.2, -0.15], [-0.2, 0.25], [0.4, -0.15], [0.4, 0.25]];
            assert_eq!(found.len(), 4, "{:?}", floor.geometry().name());
            for [x, y] in expected {
                let at = Vector3::new(x, y, top + 0.5 * gap);
                assert!(found.iter().any(|p| (p.position - at).norm() < 1e-8), "{found:?}");
            }
        }
    }
}

#[test]
fn points_keep_their_names_while_bodies_slide_and_have_one_each() {
    let mut random = Random::new(9);
    let shapes = convex_shapes(1.0);
    let floor = Shape::cuboid(Vector3::new(3.0, 3.0, 1.0)).unwrap();
    for shape in &shapes {
        let place = |x: f64| [Isometry3::identity(), Isometry3::translation(x, 0.0, 1.6)];
        let found = points([&floor, shape], place(0.0), 0.5);
        let names: HashSet<u64> = found.iter().map(|p| p.feature).collect();
        assert_eq!(names.len(), found.len());
        let slid = points([&floor, shape], place(1e-3), 0.5);
        assert_eq!(
            slid.iter().map(|p| p.feature).collect::<HashSet<_>>(),
            names,
            "{:?} {found:?} {slid:?}",
            shape.geometry().name()
        );
    }
    for _ in 0..300 {
        let (a, b) = (random.number(0.0, 7.0) as usize, random.number(0.0, 7.0) as usize);
        let poses = [Vector3::zeros(), random.direction() * 0.6].map(|p| any_pose(&mut random, p));
        let found = points([&shapes[a], &shapes[b]], poses, 0.1);
        let names: HashSet<u64> = found.iter().map(|p| p.feature).collect();
        assert_eq!(names.len(), found.len());
    }
}

#[test]
fn a_scene_of_any_size_has_the_same_points() {
    let mut random = Random::new(31);
    let unit = convex_shapes(1.0);
    // Powers of two scale bit by bit.
    for (scale, tolerance) in
        [(2f64.powi(-10), 0.0), (2f64.powi(10), 0.0), (1e-3, 1e-5), (1e3, 1e-5)]
    {
        let scaled = convex_shapes(scale);
        for _ in 0..300 {
            let (a, b) = (random.number(0.0, 7.0) as usize, random.number(0.0, 7.0) as usize);
            let far = random.direction() * random.number(0.5, 1.0);
            let poses = [Vector3::zeros(), far].map(|p| any_pose(&mut random, p));
            let first = points([&unit[a], &unit[b]], poses, 0.05);
            let larger = poses
                .map(|p| Isometry3::from_parts((p.translation.vector * scale).into(), p.rotation));
            let second = points([&scaled[a], &scaled[b]], larger, 0.05 * scale);
            let deepest = |points: &[ContactPoint]| {
                points.iter().map(|p| p.gap).fold(f64::INFINITY, f64::min)
            };
            let gaps = [deepest(&first), deepest(&second) / scale];
            if tolerance == 0.0 {
                assert_eq!(first.len(), second.len());
                for (p, q) in first.iter().zip(&second) {
                    assert_eq!((p.gap * scale, p.position * scale), (q.gap, q.position));
                    assert_eq!((p.normal, p.feature), (q.normal, q.feature));
                }
            } else if gaps[1].is_finite() {
                assert!((gaps[0] - gaps[1]).abs() <= tolerance, "{gaps:?}");
            }
        }
    }
}
