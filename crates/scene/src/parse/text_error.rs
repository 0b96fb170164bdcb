//! An error of the text, and how parsing continues after it.

use std::ops::Range;

/// A fault of the text as it stands.
pub struct TextError {
    /// Characters in question.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
    /// How to continue reading.
    pub recover: Recovery,
}

/// How reading can continue after a fault.
pub enum Recovery {
    /// It cannot.
    Nothing,
    /// Put a name right.
    Name(Range<usize>, String),
    /// Put another name, to which the value does not fit.
    NameAlone(Range<usize>, String),
    /// Put a value of the right type.
    Placeholder(Range<usize>, &'static str),
    /// Leave an entry out.
    Drop(Range<usize>),
    /// Leave the brackets out that a value begins and ends with.
    Unbracket(Range<usize>),
}

impl TextError {
    pub fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        TextError { span, message: message.into(), help: None, recover: Recovery::Nothing }
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Helps with what a key holds, if that is known.
    pub fn about(mut self, meaning: Option<String>) -> Self {
        self.help = meaning;
        self
    }

    pub fn recover(mut self, recover: Recovery) -> Self {
        self.recover = recover;
        self
    }
}

/// "`fluids[0].name`: ".
pub fn key_prefix(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!("`{path}`: ") }
}
