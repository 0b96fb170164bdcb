//! What becomes of a text that cannot be read.

use crate::check::check;
use crate::model::Model;
use crate::problem::told;
use crate::text::diagnostic::Diagnostic;
use crate::text::scene_text::SceneText;

/// What became of a text that was refused.
pub struct Refused<T = Model> {
    /// Its faults, in order.
    pub faults: Vec<Diagnostic>,
    /// What remains when misspelt names are put right: its values can still be checked.
    pub mended: Option<Box<(SceneText, T)>>,
    /// Whether a key is missing, which an override may yet bring.
    pub lacks_a_key: bool,
}

impl Refused {
    /// The faults of the text, and what is wrong with its values when its names are put right.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        let mut faults = self.faults;
        if let Some(mended) = self.mended {
            let (text, model) = &*mended;
            faults.extend(told(text, &check(model)));
        }
        faults
    }
}
