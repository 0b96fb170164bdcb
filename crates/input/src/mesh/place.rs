//! Places in a mesh file.

use std::ops::Range;

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A word of a text.
    Word {
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// Its bytes, in the text of [`text`](super::text()).
        span: Range<usize>,
    },
    /// A byte of a binary file, from 0.
    Byte(usize),
}

impl Place {
    /// Line and column, both from 1, of a place in a text.
    pub fn line_and_column(&self) -> Option<(usize, usize)> {
        match self {
            Place::Word { line, column, .. } => Some((*line, *column)),
            Place::Byte(_) => None,
        }
    }

    /// The bytes of a word in the text of [`text`](super::text()).
    pub fn span(&self) -> Option<Range<usize>> {
        match self {
            Place::Word { span, .. } => Some(span.clone()),
            Place::Byte(_) => None,
        }
    }
}
