//! A problem of values that are located by key paths.

use crate::text::diagnostic::Severity;

/// A problem of values that are located by key paths.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Severity.
    pub severity: Severity,
    /// Key paths of the values concerned, the most relevant first.
    pub paths: Vec<String>,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
    /// Character offset of the problem in the first value, if known.
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

    /// Adds the key path of another value.
    pub fn also_at(mut self, path: impl Into<String>) -> Self {
        self.paths.push(path.into());
        self
    }

    /// Adds the key paths of other values.
    pub fn also_at_all(mut self, paths: impl IntoIterator<Item = String>) -> Self {
        self.paths.extend(paths);
        self
    }
}
