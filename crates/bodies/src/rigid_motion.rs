//! The motion of a rigid body within a step: a screw with constant velocity.
//!
//! The displacement from the pose at the start to that at the end is x ↦ R x + d, with R a rotation
//! by θ about n. It is run through at a constant rate (Chasles): at the part s the rotation is by
//! s θ about n, and the origin is shifted along n by s n·d, and across n by
//! sin(sθ/2)/sin(θ/2) Rot(n, −(1 − s) θ/2) d⊥. Every point goes along an arc, or a helix, and a
//! body that spins about an axis spins about it all the time. A rotation by more than half a turn
//! is taken for the shorter one.

use crate::axis_rotation::{AxisRotation, axis_angle};
use crate::pose::Pose;
use hashfall_core::geometry::Point;

/// Roundings of a length of a point's way, as part of its largest coordinate \[–\].
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Where a body is at the start of a step and at its end, and on the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidMotion {
    /// From the frame in which the scene places the body.
    pub start: Pose,
    /// The same at the end of the step.
    pub end: Pose,
    /// n, a unit vector.
    axis: Point,
    /// θ, from 0 to π \[rad\].
    angle: f64,
    /// d \[m\].
    shift: Point,
}

impl RigidMotion {
    /// From one pose to another.
    pub fn new(start: Pose, end: Pose) -> Self {
        let displacement = end.relative_to(&start);
        let (axis, angle) = axis_angle(&displacement.turn);
        RigidMotion { start, end, axis, angle, shift: displacement.shift }
    }

    /// Of a body that stays in a pose.
    pub fn at_rest(pose: Pose) -> Self {
        RigidMotion { start: pose, end: pose, axis: Point::z(), angle: 0.0, shift: Point::zeros() }
    }

    /// The pose at a part of the step, from 0 to 1.
    pub fn at(&self, part: f64) -> Pose {
        if part == 0.0 || self.is_at_rest() {
            return self.start;
        }
        if part == 1.0 {
            return self.end;
        }
        let along = self.axis * self.axis.dot(&self.shift);
        let across = self.shift - along;
        let half = 0.5 * self.angle;
        let share = if half > 0.0 { libm::sin(part * half) / libm::sin(half) } else { part };
        let back = AxisRotation::from_radians(&self.axis, -(1.0 - part) * half).matrix();
        let shift = along * part + back * across * share;
        let turn = AxisRotation::from_radians(&self.axis, part * self.angle).matrix();
        Pose { turn: turn * self.start.turn, shift: turn * self.start.shift + shift }
    }

    /// How fast a point of the body that is at `x` \[m\] on the way moves with the part of the step
    /// \[m\]; over the length of the step it is the velocity.
    pub fn rate(&self, x: &Point) -> Point {
        self.axis.cross(x) * self.angle + self.rate_at_origin()
    }

    /// How far a point that is at `x` \[m\] where a part of the step begins may be from the
    /// straight way to where it is at the end of that part, whose length squared is given \[m²\].
    ///
    /// An arc of length L at a constant rate, with the chord c, is within √(L² − c²)/2 of where the
    /// chord is: the point is at most s L from its start and (1 − s) L from its end, and by
    /// Stewart's theorem δ² ≤ s (1 − s) (L² − c²).
    pub fn deviation(&self, x: &Point, [start, end]: [f64; 2], chord_squared: f64) -> f64 {
        // Both lengths are differences of places, and nearly the same.
        let length = self.rate(x).norm() * (end - start) + ROUNDING * x.amax();
        0.5 * (length * length - chord_squared).max(0.0).sqrt()
    }

    /// The angle and axis of its turn: their product over the length of the step is the angular
    /// velocity.
    pub fn turn(&self) -> (f64, Point) {
        (self.angle, self.axis)
    }

    /// The angular velocity, from one part of the step to another that is `dt` \[s\] later
    /// \[rad/s\].
    pub fn angular_velocity(&self, [from, to]: [f64; 2], dt: f64) -> Point {
        self.axis * (self.angle * (to - from) / dt)
    }

    /// Whether the body stays where it is.
    pub fn is_at_rest(&self) -> bool {
        self.start == self.end
    }

    /// The rate at the origin: across the axis d⊥ (θ/2)/sin(θ/2), turned back by half the angle.
    fn rate_at_origin(&self) -> Point {
        let along = self.axis * self.axis.dot(&self.shift);
        let half = 0.5 * self.angle;
        let share = if half > 0.0 { half / libm::sin(half) } else { 1.0 };
        let back = AxisRotation::from_radians(&self.axis, -half).matrix();
        along + back * (self.shift - along) * share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;

    /// A pose that turns about an axis through `centre` by an angle, and shifts after that.
    fn turned(axis: &Point, centre: &Point, angle: f64, shift: &Point) -> Pose {
        let turn = AxisRotation::from_radians(axis, angle).matrix();
        Pose { turn, shift: centre - turn * centre + shift }
    }

    #[test]
    fn no_arc_deviates_from_its_chord_by_more_than_the_bound() {
        let mut random = Random::new(6);
        let mut sharpest: f64 = 0.0;
        for case in 0..2000 {
            let (axis, centre) = (random.direction(), random.point(-1.0, 1.0));
            let angle = [0.0, 1e-6, 0.1, 3.0][case % 4];
            let end = turned(&axis, &centre, angle, &random.point(-0.1, 0.1));
            let motion = RigidMotion::new(turned(&axis, &centre, 0.0, &Point::zeros()), end);
            let (local, start) = (random.point(-2.0, 2.0), random.number(0.0, 0.9));
            let parts = [start, random.number(start, 1.0)];
            let [from, to] = parts.map(|part| motion.at(part).apply(&local));
            let bound = motion.deviation(&from, parts, (to - from).norm_squared());
            for s in [0.1, 0.5, 0.8] {
                let at = motion.at(parts[0] + s * (parts[1] - parts[0])).apply(&local);
                let found = (at - from - (to - from) * s).norm();
                assert!(found <= bound, "{angle}: {found} m, not {bound} m");
                sharpest = sharpest.max(found / bound);
            }
        }
        assert!(sharpest > 0.5, "the bound is {sharpest} of what is found");
    }

    #[test]
    fn a_body_that_spins_goes_along_arcs_whatever_the_axis_and_angle() {
        let axes = [Point::x(), -Point::y(), Point::new(1.0, -2.0, 0.5).normalize()];
        for axis in axes {
            for angle in [0.0, 1e-12, 1e-5, 0.3, 1.5, 3.0, std::f64::consts::PI - 1e-9] {
                let centre = Point::new(3.0, -1.0, 2.0);
                let start = turned(&Point::y(), &centre, 0.7, &Point::zeros());
                let along = axis * 0.25;
                let spin = |part: f64| {
                    let step = turned(&axis, &centre, part * angle, &(along * part));
                    Pose { turn: step.turn * start.turn, shift: step.apply(&start.shift) }
                };
                let motion = RigidMotion::new(start, spin(1.0));
                let local = Point::new(0.4, 0.2, -0.6);
                for part in [0.0, 0.2, 0.5, 0.9, 1.0] {
                    let (x, exact) = (motion.at(part).apply(&local), spin(part).apply(&local));
                    assert!((x - exact).norm() < 1e-13, "{angle} {part}: {x} for {exact}");
                    let rate = axis.cross(&(exact - centre)) * angle + along;
                    assert!((motion.rate(&exact) - rate).norm() < 1e-12, "{angle} {part}");
                }
            }
        }
    }

    #[test]
    fn a_body_that_does_not_turn_goes_straight() {
        let start = turned(&Point::z(), &Point::x(), 1.0, &Point::zeros());
        let end = Pose { shift: start.shift + Point::new(1.0, 2.0, 3.0), ..start };
        let motion = RigidMotion::new(start, end);
        assert!((motion.at(0.25).shift - start.shift - Point::new(0.25, 0.5, 0.75)).norm() < 1e-15);
        assert!((motion.rate(&Point::x()) - Point::new(1.0, 2.0, 3.0)).norm() < 1e-15);
        assert!(RigidMotion::at_rest(start).is_at_rest() && !motion.is_at_rest());
    }
}
