//! Distances and times of impact.

use super::*;
use crate::manifolds::{Impact, MotionPair};
use crate::shape::Motion;

#[test]
fn distances_are_those_of_closed_forms() {
    let [small, large] = [0.25, 0.5].map(|r| Shape::ball(r).unwrap());
    let block = Shape::cuboid(Vector3::new(0.5, 0.4, 0.3)).unwrap();
    let floor = Shape::half_space(Vector3::new(0.0, 0.6, 0.8)).unwrap();
    let at = |x, y, z| Isometry3::translation(x, y, z);
    let distance = |shapes, poses| ShapePair::new(shapes, poses).distance();
    let origin = at(0.0, 0.0, 0.0);
    assert!((distance([&small, &large], [origin, at(3.0, 0.0, 4.0)]) - 4.25).abs() < 1e-14);
    // A corner of the box.
    let corner = distance([&block, &small], [origin, at(0.5 + 2.0, 0.4 + 3.0, 0.3 + 6.0)]);
    assert!((corner - 6.75).abs() < 1e-6, "{corner}");
    assert_eq!(distance([&block, &small], [origin, at(0.6, 0.0, 0.0)]), 0.0);
    let above = distance([&floor, &block], [origin, at(0.0, 0.0, 2.0)]);
    assert!((above - (1.6 - 0.4 * 0.6 - 0.3 * 0.8)).abs() < 1e-14);
    assert_eq!(distance([&floor, &floor], [origin, origin]), f64::INFINITY);
}

#[test]
fn a_falling_ball_touches_the_floor_when_the_closed_form_says() {
    let (floor, ball) = (Shape::half_space(Vector3::z()).unwrap(), Shape::ball(0.1).unwrap());
    let start = Isometry3::translation(0.0, 0.0, 5.0);
    let velocity = Vector3::new(100.0, 0.0, -700.0);
    let motions =
        [Motion::at_rest(Isometry3::identity()), Motion { velocity, ..Motion::at_rest(start) }];
    let pair = MotionPair { shapes: [&floor, &ball], motions };
    let gap = 1e-4;
    let Impact::At(time) = pair.time_of_impact(0.01, gap) else { panic!("no impact") };
    assert!(time <= (4.9 - gap) / 700.0 && time > (4.9 - 1.2 * gap) / 700.0, "{time}");
    assert_eq!(pair.time_of_impact(0.006, gap), Impact::Free);
    let resting = Motion::at_rest(Isometry3::translation(0.0, 0.0, 0.1));
    let pair = MotionPair { motions: [motions[0], resting], ..pair };
    assert_eq!(pair.time_of_impact(0.01, gap), Impact::Contact);
}

#[test]
fn a_spinning_rod_hits_with_its_end() {
    let rod = Shape::cuboid(Vector3::new(1.0, 0.01, 0.01)).unwrap();
    let ball = Shape::ball(0.1).unwrap();
    let spin = Vector3::z() * 1000.0;
    let motions = [
        Motion { spin, ..Motion::at_rest(Isometry3::identity()) },
        Motion::at_rest(Isometry3::translation(0.0, 0.9, 0.0)),
    ];
    let pair = MotionPair { shapes: [&rod, &ball], motions };
    let Impact::At(time) = pair.time_of_impact(0.1, 1e-5) else { panic!("no impact") };
    // Its side is 0.01 from its middle line, and the ball's centre 0.11 from that at the impact.
    let angle = std::f64::consts::FRAC_PI_2 - libm::asin(0.11 / 0.9);
    assert!((time - angle / 1000.0).abs() < 1e-7 && time <= angle / 1000.0, "{time}");
}

#[test]
fn times_of_impact_are_never_late() {
    let mut random = Random::new(13);
    let shapes = convex_shapes(1.0);
    let (mut impacts, mut misses) = (0, 0);
    for _ in 0..600 {
        let [a, b] = [0, 1].map(|_| &shapes[random.number(0.0, 7.0) as usize]);
        let motions = [Vector3::zeros(), random.direction() * 2.5].map(|place| Motion {
            start: any_pose(&mut random, place),
            velocity: random.point(-30.0, 30.0) - place * 8.0,
            spin: random.point(-60.0, 60.0),
        });
        let pair = MotionPair { shapes: [a, b], motions };
        let (duration, gap) = (0.1, 1e-3);
        let distance =
            |time: f64| ShapePair::new([a, b], motions.map(|m| m.pose_at(time))).distance();
        let until = match pair.time_of_impact(duration, gap) {
            Impact::At(time) => {
                impacts += 1;
                let reached = distance(time);
                assert!((0.9 * gap..1.2 * gap).contains(&reached), "{reached}");
                time
            }
            Impact::Free => duration,
            Impact::Contact => panic!("they start apart"),
        };
        misses += usize::from(until == duration);
        for k in 0..100 {
            let time = until * f64::from(k) / 100.0;
            assert!(distance(time) > 0.9 * gap, "{time} of {until}");
        }
    }
    assert!(impacts > 50 && misses > 150, "{impacts} {misses}");
}
