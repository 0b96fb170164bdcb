//! The problems of a particle file, and their places.

use super::quantity::Quantity;
use std::fmt;
use thiserror::Error;

/// Maximum characters of a file that a message quotes.
const MAX_QUOTE: usize = 40;

/// Why particles cannot be read from a file.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub struct InputError {
    /// The place of the problem, if it has one.
    pub place: Option<Place>,
    /// The problem.
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

/// A problem of a file.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Problem {
    /// A file of no bytes.
    #[error("the file is empty")]
    Empty,
    /// Something else in place of a keyword, a number or a mark of the format.
    #[error("expected {expected}, found `{found}`{hint}")]
    Unexpected {
        /// What the format requires.
        expected: String,
        /// What the file has.
        found: String,
        /// What to change, after `; `; empty if that is clear.
        hint: &'static str,
    },
    /// Content of another kind than the file's name says.
    #[error("{found}: {instead}")]
    OtherContent {
        /// What the file is.
        found: String,
        /// What the format requires.
        instead: String,
    },
    /// More data than the program accepts from a compressed file of this size.
    #[error(
        "its data unpack to at least {} MiB, over {ratio} times the size of the file; write the \
         file uncompressed if this is intended", .unpacked >> 20
    )]
    TooLarge {
        /// Size of the data, as far as it is known \[bytes\].
        unpacked: usize,
        /// The largest accepted ratio of the data to the file.
        ratio: usize,
    },
    /// The file ends before its content does.
    #[error("unexpected end of file: {missing}")]
    EndsEarly {
        /// What is missing.
        missing: String,
    },
    /// A missing part without which the file cannot be read.
    #[error("{0}")]
    Missing(String),
    /// Two counts that should be equal are not.
    #[error("wrong number of {what}: expected {expected}, found {found}")]
    WrongCount {
        /// What is counted.
        what: String,
        /// The required count.
        expected: usize,
        /// The count in the file.
        found: usize,
    },
    /// A coordinate that is NaN, infinite, or beyond the range of the program's numbers.
    #[error("coordinate {axis} of particle {particle} (counted from 0) is not finite")]
    NotFinite {
        /// The particle's index in the file.
        particle: usize,
        /// `x`, `y` or `z`.
        axis: char,
    },
    /// A feature of the format that is not read.
    #[error("{feature} is not supported: {instead}")]
    Unsupported {
        /// What the file has.
        feature: String,
        /// What the format requires.
        instead: &'static str,
    },
    /// Data that cannot be unpacked.
    #[error("the data of {array} cannot be unpacked: {reason}")]
    Packed {
        /// The array.
        array: String,
        /// The reason.
        reason: String,
    },
    /// XML that is not well formed.
    #[error("invalid XML: {0}")]
    Xml(String),
    /// A column that is chosen and cannot be read, or that is missing among chosen ones.
    #[error(transparent)]
    Column(#[from] ColumnProblem),
}

/// A problem of a column that is chosen, or of one that is missing among chosen ones.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("column of `{}`: {message}; {help}", .quantity.name())]
pub struct ColumnProblem {
    /// What it is chosen for.
    pub quantity: Quantity,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: String,
}

impl ColumnProblem {
    pub(super) fn new(quantity: Quantity, message: String, help: String) -> Self {
        ColumnProblem { quantity, message, help }
    }

    /// A part of a vector has no column, and other parts have; `names` lists those of the file.
    pub(super) fn not_known(quantity: Quantity, names: String) -> Self {
        let message = format!("no column is known as `{}` by its name", quantity.name());
        ColumnProblem::new(quantity, message, format!("choose one; {names}"))
    }
}

impl Problem {
    /// Something else than `expected` is there.
    pub(super) fn unexpected(expected: impl Into<String>, found: &[u8]) -> Problem {
        let text = String::from_utf8_lossy(&found[..found.len().min(4 * MAX_QUOTE)]);
        let mut quote = String::new();
        for c in text.chars().take(MAX_QUOTE) {
            // A terminal would act on control characters.
            if c.is_control() { quote.extend(c.escape_debug()) } else { quote.push(c) }
        }
        if text.chars().nth(MAX_QUOTE).is_some() {
            quote.push('…');
        }
        let found = quote;
        Problem::Unexpected { expected: expected.into(), found, hint: "" }
    }

    /// Something else than a number is there, perhaps one in another notation.
    pub(super) fn not_a_number(expected: impl Into<String>, found: &[u8]) -> Problem {
        let hint = notation_hint(&String::from_utf8_lossy(found));
        match Problem::unexpected(expected, found) {
            Problem::Unexpected { expected, found, .. } => {
                Problem::Unexpected { expected, found, hint }
            }
            other => other,
        }
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

/// How to write a number whose notation is not read.
fn notation_hint(word: &str) -> &'static str {
    let has_digits = word.contains(|c: char| c.is_ascii_digit());
    let is_fortran = |c: char| c.is_ascii_digit() || "+-.dD".contains(c);
    if word.contains('\0') {
        "; zero bytes suggest that the file was not written completely"
    } else if !has_digits {
        ""
    } else if word.contains(char::is_whitespace) {
        "; separate numbers by ASCII spaces or tabs"
    } else if word.contains(['\u{2212}', '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}']) {
        "; write the minus sign as ASCII `-`"
    } else if word.contains([',', ';']) {
        "; write a decimal point, and spaces between numbers"
    } else if word.contains(['d', 'D']) && word.chars().all(is_fortran) {
        "; write exponents with `e`"
    } else {
        ""
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
