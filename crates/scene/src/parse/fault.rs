//! A fault of the text, and how reading continues after it.

use super::document::Document;
use std::ops::Range;

/// A fault of the text as it stands.
pub struct Fault {
    /// Characters in question.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
    /// How to go on reading.
    pub mend: Mend,
}

/// How reading can go on after a fault.
pub enum Mend {
    /// It cannot.
    Nothing,
    /// Put a name right.
    Name(Range<usize>, String),
    /// Put a value of the right type.
    Placeholder(Range<usize>, &'static str),
    /// Leave an entry out.
    Drop(Range<usize>),
    /// Leave the brackets out that a value begins and ends with.
    Unbracket(Range<usize>),
}

impl Fault {
    pub fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Fault { span, message: message.into(), help: None, mend: Mend::Nothing }
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Helps with what the key at `path` holds.
    pub fn about<T: Document>(mut self, path: &str) -> Self {
        self.help = T::meaning(path);
        self
    }

    pub fn mend(mut self, mend: Mend) -> Self {
        self.mend = mend;
        self
    }
}

/// "`fluids[0].name`: ".
pub fn of(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!("`{path}`: ") }
}
