//! A line of the report on a scene, and what the report is about.

use hashfall_run::{Estimate, RunTime};
use hashfall_scene::Prepared;

/// What a report is about.
pub struct Subject<'a> {
    pub scene: &'a Prepared,
    pub estimate: &'a Estimate,
    /// How long a run takes; `None` if the scene cannot be tried.
    pub time: Option<RunTime>,
}

/// A line of a report.
pub struct Line {
    pub(super) key: &'static str,
    pub(super) value: String,
}

impl Line {
    /// A line with a key.
    pub fn new(key: &'static str, value: impl Into<String>) -> Line {
        Line { key, value: value.into() }
    }

    /// A line that continues the one above it.
    pub fn more(value: impl Into<String>) -> Line {
        Line::new("", value)
    }

    /// Lines under one key, which only the first has.
    pub fn list(key: &'static str, values: impl IntoIterator<Item = String>) -> Vec<Line> {
        let values = values.into_iter().enumerate();
        values.map(|(i, value)| Line::new(if i == 0 { key } else { "" }, value)).collect()
    }
}
