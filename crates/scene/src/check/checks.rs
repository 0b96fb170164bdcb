//! Validates the values of a [`Model`] and collects all problems.
//!
//! RON accepts `NaN` and `1e999` (infinity), and serde knows no limits; both are refused here.
//! Limits are wide: they refuse values that are certainly mistakes or cannot be computed in single
//! precision, not unusual ones.

use crate::model::Model;
use crate::model::limits::MAX_COORDINATE;
use crate::problem::Problem;
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// The checks of one model.
pub struct Checks<'a> {
    pub(super) model: &'a Model,
    pub(super) problems: Vec<Problem>,
    /// Key paths of the numbers that are out of the bounds of the schema.
    out_of_bounds: HashSet<String>,
}

/// The problem of a number at a key path, if it is outside of a range.
pub fn out_of_range(path: &str, x: f64, range: RangeInclusive<f64>, unit: &str) -> Option<Problem> {
    if range.contains(&x) {
        return None;
    }
    let (min, max) = (*range.start(), *range.end());
    let key = path.rsplit('.').next().unwrap_or(path);
    let reason = match x {
        x if x.is_nan() => "is not a number".to_owned(),
        x if x.is_infinite() => "is infinite".to_owned(),
        x if x <= 0.0 && min > 0.0 => format!("must be positive, not {}", brief(x)),
        x if x < 0.0 && min == 0.0 => format!("must not be negative: {}", brief(x)),
        x if x > max => format!("is too large: {}", brief(x)),
        x => format!("is too small: {}", brief(x)),
    };
    let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
    let help = match max.is_finite() {
        true => format!("from {} to {}{unit}", brief(min), brief(max)),
        false => format!("from {}{unit} up", brief(min)),
    };
    Some(Problem::error(path, format!("`{key}` {reason}"), &help))
}

impl<'a> Checks<'a> {
    /// The checks of a model; its numbers `out_of_bounds` are refused already.
    pub fn new(model: &'a Model, out_of_bounds: Vec<Problem>) -> Self {
        let paths = out_of_bounds.iter().map(|problem| problem.paths[0].clone()).collect();
        Checks { model, problems: out_of_bounds, out_of_bounds: paths }
    }

    pub fn push(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// Whether the number at a key path is within the bounds that the schema states.
    pub fn is_sound(&self, path: &str) -> bool {
        !self.out_of_bounds.contains(path)
    }

    /// Refuses a number outside a range that the schema cannot state; returns whether it is sound.
    pub fn within(&mut self, path: &str, x: f64, range: RangeInclusive<f64>, unit: &str) -> bool {
        let problem = out_of_range(path, x, range, unit);
        let is_sound = problem.is_none();
        self.problems.extend(problem);
        is_sound
    }

    /// Refuses a vector with a component that is not finite or beyond `largest`.
    pub fn vector(&mut self, path: &str, v: &[f64; 3], largest: f64, unit: &str) -> bool {
        (0..3).fold(true, |sound, a| {
            let range = -largest..=largest;
            let is_within =
                range.contains(&v[a]) || self.within(&format!("{path}[{a}]"), v[a], range, unit);
            is_within && sound
        })
    }

    pub fn point(&mut self, path: &str, p: &[f64; 3]) -> bool {
        self.vector(path, p, MAX_COORDINATE, "m")
    }

    /// Refuses a box whose corners are not points or are not in order.
    pub fn corners(&mut self, path: &str, min: &[f64; 3], max: &[f64; 3]) -> bool {
        let low = self.point(&format!("{path}.min"), min);
        let high = self.point(&format!("{path}.max"), max);
        if !(low && high) {
            return false;
        }
        let Some(&a) = self.axes().iter().find(|&&a| min[a] >= max[a]) else { return true };
        let axis = ["x", "y", "z"][a];
        let message =
            format!("empty box: along {axis}, `min` {} is not below `max` {}", min[a], max[a]);
        let help = "`min` is the lowest corner and `max` the highest";
        self.push(
            Problem::error(format!("{path}.max"), message, help).also_at(format!("{path}.min")),
        );
        false
    }
}

/// A number for a message.
pub fn brief(x: f64) -> String {
    hashfall_core::format_significant(x, 6)
}
