//! What is measured in a run of a case, and the goals for it.

use hashfall_core::format_significant;
use hashfall_output::curves::Curve;
use hashfall_output::plot::Panel;
use std::fmt;

/// What the probes of a scene showed.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    names: Vec<String>,
    /// Time \[s\] and values.
    rows: Vec<(f64, Vec<f64>)>,
}

impl Samples {
    /// No samples yet, of probes with these names.
    pub(super) fn new(names: Vec<String>) -> Self {
        Samples { names, rows: Vec::new() }
    }

    /// Adds the values of all probes at a time \[s\].
    pub(super) fn push(&mut self, time: f64, values: &[f64]) {
        self.rows.push((time, values.to_vec()));
    }

    /// What a probe showed over time \[s\]; nothing if the scene has no such probe.
    pub fn curve(&self, probe: &str) -> Curve {
        let column = self.names.iter().position(|name| name == probe);
        let point = |(time, values): &(f64, Vec<f64>)| column.map(|column| [*time, values[column]]);
        Curve::new(self.rows.iter().filter_map(point).collect())
    }
}

/// What a run came to.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// What was measured, in the order of the table.
    pub measured: Vec<Measured>,
    /// What is drawn, from top to bottom.
    pub panels: Vec<Panel>,
}

/// A quantity with its goal.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// What it is.
    pub quantity: &'static str,
    /// Its value; NaN if the run does not tell, which misses every goal.
    pub value: f64,
    /// What it should be; `None` for an error, whose best is 0.
    pub reference: Option<f64>,
    /// When it is good enough.
    pub goal: Goal,
    /// Its unit; empty for a number.
    pub unit: &'static str,
}

impl Measured {
    /// Whether the goal is met.
    pub fn holds(&self) -> bool {
        self.goal.holds(self.value)
    }

    /// How far a value of this quantity is from what it should be, with its sign; `None` if only a
    /// bound of it is known.
    pub(super) fn error_of(&self, value: f64) -> Option<f64> {
        match self.reference {
            Some(reference) => Some(value - reference),
            None => (!matches!(self.goal, Goal::AtLeast(_))).then_some(value),
        }
    }
}

/// When a value is good enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// Up to this.
    AtMost(f64),
    /// From this on.
    AtLeast(f64),
    /// From the first to the second.
    Within(f64, f64),
}

impl Goal {
    /// The values that are good enough, ends included.
    pub fn range(self) -> [f64; 2] {
        match self {
            Goal::AtMost(most) => [f64::NEG_INFINITY, most],
            Goal::AtLeast(least) => [least, f64::INFINITY],
            Goal::Within(least, most) => [least, most],
        }
    }

    pub(super) fn holds(self, value: f64) -> bool {
        let [least, most] = self.range();
        (least..=most).contains(&value)
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Goal::AtMost(most) => write!(f, "≤ {}", format_significant(most, FIGURES)),
            Goal::AtLeast(least) => write!(f, "≥ {}", format_significant(least, FIGURES)),
            Goal::Within(least, most) => {
                write!(
                    f,
                    "{} … {}",
                    format_significant(least, FIGURES),
                    format_significant(most, FIGURES)
                )
            }
        }
    }
}

/// Figures of numbers in tables.
pub(super) const FIGURES: usize = 4;
