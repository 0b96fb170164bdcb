//! How a body moves: its pose and its velocity, as functions of the time alone.
//!
//! A point that the scene places at x₀ is at time t at x = R (x₀ − c) + c + s, with R a rotation, c
//! the *pivot* and s the *shift*. The velocity of the body at x is v = ds/dt + ω × (x − c − s).
//!
//! Between two keys the shift goes straight and the rotation turns about one axis: their common
//! one, so that a turn may be of any number of degrees, or where they have none the one that leads
//! from one to the other by the shorter way (Shoemake 1985, spherical linear interpolation). At a
//! key the velocity is that after it.
//!
//! Sines are those of [`sin_cos`], which has the same bits on every machine, and whole quarter
//! turns are exact. A pose of no shift and no degrees leaves every bit as it is.
//!
//! Symbols: t time \[s\], x place, c pivot, s shift, all \[m\], ω angular velocity \[1/s\].

mod pace;

pub use pace::{Pace, looks};

use super::body_state::BodyState;
use hashfall_formula::{Dual, Formula};
use hashfall_geometry::Point;
use hashfall_geometry::sin_cos;
use nalgebra::Matrix3;

/// Degrees in radians.
const RADIANS: f64 = std::f64::consts::PI / 180.0;

/// Axes whose sine is smaller are one.
const PARALLEL: f64 = 1e-9;

/// A place and a turn: x ↦ R x + shift.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// R.
    pub turn: Matrix3<f64>,
    /// Where the origin goes \[m\].
    pub shift: Point,
}

impl Pose {
    /// Where a point goes \[m\].
    pub fn apply(&self, x: &Point) -> Point {
        self.turn * x + self.shift
    }

    /// Where a point comes from \[m\].
    pub fn apply_inverse(&self, x: &Point) -> Point {
        self.turn.transpose() * (x - self.shift)
    }

    /// What leads from `before` to this.
    pub fn relative_to(&self, before: &Pose) -> Pose {
        let turn = self.turn * before.turn.transpose();
        Pose { turn, shift: self.shift - turn * before.shift }
    }
}

/// A field of velocities: v = G x + v₀.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flow {
    /// G; ω × of a rotation \[1/s\].
    pub gradient: Matrix3<f64>,
    /// v₀ \[m/s\].
    pub at_origin: Point,
}

impl Flow {
    /// No motion.
    pub fn none() -> Self {
        Flow { gradient: Matrix3::zeros(), at_origin: Point::zeros() }
    }

    /// What takes each point along a step's way in `dt` \[s\]: straight and evenly.
    pub fn along(step: &Pose, dt: f64) -> Self {
        Flow { gradient: (step.turn - Matrix3::identity()) / dt, at_origin: step.shift / dt }
    }

    /// The velocity at a place \[m/s\].
    pub fn at(&self, x: &Point) -> Point {
        self.gradient * x + self.at_origin
    }

    /// The angular velocity \[1/s\].
    pub fn spin(&self) -> Point {
        let g = &self.gradient;
        0.5 * Point::new(g[(2, 1)] - g[(1, 2)], g[(0, 2)] - g[(2, 0)], g[(1, 0)] - g[(0, 1)])
    }
}

/// A rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// Of any length but zero.
    pub axis: [f64; 3],
    /// Counter-clockwise seen against the axis \[°\].
    pub degrees: f64,
}

/// Where a body is at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// \[s\]
    pub time: f64,
    /// \[m\]
    pub shift: [f64; 3],
    /// About the pivot.
    pub turn: Turn,
}

/// How a body moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    pivot: Point,
    path: Path,
}

#[derive(Clone, Debug, PartialEq)]
enum Path {
    Keys {
        /// Ascending in time.
        legs: Vec<Leg>,
        /// Whether it comes to rest at each key.
        is_smooth: bool,
        repeats: bool,
    },
    Formulas {
        /// Of the shift along x, y and z, and of the degrees.
        formulas: Box<[Formula; 4]>,
        axis: Point,
    },
    Spin {
        axis: Point,
        /// \[°/s\]
        rate: f64,
    },
    /// The caller sets the velocity.
    Driven,
}

/// From a key to the next.
#[derive(Clone, Debug, PartialEq)]
struct Leg {
    start: f64,
    end: f64,
    shift: Point,
    /// How far it goes \[m\].
    way: Point,
    turn: Matrix3<f64>,
    axis: Point,
    /// How far it turns \[°\].
    degrees: f64,
}

/// A shift with its rate, and a turn with its angular velocity.
struct State {
    shift: Point,
    rate: Point,
    turn: Matrix3<f64>,
    spin: Point,
}

impl Motion {
    /// Through keys of ascending times, at least two; before the first and after the last the body
    /// rests, unless it `repeats`. If it is smooth it rests for an instant at each key.
    pub fn through(pivot: [f64; 3], keys: &[Key], is_smooth: bool, repeats: bool) -> Self {
        let legs = keys.windows(2).map(|pair| Leg::between(&pair[0], &pair[1])).collect();
        Motion { pivot: pivot.into(), path: Path::Keys { legs, is_smooth, repeats } }
    }

    /// By formulas of the shift \[m\], and of the degrees about an axis through the pivot.
    pub fn by_formulas(
        pivot: [f64; 3],
        shift: [Formula; 3],
        axis: [f64; 3],
        degrees: Formula,
    ) -> Self {
        let [x, y, z] = shift;
        let path = Path::Formulas { formulas: Box::new([x, y, z, degrees]), axis: unit(axis) };
        Motion { pivot: pivot.into(), path }
    }

    /// So many revolutions per minute about an axis through the pivot.
    pub fn spin(pivot: [f64; 3], axis: [f64; 3], rpm: f64) -> Self {
        Motion { pivot: pivot.into(), path: Path::Spin { axis: unit(axis), rate: 6.0 * rpm } }
    }

    /// By velocities that are set from outside
    /// ([`Solids::set_body_velocity`](crate::Solids::set_body_velocity)); until then the body rests
    /// where the scene places it. Angular velocities are about `pivot` \[m\].
    pub fn driven(pivot: [f64; 3]) -> Self {
        Motion { pivot: pivot.into(), path: Path::Driven }
    }

    /// Whether velocities are set from outside.
    pub fn is_driven(&self) -> bool {
        matches!(self.path, Path::Driven)
    }

    /// The state of the body at a time \[s\]; of one that is driven, its first.
    pub fn state_at(&self, time: f64) -> BodyState {
        let State { shift, rate, turn, spin } = self.state(time);
        BodyState {
            position: self.pivot + shift,
            orientation: turn,
            velocity: rate,
            angular_velocity: spin,
        }
    }

    /// The pose at a time \[s\], and the velocity.
    pub fn at(&self, time: f64) -> (Pose, Flow) {
        let state = self.state_at(time);
        (state.pose(&self.pivot), state.flow())
    }

    /// The point that the body turns about, where the scene places it \[m\].
    pub fn pivot(&self) -> &Point {
        &self.pivot
    }

    /// The direction of the one axis that the body turns about at any time, if there is one.
    fn axis(&self) -> Option<Point> {
        match &self.path {
            Path::Formulas { axis, .. } | Path::Spin { axis, .. } => Some(*axis),
            Path::Driven => None,
            Path::Keys { legs, .. } => {
                let first = legs.first()?.axis;
                let is_same = |leg: &Leg| {
                    let turns_about = (leg.turn * first - first).norm() < PARALLEL;
                    turns_about && leg.axis.cross(&first).norm() < PARALLEL
                };
                legs.iter().all(is_same).then_some(first)
            }
        }
    }

    /// How far a point is from where the body turns about: the axis through the pivot if there is
    /// but one, else the pivot \[m\].
    pub fn reach(&self, x: &Point) -> f64 {
        let arm = x - self.pivot;
        self.axis().map_or(arm, |axis| axis.cross(&arm)).norm()
    }

    /// The speed of its fastest point at a time \[m/s\], of those with such a
    /// [reach](Motion::reach) \[m\].
    pub fn speed(&self, time: f64, reach: f64) -> f64 {
        let State { rate, spin, .. } = self.state(time);
        rate.norm() + spin.norm() * reach
    }

    /// Whether pose and velocity at a time \[s\] are numbers.
    pub fn is_finite_at(&self, time: f64) -> bool {
        let State { shift, rate, turn, spin } = self.state(time);
        let mut all = shift.iter().chain(&rate).chain(&turn).chain(&spin);
        all.all(|x| x.is_finite())
    }

    fn state(&self, time: f64) -> State {
        match &self.path {
            Path::Keys { legs, is_smooth, repeats } => on_legs(legs, *is_smooth, *repeats, time),
            Path::Formulas { formulas, axis } => {
                let [x, y, z, degrees] = formulas.each_ref().map(|formula| formula.at(time));
                let Dual { value, slope } = degrees;
                State {
                    shift: Point::new(x.value, y.value, z.value),
                    rate: Point::new(x.slope, y.slope, z.slope),
                    turn: rotation(axis, value),
                    spin: axis * (slope * RADIANS),
                }
            }
            Path::Spin { axis, rate } => State {
                shift: Point::zeros(),
                rate: Point::zeros(),
                turn: rotation(axis, rate * time),
                spin: axis * (rate * RADIANS),
            },
            Path::Driven => State {
                shift: Point::zeros(),
                rate: Point::zeros(),
                turn: Matrix3::identity(),
                spin: Point::zeros(),
            },
        }
    }
}

impl Leg {
    fn between(from: &Key, to: &Key) -> Self {
        let (a, b) = (unit(from.turn.axis), unit(to.turn.axis));
        // Who does not turn has the axis of the other.
        let a = if from.turn.degrees == 0.0 { b } else { a };
        let b = if to.turn.degrees == 0.0 { a } else { b };
        let (axis, degrees) = if a.cross(&b).norm() < PARALLEL {
            (a, to.turn.degrees * a.dot(&b).signum() - from.turn.degrees)
        } else {
            shortest(quaternion(&a, from.turn.degrees), quaternion(&b, to.turn.degrees))
        };
        let shift = Point::from(from.shift);
        Leg {
            start: from.time,
            end: to.time,
            shift,
            way: Point::from(to.shift) - shift,
            turn: rotation(&a, from.turn.degrees),
            axis,
            degrees,
        }
    }

    /// At a part of the way, from 0 to 1, with the rate at which that grows \[1/s\].
    fn state(&self, part: f64, rate: f64) -> State {
        State {
            shift: self.shift + self.way * part,
            rate: self.way * rate,
            turn: rotation(&self.axis, self.degrees * part) * self.turn,
            spin: self.axis * (self.degrees * rate * RADIANS),
        }
    }
}

fn on_legs(legs: &[Leg], is_smooth: bool, repeats: bool, time: f64) -> State {
    let (Some(first), Some(last)) = (legs.first(), legs.last()) else {
        let still = rotation(&Point::z(), 0.0);
        return State {
            shift: Point::zeros(),
            rate: Point::zeros(),
            turn: still,
            spin: Point::zeros(),
        };
    };
    let since = time - first.start;
    let period = last.end - first.start;
    let time = if repeats && since >= period { first.start + since % period } else { time };
    if time < first.start {
        return first.state(0.0, 0.0);
    }
    let Some(leg) = legs.iter().find(|leg| time < leg.end) else {
        return last.state(1.0, 0.0);
    };
    let length = leg.end - leg.start;
    let part = (time - leg.start) / length;
    if is_smooth {
        leg.state(part * part * (3.0 - 2.0 * part), 6.0 * part * (1.0 - part) / length)
    } else {
        leg.state(part, 1.0 / length)
    }
}

fn unit(axis: [f64; 3]) -> Point {
    Point::from(axis).try_normalize(0.0).unwrap_or_else(Point::z)
}

/// Rodrigues' formula.
pub(super) fn rotation(axis: &Point, degrees: f64) -> Matrix3<f64> {
    let (sin, cos) = sin_cos(degrees);
    Matrix3::identity() * cos + axis.cross_matrix() * sin + axis * axis.transpose() * (1.0 - cos)
}

/// Real part and the others.
fn quaternion(axis: &Point, degrees: f64) -> (f64, Point) {
    let (sin, cos) = sin_cos(0.5 * degrees);
    (cos, axis * sin)
}

/// The axis and the degrees that lead from one orientation to another.
fn shortest((w, v): (f64, Point), (s, u): (f64, Point)) -> (Point, f64) {
    // The second times the conjugate of the first.
    let (real, rest) = (s * w + u.dot(&v), u * w - v * s - u.cross(&v));
    let sign = if real < 0.0 { -1.0 } else { 1.0 };
    let angle = 2.0 * libm::atan2(rest.norm(), sign * real);
    (rest.try_normalize(0.0).unwrap_or_else(Point::z) * sign, angle / RADIANS)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_TURN: Turn = Turn { axis: [0.0, 0.0, 1.0], degrees: 0.0 };

    fn key(time: f64, shift: [f64; 3], axis: [f64; 3], degrees: f64) -> Key {
        Key { time, shift, turn: Turn { axis, degrees } }
    }

    fn formula(text: &str) -> Formula {
        Formula::parse(text).unwrap()
    }

    fn all() -> Vec<Motion> {
        let keys = [
            key(0.5, [0.0; 3], [0.0, 0.0, 1.0], 0.0),
            key(1.0, [0.1, 0.2, 0.0], [0.0, 1.0, 0.0], 90.0),
            key(2.0, [0.3, 0.0, -0.1], [1.0, 0.0, 0.0], 90.0),
            key(2.5, [0.0; 3], [1.0, 0.0, 0.0], 720.0),
        ];
        let shift = ["0.1*sin(3*t)", "t^2", "0"].map(formula);
        let pivot = [0.3, -0.2, 0.5];
        vec![
            Motion::through(pivot, &keys, false, false),
            Motion::through(pivot, &keys, true, true),
            Motion::by_formulas(pivot, shift, [1.0, 1.0, 0.0], formula("90*t^2")),
            Motion::spin(pivot, [0.0, -1.0, 2.0], 33.0),
        ]
    }

    #[test]
    fn velocities_are_what_poses_go_by_and_poses_are_rigid() {
        for (number, motion) in all().iter().enumerate() {
            for k in 0..60 {
                let (time, step) = (0.05 * f64::from(k) + 0.013, 1e-6);
                let x0 = Point::new(0.1, 0.7, -0.4);
                let (pose, flow) = motion.at(time);
                let at = |t: f64| motion.at(t).0.apply(&x0);
                let by_difference = (at(time + step) - at(time - step)) / (2.0 * step);
                let v = flow.at(&pose.apply(&x0));
                assert!((v - by_difference).norm() < 1e-6, "{number} at {time}: {v}");
                let rest = pose.turn * pose.turn.transpose() - Matrix3::identity();
                assert!(rest.norm() < 1e-14 && (pose.turn.determinant() - 1.0).abs() < 1e-14);
                let reach = motion.reach(&x0);
                assert!(motion.speed(time, reach) >= v.norm() * (1.0 - 1e-12));
            }
        }
    }

    #[test]
    fn keys_are_where_they_are_and_the_body_rests_around_them() {
        let quarter = [
            key(1.0, [0.0; 3], [0.0, 0.0, 1.0], 0.0),
            key(2.0, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], 90.0),
        ];
        for is_smooth in [false, true] {
            let motion = Motion::through([0.0; 3], &quarter, is_smooth, false);
            let place = |t: f64| motion.at(t).0.apply(&Point::x());
            assert_eq!([place(0.0), place(1.0)], [Point::x(); 2]);
            assert_eq!([place(2.0), place(7.0)], [Point::new(1.0, 0.0, -1.0); 2]);
            assert!(
                (place(1.5) - Point::new(0.5 + 0.5_f64.sqrt(), 0.0, -0.5_f64.sqrt())).norm()
                    < 1e-15
            );
            assert_eq!(motion.at(2.5).1, Flow { at_origin: Point::zeros(), ..motion.at(2.5).1 });
            assert_eq!(motion.speed(2.0, 1.0), 0.0);
        }
        let turns =
            [key(0.0, [0.0; 3], [0.0, 0.0, 2.0], 0.0), key(1.0, [0.0; 3], [0.0, 0.0, 1.0], 720.0)];
        let motion = Motion::through([0.0; 3], &turns, false, true);
        let spin = 4.0 * std::f64::consts::PI;
        assert!((motion.at(0.3).1.spin() - Point::z() * spin).norm() < 1e-12, "two turns a second");
        assert_eq!(motion.at(0.25).0, motion.at(7.25).0, "again and again");
        assert_eq!(Motion::spin([0.0; 3], [0.0, 0.0, 1.0], 120.0).at(0.375).0, motion.at(0.375).0);
    }

    #[test]
    fn between_two_axes_it_turns_the_shorter_way() {
        let keys =
            [key(0.0, [0.0; 3], [1.0, 0.0, 0.0], 90.0), key(1.0, [0.0; 3], [0.0, 1.0, 0.0], 90.0)];
        let motion = Motion::through([0.0; 3], &keys, false, false);
        let expected = rotation(&Point::y(), 90.0);
        assert!((motion.at(1.0 - 1e-12).0.turn - expected).norm() < 1e-10);
        assert!(motion.at(0.5).1.spin().norm() < std::f64::consts::PI);
    }

    #[test]
    fn a_motion_of_nothing_leaves_every_bit() {
        let still =
            [key(0.0, [0.0; 3], [1.0, 2.0, 0.0], 0.0), key(1.0, [0.0; 3], [0.0, 1.0, 0.0], 0.0)];
        let zero = || formula("0");
        for motion in [
            Motion::through([0.3, 0.7, 0.1], &still, true, true),
            Motion::by_formulas(
                [0.3, 0.1, 0.7],
                [zero(), zero(), formula("0*t")],
                NO_TURN.axis,
                zero(),
            ),
        ] {
            for time in [0.0, 0.3, 1.7] {
                let (pose, flow) = motion.at(time);
                let x = Point::new(0.1, -0.7, 1e-3);
                assert_eq!(pose.apply(&x), x);
                assert_eq!(flow.at(&x), Point::zeros());
                let step = pose.relative_to(&motion.at(0.1).0);
                assert_eq!((step.apply(&x), Flow::along(&step, 0.01).at(&x)), (x, Point::zeros()));
            }
        }
    }
}
