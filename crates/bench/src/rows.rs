//! Rows: what was measured of one structure with one input, and how rows become curves and ratios.

use crate::sample::{Answer, Sample};
use hashfall_output::curves::Curve;
use hashfall_output::plot::Line;
use std::ops::RangeInclusive;

/// What was measured of one structure with one input.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What was put in. Answers to the same input must agree.
    pub input: String,
    /// Where it stands on the horizontal axis.
    pub x: f64,
    /// Who did it.
    pub structure: &'static str,
    /// What was timed.
    pub task: &'static str,
    /// Things that were asked for: points, queries, boxes.
    pub items: usize,
    /// The times.
    pub time: Sample,
    /// What it looked at to find the answer, if that was counted.
    pub candidates: Option<u64>,
    /// What it found; none for tasks without an answer.
    pub answer: Option<Answer>,
    /// Memory that the structure holds \[bytes\]; none for what is no structure.
    pub bytes: Option<usize>,
}

/// The median in milliseconds.
pub fn milliseconds(row: &Row) -> f64 {
    1e3 * row.time.median
}

/// The median in nanoseconds for each item.
pub fn nanoseconds_each(row: &Row) -> f64 {
    1e9 * row.time.median / row.items as f64
}

/// Memory in bytes; NaN if it is not known.
pub fn bytes(row: &Row) -> f64 {
    row.bytes.map_or(f64::NAN, |bytes| bytes as f64)
}

/// Memory in megabytes; NaN if it is not known.
pub fn megabytes(row: &Row) -> f64 {
    1e-6 * bytes(row)
}

/// Memory for each item in bytes; NaN if it is not known.
pub fn bytes_each(row: &Row) -> f64 {
    bytes(row) / row.items as f64
}

/// A line for each structure that did a task, in the order of the rows.
pub fn lines(rows: &[Row], task: &str, y: fn(&Row) -> f64) -> Vec<Line> {
    let of_task: Vec<&Row> = rows.iter().filter(|row| row.task == task).collect();
    let mut structures: Vec<&'static str> = Vec::new();
    for row in &of_task {
        if !structures.contains(&row.structure) {
            structures.push(row.structure);
        }
    }
    let line = |label: &'static str| {
        let selected = of_task.iter().filter(|row| row.structure == label);
        let mut points: Vec<[f64; 2]> = selected.map(|row| [row.x, y(row)]).collect();
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        Line { label, is_reference: false, curve: Curve::new(points) }
    };
    structures.into_iter().map(line).collect()
}

/// For each input, x and a value of one structure over that of another, where both have it.
pub fn ratios(
    rows: &[Row],
    task: &str,
    [of, over]: [&str; 2],
    value: fn(&Row) -> f64,
) -> Vec<(f64, f64)> {
    let find = |input: &str, structure: &str| {
        rows.iter().find(|r| r.input == input && r.structure == structure && r.task == task)
    };
    let selected = rows.iter().filter(|row| row.structure == of && row.task == task);
    let ratio = |row: &Row| Some((row.x, value(row) / value(find(&row.input, over)?)));
    selected.filter_map(ratio).filter(|(_, ratio)| ratio.is_finite()).collect()
}

/// How many times as fast as one structure each of the others is, where both did a task.
pub fn times_as_fast_as(one: &str, rows: &[Row], task: &str) -> Vec<Line> {
    let mut lines = lines(rows, task, milliseconds);
    lines.retain(|line| line.label != one);
    for line in &mut lines {
        let mut ratios = ratios(rows, task, [one, line.label], milliseconds);
        ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
        line.curve = Curve::new(ratios.into_iter().map(|(x, ratio)| [x, ratio]).collect());
    }
    lines
}

/// The least and the largest of some ratios; `None` if there are none.
pub fn range(ratios: &[(f64, f64)]) -> Option<RangeInclusive<f64>> {
    let values = ratios.iter().map(|&(_, ratio)| ratio);
    let least = values.clone().reduce(f64::min)?;
    Some(least..=values.reduce(f64::max)?)
}

/// A sentence for each input: who is fastest at a task, and by how much.
pub fn fastest(rows: &[Row], task: &str) -> Vec<String> {
    let mut inputs: Vec<&str> = Vec::new();
    for row in rows.iter().filter(|row| row.task == task) {
        if !inputs.contains(&row.input.as_str()) {
            inputs.push(&row.input);
        }
    }
    let sentence = |input: &str| {
        let mut here: Vec<&Row> =
            rows.iter().filter(|row| row.task == task && row.input == input).collect();
        here.sort_by(|a, b| a.time.median.total_cmp(&b.time.median));
        let first = here.first()?;
        let each = hashfall_core::format_significant(nanoseconds_each(first), 3);
        let next = here.get(1).map_or(String::new(), |next| {
            let times = hashfall_core::format_significant(next.time.median / first.time.median, 3);
            format!(", {times} times as fast as {}", next.structure)
        });
        Some(format!("{input}: {} is fastest at {task}, {each} ns each{next}.", first.structure))
    };
    inputs.into_iter().filter_map(sentence).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    pub fn row(input: &str, x: f64, structure: &'static str, seconds: f64) -> Row {
        Row {
            input: input.to_owned(),
            x,
            structure,
            task: "query",
            items: 10,
            time: Sample::new(vec![seconds]),
            candidates: None,
            answer: None,
            bytes: Some(40),
        }
    }

    #[test]
    fn rows_become_lines_ratios_and_sentences() {
        let rows = [
            row("N = 2", 2.0, "A", 4e-8),
            row("N = 2", 2.0, "B", 1e-8),
            row("N = 1", 1.0, "A", 1e-8),
            row("N = 3", 3.0, "A", 1.0),
        ];
        let lines = lines(&rows, "query", nanoseconds_each);
        assert_eq!(lines.iter().map(|l| l.label).collect::<Vec<_>>(), ["A", "B"]);
        assert_eq!(lines[0].curve.points()[..2], [[1.0, 1.0], [2.0, 4.0]]);
        let found = ratios(&rows, "query", ["A", "B"], milliseconds);
        assert_eq!(found, [(2.0, 4.0)]);
        assert_eq!(range(&found), Some(4.0..=4.0));
        assert_eq!(range(&ratios(&rows, "build", ["A", "B"], milliseconds)), None);
        let faster = times_as_fast_as("A", &rows, "query");
        assert_eq!((faster.len(), faster[0].label), (1, "B"));
        assert_eq!(faster[0].curve.points(), [[2.0, 4.0]]);
        let said = fastest(&rows, "query");
        assert_eq!(said[0], "N = 2: B is fastest at query, 1 ns each, 4 times as fast as A.");
        assert_eq!((said.len(), bytes_each(&rows[0])), (3, 4.0));
    }
}
