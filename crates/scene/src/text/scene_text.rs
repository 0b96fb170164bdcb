//! The text of a scene while overrides edit it: every character remembers where it was typed.
//!
//! A problem found in the edited text is thus shown where the user wrote the cause: in the file or
//! on the command line. All offsets are in characters, as in ron's columns.

use crate::text::diagnostic::{Diagnostic, Severity};
use crate::text::source::Source;
use std::ops::Range;
use std::sync::Arc;

/// Where a character was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Index of the source: 0 is the file, overrides follow.
    pub source: u32,
    /// Character offset in that source.
    pub at: u32,
}

/// A text with the origin of each character.
#[derive(Clone, Debug)]
pub struct SceneText {
    sources: Vec<Arc<Source>>,
    chars: Vec<char>,
    origins: Vec<Origin>,
    is_translated: bool,
}

impl SceneText {
    /// The text of a file, without a byte order mark: that is no character of the user's, and
    /// would shift the columns of the first line.
    pub fn new(file: &Source) -> Self {
        let text = file.text.strip_prefix('\u{feff}').unwrap_or(&file.text);
        let chars: Vec<char> = text.chars().collect();
        let origins = (0..chars.len() as u32).map(|at| Origin { source: 0, at }).collect();
        let source = Source { name: file.name.clone(), text: text.to_owned() };
        let sources = vec![Arc::new(source)];
        SceneText { sources, chars, origins, is_translated: false }
    }

    /// The text of the same file, written as RON by characters of known origin.
    pub fn translated(self, ron: &[(char, Origin)]) -> Self {
        let (chars, origins) = ron.iter().copied().unzip();
        SceneText { is_translated: true, chars, origins, ..self }
    }

    /// Whether the file is JSON, of which this text is a translation.
    pub fn is_translated(&self) -> bool {
        self.is_translated
    }

    /// Part of the text as the user wrote it.
    pub fn as_typed(&self, span: &Range<usize>) -> String {
        if !self.is_translated {
            return self.slice(span);
        }
        let (source, span) = self.typed(span.clone());
        self.sources[source as usize].text.chars().skip(span.start).take(span.len()).collect()
    }

    /// The name of the file.
    pub fn file_name(&self) -> &str {
        &self.sources[0].name
    }

    /// Adds a source that later edits may quote; returns its index.
    pub fn add_source(&mut self, source: Arc<Source>) -> u32 {
        self.sources.push(source);
        self.sources.len() as u32 - 1
    }

    /// The characters as they stand.
    pub fn chars(&self) -> &[char] {
        &self.chars
    }

    /// Part of the text.
    pub fn slice(&self, span: &Range<usize>) -> String {
        self.chars[span.clone()].iter().collect()
    }

    /// Replaces a span by characters of known origin.
    pub fn splice(&mut self, span: Range<usize>, new: &[(char, Origin)]) {
        self.chars.splice(span.clone(), new.iter().map(|&(c, _)| c));
        self.origins.splice(span, new.iter().map(|&(_, origin)| origin));
    }

    /// Replaces a span by other words for the same thing: they keep the origin of its first
    /// character.
    pub fn reword(&mut self, span: Range<usize>, words: &str) {
        let origin = self.origins[span.start];
        let new: Vec<_> = words.chars().map(|c| (c, origin)).collect();
        self.splice(span, &new);
    }

    /// The offset of a line and column, both from 1.
    pub fn offset(&self, line: usize, column: usize) -> usize {
        let is_break = |&(_, &c): &(usize, &char)| c == '\n';
        let breaks = self.chars.iter().enumerate().filter(is_break).map(|(at, _)| at + 1);
        let start = std::iter::once(0).chain(breaks).nth(line.max(1) - 1);
        start.map_or(self.chars.len(), |start| (start + column.max(1) - 1).min(self.chars.len()))
    }

    /// The first part of a span that comes from an override, if any.
    pub fn overridden_part(&self, span: Range<usize>) -> Option<Range<usize>> {
        let origins = self.origins.get(span.clone())?;
        let first = origins.iter().position(|origin| origin.source != 0)?;
        let same = |origin: &&Origin| origin.source == origins[first].source;
        let length = origins[first..].iter().take_while(same).count();
        Some(span.start + first..span.start + first + length)
    }

    /// The range of one character of the string in a span, counted from its opening quote; `None`
    /// if the string has escapes, so that offsets differ.
    pub fn within(&self, span: &Range<usize>, at: usize) -> Option<Range<usize>> {
        let value = self.chars.get(span.clone())?;
        let is_plain = value.first() == Some(&'"') && !value.contains(&'\\');
        let place = (span.start + at).min(span.end.saturating_sub(1));
        is_plain.then_some(place..place + 1)
    }

    /// A diagnostic about a span of the edited text, shown where that span was typed.
    pub fn diagnose(
        &self,
        severity: Severity,
        span: Range<usize>,
        message: String,
        help: Option<String>,
    ) -> Diagnostic {
        let (source, span) = self.typed(span);
        let Source { name, text } = &*self.sources[source as usize];
        Diagnostic {
            severity,
            source_name: name.clone(),
            source_text: text.clone(),
            span: Some(span),
            message,
            help,
        }
    }

    /// Where a span was typed: the source of its first character, and the part that came from
    /// there.
    fn typed(&self, span: Range<usize>) -> (u32, Range<usize>) {
        let Some(first) = self.origins.get(span.start).copied() else {
            let end = self.sources[0].text.chars().count();
            return (0, end..end);
        };
        let end = self.origins[span.start..span.end.min(self.origins.len())]
            .iter()
            .filter(|origin| origin.source == first.source)
            .map(|origin| origin.at + 1)
            .max();
        let start = first.at as usize;
        (first.source, start..end.map_or(start, |end| (end as usize).max(start)))
    }
}

impl std::fmt::Display for SceneText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.chars.iter().try_for_each(|c| write!(f, "{c}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_is_shown_where_it_was_typed() {
        let file = Source { name: "a.ron".to_owned(), text: "(x: 1,\n y: 2)".to_owned() };
        let mut text = SceneText::new(&file);
        let set = text.add_source(Arc::new(Source {
            name: "--set x=-30".to_owned(),
            text: "x=-30".to_owned(),
        }));
        let value: Vec<_> = "-30"
            .chars()
            .enumerate()
            .map(|(i, c)| (c, Origin { source: set, at: 2 + i as u32 }))
            .collect();
        text.splice(4..5, &value);
        assert_eq!(text.to_string(), "(x: -30,\n y: 2)");

        let shown = |span| {
            let d = text.diagnose(Severity::Error, span, String::new(), None);
            (d.source_name.clone(), d.line(), d.column(), d.span.clone())
        };
        assert_eq!(shown(4..7), ("--set x=-30".to_owned(), 1, 3, Some(2..5)));
        assert_eq!(shown(13..14), ("a.ron".to_owned(), 2, 5, Some(11..12)));
        assert_eq!(text.offset(2, 5), 13);
        assert_eq!(text.offset(9, 1), 15, "past the end is the end");
    }
}
