//! What is written by habit and is no RON: paths of Windows in quotes, and decimal commas.

use super::document::Document;
use super::explain::Explainer;
use super::text_error::TextError;
use crate::spans::Content;

impl<T: Document> Explainer<'_, T> {
    /// A backslash in quotes, as in a path of Windows.
    pub(super) fn escape(&self, at: usize) -> TextError {
        let at_value = self.around(at).pop().filter(|(node, _)| node.body == Content::Leaf);
        let span = at_value.map_or_else(|| self.word(at), |(node, _)| node.span.clone());
        TextError::new(span, "a backslash begins an escape in quotes, and this is none")
            .help("write `/` in paths, `\\\\` for a backslash, or r\"…\" for text as it stands")
    }

    /// Whether a decimal comma stands just before an offset: digits, a comma, digits.
    pub(super) fn follows_decimal_comma(&self, at: usize) -> bool {
        let chars = self.text.chars();
        let is_digit =
            |at: Option<usize>| at.and_then(|at| chars.get(at)).is_some_and(|c| c.is_ascii_digit());
        let is_comma = at.checked_sub(1).and_then(|at| chars.get(at)) == Some(&',');
        is_comma && is_digit(at.checked_sub(2)) && is_digit(Some(at))
    }
}
