//! The report on a scene: sections of lines, each with a key and a value.
//!
//! A section is a function that returns its lines, and an entry of [`SECTIONS`].

use super::{content, cost, elastic, free_bodies, shapes, time};
use hashfall_run::{Estimate, RunTime};
use hashfall_scene::Prepared;
use std::fmt::Write;

/// What a report is about.
pub struct Subject<'a> {
    pub scene: &'a Prepared,
    pub estimate: &'a Estimate,
    /// How long a run takes; `None` if the scene cannot be tried.
    pub time: Option<RunTime>,
}

/// A line of a report.
pub struct Line {
    key: &'static str,
    value: String,
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

/// The sections, in the order of the report.
const SECTIONS: [fn(&Subject) -> Vec<Line>; 13] = [
    content::description,
    content::particles,
    shapes::shapes,
    content::emitters,
    content::solids,
    free_bodies::free_bodies,
    elastic::elastic,
    time::fluid,
    time::step,
    time::frames,
    cost::time,
    cost::memory,
    cost::disk,
];

/// The report on a scene of this name.
pub fn render(name: &str, subject: &Subject) -> String {
    let mut text = format!("{name}\n");
    for Line { key, value } in SECTIONS.iter().flat_map(|section| section(subject)) {
        // Writing to memory does not fail.
        let _ = writeln!(text, "  {key:<16} {value}");
    }
    text
}
