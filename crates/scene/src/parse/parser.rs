//! From text to [`Model`]: ron and serde read it, and their faults become diagnostics.
//!
//! ron stops at the first fault. To show them all in one go, a fault that can be mended for the
//! moment (a misspelt name, a value of the wrong type) is mended in a copy and the copy read
//! again; a mended copy is never run.

use super::document::Document;
use super::explain::Reader;
use super::fault::Mend;
use super::refused::Refused;
use crate::model::Model;
use crate::spans::{Node, is_blank};
use crate::text::diagnostic::{Diagnostic, Severity};
use crate::text::scene_text::SceneText;
use ron::error::Error;
use ron::extensions::Extensions;
use ron::ser::PrettyConfig;
use std::borrow::Cow;

/// Faults shown of one text at the most.
const MOST_FAULTS: usize = 20;

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
    options().to_string_pretty(model, pretty).map(|body| format!("Scene{body}\n"))
}

/// Reads a text; `Err` holds every fault that could be found in one go.
pub fn parse<T: Document>(text: &SceneText) -> Result<T, Refused<T>> {
    if is_blank(text.chars()) {
        return Err(Refused { faults: vec![nothing::<T>(text)], mended: None, lacks_a_key: false });
    }
    let mut text = Cow::Borrowed(text);
    let mut faults = Vec::new();
    let mut values_are_typed = true;
    let mut lacks_a_key = false;
    while faults.len() < MOST_FAULTS {
        let error = match options().from_str::<T>(&text.to_string()) {
            Ok(model) if faults.is_empty() => return Ok(model),
            Ok(model) => {
                let mended = values_are_typed.then(|| Box::new((text.into_owned(), model)));
                return Err(Refused { faults, mended, lacks_a_key });
            }
            Err(error) => error,
        };
        lacks_a_key |= matches!(error.code, Error::MissingStructField { .. });
        let tree = Node::of_text(text.chars());
        let fault = Reader::<T>::new(&text, tree.as_ref()).explain(&error);
        let follows_from_mending = !faults.is_empty() && matches!(fault.mend, Mend::Nothing);
        let told = text.diagnose(Severity::Error, fault.span, fault.message, fault.help);
        if follows_from_mending || faults.contains(&told) {
            break;
        }
        faults.push(told);
        match fault.mend {
            Mend::Nothing => break,
            Mend::Name(span, name) => text.to_mut().reword(span, &name),
            Mend::Placeholder(span, value) => {
                values_are_typed = false;
                text.to_mut().reword(span, value);
            }
            Mend::Drop(span) => text.to_mut().splice(span, &[]),
            Mend::Unbracket(span) => {
                text.to_mut().splice(span.end - 1..span.end, &[]);
                text.to_mut().splice(span.start..span.start + 1, &[]);
            }
        }
    }
    Err(Refused { faults, mended: None, lacks_a_key })
}

/// A text of blanks and comments alone.
fn nothing<T: Document>(text: &SceneText) -> Diagnostic {
    let message = format!("there is no {} in this file", T::KIND);
    let start = 0..usize::from(!text.chars().is_empty());
    text.diagnose(Severity::Error, start, message, Some(T::FORM.to_owned()))
}
