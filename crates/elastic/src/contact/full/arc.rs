//! Boxes of points that go along arcs.
//!
//! Pouchol et al. 2009, §3.2, take the box of an object's positions before and after a step, which
//! assumes straight motion: a blade that turns by half a turn in a step sweeps a disc, and that
//! box may be as thin as the blade. Here the positions at [`SAMPLES`] + 1 parts of the rest of the
//! step are enclosed. Between two of them a point is at most half the way between them from one or
//! the other, as long as that way is along the arc: so the box is grown by that.

use super::boxes::Bounds;
use hashfall_bodies::{Pose, RigidMotion};
use hashfall_geometry::Point;

/// Into how many parts the rest of a step is divided.
const SAMPLES: usize = 8;

/// The rest of a step of a body.
#[derive(Clone, Debug)]
pub(super) struct Arc {
    poses: [Pose; SAMPLES + 1],
    motion: RigidMotion,
    /// The part of the step that is left.
    rest: f64,
}

impl Arc {
    /// From a part of a step, 0 to 1, to its end.
    pub fn new(motion: &RigidMotion, part: f64) -> Self {
        let rest = 1.0 - part;
        let at = |k: usize| motion.at(part + rest * k as f64 / SAMPLES as f64);
        Arc { poses: std::array::from_fn(at), motion: *motion, rest }
    }

    /// How far a point goes along it \[m\], by its place in the frame of the scene.
    pub fn length(&self, rest: &Point) -> f64 {
        // The rate has the same size at all places of a screw.
        self.motion.rate(&self.poses[0].apply(rest)).norm() * self.rest
    }

    /// A box around a point's way.
    pub fn bounds(&self, rest: &Point) -> Bounds {
        let reach = 0.5 * self.length(rest) / SAMPLES as f64;
        let balls = self.poses.iter().map(|pose| Bounds::of_ball(&pose.apply(rest), reach));
        let none = Bounds::of_ball(&self.poses[0].apply(rest), reach);
        balls.fold(none, |all, ball| all.union(&ball))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;
    use nalgebra::Rotation3;

    #[test]
    fn boxes_hold_the_arcs_that_boxes_of_chords_miss() {
        let (mut random, mut missed) = (Random::new(4), 0);
        for _ in 0..100 {
            let turn = |v: &Point| *Rotation3::new(*v).matrix();
            let spin = random.direction() * random.number(0.0, 3.1);
            let start = Pose { turn: turn(&random.direction()), shift: random.point(-1.0, 1.0) };
            let end = Pose { turn: turn(&spin) * start.turn, shift: random.point(-1.0, 1.0) };
            let motion = RigidMotion::new(start, end);
            let (rest, part) = (random.point(-1.0, 1.0), random.number(0.0, 0.9));
            let arc = Arc::new(&motion, part);
            let bounds = arc.bounds(&rest);
            let ends = [part, 1.0].map(|part| motion.at(part).apply(&rest));
            let chord = Bounds::of_ball(&ends[0], 0.0).union(&Bounds::of_ball(&ends[1], 0.0));
            let holds = |b: &Bounds, x: &Point| {
                (0..3).all(|a| b.min[a] <= x[a] + 1e-12 && x[a] <= b.max[a] + 1e-12)
            };
            let mut way = 0.0;
            let mut last = ends[0];
            for k in 0..=1000 {
                let x = motion.at(part + (1.0 - part) * f64::from(k) / 1000.0).apply(&rest);
                assert!(holds(&bounds, &x));
                missed += i32::from(!holds(&chord, &x));
                way += (x - last).norm();
                last = x;
            }
            assert!((way - arc.length(&rest)).abs() < 1e-4 * (1.0 + way));
        }
        assert!(missed > 10_000, "chords hold all but {missed}");
    }
}
