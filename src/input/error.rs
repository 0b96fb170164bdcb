//! What can be wrong with a particle file, and where.

use std::fmt;
use thiserror::Error;

/// The most characters of a file that a message quotes.
const LONGEST_QUOTE: usize = 40;

/// Why a file gives no particles.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub struct InputError {
    /// Where it is wrong, if that is a place.
    pub place: Option<Place>,
    /// What is wrong.
    pub problem: Problem,
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line, from 1.
    Line(usize),
    /// A byte, from 0.
    Byte(usize),
}

/// What can be wrong with a file.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Problem {
    /// A file of no bytes.
    #[error("the file is empty")]
    Empty,
    /// Something else stands where the format wants a keyword, a number or a mark.
    #[error("expected {expected}, found `{found}`")]
    Unexpected {
        /// What would be right.
        expected: String,
        /// What is there.
        found: String,
    },
    /// The file ends before its content does.
    #[error("the file ends too early: {missing}")]
    EndsEarly {
        /// What it lacks.
        missing: String,
    },
    /// Two counts that should agree do not.
    #[error("{what} should be {expected}, here are {found}")]
    WrongCount {
        /// What is counted.
        what: String,
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A coordinate that is NaN, infinite, or beyond the range of the program's numbers.
    #[error("coordinate {axis} of particle {particle} (counted from 0) is not a finite number")]
    NotFinite {
        /// The particle's place in the file.
        particle: usize,
        /// `x`, `y` or `z`.
        axis: char,
    },
    /// A feature of the format that is not read.
    #[error("{feature} cannot be read: {instead}")]
    Unsupported {
        /// What the file has.
        feature: String,
        /// What would be right.
        instead: &'static str,
    },
    /// Data that cannot be unpacked.
    #[error("the data of {array} cannot be unpacked: {reason}")]
    Packed {
        /// Whose data.
        array: String,
        /// Why not.
        reason: String,
    },
    /// XML that is not well formed.
    #[error("this is not well-formed XML: {0}")]
    Xml(String),
}

impl Problem {
    /// Something else than `expected` is there.
    pub(super) fn unexpected(expected: impl Into<String>, found: &[u8]) -> Problem {
        let text = String::from_utf8_lossy(found);
        let mut found: String = text.chars().take(LONGEST_QUOTE).collect();
        if found.len() < text.len() {
            found.push('…');
        }
        Problem::Unexpected { expected: expected.into(), found }
    }

    /// The file lacks something.
    pub(super) fn ends_early(missing: impl Into<String>) -> Problem {
        Problem::EndsEarly { missing: missing.into() }
    }

    /// The coordinate that is the `k`-th number of all positions is not finite.
    pub(super) fn not_finite(k: usize) -> Problem {
        Problem::NotFinite { particle: k / 3, axis: ['x', 'y', 'z'][k % 3] }
    }

    /// The problem at a place.
    pub(super) fn at(self, place: Place) -> InputError {
        InputError { place: Some(place), problem: self }
    }
}

impl From<Problem> for InputError {
    fn from(problem: Problem) -> Self {
        InputError { place: None, problem }
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some(Place::Line(line)) => write!(f, "line {line}: {}", self.problem),
            Some(Place::Byte(byte)) => write!(f, "byte {byte}: {}", self.problem),
            None => self.problem.fmt(f),
        }
    }
}
