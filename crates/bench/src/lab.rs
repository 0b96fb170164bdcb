//! Where an experiment is made: how to measure, and the rows found so far.

use crate::rows::Row;
use crate::sample::is_affordable;
use std::sync::atomic::{AtomicBool, Ordering};

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Enough for a test.
    Tiny,
    /// Some seconds.
    Quick,
    /// As the papers.
    Full,
}

impl Size {
    /// What belongs to this size: of tiny, quick, full.
    pub fn of<T>(self, [tiny, quick, full]: [T; 3]) -> T {
        match self {
            Size::Tiny => tiny,
            Size::Quick => quick,
            Size::Full => full,
        }
    }
}

/// How to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// How much.
    pub size: Size,
    /// How often each time is taken, at least once.
    pub repeats: usize,
    /// The seed of all inputs.
    pub seed: u64,
    /// Threads that the measurements run on: told, not chosen here.
    pub threads: usize,
    /// Memory that a structure may be expected to take \[bytes\].
    pub memory: u64,
}

/// Why an experiment ended before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// It was asked to.
    Stopped,
    /// Something is wrong: answers differ, or an input cannot be made.
    Wrong(String),
}

/// Where an experiment is made: what it may know, and what it has found so far.
pub struct Lab<'a> {
    /// How to measure.
    pub setup: Setup,
    stop: &'a AtomicBool,
    tell: &'a mut dyn FnMut(&Row),
    rows: Vec<Row>,
}

impl<'a> Lab<'a> {
    /// An empty one; `tell` hears of each row.
    pub fn new(setup: Setup, stop: &'a AtomicBool, tell: &'a mut dyn FnMut(&Row)) -> Self {
        Lab { setup, stop, tell, rows: Vec::new() }
    }

    /// Goes on unless asked to stop.
    ///
    /// # Errors
    /// [`Halt::Stopped`].
    pub fn go_on(&self) -> Result<(), Halt> {
        if self.stop.load(Ordering::Relaxed) { Err(Halt::Stopped) } else { Ok(()) }
    }

    /// Keeps a row.
    ///
    /// # Errors
    /// If its answer is not that of the rows of the same input.
    pub fn keep(&mut self, row: Row) -> Result<(), Halt> {
        let other = |other: &&Row| other.input == row.input && other.answer.is_some();
        if let (Some(answer), Some(first)) = (row.answer, self.rows.iter().find(other))
            && first.answer != Some(answer)
        {
            let answers = first.answer.map_or(String::new(), |answer| answer.to_string());
            return Err(Halt::Wrong(format!(
                "{}: {} finds {answer}, {} finds {answers}",
                row.input, row.structure, first.structure
            )));
        }
        (self.tell)(&row);
        self.rows.push(row);
        Ok(())
    }

    /// Whether a structure may be measured at the next size of a cost curve: if its rows for a task
    /// with inputs that end like this do not tell that it takes too long, or too much memory.
    pub fn may_go_on(&self, structure: &str, task: &str, inputs: &str, next: f64) -> bool {
        let seconds = self.setup.size.of([2.0, 2.0, 30.0]);
        let is_of_curve = |row: &&Row| {
            row.structure == structure && row.task == task && row.input.ends_with(inputs)
        };
        let known: Vec<&Row> = self.rows.iter().filter(is_of_curve).collect();
        let known_bytes = known.last().and_then(|row| Some((row.bytes?, row.x)));
        let bytes = known_bytes.map_or(0.0, |(bytes, x)| bytes as f64 * next / x);
        let times: Vec<(f64, f64)> = known.iter().map(|row| (row.x, row.time.median)).collect();
        is_affordable(&times, next, seconds) && bytes < self.setup.memory as f64
    }

    /// The rows found so far.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The rows, when nothing more is measured.
    pub(crate) fn into_rows(self) -> Vec<Row> {
        self.rows
    }
}
