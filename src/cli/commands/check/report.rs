//! The report on a scene: sections of lines, each with a key and a value.
//!
//! A section is a function that returns its lines, and an entry of [`SECTIONS`].

use super::line::{Line, Subject};
use super::{content, cost, elastic, free_bodies, shapes, time};
use crate::cli::console::Fields;

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
    let mut fields = Fields::under(name, 17);
    for Line { key, value } in SECTIONS.iter().flat_map(|section| section(subject)) {
        fields.add(key, value);
    }
    fields.into_text()
}
