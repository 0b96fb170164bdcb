//! Kinematic laws: pose and velocity of a body as functions of time, or set by the caller.
//!
//! A point that the scene places at x₀ is at time t at x = R (x₀ − c) + c + s, with R a rotation, c
//! the *pivot* and s the *shift*. The velocity of the body at x is v = ds/dt + ω × (x − c − s).
//!
//! Between two keys the shift goes straight and the rotation turns about one axis: their common
//! one, so that a turn may be of any number of degrees, or where they have none the one that leads
//! from one to the other by the shorter way (Shoemake 1985, spherical linear interpolation). At a
//! key the velocity is that after it.
//!
//! Sines are those of [`sin_cos`](hashfall_bodies::sin_cos), which has the same bits on every
//! machine, and whole quarter turns are exact. A pose of no shift and no degrees leaves every bit
//! as it is.
//!
//! Symbols: t time \[s\], x place, c pivot, s shift, all \[m\], ω angular velocity \[1/s\].

use super::recording::Recording;
use super::segments::{Keyframe, PARALLEL, PathSegment, RADIANS, State, state_on_segments, unit};
use hashfall_bodies::{AxisRotation, BodyState, Pose, VelocityField};
use hashfall_formula::{Dual, Formula};
use hashfall_geometry::Point;
use nalgebra::Matrix3;
use std::sync::Arc;

/// How a body moves.
#[derive(Clone, Debug, PartialEq)]
pub struct KinematicLaw {
    pub(crate) pivot: Point,
    pub(crate) path: Path,
}

/// What a motion goes by.
#[derive(Clone, Debug, PartialEq)]
pub enum Path {
    Keys {
        /// Ascending in time.
        segments: Vec<PathSegment>,
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
    Recorded {
        recording: Arc<Recording>,
        axis: Point,
    },
    /// The caller sets the velocity.
    Driven,
}

impl KinematicLaw {
    /// Through keys of ascending times, at least two; before the first and after the last the body
    /// rests, unless it `repeats`. If it is smooth it rests for an instant at each key.
    pub fn through(pivot: [f64; 3], keys: &[Keyframe], is_smooth: bool, repeats: bool) -> Self {
        let segments =
            keys.windows(2).map(|pair| PathSegment::between(&pair[0], &pair[1])).collect();
        KinematicLaw { pivot: pivot.into(), path: Path::Keys { segments, is_smooth, repeats } }
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
        KinematicLaw { pivot: pivot.into(), path }
    }

    /// So many revolutions per minute about an axis through the pivot.
    pub fn spin(pivot: [f64; 3], axis: [f64; 3], rpm: f64) -> Self {
        KinematicLaw { pivot: pivot.into(), path: Path::Spin { axis: unit(axis), rate: 6.0 * rpm } }
    }

    /// By a table of measured shifts, and of degrees about an axis through the pivot.
    pub fn recorded(pivot: [f64; 3], axis: [f64; 3], recording: Arc<Recording>) -> Self {
        KinematicLaw { pivot: pivot.into(), path: Path::Recorded { recording, axis: unit(axis) } }
    }

    /// By velocities that are set from outside
    /// ([`Solids::set_body_velocity`](crate::Solids::set_body_velocity)); until then the body rests
    /// where the scene places it. Angular velocities are about `pivot` \[m\].
    pub fn driven(pivot: [f64; 3]) -> Self {
        KinematicLaw { pivot: pivot.into(), path: Path::Driven }
    }

    /// Whether velocities are set from outside.
    pub fn is_driven(&self) -> bool {
        matches!(self.path, Path::Driven)
    }

    /// Whether the body may have an angular velocity at some time.
    pub fn turns(&self) -> bool {
        match &self.path {
            Path::Keys { segments, .. } => segments.iter().any(|segment| segment.degrees != 0.0),
            Path::Formulas { formulas, .. } => !formulas[3].is_constant(),
            Path::Spin { rate, .. } => *rate != 0.0,
            Path::Recorded { recording, .. } => recording.turns(),
            Path::Driven => true,
        }
    }

    /// The state of the body at a time \[s\]; of one that is driven, its first.
    pub fn state_at(&self, time: f64) -> BodyState {
        let State { shift, rate, turn, spin } = self.state(time);
        BodyState {
            position: self.pivot + shift,
            orientation: turn.into(),
            velocity: rate,
            angular_velocity: spin,
        }
    }

    /// The pose at a time \[s\], and the velocity.
    pub fn at(&self, time: f64) -> (Pose, VelocityField) {
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
            Path::Formulas { axis, .. } | Path::Spin { axis, .. } | Path::Recorded { axis, .. } => {
                Some(*axis)
            }
            Path::Driven => None,
            Path::Keys { segments, .. } => {
                let first = segments.first()?.axis;
                let is_same = |segment: &PathSegment| {
                    let turns_about = (segment.turn * first - first).norm() < PARALLEL;
                    turns_about && segment.axis.cross(&first).norm() < PARALLEL
                };
                segments.iter().all(is_same).then_some(first)
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
    /// [reach](KinematicLaw::reach) \[m\].
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

    pub(crate) fn state(&self, time: f64) -> State {
        match &self.path {
            Path::Keys { segments, is_smooth, repeats } => {
                state_on_segments(segments, *is_smooth, *repeats, time)
            }
            Path::Formulas { formulas, axis } => {
                let [x, y, z, degrees] = formulas.each_ref().map(|formula| formula.at(time));
                let Dual { value, slope } = degrees;
                State {
                    shift: Point::new(x.value, y.value, z.value),
                    rate: Point::new(x.slope, y.slope, z.slope),
                    turn: AxisRotation::from_degrees(axis, value).matrix(),
                    spin: axis * (slope * RADIANS),
                }
            }
            Path::Spin { axis, rate } => State {
                shift: Point::zeros(),
                rate: Point::zeros(),
                turn: AxisRotation::from_degrees(axis, rate * time).matrix(),
                spin: axis * (rate * RADIANS),
            },
            Path::Recorded { recording, axis } => {
                let now = recording.at(time);
                let ((shift, rate), (degrees, slope)) = (Recording::shift(&now), now[3]);
                State {
                    shift,
                    rate,
                    turn: AxisRotation::from_degrees(axis, degrees).matrix(),
                    spin: axis * (slope * RADIANS),
                }
            }
            Path::Driven => State {
                shift: Point::zeros(),
                rate: Point::zeros(),
                turn: Matrix3::identity(),
                spin: Point::zeros(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::segments::AxisAngle;
    use super::*;

    const NO_TURN: AxisAngle = AxisAngle { axis: [0.0, 0.0, 1.0], degrees: 0.0 };

    fn key(time: f64, shift: [f64; 3], axis: [f64; 3], degrees: f64) -> Keyframe {
        Keyframe { time, shift, turn: AxisAngle { axis, degrees } }
    }

    fn formula(text: &str) -> Formula {
        Formula::parse(text).unwrap()
    }

    fn all() -> Vec<KinematicLaw> {
        let keys = [
            key(0.5, [0.0; 3], [0.0, 0.0, 1.0], 0.0),
            key(1.0, [0.1, 0.2, 0.0], [0.0, 1.0, 0.0], 90.0),
            key(2.0, [0.3, 0.0, -0.1], [1.0, 0.0, 0.0], 90.0),
            key(2.5, [0.0; 3], [1.0, 0.0, 0.0], 720.0),
        ];
        let shift = ["0.1*sin(3*t)", "t^2", "0"].map(formula);
        let pivot = [0.3, -0.2, 0.5];
        let times: Vec<f64> = (0..40).map(|k| 0.1 * f64::from(k)).collect();
        let row = |t: &f64| [0.2 * t.sin(), t * t, -0.1 * t, 90.0 * (2.0 * t).sin()];
        let rows = times.iter().map(row).collect();
        let recording = Recording::new(times, rows).unwrap();
        vec![
            KinematicLaw::through(pivot, &keys, false, false),
            KinematicLaw::through(pivot, &keys, true, true),
            KinematicLaw::by_formulas(pivot, shift, [1.0, 1.0, 0.0], formula("90*t^2")),
            KinematicLaw::spin(pivot, [0.0, -1.0, 2.0], 33.0),
            KinematicLaw::recorded(pivot, [0.0, 3.0, 1.0], Arc::new(recording)),
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
            let motion = KinematicLaw::through([0.0; 3], &quarter, is_smooth, false);
            let place = |t: f64| motion.at(t).0.apply(&Point::x());
            assert_eq!([place(0.0), place(1.0)], [Point::x(); 2]);
            assert_eq!([place(2.0), place(7.0)], [Point::new(1.0, 0.0, -1.0); 2]);
            assert!(
                (place(1.5) - Point::new(0.5 + 0.5_f64.sqrt(), 0.0, -0.5_f64.sqrt())).norm()
                    < 1e-15
            );
            assert_eq!(
                motion.at(2.5).1,
                VelocityField { at_origin: Point::zeros(), ..motion.at(2.5).1 }
            );
            assert_eq!(motion.speed(2.0, 1.0), 0.0);
        }
        let turns =
            [key(0.0, [0.0; 3], [0.0, 0.0, 2.0], 0.0), key(1.0, [0.0; 3], [0.0, 0.0, 1.0], 720.0)];
        let motion = KinematicLaw::through([0.0; 3], &turns, false, true);
        let spin = 4.0 * std::f64::consts::PI;
        assert!((motion.at(0.3).1.spin() - Point::z() * spin).norm() < 1e-12, "two turns a second");
        assert_eq!(motion.at(0.25).0, motion.at(7.25).0, "again and again");
        assert_eq!(
            KinematicLaw::spin([0.0; 3], [0.0, 0.0, 1.0], 120.0).at(0.375).0,
            motion.at(0.375).0
        );
    }

    #[test]
    fn a_law_turns_if_its_angle_changes() {
        let axis = NO_TURN.axis;
        let shift = || ["sin(t)", "0", "t^2"].map(formula);
        let by_formula =
            |degrees| KinematicLaw::by_formulas([0.0; 3], shift(), axis, formula(degrees));
        let keys = |degrees| {
            let end = key(1.0, [0.2, 0.0, 0.0], axis, degrees);
            KinematicLaw::through([0.0; 3], &[key(0.0, [0.0; 3], axis, 30.0), end], true, false)
        };
        let times: Vec<f64> = (0..4).map(f64::from).collect();
        let recorded = |start, degrees| {
            let rows = times.iter().map(|t| [*t, 0.0, 0.0, start + degrees * t]).collect();
            let recording = Recording::new(times.clone(), rows).unwrap();
            KinematicLaw::recorded([0.0; 3], axis, Arc::new(recording))
        };
        let spin = |rpm| KinematicLaw::spin([0.0; 3], axis, rpm);
        let still = [by_formula("0"), by_formula("45"), keys(30.0), recorded(30.0, 0.0), spin(0.0)];
        let turning = [by_formula("9*t"), keys(31.0), recorded(0.0, 5.0), spin(1.0)];
        assert!(still.iter().all(|law| !law.turns()));
        assert!(turning.iter().chain(&all()).all(KinematicLaw::turns));
    }

    #[test]
    fn between_two_axes_it_turns_the_shorter_way() {
        let keys =
            [key(0.0, [0.0; 3], [1.0, 0.0, 0.0], 90.0), key(1.0, [0.0; 3], [0.0, 1.0, 0.0], 90.0)];
        let motion = KinematicLaw::through([0.0; 3], &keys, false, false);
        let expected = AxisRotation::from_degrees(&Point::y(), 90.0).matrix();
        assert!((motion.at(1.0 - 1e-12).0.turn - expected).norm() < 1e-10);
        assert!(motion.at(0.5).1.spin().norm() < std::f64::consts::PI);
    }

    #[test]
    fn a_motion_of_nothing_leaves_every_bit() {
        let still =
            [key(0.0, [0.0; 3], [1.0, 2.0, 0.0], 0.0), key(1.0, [0.0; 3], [0.0, 1.0, 0.0], 0.0)];
        let zero = || formula("0");
        for motion in [
            KinematicLaw::through([0.3, 0.7, 0.1], &still, true, true),
            KinematicLaw::by_formulas(
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
                assert_eq!(
                    (step.apply(&x), VelocityField::along(&step, 0.01).at(&x)),
                    (x, Point::zeros())
                );
            }
        }
    }
}
