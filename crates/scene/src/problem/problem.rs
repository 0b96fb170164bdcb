//! A problem of values, located by their key paths.

use crate::text::diagnostic::Severity;

/// A problem with values, told by their key paths.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// The values concerned, the most telling first.
    pub paths: Vec<String>,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
    /// How many characters into the first value it is, if that is known.
    pub at: Option<usize>,
}

impl Problem {
    /// An error at one value.
    pub fn error(path: impl Into<String>, message: impl Into<String>, help: &str) -> Self {
        Problem {
            severity: Severity::Error,
            paths: vec![path.into()],
            message: message.into(),
            help: (!help.is_empty()).then(|| help.to_owned()),
            at: None,
        }
    }

    /// A warning at one value.
    pub fn warning(path: impl Into<String>, message: impl Into<String>, help: &str) -> Self {
        Problem { severity: Severity::Warning, ..Problem::error(path, message, help) }
    }

    /// The same, concerning another value too.
    pub fn and(mut self, path: impl Into<String>) -> Self {
        self.paths.push(path.into());
        self
    }

    /// The same, concerning other values too.
    pub fn and_all(mut self, paths: impl IntoIterator<Item = String>) -> Self {
        self.paths.extend(paths);
        self
    }
}
