//! A message about a scene, as plain data: what is wrong, where, and what would be right.

use std::fmt;
use std::ops::Range;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The scene is refused.
    Error,
    /// The scene runs, though perhaps not as meant.
    Warning,
}

/// A problem of a scene, of a file that it names, or of an override.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The text that it is about: a file as the user typed it, or `--set key=value`.
    pub source_name: String,
    /// All of that text.
    pub source_text: String,
    /// The characters in question, counted from 0; `None` when it is about the whole.
    pub span: Option<Range<usize>>,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
}

/// Text for a terminal: whatever would move the cursor, change colours or turn the writing
/// direction is shown by its escape, such as `\u{1b}`.
pub fn harmless(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_harmful(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    shown
}

/// Whether a character acts on a terminal instead of being seen: controls, line separators, and
/// the marks that turn the writing direction.
pub fn is_harmful(c: char) -> bool {
    let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}');
    c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}' | '\u{2066}'..='\u{2069}')
}

impl Diagnostic {
    /// The line where the span starts, from 1.
    pub fn line(&self) -> usize {
        1 + self.before().filter(|&c| c == '\n').count()
    }

    /// The column where the span starts, from 1, in characters.
    pub fn column(&self) -> usize {
        self.before().fold(1, |column, c| if c == '\n' { 1 } else { column + 1 })
    }

    fn before(&self) -> impl Iterator<Item = char> + '_ {
        self.source_text.chars().take(self.span.as_ref().map_or(0, |span| span.start))
    }
}

impl fmt::Display for Diagnostic {
    /// One line, such as `dam.ron:3:9: unknown key …`, for logs and tests.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, line, column) = (&self.source_name, self.line(), self.column());
        write!(f, "{}:{line}:{column}: {}", harmless(name), harmless(&self.message))?;
        match &self.help {
            Some(help) => write!(f, " (help: {})", harmless(help)),
            None => Ok(()),
        }
    }
}
