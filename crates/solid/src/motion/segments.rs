//! Segments of a motion between two keyframes: a straight shift and a rotation about one axis.
//!
//! Where both keyframes turn about a common axis, the rotation goes about it by any number of
//! degrees; else about the axis of the shortest rotation from one to the other (Shoemake 1985).

use hashfall_bodies::{AxisRotation, sin_cos};
use hashfall_geometry::Point;
use nalgebra::Matrix3;

/// Degrees in radians.
pub const RADIANS: f64 = std::f64::consts::PI / 180.0;

/// Axes whose sine is smaller are one.
pub const PARALLEL: f64 = 1e-9;

/// A rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisAngle {
    /// Of any length but zero.
    pub axis: [f64; 3],
    /// Counter-clockwise seen against the axis \[°\].
    pub degrees: f64,
}

/// Where a body is at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Keyframe {
    /// \[s\]
    pub time: f64,
    /// \[m\]
    pub shift: [f64; 3],
    /// About the pivot.
    pub turn: AxisAngle,
}

/// From a key to the next.
#[derive(Clone, Debug, PartialEq)]
pub struct PathSegment {
    pub start: f64,
    pub end: f64,
    pub shift: Point,
    /// How far it goes \[m\].
    pub way: Point,
    pub turn: Matrix3<f64>,
    pub axis: Point,
    /// How far it turns \[°\].
    pub degrees: f64,
}

/// A shift with its rate, and a turn with its angular velocity.
pub struct State {
    pub shift: Point,
    pub rate: Point,
    pub turn: Matrix3<f64>,
    pub spin: Point,
}

impl PathSegment {
    pub fn between(from: &Keyframe, to: &Keyframe) -> Self {
        let (a, b) = (unit(from.turn.axis), unit(to.turn.axis));
        // Who does not turn has the axis of the other.
        let a = if from.turn.degrees == 0.0 { b } else { a };
        let b = if to.turn.degrees == 0.0 { a } else { b };
        let (axis, degrees) = if a.cross(&b).norm() < PARALLEL {
            (a, to.turn.degrees * a.dot(&b).signum() - from.turn.degrees)
        } else {
            let [from, to] = [(&a, from), (&b, to)]
                .map(|(axis, key)| Quaternion::from_degrees(axis, key.turn.degrees));
            shortest(&from, &to)
        };
        let shift = Point::from(from.shift);
        PathSegment {
            start: from.time,
            end: to.time,
            shift,
            way: Point::from(to.shift) - shift,
            turn: AxisRotation::from_degrees(&a, from.turn.degrees).matrix(),
            axis,
            degrees,
        }
    }

    /// At a part of the way, from 0 to 1, with the rate at which that grows \[1/s\].
    fn state(&self, part: f64, rate: f64) -> State {
        State {
            shift: self.shift + self.way * part,
            rate: self.way * rate,
            turn: AxisRotation::from_degrees(&self.axis, self.degrees * part).matrix() * self.turn,
            spin: self.axis * (self.degrees * rate * RADIANS),
        }
    }
}

pub fn state_on_segments(
    segments: &[PathSegment],
    is_smooth: bool,
    repeats: bool,
    time: f64,
) -> State {
    let (Some(first), Some(last)) = (segments.first(), segments.last()) else {
        let still = AxisRotation::from_degrees(&Point::z(), 0.0).matrix();
        return State {
            shift: Point::zeros(),
            rate: Point::zeros(),
            turn: still,
            spin: Point::zeros(),
        };
    };
    let since = time - first.start;
    let period = last.end - first.start;
    let time =
        if repeats && since >= period { first.start + libm::fmod(since, period) } else { time };
    if time < first.start {
        return first.state(0.0, 0.0);
    }
    let Some(segment) = segments.iter().find(|segment| time < segment.end) else {
        return last.state(1.0, 0.0);
    };
    let length = segment.end - segment.start;
    let part = (time - segment.start) / length;
    if is_smooth {
        segment.state(part * part * (3.0 - 2.0 * part), 6.0 * part * (1.0 - part) / length)
    } else {
        segment.state(part, 1.0 / length)
    }
}

pub fn unit(axis: [f64; 3]) -> Point {
    Point::from(axis).try_normalize(0.0).unwrap_or_else(Point::z)
}

/// A rotation as a quaternion of length 1.
struct Quaternion {
    real: f64,
    imaginary: Point,
}

impl Quaternion {
    fn from_degrees(axis: &Point, degrees: f64) -> Self {
        let (sin, cos) = sin_cos(0.5 * degrees);
        Quaternion { real: cos, imaginary: axis * sin }
    }
}

/// The axis and the degrees that lead from one orientation to another.
fn shortest(from: &Quaternion, to: &Quaternion) -> (Point, f64) {
    let (Quaternion { real: w, imaginary: v }, Quaternion { real: s, imaginary: u }) = (from, to);
    // The second times the conjugate of the first.
    let (real, rest) = (s * w + u.dot(v), u * *w - v * *s - u.cross(v));
    let sign = if real < 0.0 { -1.0 } else { 1.0 };
    let angle = 2.0 * libm::atan2(rest.norm(), sign * real);
    (rest.try_normalize(0.0).unwrap_or_else(Point::z) * sign, angle / RADIANS)
}
