//! Parses text into a model with ron and serde, and turns their errors into diagnostics.
//!
//! ron stops at the first error. To report all of them at once, an error that can be repaired (a
//! misspelt name, a value of the wrong type) is repaired in a copy, which is parsed again; a
//! repaired copy is never run.

use super::document::Document;
use super::explain::Explainer;
use super::refused::Refused;
use super::text_error::Recovery;
use crate::model::Model;
use crate::spans::{Node, is_blank};
use crate::text::diagnostic::{Diagnostic, Severity};
use crate::text::scene_text::SceneText;
use ron::error::Error;
use ron::extensions::Extensions;
use ron::ser::PrettyConfig;
use std::borrow::Cow;

/// Faults shown of one text at the most.
const MAX_ERRORS: usize = 20;

/// ron as scenes are written: `Some(…)` and the doubled brackets of newtypes may be left out.
fn options() -> ron::Options {
    ron::Options::default().with_default_extension(
        Extensions::IMPLICIT_SOME
            | Extensions::UNWRAP_NEWTYPES
            | Extensions::UNWRAP_VARIANT_NEWTYPES,
    )
}

/// The model as text, every default written out.
pub fn write(model: &Model) -> Result<String, Error> {
    let pretty = PrettyConfig::new().struct_names(false).new_line("\n");
    // As a trait object, so that ron's writer is compiled once, not once for each type of a scene.
    let model: &dyn erased_serde::Serialize = model;
    options().to_string_pretty(model, pretty).map(|body| format!("Scene{body}\n"))
}

/// Reads a text; `Err` holds every fault that could be found in one go.
pub fn parse<T: Document>(text: &SceneText) -> Result<T, Refused<T>> {
    if is_blank(text.chars()) {
        return Err(Refused {
            faults: vec![empty_text::<T>(text)],
            repaired: None,
            is_key_missing: false,
        });
    }
    let mut text = Cow::Borrowed(text);
    let mut faults = Vec::new();
    let mut values_are_typed = true;
    let mut is_key_missing = false;
    while faults.len() < MAX_ERRORS {
        let error = match options().from_str::<T>(&text.to_string()) {
            Ok(model) if faults.is_empty() => return Ok(model),
            Ok(model) => {
                let repaired = values_are_typed.then(|| Box::new((text.into_owned(), model)));
                return Err(Refused { faults, repaired, is_key_missing });
            }
            Err(error) => error,
        };
        is_key_missing |= matches!(error.code, Error::MissingStructField { .. });
        let tree = Node::of_text(text.chars());
        let fault = Explainer::<T>::new(&text, tree.as_ref()).explain(&error);
        let follows_from_repair = !faults.is_empty() && matches!(fault.recover, Recovery::Nothing);
        let error = text.diagnose(Severity::Error, fault.span, fault.message, fault.help);
        if follows_from_repair || faults.contains(&error) {
            break;
        }
        faults.push(error);
        match fault.recover {
            Recovery::Nothing => break,
            Recovery::Name(span, name) => text.to_mut().reword(span, &name),
            Recovery::NameAlone(span, name) => {
                values_are_typed = false;
                text.to_mut().reword(span, &name);
            }
            Recovery::Placeholder(span, value) => {
                values_are_typed = false;
                text.to_mut().reword(span, value);
            }
            Recovery::Drop(span) => text.to_mut().splice(span, &[]),
            Recovery::Unbracket(span) => {
                text.to_mut().splice(span.end - 1..span.end, &[]);
                text.to_mut().splice(span.start..span.start + 1, &[]);
            }
        }
    }
    Err(Refused { faults, repaired: None, is_key_missing })
}

/// A text of blanks and comments alone.
fn empty_text<T: Document>(text: &SceneText) -> Diagnostic {
    let message = format!("there is no {} in this file", T::KIND);
    let start = 0..usize::from(!text.chars().is_empty());
    text.diagnose(Severity::Error, start, message, Some(T::SYNTAX.to_owned()))
}
