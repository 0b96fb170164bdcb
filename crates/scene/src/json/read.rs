//! Reads a scene file, which is RON or JSON, as RON text with places; and JSON values of overrides.

use super::scan::{is_json, scan};
use super::shape::Shape;
use super::to_ron::to_ron;
use super::tree::{Body, Fault};
use crate::text::diagnostic::{Diagnostic, Severity};
use crate::text::scene_text::{Origin, SceneText};
use crate::text::source::Source;

/// The text of a scene file.
///
/// # Errors
/// Where a text that begins as JSON is not JSON, or no scene in it.
pub fn scene_text(file: &Source) -> Result<SceneText, Vec<Diagnostic>> {
    let text = SceneText::new(file);
    if !is_json(text.chars()) {
        return Ok(text);
    }
    let origin = |at: usize| Origin { source: 0, at: at as u32 };
    let value = scan(text.chars()).map_err(|fault| vec![diagnostic(&text, fault)])?;
    match to_ron(text.chars(), &value, &Shape::scene(), &origin) {
        Ok(ron) => Ok(text.translated(&ron)),
        Err(faults) => Err(faults.into_iter().map(|fault| diagnostic(&text, fault)).collect()),
    }
}

/// Characters of a text in RON, each with its place in the JSON.
pub type Translation = Vec<(char, Origin)>;

/// The value of an override of a scene in JSON, if it is an object, a list, a text or `null`;
/// others, such as names, are as in RON.
pub fn json_value(
    chars: &[char],
    shape: &Shape,
    origin: &dyn Fn(usize) -> Origin,
) -> Option<Result<Translation, Vec<Fault>>> {
    let value = scan(chars).ok().filter(|value| value.body != Body::Word)?;
    Some(to_ron(chars, &value, shape, origin))
}

fn diagnostic(text: &SceneText, fault: Fault) -> Diagnostic {
    text.diagnose(Severity::Error, fault.span, fault.message, Some(fault.help))
}
