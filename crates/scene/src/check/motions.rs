//! Checks of prescribed motions: keyframes in order, formulas that parse and have finite values
//! within bounds during the whole run. Whether a body is too fast depends on its size and is
//! checked when it is built.

use super::checks::{Checks, brief};
use crate::layout::body_motion;
use crate::model::limits::MAX_COORDINATE;
use crate::model::{After, Between, BodyMotion, KeyModel};
use crate::problem::Problem;
use hashfall_formula::{Dual, Formula, FormulaError};

/// What a pose may differ by to be the same, in m and in degrees.
const SAME: f64 = 1e-9;

impl Checks<'_> {
    pub(super) fn motions(&mut self) {
        let model = self.model;
        for (path, motion) in model.motions() {
            match motion {
                BodyMotion::Still => {}
                BodyMotion::Keyframes { keys, pivot, after, .. } => {
                    self.moved_point(&format!("{path}.pivot"), pivot);
                    self.keys(&path, keys, *after);
                }
                BodyMotion::Formula { translate, degrees, axis, pivot } => {
                    self.moved_point(&format!("{path}.pivot"), pivot);
                    for (axis, text) in translate.iter().enumerate() {
                        self.way(&format!("{path}.translate[{axis}]"), axis, text);
                    }
                    let turns = self.turns(&format!("{path}.degrees"), degrees);
                    self.axis(&format!("{path}.axis"), axis, turns);
                }
                BodyMotion::Table { path: file, axis, pivot, .. } => {
                    if file.trim().is_empty() {
                        let help = "a CSV file, relative to the scene file";
                        self.push(Problem::error(format!("{path}.path"), "no file is given", help));
                    }
                    self.axis(&format!("{path}.axis"), axis, false);
                    self.moved_point(&format!("{path}.pivot"), pivot);
                }
                BodyMotion::Spin { axis, pivot, .. } => {
                    self.axis(&format!("{path}.axis"), axis, true);
                    self.moved_point(&format!("{path}.pivot"), pivot);
                }
                BodyMotion::Driven { pivot } => {
                    self.moved_point(&format!("{path}.pivot"), pivot);
                }
                BodyMotion::Free(free) => self.free_motion(&path, free),
            }
        }
    }

    /// A frame must be known and not jump: its acceleration acts on the fluid.
    pub(super) fn frame(&mut self) {
        if matches!(self.model.reference_frame, BodyMotion::Driven { .. }) {
            let message = "no program can drive the frame of reference";
            let help = "a motion that is known, such as Formula(translate: [\"0.1*sin(6*t)\", …])";
            self.push(Problem::error("reference_frame", message, help));
        }
        if let BodyMotion::Keyframes { between: Between::Linear, .. } = self.model.reference_frame {
            let message = "the velocity of the frame jumps at each key";
            self.push(Problem::error("reference_frame.between", message, "between: Smooth"));
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
        if !self.vector(path, axis, MAX_COORDINATE, "") {
            return;
        }
        if axis.iter().all(|x| x.abs() < 1e-9) {
            let help = "a direction such as (0.0, 0.0, 1.0)";
            self.push(Problem::error(path, "rotation axis of zero length", help));
        } else if self.is_plane() && turns && (axis[0] != 0.0 || axis[2] != 0.0) {
            let message = "a rotation out of the plane";
            let help = "about y: (0.0, 1.0, 0.0)";
            self.push(Problem::error(path, message, help).also_at("dimensions"));
        }
    }

    fn keys(&mut self, path: &str, keys: &[KeyModel], after: After) {
        let list = format!("{path}.keys");
        if keys.len() < 2 {
            let message = format!("at least two keys are needed, found {}", keys.len());
            let help = "[(time: 0.0), (time: 1.0, translate: (0.0, 0.0, 0.1))]";
            self.push(Problem::error(list, message, help));
            return;
        }
        for (k, key) in keys.iter().enumerate() {
            let place = format!("{list}[{k}]");
            self.moved_point(&format!("{place}.translate"), &key.translate);
            let turn = &key.rotate;
            self.axis(&format!("{place}.rotate.axis"), &turn.axis, turn.degrees != 0.0);
            if let Some(before) = k.checked_sub(1).map(|k| keys[k].time)
                && key.time <= before
            {
                let message =
                    format!("the key at {} s does not come after the key at {before} s", key.time);
                let help = "keys in the order of their times";
                self.push(Problem::error(format!("{place}.time"), message, help).also_at(place));
            }
        }
        let (first, last) = (&keys[0], &keys[keys.len() - 1]);
        if after == After::Repeat && !is_same_place(first, last) {
            let message = "`Repeat` needs equal poses in the first and the last key";
            let help = "the same `translate` and, but for whole turns, `rotate`; or after: Hold";
            let place = format!("{list}[{}]", keys.len() - 1);
            self.push(Problem::error(format!("{path}.after"), message, help).also_at(place));
        }
    }

    /// A formula, if it can be read.
    fn formula(&mut self, path: &str, text: &str) -> Option<Formula> {
        match body_motion::parse_formula(text) {
            Ok(formula) => Some(formula),
            Err(FormulaError { at, message, help }) => {
                let problem = Problem::error(path, message, &help);
                // After the opening quote.
                self.push(Problem { at: Some(at + 1), ..problem });
                None
            }
        }
    }

    /// A formula of the way along an axis; in the plane none leads along y.
    fn way(&mut self, path: &str, axis: usize, text: &str) {
        let Some(formula) = self.formula(path, text) else { return };
        if axis == 1 && self.is_plane() && !self.is_nothing(&formula) {
            let message = "a motion out of the plane";
            self.push(Problem::error(path, message, "\"0\" along y").also_at("dimensions"));
        } else {
            self.values(path, &formula, MAX_COORDINATE);
        }
    }

    /// A formula of degrees; whether the body turns by it.
    fn turns(&mut self, path: &str, text: &str) -> bool {
        let Some(formula) = self.formula(path, text) else { return false };
        self.values(path, &formula, f64::INFINITY);
        !self.is_nothing(&formula)
    }

    /// Whether a formula tells of no motion at any look.
    fn is_nothing(&self, formula: &Formula) -> bool {
        body_motion::sample_times(self.model).all(|time| formula.at(time).value == 0.0)
    }

    /// Refuses a formula that has no value, or leads farther than `most` \[m\], at some time of
    /// the run.
    fn values(&mut self, path: &str, formula: &Formula, most: f64) {
        // Else there is no end of the run, which is a fault by itself.
        let has_end = self.model.frames.rate > 0.0;
        if !has_end {
            return;
        }
        let end = brief(body_motion::run_end(self.model));
        let wrong = body_motion::sample_times(self.model).find_map(|time| {
            let Dual { value, slope } = formula.at(time);
            let (what, help) = if !value.is_finite() {
                let help = "a number at all times from 0 to";
                ("the formula has no finite value".to_owned(), help.to_owned())
            } else if !slope.is_finite() {
                let help = "a finite rate of change at all times from 0 to";
                ("the derivative of the formula is infinite".to_owned(), help.to_owned())
            } else if value.abs() > most {
                (
                    format!("the displacement is {} m", brief(value.abs())),
                    format!("within {most:e} m to"),
                )
            } else {
                return None;
            };
            Some((format!("{what} at t = {} s", brief(time)), help))
        });
        if let Some((message, help)) = wrong {
            let help = format!("{help} {end} s, the end of the run");
            self.push(Problem::error(path, message, &help).also_at("frames"));
        }
    }
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
