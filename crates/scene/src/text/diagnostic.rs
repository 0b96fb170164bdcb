//! An error or a warning about a scene, located in its text, with help.

use std::fmt;
use std::ops::Range;

/// Severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The scene is refused.
    Error,
    /// The scene runs, though probably not as intended.
    Warning,
}

/// A problem of a scene, of a file that it names, or of an override.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Severity.
    pub severity: Severity,
    /// Name of the text that it concerns: a file as the user typed it, or `--set key=value`.
    pub source_name: String,
    /// All of that text.
    pub source_text: String,
    /// Character range, from 0; `None` if it concerns the whole text.
    pub span: Option<Range<usize>>,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
}

/// Escapes unprintable characters for a terminal: those that would move the cursor, change colours
/// or turn the writing direction become escapes such as `\u{1b}`.
pub fn escape_unprintable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unprintable(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    shown
}

/// Escapes as [`escape_unprintable`] does all but line breaks and tabs, in text of several lines.
pub fn escape_lines(text: &str) -> String {
    escape_within_lines(text, |c| c.escape_default().to_string())
}

/// Replaces all unprintable characters but line breaks and tabs by what `escape` gives.
pub(crate) fn escape_within_lines(text: &str, escape: impl Fn(char) -> String) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let is_layout = matches!(c, '\n' | '\t') || (c == '\r' && rest.peek() == Some(&'\n'));
        if is_layout || !is_unprintable(c) { shown.push(c) } else { shown += &escape(c) }
    }
    shown
}

/// Whether a character acts on a terminal instead of being shown: control characters, line
/// separators and marks that turn the writing direction.
pub fn is_unprintable(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}');
    c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}' | '\u{2066}'..='\u{2069}')
}

impl Diagnostic {
    /// The line where the span starts, from 1.
    pub fn line(&self) -> usize {
        self.line_column().0
    }

    /// The column where the span starts, from 1, in characters.
    pub fn column(&self) -> usize {
        self.line_column().1
    }

    /// The line and the column where the span starts, both from 1, in one pass over the text.
    pub fn line_column(&self) -> (usize, usize) {
        let start = self.span.as_ref().map_or(0, |span| span.start);
        let at = self.source_text.char_indices().nth(start);
        let before = &self.source_text[..at.map_or(self.source_text.len(), |(at, _)| at)];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = 1 + before.bytes().filter(|&byte| byte == b'\n').count();
        (line, 1 + before[line_start..].chars().count())
    }
}

impl fmt::Display for Diagnostic {
    /// One line, such as `dam.ron:3:9: unknown key …`, for logs and tests.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, (line, column)) = (&self.source_name, self.line_column());
        write!(
            f,
            "{}:{line}:{column}: {}",
            escape_unprintable(name),
            escape_unprintable(&self.message)
        )?;
        match &self.help {
            Some(help) => write!(f, " (help: {})", escape_unprintable(help)),
            None => Ok(()),
        }
    }
}
