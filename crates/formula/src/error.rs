//! What can be wrong with the text of a formula.

use thiserror::Error;

/// What is wrong with the text of a formula, and where.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{message} (character {})", .at + 1)]
pub struct FormulaError {
    /// Characters before it.
    pub at: usize,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: String,
}

impl FormulaError {
    pub(crate) fn new(at: usize, message: impl Into<String>, help: impl Into<String>) -> Self {
        FormulaError { at, message: message.into(), help: help.into() }
    }
}
