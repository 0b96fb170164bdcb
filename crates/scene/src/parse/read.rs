//! Reads a scene and its overrides.

use super::overrides;
use super::parser::parse;
use super::renamed_keys::replace_old_names;
use crate::json::scene_text;
use crate::model::Model;
use crate::text::diagnostic::Diagnostic;
use crate::text::scene_text::SceneText;
use crate::text::source::{Override, Source};

/// A scene whose names and types are right; its values are not checked.
pub struct ReadScene {
    /// The text with all overrides applied.
    pub text: SceneText,
    /// What it holds.
    pub model: Model,
    /// Warnings about old names of keys.
    pub warnings: Vec<Diagnostic>,
}

/// Reads a scene file and applies its overrides.
///
/// # Errors
/// Every error that can be found at once.
pub fn read(source: &Source, overrides: &[Override]) -> Result<ReadScene, Vec<Diagnostic>> {
    let mut text = scene_text(source)?;
    let mut warnings = replace_old_names(&mut text)?;
    let read = match parse(&text) {
        Err(refused) if overrides.is_empty() || !refused.is_key_missing => Err(refused),
        read => overrides::apply(&mut text, read, overrides, &mut warnings)?,
    };
    match read {
        Ok(mut model) => {
            if model.has_free_tension() {
                model.solver.settings_mut().set_tension_defaults();
            }
            Ok(ReadScene { text, model, warnings })
        }
        Err(refused) => Err(refused.into_diagnostics()),
    }
}
