//! What experiments came to: a table to read, comma-separated values, and a page over all.

use super::rows::{Row, megabytes};
use crate::experiment::Outcome;
use crate::lab::{Halt, Size};
use hashfall_core::format_significant;
use hashfall_core::program;
use hashfall_output::table::{Table, markdown, number};

/// The columns of the table to read.
const COLUMNS: [&str; 11] = [
    "input",
    "structure",
    "task",
    "median [ms]",
    "min [ms]",
    "± [ms]",
    "looked at",
    "found",
    "checksum",
    "MB",
    "threads",
];
/// Figures of numbers in it.
const FIGURES: usize = 4;

/// All rows of an experiment, and what they show.
pub fn text(outcome: &Outcome) -> String {
    let rows: Vec<Vec<String>> = outcome.rows.iter().map(|row| cells(row, outcome)).collect();
    let mut text = markdown(&COLUMNS, &rows);
    text.push('\n');
    outcome.findings.claims.iter().for_each(|claim| text += &format!("{claim}\n"));
    outcome.findings.notes.iter().for_each(|note| text += &format!("{note}\n"));
    text
}

fn cells(row: &Row, outcome: &Outcome) -> Vec<String> {
    let is_timed = row.time.repeats > 0;
    let milliseconds = |seconds: f64| format_significant(1e3 * seconds, FIGURES);
    let time = |seconds| if is_timed { milliseconds(seconds) } else { "–".to_owned() };
    let known = |n: Option<u64>| n.map_or("–".to_owned(), |n| n.to_string());
    let memory = if row.bytes.is_some() {
        format_significant(megabytes(row), FIGURES)
    } else {
        "–".to_owned()
    };
    vec![
        row.input.clone(),
        row.structure.to_owned(),
        row.task.to_owned(),
        time(row.time.median),
        time(row.time.min),
        time(row.time.deviation),
        known(row.candidates),
        known(row.answer.map(|answer| answer.count)),
        row.answer.map_or("–".to_owned(), |answer| format!("{:016x}", answer.checksum)),
        memory,
        outcome.setup.threads.to_string(),
    ]
}

/// All rows of an experiment with every figure.
pub fn csv(outcome: &Outcome) -> Vec<u8> {
    let header = [
        "input",
        "x",
        "structure",
        "task",
        "items",
        "median_s",
        "mean_s",
        "min_s",
        "deviation_s",
        "repeats",
        "looked_at",
        "found",
        "checksum",
        "bytes",
        "threads",
    ];
    let mut table = Table::new(header);
    let known = |n: Option<u64>| n.map_or(String::new(), |n| n.to_string());
    for row in &outcome.rows {
        let is_timed = row.time.repeats > 0;
        let time = |seconds: f64| if is_timed { number(seconds) } else { String::new() };
        table.push([
            row.input.clone(),
            number(row.x),
            row.structure.to_owned(),
            row.task.to_owned(),
            row.items.to_string(),
            time(row.time.median),
            time(row.time.mean),
            time(row.time.min),
            time(row.time.deviation),
            row.time.repeats.to_string(),
            known(row.candidates),
            known(row.answer.map(|answer| answer.count)),
            row.answer.map_or(String::new(), |answer| format!("{:016x}", answer.checksum)),
            known(row.bytes.map(|bytes| bytes as u64)),
            outcome.setup.threads.to_string(),
        ]);
    }
    table.pending().to_vec()
}

/// A page over all experiments.
pub fn page(outcomes: &[Outcome]) -> String {
    let mut page = format!(
        "# Measurements\n\n{} {} ({}). `docs/papers.md` describes the experiments.\n",
        program::NAME,
        program::VERSION,
        program::revision(),
    );
    for outcome in outcomes {
        let (name, setup) = (outcome.experiment.name, outcome.setup);
        let size = if setup.size == Size::Full { "full" } else { "quick" };
        page += &format!(
            "\n## {name}\n\n{}. Size: {size}; {} repeats; seed {}; threads: {}; {:.0} s.\n\n",
            outcome.experiment.about,
            setup.repeats,
            setup.seed,
            setup.threads,
            outcome.wall.as_secs_f64()
        );
        if let Some(halt) = &outcome.halt {
            page += &format!("It did not come to its end: {halt}.\n\n");
        }
        page += &text(outcome);
        if !outcome.findings.panels.is_empty() {
            page += &format!("\n![{name}]({name}.svg)\n");
        }
    }
    page
}

impl std::fmt::Display for Halt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Halt::Stopped => write!(f, "it was stopped"),
            Halt::Wrong(why) => write!(f, "{why}"),
        }
    }
}
