//! Reads a scene and its overrides.

use super::parser::parse;
use crate::model::Model;
use crate::parse::overrides;
use crate::text::diagnostic::Diagnostic;
use crate::text::scene_text::SceneText;
use crate::text::source::{Override, Source};

/// Reads the file, then each override on top of it.
pub fn read(
    source: &Source,
    overrides: &[Override],
) -> Result<(SceneText, Model), Vec<Diagnostic>> {
    let mut text = SceneText::new(source);
    let read = match parse(&text) {
        Err(refused) if overrides.is_empty() || !refused.lacks_a_key => Err(refused),
        read => overrides::apply(&mut text, read, overrides)?,
    };
    match read {
        Ok(model) => Ok((text, model)),
        Err(refused) => Err(refused.into_diagnostics()),
    }
}
