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
    #[error("expected {expected}, found `{found}`{hint}")]
    Unexpected {
        /// What would be right.
        expected: String,
        /// What is there.
        found: String,
        /// What to change, after `; `; empty if that is plain.
        hint: &'static str,
    },
    /// The content is of another kind than the file's name says.
    #[error("{found}: {instead}")]
    OtherContent {
        /// What the file is.
        found: String,
        /// What would be right.
        instead: String,
    },
    /// More data than the program takes from a compressed file of this size.
    #[error(
        "its data unpack to {} MiB and more, over {ratio} times the size of the file: write it \
         uncompressed if that is meant", .unpacked >> 20
    )]
    TooLarge {
        /// Size of the data, as far as it is known \[bytes\].
        unpacked: usize,
        /// The largest accepted ratio of the data to the file.
        ratio: usize,
    },
    /// The file ends before its content does.
    #[error("the file ends too early: {missing}")]
    EndsEarly {
        /// What it lacks.
        missing: String,
    },
    /// The file lacks what it cannot be read without.
    #[error("{0}")]
    Missing(String),
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
        let text = String::from_utf8_lossy(&found[..found.len().min(4 * LONGEST_QUOTE)]);
        let mut quote = String::new();
        for c in text.chars().take(LONGEST_QUOTE) {
            // A terminal would act on control characters.
            if c.is_control() { quote.extend(c.escape_debug()) } else { quote.push(c) }
        }
        if text.chars().nth(LONGEST_QUOTE).is_some() {
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
        "; zero bytes stand where a file was not written to its end"
    } else if !has_digits {
        ""
    } else if word.contains(char::is_whitespace) {
        "; only spaces and tabs of ASCII separate numbers"
    } else if word.contains(['\u{2212}', '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}']) {
        "; the minus sign must be the ASCII `-`"
    } else if word.contains([',', ';']) {
        "; numbers have a decimal point, and spaces between them"
    } else if word.contains(['d', 'D']) && word.chars().all(is_fortran) {
        "; an exponent is written with `e`"
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
