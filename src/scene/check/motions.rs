//! Checks of how solids move: keys in order, formulas that can be read, and poses that are finite
//! and near enough in all the time of the run.

use super::super::body_motion;
use super::super::model::{After, BodyMotion, KeyModel};
use super::{Checks, FARTHEST, Problem, brief};
use crate::base::formula::{Fault, Formula};
use std::ops::RangeInclusive;

/// Times of keys \[s\].
const TIMES: RangeInclusive<f64> = -1e9..=1e9;
/// Angles of keys \[°\].
const ANGLES: RangeInclusive<f64> = -1e6..=1e6;
/// Revolutions per minute.
const RATES: RangeInclusive<f64> = -1e6..=1e6;
/// Bodies stay below this speed \[m/s\].
const FASTEST: f64 = 1e4;
/// What a pose may differ by to be the same, in m and in degrees.
const SAME: f64 = 1e-9;

impl Checks<'_> {
    pub(super) fn motions(&mut self) {
        let model = self.model;
        for (i, solid) in model.solids.iter().enumerate() {
            let path = format!("solids[{i}].motion");
            let before = self.problems.len();
            match solid.motion() {
                BodyMotion::Still => continue,
                BodyMotion::Keyframes { keys, pivot, after, .. } => {
                    self.moved_point(&format!("{path}.pivot"), pivot);
                    self.keys(&path, keys, *after);
                }
                BodyMotion::Formula { translate, degrees, axis, pivot } => {
                    self.moved_point(&format!("{path}.pivot"), pivot);
                    for (axis, text) in translate.iter().enumerate() {
                        let place = format!("{path}.translate[{axis}]");
                        let formula = self.formula(&place, text);
                        if axis == 1 && self.is_plane() && formula.is_some_and(|f| !is_none(&f)) {
                            let message = "a motion out of the plane";
                            let problem = Problem::error(place, message, "\"0\" along y");
                            self.push(problem.and("dimensions"));
                        }
                    }
                    self.axis(&format!("{path}.axis"), axis, degrees != "0");
                    self.formula(&format!("{path}.degrees"), degrees);
                }
                BodyMotion::Spin { rpm, axis, pivot } => {
                    self.within(&format!("{path}.rpm"), *rpm, RATES, "revolutions per minute");
                    self.axis(&format!("{path}.axis"), axis, true);
                    self.moved_point(&format!("{path}.pivot"), pivot);
                }
            }
            if self.problems.len() == before {
                self.poses(&path, solid.motion());
            }
        }
    }

    /// A point, which in the plane lies in it.
    fn moved_point(&mut self, path: &str, point: &[f64; 3]) {
        if self.point(path, point) && self.is_plane() {
            self.in_plane(path, point[1]);
        }
    }

    /// The axis of a rotation; in the plane square to it.
    fn axis(&mut self, path: &str, axis: &[f64; 3], turns: bool) {
        if !self.vector(path, axis, FARTHEST, "") {
            return;
        }
        if axis.iter().all(|x| x.abs() < 1e-9) {
            let help = "a direction such as (0.0, 0.0, 1.0)";
            self.push(Problem::error(path, "a rotation about no axis", help));
        } else if self.is_plane() && turns && (axis[0] != 0.0 || axis[2] != 0.0) {
            let message = "a rotation out of the plane";
            let help = "about y: (0.0, 1.0, 0.0)";
            self.push(Problem::error(path, message, help).and("dimensions"));
        }
    }

    fn keys(&mut self, path: &str, keys: &[KeyModel], after: After) {
        let list = format!("{path}.keys");
        if keys.len() < 2 {
            let message = format!("a motion has two keys or more, and this has {}", keys.len());
            let help = "[(time: 0.0), (time: 1.0, translate: (0.0, 0.0, 0.1))]";
            self.push(Problem::error(list, message, help));
            return;
        }
        for (k, key) in keys.iter().enumerate() {
            let place = format!("{list}[{k}]");
            self.within(&format!("{place}.time"), key.time, TIMES, "s");
            self.moved_point(&format!("{place}.translate"), &key.translate);
            let turn = &key.rotate;
            self.within(&format!("{place}.rotate.degrees"), turn.degrees, ANGLES, "degrees");
            self.axis(&format!("{place}.rotate.axis"), &turn.axis, turn.degrees != 0.0);
            if let Some(before) = k.checked_sub(1).map(|k| keys[k].time)
                && key.time <= before
            {
                let message =
                    format!("this key, at {} s, is not after that at {before} s", key.time);
                let help = "keys in the order of their times";
                self.push(Problem::error(format!("{place}.time"), message, help).and(place));
            }
        }
        let (first, last) = (&keys[0], &keys[keys.len() - 1]);
        if after == After::Repeat && !is_same_place(first, last) {
            let message = "the body cannot begin again: the last key is not where the first is";
            let help = "the same `translate` and, but for whole turns, `rotate`; or after: Hold";
            let place = format!("{list}[{}]", keys.len() - 1);
            self.push(Problem::error(format!("{path}.after"), message, help).and(place));
        }
    }

    /// A formula, if it can be read.
    fn formula(&mut self, path: &str, text: &str) -> Option<Formula> {
        match body_motion::read(text) {
            Ok(formula) => Some(formula),
            Err(Fault { at, message, help }) => {
                let problem = Problem::error(path, message, &help);
                // After the opening quote.
                self.push(Problem { at: Some(at + 1), ..problem });
                None
            }
        }
    }

    /// Refuses a motion that is not finite, too far or too fast at some time of the run.
    fn poses(&mut self, path: &str, model: &BodyMotion) {
        let frames = &self.model.frames;
        let (Some(motion), true) = (body_motion::of(model), frames.rate > 0.0) else { return };
        let end = f64::from(frames.count) / frames.rate;
        let wrong = body_motion::looks(self.model).find_map(|time| {
            let (pose, flow) = motion.at(time);
            let pivot = pose.apply(motion.pivot());
            let way = pivot - motion.pivot();
            if !motion.is_finite_at(time) {
                Some((time, "where this body is, or how fast, is no number".to_owned()))
            } else if way.amax() > FARTHEST {
                Some((time, format!("this body is {} m away", brief(way.amax()))))
            } else if flow.at(&pivot).amax() > FASTEST {
                let speed = brief(flow.at(&pivot).amax());
                Some((time, format!("this body has a speed of {speed} m/s")))
            } else {
                None
            }
        });
        if let Some((time, what)) = wrong {
            let message = format!("{what} at t = {} s", brief(time));
            let help = format!(
                "within {FARTHEST:e} m and below {FASTEST:e} m/s to {} s, the time of the run",
                brief(end)
            );
            self.push(Problem::error(path, message, &help).and("frames"));
        }
    }
}

/// Whether a formula tells of no motion at all.
fn is_none(formula: &Formula) -> bool {
    [0.0, 0.37, 1.91].iter().all(|&t| formula.at(t).value == 0.0)
}

/// Whether a key leads to the same place as another, but for whole turns.
fn is_same_place(a: &KeyModel, b: &KeyModel) -> bool {
    let shift = (0..3).all(|axis| (a.translate[axis] - b.translate[axis]).abs() <= SAME);
    let whole = |degrees: f64| (degrees / 360.0 - (degrees / 360.0).round()).abs() * 360.0 <= SAME;
    let (u, v) = (&a.rotate, &b.rotate);
    let is_one_axis = u.axis == v.axis;
    let turn =
        (is_one_axis && whole(u.degrees - v.degrees)) || (whole(u.degrees) && whole(v.degrees));
    shift && turn
}
