//! An experiment: what it measures, and what that shows.

use crate::claim::Claim;
use crate::lab::{Halt, Lab, Setup};
use crate::rows::Row;
use hashfall_output::plot::Panel;
use std::sync::atomic::AtomicBool;
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
        let findings = (self.conclude)(lab.rows());
        let wall = start.elapsed();
        Outcome { experiment: self, setup, rows: lab.into_rows(), findings, halt, wall }
    }
}
