//! Measurements: the experiments of the papers, run again with every structure there is.
//!
//! ```text
//! Experiment ─run→ Lab: rows, whose answers must agree ─conclude→ Findings: panels, claims, notes
//!                                                 └→ table, comma-separated values ┴→ report, plot
//! ```
//!
//! An experiment is a file in [`experiments`] and a line in [`experiments::ALL`]. It measures what
//! a paper measured, and cost curves beside, on inputs that are made anew from a seed. Structures
//! are taken from the lists of all kinds, so that a new one is measured as soon as it has a name.
//! Claims are those of the papers; one that does not hold here says so. `docs/papers.md` has the
//! papers' figures beside ours.
//!
//! What is timed is a real rebuild: of a simulation's steps, or of inputs A and B, which is A
//! moved, by turns ([`measure::alternate`]). A time counts only with its answer: repeats and
//! structures that answer the same question must count the same, with the same checksum, or the
//! experiment is in error.

mod box_pairs;
mod broad_phases;
mod claim;
pub mod experiments;
mod falling_spheres;
mod inputs;
pub mod measure;
mod neighbor_lists;
mod pair_steps;
pub mod report;
mod rows;

pub use claim::Claim;
pub use rows::Row;

use hashfall_output::plot::Panel;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Something to measure.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// The name by which it is called.
    pub name: &'static str,
    /// What it shows, in a line.
    pub about: &'static str,
    /// Its quick and its full size.
    pub sizes: [&'static str; 2],
    /// Measures.
    pub run: fn(&mut Lab) -> Result<(), Halt>,
    /// What the rows that there are show.
    pub conclude: fn(&[Row]) -> Findings,
}

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
        measure::is_affordable(&times, next, seconds) && bytes < self.setup.memory as f64
    }

    /// What has been found.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }
}

/// What an experiment shows.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// What is drawn, from top to bottom.
    pub panels: Vec<Panel>,
    /// The papers' claims that could be tried.
    pub claims: Vec<Claim>,
    /// What else is to be said, in sentences.
    pub notes: Vec<String>,
}

/// An experiment that was made.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What was made.
    pub experiment: &'static Experiment,
    /// How.
    pub setup: Setup,
    /// What was measured.
    pub rows: Vec<Row>,
    /// What it shows.
    pub findings: Findings,
    /// Why it did not come to its end, if it did not.
    pub halt: Option<Halt>,
    /// How long it took.
    pub wall: Duration,
}

impl Experiment {
    /// Measures; what is known when it is asked to stop, or found wrong, is kept.
    pub fn run(
        &'static self,
        setup: Setup,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(&Row),
    ) -> Outcome {
        let start = Instant::now();
        let mut lab = Lab::new(setup, stop, tell);
        let halt = (self.run)(&mut lab).err();
        let findings = (self.conclude)(&lab.rows);
        let wall = start.elapsed();
        Outcome { experiment: self, setup, rows: lab.rows, findings, halt, wall }
    }
}

#[cfg(test)]
mod tests;
