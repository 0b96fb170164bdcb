//! Writes a scene in the other of its two languages, with its layout.

use crate::json::{scene_text, to_json};
use crate::parse::read;
use crate::text::diagnostic::{Diagnostic, escape_lines, escape_within_lines};
use crate::text::source::Source;

/// The language of a scene file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Rusty Object Notation.
    Ron,
    /// JSON.
    Json,
}

/// A scene in the other language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    /// Its text.
    pub text: String,
    /// The language of that.
    pub language: Language,
    /// Comments that are left out, as JSON has none.
    pub comments: usize,
}

/// A scene in RON as JSON, or one in JSON as RON; only what the file gives, without defaults.
/// Unprintable characters of its strings become escapes of the language.
///
/// # Errors
/// All errors of names, types and brackets.
pub fn convert(source: &Source) -> Result<Converted, Vec<Diagnostic>> {
    read(source, &[])?;
    let text = scene_text(source)?;
    if text.is_translated() {
        let text = text.to_string();
        let text = escape_lines(&in_a_scene(&text));
        return Ok(Converted { text, language: Language::Ron, comments: 0 });
    }
    let (text, comments) = to_json(text.chars());
    // Such characters stand in strings alone, and all take one unit of UTF-16.
    let text = escape_within_lines(&text, |c| format!("\\u{:04x}", u32::from(c)));
    Ok(Converted { text, language: Language::Json, comments })
}

/// The text with the name that scenes in RON begin with, and a line break at its end.
fn in_a_scene(text: &str) -> String {
    let at = text.find('(').unwrap_or_default();
    format!("{}Scene{}\n", &text[..at], text[at..].trim_end())
}
