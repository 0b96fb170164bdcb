//! A text that cannot be parsed, with its errors.

use crate::check::check;
use crate::model::Model;
use crate::problem::to_diagnostics;
use crate::text::diagnostic::Diagnostic;
use crate::text::scene_text::SceneText;

/// A text that cannot be parsed.
pub struct Refused<T = Model> {
    /// Its errors, in order.
    pub faults: Vec<Diagnostic>,
    /// The text with misspelt names corrected, and its model, whose values can still be checked.
    pub repaired: Option<Box<(SceneText, T)>>,
    /// Whether a key is missing, which a later override may supply.
    pub is_key_missing: bool,
}

impl Refused {
    /// The errors of the text, and the problems of its values with the names corrected.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        let mut faults = self.faults;
        if let Some(repaired) = self.repaired {
            let (text, model) = &*repaired;
            faults.extend(to_diagnostics(text, &check(model)));
        }
        faults
    }
}
