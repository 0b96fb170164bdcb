//! The points of a sweep: all combinations of its axes, the last axis fastest.

use super::axes::{Axis, Cell, Column};
use hashfall_scene::schema::RenamedKey;
use hashfall_scene::{Diagnostic, Override, Severity};

/// Upper bound of the points of a sweep.
pub const MAX_POINTS: u64 = 100_000;

/// The fixed settings and the axes of a sweep.
#[derive(Clone, Debug, Default)]
pub struct ParameterSweep {
    fixed: Vec<Override>,
    axes: Vec<Axis>,
}

/// Makes an error of a message and a help text, located at an axis.
pub type FaultAt<'a> = dyn Fn(&str, String) -> Diagnostic + 'a;

impl ParameterSweep {
    /// Sets a key of every point.
    ///
    /// # Errors
    /// If the key is set or varied already.
    #[allow(clippy::result_large_err, reason = "once for each key typed")]
    pub fn fix(&mut self, set: Override) -> Result<(), Diagnostic> {
        if let Some(other) = self.keys().find(|other| overlap(&set.key, other)) {
            return Err(duplicate(&set, other));
        }
        self.fixed.push(set);
        Ok(())
    }

    /// Removes the fixed settings of these keys.
    pub fn release(&mut self, keys: &[&str]) {
        self.fixed.retain(|set| !keys.contains(&set.key.as_str()));
    }

    /// Adds an axis; `fault` makes errors located at it.
    ///
    /// # Errors
    /// If a key is set or varied already, or if there would be too many points.
    pub fn vary(&mut self, axis: Axis, fault: &FaultAt) -> Result<(), Vec<Diagnostic>> {
        let mut faults: Vec<Diagnostic> = Vec::new();
        for (i, column) in axis.columns.iter().enumerate() {
            let Column::Key(key) = column else { continue };
            let of_axis = axis.columns[..i].iter().filter_map(Column::key);
            if let Some(other) = self.keys().chain(of_axis).find(|other| overlap(key, other)) {
                let first = axis.rows.iter().find_map(|row| match &row[i] {
                    Cell::Set(set) => Some(set),
                    Cell::Unset | Cell::Name(_) => None,
                });
                faults.extend(first.map(|set| duplicate(set, other)));
            }
        }
        let points = self.len().saturating_mul(axis.rows.len() as u64);
        if points > MAX_POINTS {
            let message = format!("this axis makes {points} points");
            faults.push(fault(&message, format!("the maximum is {MAX_POINTS}")));
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        self.axes.push(axis);
        Ok(())
    }

    /// How many points there are.
    pub fn len(&self) -> u64 {
        self.axes.iter().map(|axis| axis.rows.len() as u64).product()
    }

    /// Whether nothing varies.
    pub fn is_empty(&self) -> bool {
        self.axes.is_empty()
    }

    /// The settings of all points.
    pub fn fixed(&self) -> &[Override] {
        &self.fixed
    }

    /// What the columns of the points hold.
    pub fn columns(&self) -> Vec<&Column> {
        self.axes.iter().flat_map(|axis| &axis.columns).collect()
    }

    /// The cells of a point, which is less than [`ParameterSweep::len`].
    pub fn point(&self, index: u64) -> Vec<&Cell> {
        self.rows(index)
            .into_iter()
            .zip(&self.axes)
            .flat_map(|(row, axis)| &axis.rows[row])
            .collect()
    }

    /// All settings of a point.
    pub fn overrides(&self, index: u64) -> Vec<Override> {
        let of_point = self.point(index).into_iter().filter_map(|cell| match cell {
            Cell::Set(set) => Some(set.clone()),
            Cell::Unset | Cell::Name(_) => None,
        });
        self.fixed.iter().cloned().chain(of_point).collect()
    }

    /// Points that together cover every row of every axis, so that each value is checked once.
    pub fn samples(&self) -> Vec<u64> {
        let longest = self.axes.iter().map(|axis| axis.rows.len()).max().unwrap_or(0);
        let sample = |i: usize| {
            let rows = self.axes.iter().map(|axis| (i.min(axis.rows.len() - 1), axis.rows.len()));
            rows.fold(0, |index, (row, count)| index * count as u64 + row as u64)
        };
        (0..longest).map(sample).collect()
    }

    /// The row of each axis that makes a point.
    fn rows(&self, index: u64) -> Vec<usize> {
        let mut rest = index;
        let mut rows: Vec<usize> = Vec::with_capacity(self.axes.len());
        for axis in self.axes.iter().rev() {
            let count = axis.rows.len() as u64;
            rows.push((rest % count) as usize);
            rest /= count;
        }
        rows.reverse();
        rows
    }

    /// All keys that are set or varied.
    fn keys(&self) -> impl Iterator<Item = &str> {
        let varied = self.axes.iter().flat_map(|axis| &axis.columns).filter_map(Column::key);
        self.fixed.iter().map(|set| set.key.as_str()).chain(varied)
    }
}

/// Whether two keys are equal or one contains the other: the result would depend on their order.
fn overlap(one: &str, other: &str) -> bool {
    let (one, other) = (steps(one), steps(other));
    one.iter().zip(&other).all(|(a, b)| a == b)
}

/// The names and indices of a key, each in one spelling.
fn steps(key: &str) -> Vec<String> {
    let steps = key.split(['.', '[', ']']).map(str::trim).filter(|step| !step.is_empty());
    let mut path = String::new();
    let one_spelling = |step: &str| {
        if let Ok(index) = step.parse::<u64>() {
            return index.to_string();
        }
        if step.starts_with(char::is_uppercase) {
            return step.to_owned();
        }
        // An old name is the same key as the new one.
        let name = RenamedKey::find(&path, step).map_or(step, |key| key.new);
        let dot = if path.is_empty() { "" } else { "." };
        path = format!("{path}{dot}{name}");
        name.to_owned()
    };
    steps.map(one_spelling).collect()
}

/// The error of a key that is set twice.
fn duplicate(set: &Override, other: &str) -> Diagnostic {
    let (message, help) = if set.key == other {
        (format!("`{}` is set twice", set.key), "set a key once: in `set`, or in one axis")
    } else {
        let message = format!("`{}` and `{other}` overlap", set.key);
        (message, "set either the whole or its parts")
    };
    Diagnostic {
        severity: Severity::Error,
        source_name: set.source.name.clone(),
        source_text: set.source.text.clone(),
        span: Some(set.key_at.clone()),
        message,
        help: Some(help.to_owned()),
    }
}
