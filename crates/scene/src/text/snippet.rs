//! How a diagnostic looks: the message, its place, the line with a marker, the help.
//!
//! ```text
//! error: unknown key `mx`
//!   --> scenes/dam.ron:14:9
//!    |
//! 14 |         mx: (1.0, 1.0, 1.0),
//!    |         ^^
//!    = help: did you mean `max`?
//! ```

use crate::text::diagnostic::{Diagnostic, Severity, escape_unprintable, is_unprintable};
use crate::text::paint::{Ink, Paint};
use std::fmt::Write;

/// Characters of a line that are shown; a longer one is cut around the marker.
const SHOWN_WIDTH: usize = 120;
/// Characters that stay before the marker where a line is cut.
const SHOWN_BEFORE: usize = 40;

/// The text of a diagnostic, with a final newline.
pub fn render(diagnostic: &Diagnostic, paint: Paint) -> String {
    let label = label(diagnostic.severity, paint);
    let mut text = format!("{label} {}\n", paint.bold(&escape_unprintable(&diagnostic.message)));
    let name = escape_unprintable(&diagnostic.source_name);
    let (line, column) = diagnostic.line_column();
    let number = line.to_string();
    let gutter = " ".repeat(number.len().max(2));
    let arrow = paint.ink(Ink::Blue, "-->");
    let bar = paint.ink(Ink::Blue, "|");
    if let Some(span) = &diagnostic.span {
        let shown = diagnostic.source_text.split('\n').nth(line - 1).unwrap_or_default();
        let excerpt = Excerpt::new(shown, column - 1, span.len());
        let number = paint.ink(Ink::Blue, &format!("{number:>2}"));
        let marker = paint.ink(ink(diagnostic.severity), &excerpt.marker);
        let _ = writeln!(text, "{gutter}{arrow} {name}:{line}:{column}");
        let _ = writeln!(text, "{gutter} {bar}");
        let _ = writeln!(text, "{number} {bar} {}", excerpt.line);
        let _ = writeln!(text, "{gutter} {bar} {}{marker}", " ".repeat(excerpt.indent));
    } else if !name.is_empty() {
        let _ = writeln!(text, "{gutter}{arrow} {name}");
    }
    if let Some(help) = &diagnostic.help {
        let _ = writeln!(
            text,
            "{gutter} {} help: {}",
            paint.ink(Ink::Blue, "="),
            escape_unprintable(help)
        );
    }
    text
}

/// `error:` or `warning:`.
pub fn label(severity: Severity, paint: Paint) -> String {
    let name = match severity {
        Severity::Error => "error:",
        Severity::Warning => "warning:",
    };
    paint.ink(ink(severity), name)
}

fn ink(severity: Severity) -> Ink {
    match severity {
        Severity::Error => Ink::Red,
        Severity::Warning => Ink::Yellow,
    }
}

/// The part of a line that is shown, and its marker.
struct Excerpt {
    line: String,
    indent: usize,
    marker: String,
}

impl Excerpt {
    /// `column` counts from 0; `length` is that of the whole span, which may go past the line.
    fn new(line: &str, column: usize, length: usize) -> Self {
        let line = line.trim_end();
        let total = line.chars().count();
        let first = if total > SHOWN_WIDTH { column.saturating_sub(SHOWN_BEFORE) } else { 0 };
        let last = total.min(first + SHOWN_WIDTH);
        let mut shown: String = line.chars().skip(first).take(SHOWN_WIDTH).map(printable).collect();
        let mut indent = column - first;
        if first > 0 {
            shown.insert(0, '…');
            indent += 1;
        }
        if last < total {
            shown.push('…');
        }
        let end = (column + length).min(last);
        Excerpt { line: shown, indent, marker: "^".repeat(end.saturating_sub(column).max(1)) }
    }
}

/// Harmless to a terminal, and one character wide, so that the marker stands where it should.
fn printable(c: char) -> char {
    match c {
        '\t' => ' ',
        c if is_unprintable(c) => '\u{fffd}',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str, span: Option<std::ops::Range<usize>>) -> String {
        let diagnostic = Diagnostic {
            severity: Severity::Error,
            source_name: "scenes/x.ron".into(),
            source_text: text.into(),
            span,
            message: "unknown key `mx`".into(),
            help: Some("did you mean `max`?".into()),
        };
        render(&diagnostic, Paint::Plain)
    }

    #[test]
    fn the_place_the_line_and_the_marker_are_shown() {
        let expected = "\
error: unknown key `mx`
  --> scenes/x.ron:2:9
   |
 2 |   µ: 1, mx: 2,
   |         ^^
   = help: did you mean `max`?
";
        assert_eq!(show("(\n  µ: 1, mx: 2,\n)", Some(10..12)), expected);
    }

    #[test]
    fn a_span_over_lines_marks_its_first() {
        let shown = show("a (\n b\n)", Some(2..8));
        assert!(shown.contains(" 1 | a (\n   |   ^\n"), "{shown}");
    }

    #[test]
    fn the_end_of_a_text_can_be_pointed_at() {
        for (text, at, place) in [("", 0, "1:1"), ("abc", 3, "1:4"), ("abc\n", 4, "2:1")] {
            let shown = show(text, Some(at..at));
            assert!(shown.contains(&format!("x.ron:{place}\n")), "{shown}");
            assert!(shown.contains('^'), "{shown}");
        }
    }

    #[test]
    fn a_long_line_is_cut_around_the_marker() {
        let shown = show(&format!("{}mx{}", "-".repeat(5000), "+".repeat(5000)), Some(5000..5002));
        assert!(shown.lines().all(|line| line.chars().count() < 140), "{shown}");
        let lines: Vec<&str> = shown.lines().collect();
        let at = lines[4].find('^').map(|byte| lines[4][..byte].chars().count());
        assert_eq!(at, lines[3].find("mx").map(|byte| lines[3][..byte].chars().count()));
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert!(!show("\x1b[2J\u{202e}\tmx", Some(6..8)).contains(['\x1b', '\t', '\u{202e}']));
        let escape = "a\x1b[2J\r\u{202e}\u{9b}ü".to_owned();
        let diagnostic = Diagnostic {
            severity: Severity::Warning,
            source_name: escape.clone(),
            source_text: escape.clone(),
            span: Some(0..1),
            message: escape.clone(),
            help: Some(escape),
        };
        let shown = render(&diagnostic, Paint::Plain);
        assert_eq!(shown.matches(r"a\u{1b}[2J\r\u{202e}\u{9b}ü").count(), 3, "{shown}");
        assert!(shown.chars().all(|c| c == '\n' || !is_unprintable(c)), "{shown:?}");
        assert_eq!(diagnostic.to_string().matches(r"\u{1b}[2J").count(), 3);
    }

    #[test]
    fn a_file_without_a_place_is_named() {
        assert!(show("", None).contains("\n  --> scenes/x.ron\n"));
    }
}
