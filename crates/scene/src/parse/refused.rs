//! What becomes of a text that cannot be read.

use crate::check::check;
use crate::model::Model;
use crate::problem::to_diagnostics;
use crate::text::diagnostic::Diagnostic;
use crate::text::scene_text::SceneText;

/// What became of a text that was refused.
pub struct Refused<T = Model> {
    /// Its faults, in order.
    pub faults: Vec<Diagnostic>,
    /// What remains when unknown_name names are put right: its values can still be checked.
    pub repaired: Option<Box<(SceneText, T)>>,
    /// Whether a key is missing, which an override may yet bring.
    pub is_key_missing: bool,
}

impl Refused {
    /// The faults of the text, and what is wrong with its values when its names are put right.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        let mut faults = self.faults;
        if let Some(repaired) = self.repaired {
            let (text, model) = &*repaired;
            faults.extend(to_diagnostics(text, &check(model)));
        }
        faults
    }
}
